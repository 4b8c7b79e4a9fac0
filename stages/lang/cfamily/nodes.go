package cfamily

import (
	"strconv"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// ignored are kinds of nodes without names to look at.
var ignored = map[string]bool{
	"comment": true, "preproc_arg": true, "preproc_params": true, "preproc_defined": true, "preproc_directive": true,
	"access_specifier": true, "storage_class_specifier": true, "type_qualifier": true, "virtual": true, "virtual_specifier": true,
	"statement_identifier": true, "attribute_declaration": true, "attribute_specifier": true, "ms_declspec_modifier": true,
	"gnu_asm_expression": true, "string_literal": true, "raw_string_literal": true, "char_literal": true, "number_literal": true,
	"explicit_function_specifier": true, "noexcept": true, "lambda_default_capture": true, "primitive_type": true,
}

func (x *walker) start(at int32) int32 { return int32(x.t.Nodes[at].Start) }

// place is an offset as a part of a name.
func (x *walker) place(at int32) string { return strconv.Itoa(int(x.start(at))) }

// text is that of the child in a field, or "".
func (x *walker) text(at int32, field string) string {
	if c := x.t.Child(at, field); c != treesitter.NoNode {
		return x.t.Text(c)
	}
	return ""
}

// named iterates over the children that are code and no tokens. What is asked of
// the preprocessor is none.
func (x *walker) named(at int32) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		if at == treesitter.NoNode {
			return
		}
		conditional := strings.HasPrefix(x.t.Kind(at), "preproc_")
		for c := range x.t.Children(at) {
			n := &x.t.Nodes[c]
			if !n.Named() || ignored[x.t.Kind(c)] {
				continue
			}
			if field := x.t.Grammar.FieldName(n.Field); conditional && (field == "condition" || field == "name") {
				continue
			}
			if !yield(c) {
				return
			}
		}
	}
}

// fields iterates over the children in a field.
func (x *walker) fields(at int32, field string) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		for c := range x.named(at) {
			if x.t.Grammar.FieldName(x.t.Nodes[c].Field) == field && !yield(c) {
				return
			}
		}
	}
}

// first is the first child that is no token, or NoNode.
func (x *walker) first(at int32) int32 {
	for c := range x.named(at) {
		return c
	}
	return treesitter.NoNode
}

// hidden is a name that stands nowhere in the source, or was listed before.
func (x *walker) hidden(name string) bind.ExprID {
	return x.Expr(bind.Expr{Op: bind.Name, Name: name, Scope: x.Scope()})
}

// name is a use of a simple name.
func (x *walker) name(at int32) bind.ExprID {
	if x.t.Text(at) == "" {
		return 0
	}
	return x.Name(x.t.Text(at), x.start(at))
}
