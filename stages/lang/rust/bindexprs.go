package rust

import (
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// same are methods whose result is used like what they are called on.
var same = map[string]bool{
	"clone": true, "to_owned": true, "borrow": true, "borrow_mut": true, "as_ref": true, "as_mut": true, "as_deref": true,
	"as_deref_mut": true, "by_ref": true, "as_slice": true, "as_mut_slice": true, "to_vec": true,
}

// walk describes any node: an expression, whose value it returns, an item, a
// type, or text that could not be read, whose parts may still be understood.
func (x *walker) walk(at int32) bind.ExprID {
	if at == treesitter.NoNode || x.depth >= maxDepth || ignored[x.t.Kind(at)] {
		return 0
	}
	x.depth++
	defer func() { x.depth-- }()
	switch kind := x.t.Kind(at); kind {
	case "identifier", "type_identifier":
		return x.typ(at)
	case "self":
		return x.Expr(bind.Expr{Op: bind.This, Scope: x.Scope()})
	case "scoped_identifier", "scoped_type_identifier":
		return x.path(at)
	case "field_expression":
		e := x.walk(x.t.Child(at, "value"))
		field := x.t.Child(at, "field")
		switch {
		case field == treesitter.NoNode:
			return 0
		case x.t.Kind(field) == "field_identifier":
			return x.sel(e, field)
		}
		return x.member(e, x.t.Text(field))
	case "call_expression":
		return x.call(at)
	case "generic_function":
		return x.apply(x.walk(x.t.Child(at, "function")), at)
	case "struct_expression":
		return x.literal(at)
	case "macro_invocation":
		return x.macro(at)
	case "closure_expression":
		return x.closure(at, 0, 0)
	case "try_expression":
		return x.member(x.walk(x.first(at)), "__try__")
	case "await_expression":
		return x.Expr(bind.Expr{Op: bind.Await, X: x.walk(x.first(at))})
	case "reference_expression", "parenthesized_expression", "else_clause", "const_block":
		return x.walk(x.last(at))
	case "unary_expression":
		if e := x.walk(x.first(at)); strings.HasPrefix(x.t.Text(at), "*") {
			return e
		}
		return 0
	case "type_cast_expression":
		x.walk(x.t.Child(at, "value"))
		return x.Of(x.typ(x.t.Child(at, "type")))
	case "index_expression":
		return x.index(at)
	case "tuple_expression", "array_expression":
		e := bind.Expr{Op: bind.Tuple}
		if kind == "array_expression" {
			e.Op = bind.List
		}
		for c := range x.named(at) {
			e.Args = append(e.Args, x.walk(c))
		}
		return x.Expr(e)
	case "block", "unsafe_block", "async_block":
		x.open(bind.BlockScope, 0)
		defer x.close()
		return x.items(at)
	case "if_expression", "match_expression", "match_arm", "while_expression", "loop_expression", "for_expression":
		return x.branches(at)
	case "let_condition":
		value := x.walk(x.t.Child(at, "value"))
		x.pattern(x.t.Child(at, "pattern"), value)
		return 0
	case "let_declaration":
		x.let(at)
		return 0
	case "return_expression", "break_expression", "continue_expression":
		x.walk(x.last(at))
		return x.Expr(bind.Expr{Op: bind.Null})
	case "expression_statement":
		e := x.walk(x.first(at))
		if strings.HasSuffix(x.t.Text(at), ";") && !x.ends(x.first(at)) {
			return 0
		}
		return e
	case "generic_type", "generic_type_with_turbofish", "reference_type", "pointer_type", "dynamic_type", "abstract_type",
		"bounded_type", "bracketed_type", "qualified_type", "array_type", "tuple_type", "function_type", "trait_bounds":
		return x.typ(at)
	}
	if x.item(at) {
		return 0
	}
	for c := range x.named(at) {
		x.walk(c)
	}
	return 0
}

// ends reports whether an expression leaves the block.
func (x *walker) ends(at int32) bool {
	return at != treesitter.NoNode && (x.t.Kind(at) == "return_expression" || x.t.Kind(at) == "break_expression" || x.t.Kind(at) == "continue_expression")
}

func (x *walker) index(at int32) bind.ExprID {
	var parts []int32
	for c := range x.named(at) {
		parts = append(parts, c)
	}
	var of bind.ExprID
	for i, p := range parts {
		if e := x.walk(p); i == 0 {
			of = e
		}
	}
	if len(parts) > 1 && x.t.Kind(parts[1]) == "range_expression" {
		return x.member(of, "__slice__")
	}
	return x.Expr(bind.Expr{Op: bind.Index, X: of, N: -1})
}

// branches describes what has blocks: it is one of what they give.
func (x *walker) branches(at int32) bind.ExprID {
	x.open(bind.BlockScope, 0)
	defer x.close()
	union := bind.Expr{Op: bind.Union}
	switch x.t.Kind(at) {
	case "if_expression":
		x.walk(x.t.Child(at, "condition"))
		union.Args = []bind.ExprID{x.walk(x.t.Child(at, "consequence")), x.walk(x.t.Child(at, "alternative"))}
	case "match_expression":
		value := x.walk(x.t.Child(at, "value"))
		if body := x.t.Child(at, "body"); body != treesitter.NoNode {
			for arm := range x.named(body) {
				union.Args = append(union.Args, x.arm(arm, value))
			}
		}
	case "for_expression":
		value := x.walk(x.t.Child(at, "value"))
		x.pattern(x.t.Child(at, "pattern"), x.Expr(bind.Expr{Op: bind.Elem, X: value}))
		x.walk(x.t.Child(at, "body"))
		return 0
	default:
		for c := range x.named(at) {
			x.walk(c)
		}
		return 0
	}
	return x.Expr(union)
}

func (x *walker) arm(at int32, value bind.ExprID) bind.ExprID {
	if x.t.Kind(at) != "match_arm" {
		return x.walk(at)
	}
	x.open(bind.BlockScope, 0)
	defer x.close()
	if p := x.t.Child(at, "pattern"); p != treesitter.NoNode {
		condition := x.t.Child(p, "condition")
		for c := range x.named(p) {
			if c != condition {
				x.pattern(c, value)
			}
		}
		x.walk(condition)
	}
	return x.walk(x.t.Child(at, "value"))
}

func (x *walker) let(at int32) {
	value := x.walk(x.t.Child(at, "value"))
	if typ := x.t.Child(at, "type"); typ != treesitter.NoNode {
		if of := x.Of(x.typ(typ)); of != 0 {
			value = of
		}
	}
	x.walk(x.t.Child(at, "alternative"))
	x.pattern(x.t.Child(at, "pattern"), value)
}

// literal makes a struct. A field without a value has that of the variable of its
// name.
func (x *walker) literal(at int32) bind.ExprID {
	of, prefix := x.structured(x.t.Child(at, "name"))
	if body := x.t.Child(at, "body"); body != treesitter.NoNode {
		for c := range x.named(body) {
			switch x.t.Kind(c) {
			case "field_initializer":
				if f := x.t.Child(c, "field"); f != treesitter.NoNode && x.t.Kind(f) == "field_identifier" {
					x.field(of, prefix, f)
				} else if name := x.t.Child(c, "name"); name != treesitter.NoNode {
					x.field(of, prefix, name)
				}
				x.walk(x.t.Child(c, "value"))
			case "shorthand_field_initializer":
				if name := x.last(c); name != treesitter.NoNode {
					x.name(name)
					x.field(of, prefix, name)
				}
			default:
				x.walk(c)
			}
		}
	}
	return of
}
