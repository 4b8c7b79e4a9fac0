package kotlin

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

// names lists parameters, and as locals everything else that gets a name inside
// the function: variables, parameters of lambdas and of functions in it, caught
// exceptions, classes. Each is listed once.
func names(t *treesitter.Tree, fn int32) lang.Names {
	var n lang.Names
	seen := map[string]bool{"_": true}
	for c := range t.Children(fn) {
		switch t.Kind(c) {
		case "simple_identifier":
			n.Name = name(t.Text(c))
		case "function_value_parameters":
			n.Params = bound(t, c, seen)
		case "function_body":
			n.Locals = bound(t, c, seen)
		}
	}
	return n
}

func bound(t *treesitter.Tree, within int32, seen map[string]bool) (out []string) {
	for i := range t.Inside(within) {
		switch t.Kind(i) {
		case "parameter", "variable_declaration", "function_declaration", "catch_block", "parameter_with_optional_type", "class_declaration", "object_declaration":
			for c := range t.Children(i) {
				if k := t.Kind(c); k != "simple_identifier" && k != "type_identifier" {
					continue
				}
				if text := name(t.Text(c)); !seen[text] {
					seen[text] = true
					out = append(out, text)
				}
				break
			}
		}
	}
	return out
}
