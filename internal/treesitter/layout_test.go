package treesitter

import (
	"reflect"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"
)

// TestLayout walks every file with the library's own cursor and with walk.c,
// which repeats the library's struct layouts, and compares all there is.
func TestLayout(t *testing.T) {
	kinds, missing, extra, broken := map[uint16]bool{}, 0, 0, 0
	for _, s := range corpus(t) {
		want, errors := cursorWalk(library(t, s.grammar, s.text), s.grammar)
		got := parse(t, s, nil)
		if len(want) != len(got.Nodes) {
			t.Errorf("%s: %d nodes, the library has %d", s.name, len(got.Nodes), len(want))
			continue
		}
		for i := range want {
			if got.Nodes[i] != want[i] {
				t.Errorf("%s: node %d is %+v, in the library %+v", s.name, i, got.Nodes[i], want[i])
				break
			}
			kinds[want[i].Kind] = true
			if want[i].Missing() {
				missing++
			}
			if want[i].flags&flagExtra != 0 {
				extra++
			}
		}
		if got.ErrorBytes != errors {
			t.Errorf("%s: %d bytes in errors, want %d", s.name, got.ErrorBytes, errors)
		}
		if errors > 0 {
			broken++
		}
		if share := got.ErrorShare(); share != float64(errors)/float64(len(s.text)) {
			t.Errorf("%s: error share %v", s.name, share)
		}
	}
	if len(kinds) < 100 || missing == 0 || extra == 0 || broken == 0 {
		t.Errorf("the files show too little: %d kinds, %d missing nodes, %d extras, %d with errors", len(kinds), missing, extra, broken)
	}
}

func TestCursorSize(t *testing.T) {
	cursor, ok := reflect.TypeFor[sitter.TreeCursor]().FieldByName("c")
	if !ok {
		t.Fatal("the library's cursor has another shape")
	}
	if size := cursor.Type.Elem().Size(); size != cursorSize {
		t.Errorf("TSTreeCursor has %d bytes here, %d in the library", cursorSize, size)
	}
}

// cursorWalk is what a full walk should give, and the bytes inside errors.
func cursorWalk(root *sitter.Node, g *Grammar) ([]Node, uint32) {
	var out []Node
	inError := map[uint32]bool{}
	cursor := sitter.NewTreeCursor(root)
	defer cursor.Close()
	var walk func(parent int32, parentKind uint16)
	walk = func(parent int32, parentKind uint16) {
		n := cursor.CurrentNode()
		at := int32(len(out))
		node := Node{
			Kind: uint16(n.Symbol()), Field: g.fields[cursor.CurrentFieldName()],
			Start: n.StartByte(), End: n.EndByte(),
			StartRow: n.StartPoint().Row, StartCol: n.StartPoint().Column, EndRow: n.EndPoint().Row, EndCol: n.EndPoint().Column,
			Parent: parent, flags: uint32(parentKind) << shiftParentKind,
		}
		for flag, is := range map[uint32]bool{flagNamed: n.IsNamed(), flagMissing: n.IsMissing(), flagExtra: n.IsExtra()} {
			if is {
				node.flags |= flag
			}
		}
		if n.IsError() {
			for i := node.Start; i < node.End; i++ {
				inError[i] = true
			}
		}
		out = append(out, node)
		if cursor.GoToFirstChild() {
			walk(at, node.Kind)
			for cursor.GoToNextSibling() {
				walk(at, node.Kind)
			}
			cursor.GoToParent()
		}
		out[at].Next = int32(len(out))
	}
	walk(NoNode, 0)
	return out, uint32(len(inError))
}

func TestGrammar(t *testing.T) {
	for suffix, g := range grammars() {
		for id, kind := range g.kinds {
			if g.KindName(uint16(id)) != kind {
				t.Errorf("%s: kind %d has two names", suffix, id)
			}
		}
		if g.KindName(kindError) != "ERROR" {
			t.Errorf("%s: the error kind is %q", suffix, g.KindName(kindError))
		}
		if g.Identity() != NewGrammar(g.Name, g.language).Identity() {
			t.Errorf("%s: identity differs between two wraps of a grammar", suffix)
		}
		for name, id := range g.fields {
			if g.language.FieldName(int(id)) != name {
				t.Errorf("%s: field %q is %q in the library", suffix, name, g.language.FieldName(int(id)))
			}
		}
	}
	if a, b := grammars()[".ts"].Identity(), grammars()[".java"].Identity(); a == b {
		t.Errorf("two grammars are both %s", a)
	}
}

// TestTree checks the iterators against the parents of the nodes.
func TestTree(t *testing.T) {
	for _, s := range corpus(t) {
		tree := parse(t, s, nil)
		var roots int
		for r := range tree.Roots() {
			roots++
			if tree.Nodes[r].Parent != NoNode {
				t.Errorf("%s: root %d has a parent", s.name, r)
			}
		}
		if roots != 1 {
			t.Errorf("%s: %d roots", s.name, roots)
		}
		children := map[int32][]int32{}
		for i, n := range tree.Nodes {
			children[n.Parent] = append(children[n.Parent], int32(i))
		}
		for i := range tree.Nodes {
			at := int32(i)
			var got []int32
			for c := range tree.Children(at) {
				got = append(got, c)
			}
			if want := children[at]; len(want) != len(got) || len(want) > 0 && (want[0] != got[0] || want[len(want)-1] != got[len(got)-1]) {
				t.Fatalf("%s: children of %d are %v, want %v", s.name, at, got, want)
			}
			inside := int32(0)
			for range tree.Inside(at) {
				inside++
			}
			if inside != tree.Nodes[at].Next-at-1 {
				t.Fatalf("%s: %d nodes inside %d", s.name, inside, at)
			}
			for range tree.Inside(at) {
				break
			}
			for range tree.Children(at) {
				break
			}
		}
	}
}

func TestChild(t *testing.T) {
	tree := parse(t, source{"f.py", grammars()[".py"], []byte("def name(x): pass\n")}, nil)
	fn := int32(1)
	if tree.Kind(fn) != "function_definition" {
		t.Fatalf("node 1 is %s", tree.Kind(fn))
	}
	if got := tree.Text(tree.Child(fn, "name")); got != "name" {
		t.Errorf("the name is %q", got)
	}
	for _, field := range []string{"return_type", "no such field", ""} {
		if got := tree.Child(fn, field); got != NoNode {
			t.Errorf("field %q is node %d", field, got)
		}
	}
}
