package typescript

import (
	"strconv"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// value is a name used as a value.
func (b *binder) value(at int32) bind.ExprID {
	e := b.Name(b.t.Text(at), b.start(at))
	b.File.Exprs[e].Space = bind.Values
	return e
}

// expr describes an expression. expects is the type it must have, which says what
// the parameters of function literals in it are; 0 where none is known.
func (b *binder) expr(at int32, expects bind.ExprID) bind.ExprID {
	if at == treesitter.NoNode || !b.named(at) || !b.deeper() {
		return 0
	}
	defer func() { b.nesting-- }()
	switch b.t.Kind(at) {
	case "identifier":
		return b.value(at)
	case "this":
		if b.this == thisUnknown {
			return b.thisType
		}
		return b.Expr(bind.Expr{Op: bind.This, Scope: b.Scope(), Static: b.this == thisStatic})
	case "super":
		if b.this == thisUnknown {
			return 0
		}
		return b.Expr(bind.Expr{Op: bind.Super, Scope: b.Scope(), Static: b.this == thisStatic})
	case "undefined", "null":
		return b.Expr(bind.Expr{Op: bind.Null})
	case "string":
		return b.literal("String")
	case "template_string":
		b.operands(at)
		return b.literal("String")
	case "number":
		return b.literal("Number")
	case "true", "false":
		return b.literal("Boolean")
	case "regex":
		return b.literal("RegExp")
	case "comment", "property_identifier", "statement_identifier":
		return 0
	case "member_expression":
		return b.memberExpression(at)
	case "subscript_expression":
		return b.subscript(at)
	case "call_expression":
		return b.call(at)
	case "new_expression":
		return b.newExpression(at)
	case "arrow_function", "function_expression", "function", "generator_function":
		return b.literalFunction(at, expects)
	case "class":
		return b.classExpression(at)
	case "object":
		return b.object(at, expects)
	case "array":
		return b.array(at, expects)
	case "parenthesized_expression":
		return b.last(at, expects)
	case "sequence_expression":
		return b.last(at, expects)
	case "non_null_expression":
		return b.expr(b.only(at), expects)
	case "as_expression", "satisfies_expression", "type_assertion":
		return b.cast(at)
	case "yield_expression":
		x := b.expr(b.only(at), 0)
		if b.has(at, "*") {
			x = b.elem(x)
		}
		b.yielded = append(b.yielded, x)
		return 0
	case "await_expression":
		return b.await(b.expr(b.only(at), 0))
	case "ternary_expression":
		return b.ternary(at, expects)
	case "binary_expression":
		return b.binary(at, expects)
	case "unary_expression":
		b.operands(at)
		switch {
		case b.has(at, "void"):
			return b.Expr(bind.Expr{Op: bind.Null})
		case b.has(at, "typeof"):
			return b.literal("String")
		}
		return b.literal("Number")
	case "update_expression":
		b.operands(at)
		return b.literal("Number")
	case "assignment_expression", "augmented_assignment_expression":
		return b.assignment(at)
	case "instantiation_expression":
		x := b.expr(b.only(at), 0)
		b.typeArguments(at)
		return x
	case "jsx_element", "jsx_self_closing_element", "jsx_fragment":
		b.jsx(at)
		return 0
	}
	if isType(b.t.Kind(at)) {
		b.typ(at)
		return 0
	}
	b.statements(at)
	return 0
}

func (b *binder) operands(at int32) {
	for c := range b.t.Children(at) {
		b.expr(c, 0)
	}
}

// last is the value of the last expression in a node.
func (b *binder) last(at int32, expects bind.ExprID) (x bind.ExprID) {
	for c := range b.t.Children(at) {
		if b.named(c) && b.t.Kind(c) != "comment" {
			x = b.expr(c, expects)
		}
	}
	return x
}

func (b *binder) memberExpression(at int32) bind.ExprID {
	x := b.expr(b.child(at, "object"), 0)
	property := b.child(at, "property")
	if property == treesitter.NoNode {
		return 0
	}
	return b.selects(x, property)
}

func (b *binder) subscript(at int32) bind.ExprID {
	x := b.expr(b.child(at, "object"), 0)
	index := b.child(at, "index")
	b.expr(index, 0)
	if index == treesitter.NoNode {
		return 0
	}
	switch text := b.t.Text(index); b.t.Kind(index) {
	case "string":
		return b.member(x, unquoted(text)) // what is missing is reported in other words
	case "number":
		if n, err := strconv.ParseInt(text, 10, 32); err == nil {
			return b.index(x, int32(n))
		}
	}
	return b.index(x, -1)
}

func (b *binder) classExpression(at int32) (x bind.ExprID) {
	b.block(func() {
		name := b.text(at, "name")
		if name == "" {
			name = "class" // no identifier
		}
		b.class(at, name)
		x = b.Expr(bind.Expr{Op: bind.Name, Name: name, Scope: b.Scope(), Space: bind.Values})
	})
	return x
}

func (b *binder) cast(at int32) bind.ExprID {
	var x, typ bind.ExprID
	n := 0
	arguments := b.t.Kind(at) == "type_assertion"
	for c := range b.t.Children(at) {
		if !b.named(c) || b.t.Kind(c) == "comment" {
			continue
		}
		switch {
		case b.t.Kind(c) == "type_arguments":
			typ = b.typ(b.only(c))
		case n == 0 && b.t.Kind(c) == "array" && b.has(at, "const"):
			return b.tuple(c)
		case n == 0:
			x = b.expr(c, typ)
			n++
		default:
			typ, arguments = b.typ(c), true
		}
	}
	if !arguments || b.t.Kind(at) == "satisfies_expression" { // as const
		return x
	}
	return typ
}

func (b *binder) assignment(at int32) bind.ExprID {
	left, right := b.child(at, "left"), b.child(at, "right")
	if left == treesitter.NoNode {
		return b.expr(right, 0)
	}
	switch b.t.Kind(left) {
	case "object_pattern", "array_pattern", "object", "array":
		value := b.expr(right, 0)
		b.assign(left, value)
		return value
	}
	x := b.expr(left, 0)
	value := b.expr(right, x)
	if b.t.Kind(at) == "assignment_expression" || b.has(at, "??=") || b.has(at, "||=") {
		if b.t.Kind(left) == "identifier" {
			b.assigned(b.t.Text(left), value)
		} else {
			b.assignedField(left, value)
		}
		return value
	}
	return 0
}
