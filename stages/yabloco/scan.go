package yabloco

import "strings"

// skip returns the offset after the comment, string or character at i, or i where
// none begins there. What has no end ends with the text, a string or character with
// its line.
func skip(code string, i int) int {
	rest := code[i:]
	switch {
	case strings.HasPrefix(rest, "//"):
		if n := strings.IndexByte(rest, '\n'); n >= 0 {
			return i + n
		}
		return len(code)
	case strings.HasPrefix(rest, "/*"):
		if n := strings.Index(rest[2:], "*/"); n >= 0 {
			return i + 2 + n + 2
		}
		return len(code)
	case strings.HasPrefix(rest, `R"`) && (i == 0 || !isWord(code[i-1])):
		return rawString(code, i)
	case rest[0] == '"', rest[0] == '\'' && (i == 0 || !isWord(code[i-1])): // 1'000 is a number
		for j := 1; j < len(rest); j++ {
			switch rest[j] {
			case '\\':
				j++
			case rest[0]:
				return i + j + 1
			case '\n':
				return i + j
			}
		}
		return len(code)
	}
	return i
}

// rawString skips R"mark(...)mark".
func rawString(code string, i int) int {
	const longest = 16 // of a mark
	rest := code[i+2:]
	open := strings.IndexByte(rest[:min(len(rest), longest+1)], '(')
	if open < 0 {
		return i
	}
	end := ")" + rest[:open] + `"`
	if n := strings.Index(rest[open:], end); n >= 0 {
		return i + 2 + open + n + len(end)
	}
	return len(code)
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// closing is the offset after the bracket that closes the one at i; ok is false
// where the text ends before.
func closing(code string, i int, open, shut byte) (end int, ok bool) {
	depth := 0
	for i < len(code) {
		if next := skip(code, i); next > i {
			i = next
			continue
		}
		switch code[i] {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return i + 1, true
			}
		}
		i++
	}
	return len(code), false
}

// balanced reports whether braces close what they open and no more.
func balanced(code string) bool {
	depth := 0
	for i := 0; i < len(code); {
		if next := skip(code, i); next > i {
			i = next
			continue
		}
		switch code[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				return false
			}
		}
		i++
	}
	return depth == 0
}
