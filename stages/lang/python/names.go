package python

import (
	"slices"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

// names lists parameters, and as locals what else gets a name inside: targets of
// assignments, loops, with, except, walrus, comprehensions and case patterns,
// functions, classes, and parameters of functions and lambdas. Each is listed
// once. The tree must hold every node below the function.
func names(t *treesitter.Tree, fn int32) lang.Names {
	var n lang.Names
	if name := t.Child(fn, "name"); name != treesitter.NoNode {
		n.Name = t.Text(name)
	}
	own := t.Child(fn, "parameters")
	if own != treesitter.NoNode {
		n.Params = once(targets(t, own))
	}
	for i := range t.Inside(fn) {
		switch kind := t.Kind(i); kind {
		case "assignment", "augmented_assignment", "for_statement", "for_in_clause":
			if left := t.Child(i, "left"); left != treesitter.NoNode {
				n.Locals = append(n.Locals, targets(t, left)...)
			}
		case "named_expression", "function_definition", "class_definition":
			if name := t.Child(i, "name"); name != treesitter.NoNode {
				n.Locals = append(n.Locals, t.Text(name))
			}
		case "as_pattern_target", "lambda_parameters", "parameters", "splat_pattern":
			if i != own {
				n.Locals = append(n.Locals, targets(t, i)...)
			}
		case "case_pattern", "keyword_pattern", "as_pattern":
			n.Locals = append(n.Locals, captured(t, i)...)
		}
	}
	n.Locals = once(n.Locals)
	return n
}

// captured lists what a case pattern itself gives a name to: a lone name, and
// the one after "as". Dotted names are values to compare with.
func captured(t *treesitter.Tree, at int32) []string {
	var out []string
	before := ""
	for c := range t.Children(at) {
		kind := t.Kind(c)
		alone := kind == "dotted_name" && t.Nodes[c].Next == c+2 && t.Kind(at) != "as_pattern"
		if alone || kind == "identifier" && before == "as" {
			out = append(out, t.Text(c))
		}
		before = kind
	}
	return out
}

func once(names []string) []string {
	seen := map[string]bool{"_": true}
	return slices.DeleteFunc(names, func(name string) bool {
		repeated := seen[name]
		seen[name] = true
		return repeated
	})
}

// targets lists the identifiers bound at or below a node: not those of default
// values, types, attributes or subscripts.
func targets(t *treesitter.Tree, at int32) []string {
	switch t.Kind(at) {
	case "identifier":
		return []string{t.Text(at)}
	case "attribute", "subscript", "type", "call":
		return nil
	case "default_parameter", "typed_default_parameter":
		if name := t.Child(at, "name"); name != treesitter.NoNode {
			return targets(t, name)
		}
		return nil
	}
	var out []string
	for c := range t.Children(at) {
		out = append(out, targets(t, c)...)
	}
	return out
}
