package java

import (
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// place is where javac reports something: lines and columns from 1, columns in
// UTF-16 units with tabs up to multiples of eight.
type place struct{ file, line, column int }

// finding is one message of javac.
type finding struct {
	place
	code string // "compiler.err.cant.resolve.location"
	kind string // of what is not found: "kindname.method"
	name string
}

// findings reads messages in the form of -XDrawDiagnostics,
//
//	12.java:10:5: compiler.err.cant.resolve.location: kindname.variable, name, , , (...)
//
// and passes over lines of any other form and about files that are not sources.
func findings(output string) []finding {
	var out []finding
	for line := range strings.Lines(output) {
		if f, ok := parseFinding(strings.TrimSpace(line)); ok {
			out = append(out, f)
		}
	}
	return out
}

func parseFinding(line string) (f finding, ok bool) {
	where, rest, ok := strings.Cut(line, ": ")
	if !ok {
		return f, false
	}
	file, at, ok := strings.Cut(where, ".java:")
	if !ok {
		return f, false
	}
	row, column, _ := strings.Cut(at, ":")
	for _, n := range []struct {
		text string
		into *int
	}{{file, &f.file}, {row, &f.line}, {column, &f.column}} {
		v, err := strconv.Atoi(n.text)
		if err != nil || v < 0 || n.text[0] == '+' {
			return f, false
		}
		*n.into = v
	}
	code, args, _ := strings.Cut(rest, ": ")
	if !strings.HasPrefix(code, "compiler.err.") {
		return f, false
	}
	f.code = code
	if code == "compiler.err.invalid.mref" { // a method reference: why follows
		_, detail, found := strings.Cut(args, "(compiler.misc.cant.resolve")
		if !found {
			return f, true
		}
		f.code = "compiler.err.cant.resolve"
		_, args, _ = strings.Cut(detail, ": ")
	}
	if strings.HasPrefix(f.code, "compiler.err.cant.resolve") {
		f.kind, args, _ = strings.Cut(args, ", ")
		f.name, _, _ = strings.Cut(args, ",")
	}
	return f, true
}

// syntax reports a message about what javac cannot parse, or not in its version.
func (f finding) syntax() bool {
	name := strings.TrimPrefix(f.code, "compiler.err.")
	for _, prefix := range []string{"expected", "illegal.start.of", "illegal.char", "premature.eof", "unclosed.", "feature.not.supported", "preview.feature.disabled"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// use is the use that a finding is about. Messages about types are none, since
// types have stand-ins: by a simple name a type is meant where a stand-in is
// called so, though javac may miss a variable. Nor are those about names
// that do not stand at their place, such as the element that an annotation does
// not name.
func (s *source) use(f finding) (bind.Use, bool) {
	if f.kind != "kindname.method" && f.kind != "kindname.variable" || f.name == "" {
		return bind.Use{}, false
	}
	at, ok := s.offset(f.place)
	if !ok {
		return bind.Use{}, false
	}
	name := s.nameAt(uint32(at), f.name)
	if name == treesitter.NoNode {
		return bind.Use{}, false
	}
	n := &s.tree.Nodes[name]
	u := bind.Use{Start: int(n.Start), End: int(n.End), Name: f.name, Kind: s.kind(name)}
	return u, u.Kind == bind.KindMember || f.kind == "kindname.method" || !s.around[f.name]
}

// nameAt finds the name that a message at an offset is about: the place of a
// member is the dot before it, that of a method reference its start.
func (s *source) nameAt(at uint32, name string) int32 {
	nodes := s.tree.Nodes
	first := sort.Search(len(nodes), func(i int) bool { return nodes[i].Start >= at }) // in preorder, starts ascend
	for i := first; i < len(nodes) && nodes[i].Start == at; i++ {
		if s.tree.Kind(int32(i)) == "method_reference" {
			last := treesitter.NoNode
			for c := range s.tree.Children(int32(i)) {
				last = c
			}
			if last != treesitter.NoNode && s.tree.Text(last) == name {
				return last
			}
		}
	}
	for i := first; i < len(nodes); i++ {
		switch s.tree.Kind(int32(i)) {
		case "identifier":
			if s.tree.Text(int32(i)) == name {
				return int32(i)
			}
			return treesitter.NoNode
		case "type_arguments": // f.<Type>name()
			i = int(nodes[i].Next) - 1
		}
	}
	return treesitter.NoNode
}

// kind is the kind of use that a name is.
func (s *source) kind(name int32) string {
	parent := s.tree.Nodes[name].Parent
	if parent == treesitter.NoNode {
		return bind.KindMember
	}
	first := parent + 1
	switch s.tree.Kind(parent) {
	case "switch_label", "field_access", "method_invocation", "method_reference":
		if first != name || s.tree.Kind(parent) == "switch_label" {
			return bind.KindMember
		}
	}
	for _, im := range s.facts.Imports {
		if im.Kind == "static" && (len(im.Names) > 0 || last(im.Path) == s.tree.Text(name)) {
			return bind.KindName
		}
	}
	return bind.KindInherited
}

// offset is the offset of a place in bytes.
func (s *source) offset(p place) (int, bool) {
	at, line := 0, 1
	for ; line < p.line && at < len(s.Text); line++ {
		end := strings.IndexAny(s.Text[at:], "\r\n")
		if end < 0 {
			return 0, false
		}
		at += end + 1
		if s.Text[at-1] == '\r' && at < len(s.Text) && s.Text[at] == '\n' {
			at++
		}
	}
	column := 1
	for at < len(s.Text) && column < p.column {
		r, size := utf8.DecodeRuneInString(s.Text[at:])
		switch {
		case r == '\t':
			column = (column-1)/8*8 + 9
		case r == '\n' || r == '\r':
			return 0, false
		case r > 0xFFFF:
			column += 2
		default:
			column++
		}
		at += size
	}
	return at, line == p.line && column == p.column && at < len(s.Text)
}
