package scrub

import (
	"regexp"
	"strings"
)

var keyHead = regexp.MustCompile(`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----`)

// maxKey bounds how far away the end of a key is believed, in bytes. The longest
// in use, of 16,384 bits, have 13 KB.
const maxKey = 16 << 10

// privateKeys finds the blocks in which programs write private keys, on lines of
// their own or in a string constant. A block that was cut off ends with its last
// line that can belong to a key.
func privateKeys(text string) []Finding {
	var out []Finding
	at, foot := 0, 0 // foot is where the next "-----END " begins
	for {
		m := keyHead.FindStringIndex(text[at:])
		if m == nil {
			return out
		}
		start, body := at+m[0], at+m[1]
		if foot < body {
			if i := strings.Index(text[body:], "-----END "); i >= 0 {
				foot = body + i
			} else {
				foot = len(text)
			}
		}
		end := bodyEnd(text, body)
		if foot < len(text) && foot-body <= maxKey {
			end = lineOfMarks(text, foot)
		}
		out = append(out, Finding{start, end, Key})
		at = end
	}
}

// lineOfMarks is the end of "-----END ... KEY-----".
func lineOfMarks(text string, foot int) int {
	const opening = len("-----END ")
	rest := text[foot+opening : min(len(text), foot+opening+100)]
	if i := strings.Index(rest, "-----"); i >= 0 && !strings.Contains(rest[:i], "\n") {
		return foot + opening + i + 5
	}
	return foot + opening
}

var keyHeader = regexp.MustCompile(`^(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): `)

// bodyEnd goes on over lines that can belong to a key.
func bodyEnd(text string, at int) int {
	end := at
	for at < len(text) {
		next := min(len(text), at+maxKey)
		if i := strings.IndexByte(text[at:next], '\n'); i >= 0 {
			next = at + i + 1
		}
		line := strings.TrimSpace(text[at:next])
		switch {
		case line == "":
		case keyHeader.MatchString(line), isBase64(line):
			end = at + len(strings.TrimRight(text[at:next], " \t\r\n"))
		default:
			return end
		}
		at = next
	}
	return end
}

// isBase64 accepts lines of base64, with the "\n" of string constants. Short ones
// are taken for words.
func isBase64(line string) bool {
	for i := range len(line) {
		if c := line[i]; !isDigit(c) && !isLetter(c) && strings.IndexByte(`+/=\"',`, c) < 0 {
			return false
		}
	}
	return len(line) >= 16
}
