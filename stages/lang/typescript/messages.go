package typescript

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// message is one line of tsc's output. Line and column count from 1, columns in
// units of UTF-16.
type message struct {
	path         string
	line, column int
	code         int
	text         string
}

var messageLine = regexp.MustCompile(`^(.+?)\((\d{1,9}),(\d{1,9})\): error TS(\d{1,9}): (.*)$`)

// messages reads the output of tsc without colours. What has no place in a file,
// goes on from the line before, or is cut off is left out.
func messages(output string) []message {
	var out []message
	for line := range strings.Lines(output) {
		m := messageLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil || !strings.HasSuffix(line, "\n") {
			continue
		}
		number := func(i int) int { n, _ := strconv.Atoi(m[i]); return n } // digits only: it cannot fail
		out = append(out, message{m[1], number(2), number(3), number(4), m[5]})
	}
	return out
}

// identifierAt is the name at a place of a text, in quotes or not, and its offset.
// It is "" where there is none.
func identifierAt(text string, line, column int) (start int, name string) {
	start = len(text) - len(strings.TrimPrefix(text, "\ufeff")) // tsc does not count the mark
	for ; line > 1; line-- {
		n := lineBreak.FindStringIndex(text[start:])
		if n == nil {
			return 0, ""
		}
		start += n[1]
	}
	for ; column > 1 && start < len(text); column-- {
		r, size := utf8.DecodeRuneInString(text[start:])
		if start += size; r > 0xffff {
			column-- // two units
		}
	}
	if rest := text[start:]; rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		start++
	}
	end := start
	for end < len(text) && inIdentifier(text[end]) {
		end++
	}
	return start, text[start:end]
}

// lineBreak is what ends a line in ECMAScript.
var lineBreak = regexp.MustCompile("\r\n|[\n\r\u2028\u2029]")

// inIdentifier takes every letter beyond ASCII for one that names may have.
func inIdentifier(b byte) bool {
	return b == '_' || b == '$' || b == '#' || b >= utf8.RuneSelf || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}
