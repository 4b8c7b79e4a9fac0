// Package filter compiles expressions over records: level>=warn and (took>1s or has error).
package filter

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind int

const (
	word kind = iota
	quoted
	operator
	parenthesis
	end
)

type token struct {
	kind kind
	text string
	at   int // byte offset in the expression
}

// tokenise cuts an expression into tokens; the last one is always an end token.
func tokenise(text string) ([]token, error) {
	var tokens []token
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case unicode.IsSpace(r):
			at += size
		case r == '(' || r == ')':
			tokens = append(tokens, token{parenthesis, string(r), at})
			at += size
		case r == '"' || r == '\'':
			value, next, err := scanQuoted(text, at)
			if err != nil {
				return nil, err
			}
			tokens = append(tokens, token{quoted, value, at})
			at = next
		case strings.ContainsRune("=!<>~", r):
			text := scanOperator(text[at:])
			if text == "!" {
				return nil, fmt.Errorf("column %d: lone '!'", at+1)
			}
			tokens = append(tokens, token{operator, text, at})
			at += len(text)
		case isWordRune(r):
			size := strings.IndexFunc(text[at:], func(r rune) bool { return !isWordRune(r) })
			if size < 0 {
				size = len(text) - at
			}
			tokens = append(tokens, token{word, text[at : at+size], at})
			at += size
		default:
			return nil, fmt.Errorf("column %d: unexpected %q", at+1, r)
		}
	}
	return append(tokens, token{end, "end of expression", len(text)}), nil
}

// scanQuoted reads up to the same quote again; a doubled quote stands for itself.
func scanQuoted(text string, start int) (value string, next int, err error) {
	quote := text[start]
	var b strings.Builder
	for i := start + 1; i < len(text); i++ {
		if text[i] != quote {
			b.WriteByte(text[i])
			continue
		}
		if i+1 < len(text) && text[i+1] == quote {
			b.WriteByte(quote)
			i++
			continue
		}
		return b.String(), i + 1, nil
	}
	return "", 0, fmt.Errorf("column %d: quote is not closed", start+1)
}

func scanOperator(text string) string {
	if len(text) > 1 && text[1] == '=' && strings.IndexByte("!<>", text[0]) >= 0 {
		return text[:2]
	}
	return text[:1]
}

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.:/@+*µ", r)
}
