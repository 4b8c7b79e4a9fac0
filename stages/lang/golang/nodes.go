package golang

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// start is the offset of a node.
func (x *walker) start(at int32) int32 { return int32(x.t.Nodes[at].Start) }

// span is where a node stands.
func (x *walker) span(at int32) bind.Span {
	return bind.Span{Start: x.start(at), End: int32(x.t.Nodes[at].End)}
}

// text is that of the child in a field, or "".
func (x *walker) text(at int32, field string) string {
	if c := x.t.Child(at, field); c != treesitter.NoNode {
		return x.t.Text(c)
	}
	return ""
}

// fields iterates over the children in a field, without commas.
func (x *walker) fields(at int32, field string) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		for c := range x.t.Children(at) {
			n := &x.t.Nodes[c]
			if n.Named() && x.t.Grammar.FieldName(n.Field) == field && !yield(c) {
				return
			}
		}
	}
}

// named iterates over the children that are no tokens.
func (x *walker) named(at int32) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		for c := range x.t.Children(at) {
			if x.t.Nodes[c].Named() && !yield(c) {
				return
			}
		}
	}
}

// first is the first child that is no token, or NoNode.
func (x *walker) first(at int32) int32 {
	for c := range x.named(at) {
		return c
	}
	return treesitter.NoNode
}

// has reports whether a token stands among the children.
func (x *walker) has(at int32, token string) bool {
	for c := range x.t.Children(at) {
		if !x.t.Nodes[c].Named() && x.t.Kind(c) == token {
			return true
		}
	}
	return false
}
