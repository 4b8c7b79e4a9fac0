package cpp

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/cfamily"
)

// introducers are the nodes that give names, with the field of the name or of
// the declarators around names.
var introducers = map[string]string{
	"alias_declaration":              "name",
	"declaration":                    "declarator",
	"enumerator":                     "name",
	"for_range_loop":                 "declarator",
	"function_definition":            "declarator",
	"optional_parameter_declaration": "declarator",
	"parameter_declaration":          "declarator",
	"type_definition":                "declarator",
	"variadic_parameter_declaration": "declarator",
}

// names lists parameters, those of parameters that are functions too, and as
// locals variables, bindings, parameters of lambdas and of catch, captures with
// a value, and types, enumerators and functions inside; each once. The tree must
// hold every node below the function.
func names(t *treesitter.Tree, fn int32) lang.Names {
	var n lang.Names
	start, end := t.Child(fn, "declarator"), fn
	if start != treesitter.NoNode {
		n.Name, end = cfamily.Declared(t, start), t.Nodes[start].Next
	}
	seen := map[string]bool{}
	add := func(at int32) {
		name := cfamily.Declared(t, at)
		switch {
		case name == "" || seen[name]:
			return
		case start <= at && at < end:
			n.Params = append(n.Params, name)
		default:
			n.Locals = append(n.Locals, name)
		}
		seen[name] = true
	}
	for i := range t.Inside(fn) {
		switch kind := t.Kind(i); kind {
		case "structured_binding_declarator":
			for c := range t.Children(i) {
				add(c)
			}
		case "lambda_capture_specifier":
			for c := range t.Children(i) {
				if left := t.Child(c, "left"); left != treesitter.NoNode && t.Kind(left) == "pointer_expression" {
					add(t.Child(left, "argument"))
				} else {
					add(left)
				}
			}
		case "class_specifier", "struct_specifier", "union_specifier", "enum_specifier":
			if t.Child(i, "body") != treesitter.NoNode {
				add(t.Child(i, "name"))
			}
		default:
			first := t.Child(i, introducers[kind])
			if first == treesitter.NoNode {
				continue
			}
			for c := range t.Children(i) {
				if t.Nodes[c].Field == t.Nodes[first].Field {
					add(c)
				}
			}
		}
	}
	return n
}
