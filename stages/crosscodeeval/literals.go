package crosscodeeval

import (
	"strings"

	"benchmill/schemas"
	"benchmill/stages/lang"
)

// longest is the most bytes of text that a string literal has in the reference.
func (f *filtering) longest(e schemas.CompletionExample) int {
	longest := 0
	tokens := f.tokensFrom(e.CursorByte)
	for i, t := range tokens {
		if t.Start >= int(e.EndByte) {
			break
		}
		if t.String {
			end := min(t.End, int(e.EndByte))
			literal := e.Reference[t.Start-int(e.CursorByte) : end-int(e.CursorByte)]
			longest = max(longest, textBytes(literal)-codeBytes(tokens[i+1:], end))
		}
	}
	return longest
}

// textBytes is the length of a string literal without a prefix and the quotes.
func textBytes(literal string) int {
	const quotes = "\"'`"
	if i := strings.IndexAny(literal, quotes); i > 0 && i <= 3 {
		literal = literal[i:]
	}
	return len(strings.Trim(literal, quotes))
}

// codeBytes is the length of the tokens that start before an end: those of the code
// embedded in a string.
func codeBytes(tokens []lang.Token, end int) int {
	n, at := 0, 0
	for _, t := range tokens {
		if t.Start >= end {
			break
		}
		if t.Start >= at { // not inside another one
			n, at = n+t.End-t.Start, t.End
		}
	}
	return n
}
