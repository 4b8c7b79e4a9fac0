package csharp

import (
	"bytes"
	"maps"
	"slices"
)

const maxHoles = 50 // of interpolated strings inside each other

// identifiers lists the words of the code that may name types of other files,
// ascending: simple names that follow no dot, and dotted names whose parts all
// start in upper case, without a method called at their end. Comments, literals,
// keywords and preprocessor lines are passed over; the holes of interpolated
// strings are code.
//
// It reads the bytes instead of the tree, which costs a small part of keeping
// every leaf of it.
func identifiers(src []byte) []string {
	s := scanner{src: bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")), found: maps.Clone(keywords)}
	s.code(0)
	out := make([]string, 0, len(s.found)-len(keywords))
	for word, is := range s.found {
		if is {
			out = append(out, word)
		}
	}
	slices.Sort(out)
	return out
}

type scanner struct {
	src   []byte
	found map[string]bool
	holes int
}

// code reads code to the end or, inside a hole, to the brace that closes it. It
// returns the offset of that brace.
func (s *scanner) code(i int) int {
	src := s.src
	var last byte // before the token, blanks and comments aside
	lineStart, open := true, 0
	for i < len(src) {
		switch c := src[i]; {
		case c == '\n':
			lineStart = true
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			i++
			continue
		case c == '/' && i+1 < len(src) && src[i+1] == '/', c == '#' && lineStart:
			i += until(src[i:], '\n')
			continue
		case c == '/' && i+1 < len(src) && src[i+1] == '*':
			if end := bytes.Index(src[i+2:], []byte("*/")); end >= 0 {
				i += end + 4
			} else {
				i = len(src)
			}
			continue
		case c == '"' || c == '$' || c == '@':
			i = s.text(i)
		case c == '\'':
			i = quoted(src, i+1, '\'')
		case '0' <= c && c <= '9':
			for i < len(src) && wordBytes[src[i]] {
				i++
			}
		case wordBytes[c]:
			i = s.word(i, last)
		case c == '{':
			open++
			i++
		case c == '}':
			if open--; open < 0 && s.holes > 0 {
				return i
			}
			i++
		default:
			i++
		}
		last, lineStart = src[i-1], false
	}
	return len(src)
}

// word reads a name and the parts joined to it by dots.
func (s *scanner) word(start int, last byte) int {
	src := s.src
	i := start
	for i < len(src) && wordBytes[src[i]] {
		i++
	}
	if last == '.' {
		return i
	}
	is, known := s.found[string(src[start:i])]
	if !known {
		s.found[string(src[start:i])] = true
	} else if !is {
		return i // a keyword
	}
	part, before, parts := start, start, 1
	for upper(src[part]) && i+1 < len(src) && src[i] == '.' && upper(src[i+1]) {
		before, part = i, i+1
		for i++; i < len(src) && wordBytes[src[i]]; i++ {
		}
		parts++
	}
	end := i
	if i < len(src) && src[i] == '(' && !s.afterNew(start) {
		end = before
		parts--
	}
	if parts > 1 && end-start <= maxName {
		s.found[string(src[start:end])] = true
	}
	return i
}

// afterNew reports whether "new" comes right before an offset.
func (s *scanner) afterNew(at int) bool {
	return bytes.HasSuffix(bytes.TrimRight(s.src[max(0, at-16):at], " \t\r\n"), []byte("new"))
}

// text reads a string of any kind, or the one byte that turned out to start
// none.
func (s *scanner) text(i int) int {
	src := s.src
	start, dollars, verbatim := i, 0, false
	for i < len(src) && (src[i] == '$' || src[i] == '@') {
		if src[i] == '$' {
			dollars++
		} else {
			verbatim = true
		}
		i++
	}
	quotes := 0
	for i < len(src) && src[i] == '"' {
		quotes++
		i++
	}
	switch {
	case quotes == 0:
		return start + 1
	case quotes >= 3 && !verbatim:
	case quotes%2 == 0:
		return i // empty, or of escaped quotes alone
	default:
		quotes = 1
	}
	for i < len(src) {
		switch c := src[i]; {
		case c == '"':
			run := count(src[i:], '"')
			switch {
			case verbatim && run%2 == 0: // escaped
				i += run
			case verbatim:
				return i + run
			case quotes == 1:
				return i + 1
			case run >= quotes:
				return i + run
			default:
				i += run
			}
		case c == '\\' && quotes == 1 && !verbatim:
			i += 2
		case c == '\n' && quotes == 1 && !verbatim:
			return i
		case c == '{' && dollars > 0:
			run := count(src[i:], '{')
			i += run
			// One dollar: two braces are one of text. More: a hole opens with as
			// many braces as dollars.
			if opens := dollars == 1 && run%2 == 1 || dollars > 1 && run >= dollars; opens && s.holes < maxHoles {
				s.holes++
				i = s.code(i)
				s.holes--
				i = min(i+1, len(src))
			}
		default:
			i++
		}
	}
	return len(src)
}

// quoted is the offset after a literal, which ends with its line at the latest.
func quoted(src []byte, i int, quote byte) int {
	for ; i < len(src) && src[i] != '\n'; i++ {
		switch src[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return min(i, len(src))
}

func until(src []byte, c byte) int {
	if i := bytes.IndexByte(src, c); i >= 0 {
		return i
	}
	return len(src)
}

// count is how many bytes at the start are c.
func count(src []byte, c byte) int {
	n := 0
	for n < len(src) && src[n] == c {
		n++
	}
	return n
}

func upper(c byte) bool { return 'A' <= c && c <= 'Z' }

// wordBytes are those of identifiers; all but ASCII counts.
var wordBytes = func() (out [256]bool) {
	for c := range out {
		out[c] = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c >= 0x80
	}
	return out
}()

// keywords never name a type of the repository.
var keywords = func() map[string]bool {
	out := map[string]bool{}
	for _, word := range bytes.Fields([]byte(`
		abstract as base bool break byte case catch char checked class const continue decimal default delegate do double
		else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal
		is lock long namespace new null object operator out override params private protected public readonly ref return
		sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked
		unsafe ushort using virtual void volatile while
		_ async await dynamic get global init nameof partial record required set var when where yield`)) {
		out[string(word)] = false
	}
	return out
}()
