package python

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// stubbed is a file in which what is imported from the project are empty classes,
// and how its offsets map back.
type stubbed struct {
	text   []byte
	copied []copied // ascending
}

// copied is a part of the original that starts at offset from, and at offset to of
// the new text.
type copied struct{ from, to, size int }

// original is the offset in the original of one in the new text, or -1 where that
// is not copied.
func (s *stubbed) original(offset int) int {
	i := sort.Search(len(s.copied), func(i int) bool { return s.copied[i].to > offset }) - 1
	if i < 0 || offset-s.copied[i].to >= s.copied[i].size {
		return -1
	}
	return s.copied[i].from + offset - s.copied[i].to
}

func (s *stubbed) copy(src []byte, from, end int) {
	s.copied = append(s.copied, copied{from, len(s.text), end - from})
	s.text = append(s.text, src[from:end]...)
}

// audible returns the source without the power of comments that tell pylint what
// not to say, byte for byte as long as before.
func audible(t *treesitter.Tree) []byte {
	out := bytes.Clone(t.Source)
	for i := range t.Nodes {
		if n := &t.Nodes[i]; t.Kind(int32(i)) == "comment" {
			comment := out[n.Start:n.End]
			copy(comment, bytes.ReplaceAll(comment, []byte("pylint:"), []byte("pylint ")))
		}
	}
	return out
}

// stub replaces what a file imports from its project by empty classes.
func stub(f *bind.File, t *treesitter.Tree, l bind.Linker) *stubbed {
	src := audible(t)
	s := &stubbed{}
	at := 0
	for i := range t.Nodes {
		kind := t.Kind(int32(i))
		if kind != "import_statement" && kind != "import_from_statement" {
			continue
		}
		n := &t.Nodes[i]
		if text, ok := stand(f, t, int32(i), l); ok {
			s.copy(src, at, int(n.Start))
			s.text = append(s.text, text...)
			at = int(n.End)
		}
	}
	s.copy(src, at, len(src))
	return s
}

// stand is what stands in for an import statement, if it imports from the project.
func stand(f *bind.File, t *treesitter.Tree, at int32, l bind.Linker) (string, bool) {
	var kept []string
	var classes []string
	project := false
	for _, b := range bindings(t, at) {
		im := b.Import
		switch {
		case len(l.Import(f, &im)) == 0:
			kept = append(kept, t.Text(b.node))
			continue
		case !im.All && !slices.Contains(classes, b.name):
			classes = append(classes, b.name)
		}
		project = true
	}
	if !project {
		return "", false
	}
	n := &t.Nodes[at]
	line := t.Source[bytes.LastIndexByte(t.Source[:n.Start], '\n')+1 : n.Start]
	rest, _, _ := bytes.Cut(t.Source[n.End:], []byte("\n"))
	alone := len(bytes.TrimSpace(line)) == 0 && !bytes.HasPrefix(bytes.TrimSpace(rest), []byte(";"))
	separator, form := "; ", "%s = type(%[1]q, (), {})" // fits on any line
	if alone {
		separator, form = "\n"+string(line), "class %s: pass"
	}
	var out []string
	for _, c := range classes {
		out = append(out, fmt.Sprintf(form, c))
	}
	if len(kept) > 0 {
		names := strings.Join(kept, ", ")
		if from := t.Child(at, "module_name"); from != treesitter.NoNode {
			names = "from " + t.Text(from) + " import " + names
		} else {
			names = "import " + names
		}
		out = append(out, names)
	}
	if len(out) == 0 {
		out = []string{"pass"}
	}
	return strings.Join(out, separator), true
}
