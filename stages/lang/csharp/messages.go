package csharp

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// message is one error in mcs's output. Lines and columns count from 1, columns in
// units of UTF-16; tabs are one. Errors without a place have no path.
type message struct {
	path         string
	line, column int
	code         int
	text         string

	source  *source // the file, where it is known
	standIn bool    // it is not about the file but about what stands for it
}

var messageLine = regexp.MustCompile(`^(?:(.+?)\((\d{1,9}),(\d{1,9})\): )?error CS(\d{1,9}): (.*)$`)

// messages reads the output of mcs. Warnings, further places of an error and what
// is cut off are left out.
func messages(output string) []message {
	var out []message
	for line := range strings.Lines(output) {
		m := messageLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil || !strings.HasSuffix(line, "\n") {
			continue
		}
		number := func(i int) int { n, _ := strconv.Atoi(m[i]); return n } // digits or nothing
		out = append(out, message{path: m[1], line: number(2), column: number(3), code: number(4), text: m[5]})
	}
	return out
}

var inQuotes = regexp.MustCompile("`([^`']+)'")

// subject is the name that an error is about, as its code says: the nth in quotes.
func (m message) subject(n int) string {
	all := inQuotes.FindAllStringSubmatch(m.text, n)
	if len(all) < n {
		return ""
	}
	return all[n-1][1]
}

// mark is a byte order mark, which mcs does not count.
const mark = "\ufeff"

// lineStarts are the offsets at which the lines of a text start.
func lineStarts(text string) []int {
	out := []int{len(text) - len(strings.TrimPrefix(text, mark))}
	for i := out[0]; i < len(text); i++ {
		if text[i] == '\n' || text[i] == '\r' && !strings.HasPrefix(text[i+1:], "\n") {
			out = append(out, i+1)
		}
	}
	return out
}

// offset is where a line and column are in a text whose lines start so, or -1.
func offset(text string, lines []int, line, column int) int {
	if line < 1 || line > len(lines) {
		return -1
	}
	at := lines[line-1]
	for ; column > 1; column-- {
		if at >= len(text) || text[at] == '\n' {
			return -1
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		if at += size; r > 0xffff {
			column-- // two units
		}
	}
	return at
}

// nameAt finds a name as a whole word at an offset or, where mcs points at what
// stands around it, the next one on the same line. It returns -1 for none.
func nameAt(text string, at int, name string) int {
	if at < 0 || name == "" {
		return -1
	}
	end := len(text)
	if n := strings.IndexAny(text[at:], "\r\n"); n >= 0 {
		end = at + n
	}
	for from := at; ; {
		n := strings.Index(text[from:end], name)
		if n < 0 {
			return -1
		}
		n += from
		from = n + len(name)
		if (n == 0 || !wordBytes[text[n-1]]) && (from == len(text) || !wordBytes[text[from]]) {
			return n
		}
	}
}
