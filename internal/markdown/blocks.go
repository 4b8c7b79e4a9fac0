package markdown

import "strings"

// indentation counts the columns before the first character; a tab goes to the
// next multiple of four.
func indentation(line string) (columns int, body string) {
	for i := range len(line) {
		switch line[i] {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return columns, line[i:]
		}
	}
	return columns, ""
}

// run is how often the first byte is repeated at the beginning.
func run(s string) int {
	n := 1
	for n < len(s) && s[n] == s[0] {
		n++
	}
	return n
}

// fenceOf is the length of the fence a line opens, or 0.
func fenceOf(body string) int {
	if body[0] != '`' && body[0] != '~' {
		return 0
	}
	n := run(body)
	if n < 3 || body[0] == '`' && strings.Contains(body[n:], "`") {
		return 0
	}
	return n
}

func isHeading(body string) bool {
	return body[0] == '#' && run(body) <= 6 && (run(body) == len(body) || strings.IndexByte(" \t", body[run(body)]) >= 0)
}

// isItem reports whether a line begins with the marker of a list.
func isItem(body string) bool {
	n := 0
	for n < len(body) && n < 9 && '0' <= body[n] && body[n] <= '9' {
		n++
	}
	switch {
	case n == len(body):
		return false
	case n > 0 && body[n] != '.' && body[n] != ')', n == 0 && strings.IndexByte("-*+", body[0]) < 0:
		return false
	}
	return n+1 == len(body) || body[n+1] == ' ' || body[n+1] == '\t'
}

// isBreak reports whether a line is a thematic break.
func isBreak(body string) bool {
	marks := strings.ReplaceAll(strings.ReplaceAll(body, " ", ""), "\t", "")
	return len(marks) >= 3 && strings.IndexByte("-*_", marks[0]) >= 0 && run(marks) == len(marks)
}

// beginsBlock reports whether a line cannot continue a paragraph above it.
func beginsBlock(body string) bool {
	return isItem(body) || isHeading(body) || isBreak(body) || fenceOf(body) > 0 || strings.HasPrefix(body, "<!--")
}

// spans finds, for each run of backquotes, the next run of its length.
func spans(text string, offset int) map[int]int {
	type found struct{ start, length int }
	var runs []found
	for i := strings.IndexByte(text, '`'); i >= 0 && i < len(text); {
		n := run(text[i:])
		runs = append(runs, found{offset + i, n})
		i += n
		next := strings.IndexByte(text[i:], '`')
		if next < 0 {
			break
		}
		i += next
	}
	out, last := map[int]int{}, map[int]int{}
	for i := len(runs) - 1; i >= 0; i-- {
		if next, ok := last[runs[i].length]; ok {
			out[runs[i].start] = next
		}
		last[runs[i].length] = runs[i].start
	}
	return out
}
