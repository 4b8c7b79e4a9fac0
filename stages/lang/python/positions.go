package python

import (
	"bytes"
	"sort"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// use is the name a message is about, at its place in the original file.
func (m *message) use(s *stubbed, t *treesitter.Tree) (bind.Use, bool) {
	u := bind.Use{Name: m.name, Kind: bind.KindMember, Via: bind.ViaImport}
	line, column := m.endLine, m.endColumn-len(m.name)
	if m.id == "E0602" {
		u.Kind = bind.KindName
		line, column = m.line, m.column
	}
	lines := lineStarts(s.text)
	if line < 1 || line > len(lines) {
		return u, false
	}
	at := lines[line-1] + column
	if line == 1 && bytes.HasPrefix(s.text, []byte("\xef\xbb\xbf")) {
		at += 3 // columns do not count the byte order mark
	}
	at = s.original(at)
	if !isWord(t.Source, at, m.name) {
		// Before Python 3.12 places inside f-strings are made up.
		at = nearest(t, s.original(lines[min(max(m.line, 1), len(lines))-1]), m.name, u.Kind == bind.KindMember)
	}
	u.Start, u.End = at, at+len(m.name)
	return u, at >= 0
}

// lineStarts are the offsets at which lines start, as Python counts lines.
func lineStarts(text []byte) []int {
	starts := []int{0}
	for i, c := range text {
		if c == '\n' || c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// isWord reports whether a name stands at an offset.
func isWord(src []byte, at int, name string) bool {
	return at >= 0 && at+len(name) <= len(src) && string(src[at:at+len(name)]) == name &&
		(at == 0 || !wordByte(src[at-1])) && (at+len(name) == len(src) || !wordByte(src[at+len(name)]))
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// nearest is the identifier of a name inside a string that stands next at or after
// an offset, or -1: an attribute, or a name by itself.
func nearest(t *treesitter.Tree, from int, name string, attribute bool) int {
	first := sort.Search(len(t.Nodes), func(i int) bool { return int(t.Nodes[i].Start) >= from })
	for i := first; i < len(t.Nodes) && from >= 0; i++ {
		n := &t.Nodes[i]
		if t.Kind(int32(i)) != "identifier" || string(t.Source[n.Start:n.End]) != name {
			continue
		}
		if (t.Child(n.Parent, "attribute") == int32(i)) == attribute {
			return int(n.Start)
		}
	}
	return -1
}
