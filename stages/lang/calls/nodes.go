package calls

import (
	"strings"

	"benchmill/internal/treesitter"
)

// First is the first named child of a node, or -1.
func First(t *treesitter.Tree, i int32) int32 {
	if i >= 0 {
		for c := range t.Children(i) {
			if t.Nodes[c].Named() {
				return c
			}
		}
	}
	return treesitter.NoNode
}

// last is the last named child, or -1.
func last(t *treesitter.Tree, i int32) int32 {
	out := treesitter.NoNode
	for c := range t.Children(i) {
		if t.Nodes[c].Named() {
			out = c
		}
	}
	return out
}

// OfKind is the first child of one of the kinds, or -1.
func OfKind(t *treesitter.Tree, i int32, kinds ...string) int32 {
	if i >= 0 {
		for c := range t.Children(i) {
			for _, k := range kinds {
				if t.Kind(c) == k {
					return c
				}
			}
		}
	}
	return treesitter.NoNode
}

// Arguments counts the named children of a list but comments; 0 where there is no
// list.
func Arguments(t *treesitter.Tree, list int32) (n int32) {
	if list >= 0 {
		for c := range t.Children(list) {
			if node := &t.Nodes[c]; node.Named() && !strings.Contains(t.Kind(c), "comment") {
				n++
			}
		}
	}
	return n
}

// Before is the sibling before a node, tokens included, or -1.
func Before(t *treesitter.Tree, i int32) int32 {
	parent := t.Nodes[i].Parent
	for j := i - 1; j > parent; j = t.Nodes[j].Parent {
		if t.Nodes[j].Parent == parent {
			return j
		}
	}
	return treesitter.NoNode
}

// Field makes a scope's name of a field.
func Field(name string) func(t *treesitter.Tree, i int32) string {
	return func(t *treesitter.Tree, i int32) string {
		if c := t.Child(i, name); c >= 0 {
			return text(t, c)
		}
		return ""
	}
}

// Fields makes a definition of the fields of its name and its body.
func Fields(name, body string) func(t *treesitter.Tree, i int32) (Definition, bool) {
	return func(t *treesitter.Tree, i int32) (Definition, bool) {
		d := Definition{Node: i, Name: t.Child(i, name), Body: t.Child(i, body)}
		return d, d.Name >= 0 && d.Body >= 0
	}
}

// Calling makes a call of the fields of what is called and of the arguments.
func Calling(callee, arguments string, of Of) func(t *treesitter.Tree, i int32) (Call, bool) {
	return func(t *treesitter.Tree, i int32) (Call, bool) {
		list := t.Child(i, arguments)
		return Call{Callee: t.Child(i, callee), Args: Arguments(t, list), Of: of, List: max(0, list)}, true
	}
}
