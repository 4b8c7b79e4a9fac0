package c

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/cfamily"
)

// introducers are the nodes that give names, with the field of the name or of
// the declarators around names.
var introducers = map[string]string{
	"declaration":           "declarator",
	"enumerator":            "name",
	"function_definition":   "declarator",
	"parameter_declaration": "declarator",
	"type_definition":       "declarator",
}

// names lists parameters, those of parameters that are functions too, and as
// locals variables, types, enumerators and functions declared inside; each once.
// The tree must hold every node below the function.
func names(t *treesitter.Tree, fn int32) lang.Names {
	var n lang.Names
	start := t.Child(fn, "declarator")
	n.Name = cfamily.Declared(t, start)
	end := t.Child(fn, "body") // parameters in the style of K&R are declared before it
	if end == treesitter.NoNode {
		end = t.Nodes[fn].Next
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
		case "parameter_list": // in the style of K&R
			for c := range t.Children(i) {
				if t.Kind(c) == "identifier" {
					add(c)
				}
			}
		case "struct_specifier", "union_specifier", "enum_specifier":
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
