package typescript

import "benchmill/internal/treesitter"

// A guard is a function that says of a parameter what it is: x is T.
type guard struct {
	parameter int
	typ       int32 // node
	asserts   bool  // where it returns at all
}

// findGuards lists the guards that the file declares, by name.
func (b *binder) findGuards() {
	b.guards = map[string]guard{}
	for i := range b.t.Nodes {
		at := int32(i)
		if k := b.t.Kind(at); k != "type_predicate_annotation" && k != "asserts_annotation" {
			continue
		}
		predicate, f := b.only(at), b.t.Nodes[at].Parent
		asserts := predicate != treesitter.NoNode && b.t.Kind(predicate) == "asserts"
		if asserts {
			predicate = b.only(predicate)
		}
		if predicate == treesitter.NoNode || b.child(f, "type_parameters") != treesitter.NoNode {
			continue
		}
		name := b.text(f, "name")
		if parent := b.t.Nodes[f].Parent; name == "" && parent != treesitter.NoNode && b.t.Kind(parent) == "variable_declarator" {
			name = b.text(parent, "name")
		}
		subject, n := b.text(predicate, "name"), 0
		if list := b.child(f, "parameters"); list != treesitter.NoNode {
			for p := range b.t.Children(list) {
				if pattern := b.child(p, "pattern"); pattern != treesitter.NoNode {
					if b.t.Text(pattern) == subject && b.t.Kind(f) != "method_definition" {
						b.guards[name] = guard{n, b.child(predicate, "type"), asserts}
					}
					n++
				}
			}
		}
	}
}

// guarded are the facts of a call of a guard of the file, or of Array.isArray.
func (b *binder) guarded(at int32, asserts bool) []fact {
	callee, arguments := b.child(at, "function"), b.child(at, "arguments")
	if callee == treesitter.NoNode || arguments == treesitter.NoNode {
		return nil
	}
	name := b.t.Text(callee)
	g, ok := b.guards[name]
	isArray := name == "Array.isArray"
	if !ok && !isArray || g.asserts != asserts {
		return nil
	}
	n := 0
	for c := range b.t.Children(arguments) {
		if !b.named(c) || b.t.Kind(c) == "comment" {
			continue
		}
		if n == g.parameter && b.isName(c) {
			if isArray {
				return []fact{{b.t.Text(c), b.list(b.elem(b.unlisted(c)))}}
			}
			listed := len(b.File.Refs)
			typ := b.typ(g.typ)
			b.File.Refs = b.File.Refs[:listed] // they stand where the guard is declared
			return []fact{{b.t.Text(c), typ}}
		}
		n++
	}
	return nil
}

// afterwards are the facts that hold behind a statement: one that leaves where they
// do not, or that asserts them.
func (b *binder) afterwards(at int32) []fact {
	switch b.t.Kind(at) {
	case "if_statement":
		if b.exits(b.child(at, "consequence")) {
			return b.facts(b.child(at, "condition"), true)
		}
	case "expression_statement":
		if x := b.only(at); x != treesitter.NoNode && b.t.Kind(x) == "call_expression" {
			return b.guarded(x, true)
		}
	}
	return nil
}

// exits reports whether a statement never goes on to the next one.
func (b *binder) exits(at int32) bool {
	if at == treesitter.NoNode {
		return false
	}
	switch b.t.Kind(at) {
	case "return_statement", "throw_statement", "continue_statement", "break_statement":
		return true
	case "statement_block":
		last := int32(treesitter.NoNode)
		for c := range b.t.Children(at) {
			if b.named(c) && b.t.Kind(c) != "comment" {
				last = c
			}
		}
		return last != treesitter.NoNode && b.t.Kind(last) != "statement_block" && b.exits(last)
	}
	return false
}
