package include

import (
	"bytes"
	"regexp"
)

// comment skips strings, characters and everything else up to the first "//".
// Quotes that do not pair stop it, since nothing says then what is a string.
var comment = regexp.MustCompile(`(?s)^(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^"'/]|/[^/"'])*?//`)

// Comment returns where the line comment begins that ends a macro's body, or -1.
// The grammars of C and C++ take such a comment for a part of the body; comments
// in the middle of a body they know. In a body with a raw string none is found.
func Comment(body []byte) int {
	if !bytes.Contains(body, []byte("//")) || bytes.Contains(body, []byte(`R"`)) {
		return -1
	}
	at := comment.FindIndex(body)
	if at == nil {
		return -1
	}
	return at[1] - len("//")
}
