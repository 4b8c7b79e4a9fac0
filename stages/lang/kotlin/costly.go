package kotlin

import "bytes"

// What the grammar may meet in one file. Its parser ends the process at 1,024
// strings that stand open in one another, and takes up to 60 bytes for every pair of
// loose annotations: 240 MB for as many as are allowed here. Files that people write
// have a few dozen of either.
const (
	maxTemplates = 1000
	maxLoose     = 2000
	maxArguments = 300 // bytes of an annotation's arguments that are looked at
)

// costly counts what the parser cannot stand: a string is left open only where a
// template, or a zero byte, stands in it, and what piles up are annotations that are
// followed by neither a word nor a string of one. They count in comments and
// strings too, where few stand.
func costly(src []byte) bool {
	templates, loose := 0, 0
	for i, c := range src {
		switch {
		case c == 0, c == '$' && i+1 < len(src) && opens(src[i+1]):
			templates++
		case c == '@' && dangles(src[i+1:]):
			loose++
		}
		if templates > maxTemplates || loose > maxLoose {
			return true
		}
	}
	return false
}

// opens reports whether a dollar before a byte begins a template, whatever the
// locale takes for letters.
func opens(c byte) bool { return c == '{' || wordy(c) }

// dangles reports whether no word follows the annotation whose name comes next.
func dangles(rest []byte) bool {
	for len(rest) > 0 && (wordy(rest[0]) || rest[0] == '.' || rest[0] == ':') {
		rest = rest[1:]
	}
	if len(rest) > 0 && rest[0] == '(' {
		end := closing(rest[:min(len(rest), maxArguments)])
		if end < 0 {
			return true
		}
		rest = rest[end+1:]
	}
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return len(rest) == 0 || !wordy(rest[0]) && rest[0] != '`'
}

// closing is where the parenthesis closes that a text begins with, or -1.
func closing(text []byte) int {
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func wordy(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c >= 0x80
}
