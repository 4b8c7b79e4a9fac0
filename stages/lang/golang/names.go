package golang

import (
	"slices"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

// names lists parameters and named results, and as locals the variables,
// constants and types declared inside, with the parameters and results of
// function literals; each once. Type parameters and labels are not listed.
// The tree must hold every node below the function.
func names(t *treesitter.Tree, fn int32) lang.Names {
	params, locals := binder{tree: t}, binder{tree: t}
	for _, field := range []string{"receiver", "parameters", "result"} {
		params.signature(fn, field)
	}
	for i := range t.Inside(fn) {
		switch t.Kind(i) {
		case "short_var_declaration":
			locals.left(i, "left")
		case "range_clause", "receive_statement":
			for c := range t.Children(i) {
				if t.Kind(c) == ":=" {
					locals.left(i, "left")
				}
			}
		case "type_switch_statement":
			locals.left(i, "alias")
		case "var_spec", "const_spec", "type_spec", "type_alias":
			locals.declaration(i)
		case "func_literal":
			locals.signature(i, "parameters")
			locals.signature(i, "result")
		}
	}
	n := lang.Names{Params: params.names(), Locals: locals.names()}
	if name := t.Child(fn, "name"); name != treesitter.NoNode {
		n.Name = t.Text(name)
	}
	return n
}

// A binder gathers the nodes that names are declared at.
type binder struct {
	tree *treesitter.Tree
	at   []int32
}

// names are those of the nodes in source order, without blanks and repeats.
func (b *binder) names() []string {
	slices.Sort(b.at)
	seen := map[string]bool{"": true, "_": true}
	var out []string
	for _, i := range b.at {
		if name := b.tree.Text(i); !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}

// add passes over what is no name: commas, and what is assigned to beside names.
func (b *binder) add(at int32) {
	if kind := b.tree.Kind(at); kind == "identifier" || kind == "type_identifier" {
		b.at = append(b.at, at)
	}
}

// left adds what stands left of a ":=".
func (b *binder) left(at int32, field string) {
	if list := b.tree.Child(at, field); list != treesitter.NoNode {
		for c := range b.tree.Children(list) {
			b.add(c)
		}
	}
}

// declaration adds the names that come before the type of a declaration.
func (b *binder) declaration(at int32) {
	for c := range b.tree.Children(at) {
		if b.tree.Grammar.FieldName(b.tree.Nodes[c].Field) == "name" {
			b.add(c)
		}
	}
}

// signature adds the names in a list of parameters or results.
func (b *binder) signature(at int32, field string) {
	if list := b.tree.Child(at, field); list != treesitter.NoNode && b.tree.Kind(list) == "parameter_list" {
		for c := range b.tree.Children(list) {
			b.declaration(c)
		}
	}
}
