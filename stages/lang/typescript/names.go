package typescript

import (
	"slices"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

// names lists parameters and what declarations, loops, catch clauses and nested
// functions introduce; the tree must hold every node below the function.
func names(t *treesitter.Tree, fn int32) lang.Names {
	var n lang.Names
	if name := t.Child(fn, "name"); name != treesitter.NoNode {
		n.Name = t.Text(name)
	}
	n.Params = bound(t, t.Child(fn, "parameters"))
	local := func(at int32, fields ...string) {
		for _, field := range fields {
			n.Locals = append(n.Locals, bound(t, t.Child(at, field))...)
		}
	}
	for i := range t.Inside(fn) {
		switch t.Kind(i) {
		case "variable_declarator", "class_declaration", "class", "enum_declaration",
			"interface_declaration", "type_alias_declaration", "internal_module":
			local(i, "name")
		case "for_in_statement":
			local(i, "left")
		case "catch_clause":
			local(i, "parameter")
		case "function_declaration", "generator_function_declaration", "function_signature",
			"function_expression", "generator_function":
			local(i, "name", "parameters")
		case "arrow_function", "method_definition":
			local(i, "parameter", "parameters")
		}
	}
	return n
}

// bound lists the identifiers that a pattern binds: not those of default values,
// types, keys or properties.
func bound(t *treesitter.Tree, at int32) []string {
	var out []string
	for todo := []int32{at}; len(todo) > 0; { // no recursion: patterns may be deep
		at, todo = todo[len(todo)-1], todo[:len(todo)-1]
		if at == treesitter.NoNode {
			continue
		}
		switch t.Kind(at) {
		case "identifier", "type_identifier", "shorthand_property_identifier_pattern":
			out = append(out, t.Text(at))
		case "required_parameter", "optional_parameter":
			todo = append(todo, t.Child(at, "pattern"))
		case "assignment_pattern", "object_assignment_pattern":
			todo = append(todo, t.Child(at, "left"))
		case "pair_pattern":
			todo = append(todo, t.Child(at, "value"))
		case "formal_parameters", "object_pattern", "array_pattern", "rest_pattern":
			first := len(todo)
			for c := range t.Children(at) {
				todo = append(todo, c)
			}
			slices.Reverse(todo[first:])
		}
	}
	return out
}
