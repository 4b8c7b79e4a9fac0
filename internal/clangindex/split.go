package clangindex

import "strings"

// split parts a command into words as a shell would, with quotes and backslashes
// and nothing else. What is not closed ends with the text.
func split(command string) []string {
	var out []string
	var word strings.Builder
	begun := false // "" is a word too
	end := func() {
		if begun {
			out = append(out, word.String())
		}
		word.Reset()
		begun = false
	}
	quote := byte(0)
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			end()
			continue
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(command) && (quote == 0 || strings.IndexByte("\"\\$`\n", command[i+1]) >= 0):
			i++
			if command[i] == '\n' {
				continue
			}
			word.WriteByte(command[i])
		default:
			word.WriteByte(c)
		}
		begun = true
	}
	end()
	return out
}
