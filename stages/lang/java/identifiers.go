package java

import (
	"bytes"
	"maps"
	"slices"
)

// identifiers lists the words of the code that may name types of other files,
// ascending: simple names that follow no dot or "::", and full names
// ("a.b.Type") from a part in lower case up to the first in upper case.
// Comments, literals, keywords, and package and import declarations are passed
// over.
//
// It reads the bytes instead of the tree, which costs a small part of keeping
// every leaf of it.
func identifiers(src []byte) []string {
	found := maps.Clone(keywords)
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	var last byte // before the token, blanks and comments aside
	chain := -1   // where a full name under way starts
	for i := 0; i < len(src); {
		switch c := src[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			i++
			continue
		case c == '/' && i+1 < len(src) && src[i+1] == '/':
			i += until(src[i:], "\n")
			continue
		case c == '/' && i+1 < len(src) && src[i+1] == '*':
			i += 2
			i += until(src[i:], "*/")
			continue
		case c == '"' && bytes.HasPrefix(src[i:], []byte(`"""`)):
			i = literal(src, i+3, `"""`)
			chain = -1
		case c == '"' || c == '\'':
			i = literal(src, i+1, string(c))
			chain = -1
		case '0' <= c && c <= '9':
			for i < len(src) && (inWord(src[i]) || src[i] == '.') {
				i++
			}
			chain = -1
		case !inWord(c):
			i++
			if c != '.' || last == '.' {
				chain = -1
			}
		default:
			start := i
			for i < len(src) && inWord(src[i]) {
				i++
			}
			word := src[start:i]
			switch {
			case bytes.HasSuffix(src[:start], []byte("::")): // a method
				chain = -1
			case last != '.':
				chain = -1
				is, known := found[string(word)]
				switch {
				case !known:
					found[string(word)] = true
				case !is && (string(word) == "import" || string(word) == "package"):
					i += until(src[i:], ";")
				}
				if !upper(c) && (is || !known) {
					chain = start
				}
			case chain >= 0 && src[start-1] == '.' && upper(c):
				if full := src[chain:i]; len(full) <= maxName {
					found[string(full)] = true
				}
				chain = -1
			case src[start-1] != '.':
				chain = -1
			}
			if i < len(src) && src[i] != '.' {
				chain = -1
			}
		}
		last = src[i-1]
	}
	out := make([]string, 0, len(found)-len(keywords))
	for word, is := range found {
		if is {
			out = append(out, word)
		}
	}
	slices.Sort(out)
	return out
}

// until is the offset after the next text, or the end.
func until(src []byte, text string) int {
	if i := bytes.Index(src, []byte(text)); i >= 0 {
		return i + len(text)
	}
	return len(src)
}

// literal is the offset after a literal that ends in quote, which stays on one
// line unless it is a text block.
func literal(src []byte, i int, quote string) int {
	for i < len(src) {
		switch {
		case src[i] == '\\':
			i += 2
			continue
		case bytes.HasPrefix(src[i:], []byte(quote)):
			return i + len(quote)
		case src[i] == '\n' && len(quote) == 1:
			return i
		}
		i++
	}
	return len(src)
}

func inWord(c byte) bool { return wordBytes[c] }

// wordBytes are those of identifiers; all but ASCII counts.
var wordBytes = func() (out [256]bool) {
	for c := range out {
		out[c] = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '$' || c >= 0x80
	}
	return out
}()

func upper(c byte) bool { return 'A' <= c && c <= 'Z' }

// keywords never name a type of the repository.
var keywords = func() map[string]bool {
	out := map[string]bool{}
	for _, word := range bytes.Fields([]byte(`
		abstract assert boolean break byte case catch char class const continue default do double else enum extends
		final finally float for goto if implements import instanceof int interface long native new package private
		protected public return short static strictfp super switch synchronized this throw throws transient try void
		volatile while true false null _ var yield record sealed permits`)) {
		out[string(word)] = false
	}
	return out
}()
