package rust

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

// names lists parameters and what patterns, closures and items inside the
// function introduce; the tree must hold every node below the function.
func names(t *treesitter.Tree, fn int32) lang.Names {
	var n lang.Names
	if name := t.Child(fn, "name"); name != treesitter.NoNode {
		n.Name = t.Text(name)
	}
	n.Params = bound(t, t.Child(fn, "parameters"))
	for i := range t.Inside(fn) {
		switch t.Kind(i) {
		case "let_declaration", "let_condition", "for_expression", "match_arm":
			n.Locals = append(n.Locals, bound(t, t.Child(i, "pattern"))...)
		case "closure_expression", "function_item":
			n.Locals = append(n.Locals, named(t, i)...)
			n.Locals = append(n.Locals, bound(t, t.Child(i, "parameters"))...)
		case "const_item", "static_item", "struct_item", "enum_item", "union_item", "trait_item",
			"type_item", "mod_item", "macro_definition":
			n.Locals = append(n.Locals, named(t, i)...)
		}
	}
	return n
}

func named(t *treesitter.Tree, at int32) []string {
	if name := t.Child(at, "name"); name != treesitter.NoNode {
		return []string{t.Text(name)}
	}
	return nil
}

// bound lists the identifiers that a pattern binds. One that starts with an
// upper-case letter is taken for a constant or a variant.
func bound(t *treesitter.Tree, at int32) []string {
	var out []string
	for todo := []int32{at}; len(todo) > 0; { // no recursion: patterns may be deep
		at, todo = todo[len(todo)-1], todo[:len(todo)-1]
		if at == treesitter.NoNode {
			continue
		}
		except := treesitter.NoNode
		switch t.Kind(at) {
		case "identifier", "shorthand_field_identifier":
			if r, _ := utf8.DecodeRuneInString(t.Text(at)); !unicode.IsUpper(r) {
				out = append(out, t.Text(at))
			}
			continue
		case "parameter":
			todo = append(todo, t.Child(at, "pattern"))
			continue
		case "tuple_struct_pattern":
			except = t.Child(at, "type")
		case "match_pattern":
			except = t.Child(at, "condition")
		case "parameters", "closure_parameters", "tuple_pattern", "slice_pattern", "struct_pattern", "field_pattern",
			"ref_pattern", "mut_pattern", "reference_pattern", "captured_pattern", "or_pattern":
		default:
			continue
		}
		first := len(todo)
		for c := range t.Children(at) {
			if c != except {
				todo = append(todo, c)
			}
		}
		slices.Reverse(todo[first:])
	}
	return out
}
