package retrieval

import (
	"strings"

	"benchmill/internal/pytext"
)

// Wording is what a prompt says around retrieved chunks, one line each.
type Wording struct {
	Head  string // before all chunks
	Found string // before the path of each
}

// OwnWording is the default.
var OwnWording = Wording{Head: "Code from other files of this repository that may help:", Found: "From the file:"}

// Text writes hits as comments to stand before a prompt: the head and an empty
// line, then for each hit its path and its lines, and an empty line. Comment is
// what starts a line comment. Without hits there is nothing to say: "".
func Text(hits []Hit, comment string, w Wording) string {
	if len(hits) == 0 {
		return ""
	}
	var b strings.Builder
	line := func(s string) { b.WriteString(comment + " " + s + "\n") }
	line(w.Head)
	b.WriteByte('\n')
	for _, h := range hits {
		line(w.Found)
		line(h.Path)
		for _, l := range pytext.SplitLines(strings.Trim(h.Text, "\n")) {
			line(l)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
