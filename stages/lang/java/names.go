package java

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

// names lists parameters, and as locals everything else that gets a name inside
// the method: variables of every kind, parameters of lambdas, types and methods
// in it, labels. Each is listed once.
func names(t *treesitter.Tree, fn int32) lang.Names {
	var n lang.Names
	if name := t.Child(fn, "name"); name != treesitter.NoNode {
		n.Name = t.Text(name)
	}
	n.Params = bound(t, t.Child(fn, "parameters"))
	n.Locals = bound(t, t.Child(fn, "body"))
	return n
}

// bound lists what the nodes inside one give names to.
func bound(t *treesitter.Tree, within int32) []string {
	if within == treesitter.NoNode {
		return nil
	}
	var out []string
	seen := map[string]bool{}
	add := func(at int32) {
		if at == treesitter.NoNode || t.Kind(at) != "identifier" {
			return
		}
		if name := t.Text(at); name != "" && !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	for at := range t.Inside(within) {
		switch t.Kind(at) {
		case "variable_declarator", "formal_parameter", "catch_formal_parameter", "enhanced_for_statement", "resource", "instanceof_expression",
			"class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "method_declaration":
			add(t.Child(at, "name"))
		case "lambda_expression":
			add(t.Child(at, "parameters"))
		case "inferred_parameters":
			for c := range t.Children(at) {
				add(c)
			}
		case "type_pattern", "record_pattern_component":
			name := treesitter.NoNode
			for c := range t.Children(at) {
				name = c // the last one, after the type
			}
			add(name)
		case "labeled_statement":
			add(at + 1)
		}
	}
	return out
}
