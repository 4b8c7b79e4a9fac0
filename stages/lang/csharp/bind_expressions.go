package csharp

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

func (b *binder) expression(i int32) bind.ExprID {
	switch b.kind(i) {
	case "identifier":
		text, at := b.name(i)
		return b.Name(text, at)
	case "generic_name", "array_type", "nullable_type":
		return b.typ(i)
	case "alias_qualified_name", "qualified_name":
		return b.typ(i)
	case "this", "this_expression":
		return b.Expr(bind.Expr{Op: bind.This, Scope: b.Scope()})
	case "base", "base_expression":
		return b.Expr(bind.Expr{Op: bind.Super, Scope: b.Scope()})
	case "member_access_expression":
		return b.member(b.visit(b.child(i, "expression")), b.child(i, "name"))
	case "member_binding_expression":
		return b.member(b.receiver, b.child(i, "name"))
	case "conditional_access_expression":
		return b.conditionalAccess(i)
	case "element_access_expression":
		x := b.visit(b.child(i, "expression"))
		b.hide(b.child(i, "expression"), b.child(i, "subscript"))
		b.visit(b.child(i, "subscript"))
		return b.whole(i, b.element(x))
	case "element_binding_expression":
		x := b.receiver
		b.children(i)
		return b.element(x)
	case "invocation_expression":
		return b.invocation(i)
	case "object_creation_expression":
		return b.creation(i)
	case "implicit_object_creation_expression":
		return b.as(i, 0)
	case "array_creation_expression":
		typ := b.child(i, "type")
		b.ranks(typ)
		b.elements(b.first(i, "initializer_expression"), b.typeValue(b.child(typ, "type")))
		return b.typeValue(typ)
	case "implicit_array_creation_expression":
		return b.Expr(bind.Expr{Op: bind.List, Args: b.elements(b.first(i, "initializer_expression"), 0)})
	case "anonymous_object_creation_expression":
		return b.anonymous(i)
	case "assignment_expression":
		return b.assignment(i)
	case "binary_expression":
		return b.binary(i)
	case "is_expression":
		b.visit(b.child(i, "left"))
		return b.literal("bool")
	case "as_expression":
		b.visit(b.child(i, "left"))
		return b.whole(i, b.typeValue(b.child(i, "right")))
	case "is_pattern_expression":
		b.pattern(b.child(i, "pattern"), b.visit(b.child(i, "expression")))
		return b.literal("bool")
	case "cast_expression":
		if b.kind(b.child(i, "value")) == "prefix_unary_expression" && b.isOperator(b.child(i, "value")) {
			if left := b.child(i, "type"); b.kind(left) == "identifier" || b.kind(left) == "qualified_name" {
				b.qualified(left)
				b.hide(left, b.child(i, "value"))
				b.visit(b.child(i, "value"))
				return 0
			}
		}
		typ := b.typeValue(b.child(i, "type"))
		b.as(b.child(i, "value"), typ)
		return b.whole(i, typ)
	case "parenthesized_expression", "checked_expression", "ref_expression", "arrow_expression_clause", "postfix_unary_expression":
		return b.visit(b.onlyChild(i))
	case "default_expression":
		return b.typeValue(b.child(i, "type"))
	case "declaration_expression":
		b.named(i)
		return 0
	case "conditional_expression", "lambda_expression", "anonymous_method_expression":
		return b.as(i, 0)
	case "await_expression":
		return b.whole(i, b.Expr(bind.Expr{Op: bind.Await, X: b.visit(b.onlyChild(i))}))
	case "tuple_expression":
		e := bind.Expr{Op: bind.Tuple}
		for c := range b.t.Children(i) {
			if b.kind(c) == "argument" {
				e.Args = append(e.Args, b.argument(c, 0, 0))
			}
		}
		return b.Expr(e)
	case "switch_expression":
		return b.choice(i)
	case "query_expression":
		return b.query(i)
	case "with_expression":
		return b.with(i)
	case "declaration_pattern", "recursive_pattern", "var_pattern":
		b.pattern(i, b.subject)
		return 0
	case "typeof_expression", "sizeof_expression":
		return 0
	case "null_literal":
		return b.Expr(bind.Expr{Op: bind.Null})
	case "string_literal", "verbatim_string_literal", "raw_string_literal":
		return b.literal("string")
	case "interpolated_string_expression":
		b.children(i)
		return b.literal("string")
	case "integer_literal":
		return b.literal("int")
	case "boolean_literal":
		return b.literal("bool")
	case "predefined_type":
		return b.typ(i)
	case "interpolation_format_clause":
		return 0
	}
	b.children(i)
	return 0
}

// whole is a value of which nothing is known where a name in its source is not.
func (b *binder) whole(i int32, x bind.ExprID) bind.ExprID { return b.Whole(x, b.start(i), b.end(i)) }

func (b *binder) element(x bind.ExprID) bind.ExprID {
	return b.Expr(bind.Expr{Op: bind.Index, X: x, N: -1})
}

// isOperator reports whether what reads like a sign stands between two values:
// after a name in parentheses it does, and the name is no type.
func (b *binder) isOperator(i int32) bool {
	for _, sign := range []string{"&", "-", "+", "*"} {
		if b.has(i, sign) {
			return true
		}
	}
	return false
}

// qualified reads a qualified name as members.
func (b *binder) qualified(i int32) bind.ExprID {
	if b.kind(i) != "qualified_name" {
		return b.visit(i)
	}
	if b.depth++; b.depth > maxDepth {
		b.depth--
		return 0
	}
	defer func() { b.depth-- }()
	return b.member(b.qualified(b.child(i, "qualifier")), b.child(i, "name"))
}

// member selects a member by the node of its name.
func (b *binder) member(x bind.ExprID, name int32) bind.ExprID {
	generic := name
	if b.kind(name) == "generic_name" {
		name = b.first(name, "identifier")
	}
	if name == treesitter.NoNode {
		return 0
	}
	text, at := b.name(name)
	selected := b.Select(x, text, at)
	if generic != name {
		return b.applied(selected, generic)
	}
	return selected
}

func (b *binder) conditionalAccess(i int32) bind.ExprID {
	was := b.receiver
	defer func() { b.receiver = was }()
	condition := b.child(i, "condition")
	x := b.visit(condition)
	b.receiver = x
	for c := range b.t.Children(i) {
		if c != condition && b.t.Nodes[c].Named() {
			x = b.visit(c)
		}
	}
	return x
}

func (b *binder) assignment(i int32) bind.ExprID {
	left, right := b.child(i, "left"), b.child(i, "right")
	switch {
	case isLambda(b.kind(right)):
		b.hide(left, right)
	case !b.has(i, "="):
		b.hide(right, left)
	}
	x := b.visit(left)
	b.as(right, x)
	return b.whole(i, x)
}

// soft reports whether a compiler goes on after an expression: after a simple name
// that it does not know, and after conditions of such alone.
func (b *binder) soft(i int32) bool {
	for range maxDepth {
		switch b.kind(i) {
		case "identifier":
			return true
		case "binary_expression":
			if !b.has(i, "||") && !b.has(i, "&&") || b.kind(b.child(i, "right")) != "identifier" {
				return false
			}
			i = b.child(i, "left")
		default:
			return false
		}
	}
	return false
}

func (b *binder) binary(i int32) bind.ExprID {
	left, right := b.child(i, "left"), b.child(i, "right")
	x, y := b.visit(left), b.visit(right)
	if b.has(i, "??") {
		return b.whole(i, b.Expr(bind.Expr{Op: bind.Union, Args: []bind.ExprID{x, y}}))
	}
	if !b.soft(left) {
		b.hide(left, right)
	}
	for _, operator := range []string{"==", "!=", "<", ">", "<=", ">=", "&&", "||"} {
		if b.has(i, operator) {
			return b.literal("bool")
		}
	}
	return 0
}
