// Package pytext says what Python calls blank, a word and a line end, and how it
// writes JSON. Published evaluators are written in Python, and to be equal to them on every text these
// small differences from Go's standard library count.
package pytext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsSpace is str.isspace of one character: Go's white space and the four
// separators U+001C to U+001F.
func IsSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

// IsWord is \w of Python's re for text: letters, numbers of every kind and the
// underscore. Combining marks are none.
func IsWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

// Strip is str.strip.
func Strip(s string) string { return strings.TrimFunc(s, IsSpace) }

// NotBlank returns the lines of a text that hold more than white space, as they
// are. Only "\n" ends a line.
func NotBlank(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if Strip(line) != "" {
			out = append(out, line)
		}
	}
	return out
}

// SplitLines is str.splitlines: lines without their ends, which are "\r\n" and
// each of \n \r \v \f, U+001C to U+001E, U+0085, U+2028 and U+2029. An end
// after the last line begins no further one.
func SplitLines(s string) []string {
	var out []string
	for s != "" {
		i := strings.IndexFunc(s, endsLine)
		if i < 0 {
			return append(out, s)
		}
		out = append(out, s[:i])
		if s = s[i:]; strings.HasPrefix(s, "\r\n") {
			s = s[2:]
			continue
		}
		_, n := utf8.DecodeRuneInString(s)
		s = s[n:]
	}
	return out
}

func endsLine(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// Newlines is what reading a file in text mode does: "\r\n" and "\r" become "\n".
func Newlines(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
