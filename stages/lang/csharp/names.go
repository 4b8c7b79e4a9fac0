package csharp

import (
	"slices"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

// names lists parameters, and as locals everything else that gets a name inside
// the function: variables of every kind, out arguments, patterns, parameters of
// lambdas, ranges of queries, local functions, labels. Each is listed once.
func names(t *treesitter.Tree, fn int32) lang.Names {
	var n lang.Names
	if name := t.Child(fn, "name"); name != treesitter.NoNode {
		n.Name = t.Text(name)
	}
	n.Params = bound(t, t.Child(fn, "parameters"))
	n.Locals = bound(t, t.Child(fn, "body"))
	return n
}

// bound lists what a node and those inside it give names to, in source order.
func bound(t *treesitter.Tree, within int32) []string {
	if within == treesitter.NoNode {
		return nil
	}
	var at []int32
	add := func(name int32) {
		if name != treesitter.NoNode && (t.Kind(name) == "identifier" || t.Kind(name) == "implicit_parameter") {
			at = append(at, name)
		}
	}
	for i := within; i < t.Nodes[within].Next; i++ {
		switch t.Kind(i) {
		case "parameter", "variable_declarator", "declaration_pattern", "recursive_pattern", "declaration_expression", "catch_declaration",
			"from_clause", "local_function_statement", "tuple_element",
			"parameter_list": // a parameter array lies in it without a node of its own
			add(t.Child(i, "name"))
		case "foreach_statement":
			add(t.Child(i, "left"))
		case "implicit_parameter":
			add(i)
		case "let_clause", "join_clause", "join_into_clause", "labeled_statement":
			for c := range t.Children(i) {
				if t.Kind(c) == "identifier" {
					add(c)
					break
				}
			}
		case "query_expression": // "into" names what follows
			into := false
			for c := range t.Children(i) {
				if into {
					add(c)
				}
				into = t.Kind(c) == "into"
			}
		case "tuple_pattern", "parenthesized_variable_designation", "var_pattern":
			for c := range t.Children(i) {
				add(c)
			}
		}
	}
	slices.Sort(at)
	seen := map[string]bool{"": true, "_": true}
	var out []string
	for _, i := range at {
		if name := t.Text(i); !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}
