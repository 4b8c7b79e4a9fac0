package java

import (
	"slices"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// maxDepth bounds the nesting of the code that is looked at; what is nested
// deeper is not known.
const maxDepth = 500

// call ends the names of methods in a [bind.File], since a method and a field of
// one name are two things.
const call = "()"

// Names in a [bind.File] that no program can write.
const (
	constructor = "__init__"
	arrayClass  = "__Array"
	enumClass   = "__Enum"
)

// binder describes one file.
type binder struct {
	*bind.Builder
	t     *treesitter.Tree
	depth int
	full  map[string]bool // full names of types declared as imports
	// partial: classes have more members than the file says.
	partial bool
	body    *body          // of the method or lambda under way
	yield   *[]bind.ExprID // what the switch expression under way yields
}

// body is what is collected about a method or lambda while its code is walked.
type body struct {
	result  bind.ExprID // the declared type of what it returns
	returns []bind.ExprID
}

// describe is the language's [lang.Binding.Bind].
func describe(path string, t *treesitter.Tree) *bind.File {
	b := &binder{Builder: bind.NewBuilder(path), t: t, full: map[string]bool{}}
	return b.file()
}

func (b *binder) file() *bind.File {
	b.File.Exprs = slices.Grow(b.File.Exprs, len(b.t.Nodes)/3) // about as many as there are
	b.Import(bind.Import{Kind: "import", Path: "java.lang", All: true}, "", 0)
	for root := range b.t.Roots() {
		b.statements(root)
	}
	return b.Done()
}

// deeper reports whether code one level further down is still looked at. The
// caller calls shallower after it.
func (b *binder) deeper() bool {
	b.depth++
	return b.depth <= maxDepth
}

func (b *binder) shallower() { b.depth-- }

func (b *binder) start(i int32) int32 { return int32(b.t.Nodes[i].Start) }

// text is the text of a node, "" for none.
func (b *binder) text(i int32) string {
	if i == treesitter.NoNode {
		return ""
	}
	return b.t.Text(i)
}

// child is the first child of a kind.
func (b *binder) child(i int32, kinds ...string) int32 {
	for c := range b.t.Children(i) {
		for _, k := range kinds {
			if b.t.Kind(c) == k {
				return c
			}
		}
	}
	return treesitter.NoNode
}

// childOf is the first child of a kind, of a node that may be none.
func (b *binder) childOf(i int32, kind string) int32 {
	if i == treesitter.NoNode {
		return i
	}
	return b.child(i, kind)
}

// block opens a scope of its own around what f walks.
func (b *binder) block(f func()) {
	b.Open(bind.BlockScope, 0)
	f()
	b.Close()
}

// imported declares what an import binds. Types of other packages have names of
// their own; all else is looked up when needed: members imported one by one or
// all at once, and packages.
func (b *binder) imported(i int32) {
	path, all := dotted(b.t, i)
	if path == "" {
		return
	}
	im := bind.Import{Kind: "import", Path: path, All: all}
	if b.child(i, "static") != treesitter.NoNode {
		im.Kind = "static"
		if !all {
			im.Path, im.Name, im.All = parent(path), last(path), true
		}
	}
	name := ""
	if !im.All {
		im.Name = last(path)
		name = im.Name
	}
	b.Import(im, name, b.start(i))
}

// fullName names a type by its full name, as an import would.
func (b *binder) fullName(path string, start int32) bind.ExprID {
	if !b.full[path] {
		b.full[path] = true
		was := b.Enter(0)
		b.Import(bind.Import{Kind: "import", Path: path, Name: last(path)}, path, start)
		b.Enter(was)
	}
	return b.Expr(bind.Expr{Op: bind.Name, Name: path, Scope: b.Scope(), Start: start})
}
