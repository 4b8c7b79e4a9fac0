package java

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// value is the value of an expression. Everything inside is walked.
func (b *binder) value(i int32, to target) bind.ExprID {
	if i == treesitter.NoNode {
		return 0
	}
	defer b.shallower()
	if !b.deeper() {
		return 0
	}
	switch kind := b.t.Kind(i); kind {
	case "identifier":
		if name := b.text(i); name != "" {
			return b.Ref(b.Expr(bind.Expr{Op: bind.Name, Name: name, Scope: b.Scope(), Start: b.start(i), Static: b.heads(i)}))
		}
	case "this":
		return b.Expr(bind.Expr{Op: bind.This, Scope: b.Scope()})
	case "super":
		return b.Expr(bind.Expr{Op: bind.Super, Scope: b.Scope()})
	case "field_access":
		return b.field(i)
	case "method_invocation":
		return b.invocation(i, to)
	case "object_creation_expression":
		return b.creation(i, to)
	case "array_creation_expression":
		dimensions := ""
		for c := range b.t.Children(i) {
			switch b.t.Kind(c) {
			case "dimensions_expr":
				dimensions += "["
				b.inside(c)
			case "dimensions":
				dimensions += b.text(c)
			case "array_initializer":
				b.inside(c)
			}
		}
		return b.Of(b.array(b.typ(b.t.Child(i, "type")), dimensions))
	case "array_access":
		x := b.value(b.t.Child(i, "array"), target{})
		b.walk(b.t.Child(i, "index"))
		return b.Expr(bind.Expr{Op: bind.Index, X: x, N: -1})
	case "cast_expression":
		typ := b.Of(b.typ(b.t.Child(i, "type")))
		v := b.value(b.t.Child(i, "value"), target{typ: typ})
		return b.Expr(bind.Expr{Op: bind.Cast, X: typ, Args: []bind.ExprID{v}})
	case "parenthesized_expression":
		return b.value(b.child1(i), to)
	case "assignment_expression":
		left := b.value(b.t.Child(i, "left"), target{})
		b.value(b.t.Child(i, "right"), target{typ: left})
		return left
	case "ternary_expression":
		b.walk(b.t.Child(i, "condition"))
		then := b.value(b.t.Child(i, "consequence"), to)
		return b.Expr(bind.Expr{Op: bind.Union, Args: []bind.ExprID{then, b.value(b.t.Child(i, "alternative"), to)}})
	case "lambda_expression":
		return b.lambda(i, to)
	case "method_reference":
		return b.reference(i, to)
	case "switch_expression":
		return b.switched(i, to)
	case "instanceof_expression":
		return b.instanceOf(i)
	case "class_literal":
		return b.Of(b.Expr(bind.Expr{Op: bind.Apply, X: b.silent("Class", 0), Args: []bind.ExprID{b.Of(b.typ(b.child1(i)))}}))
	case "string_literal":
		b.inside(i)
		return b.Expr(bind.Expr{Op: bind.Literal, Name: "String"})
	case "null_literal":
		return b.Expr(bind.Expr{Op: bind.Null})
	case "binary_expression", "unary_expression", "update_expression":
		return b.computed(i)
	default:
		b.inside(i)
	}
	return 0
}

// heads reports whether a name begins a longer one, as in a.b.c, of which javac
// says that there is no package a.
func (b *binder) heads(i int32) bool {
	access := b.t.Nodes[i].Parent
	if access == treesitter.NoNode || b.t.Kind(access) != "field_access" || b.t.Child(access, "object") != i {
		return false
	}
	above := b.t.Nodes[access].Parent
	return above != treesitter.NoNode && b.t.Child(above, "object") == access
}

// computed is what an operator makes of its operands.
func (b *binder) computed(i int32) bind.ExprID {
	var operands []bind.ExprID
	for c := range b.t.Children(i) {
		if b.t.Nodes[c].Named() {
			operands = append(operands, b.value(c, target{}))
		}
	}
	return b.Expr(bind.Expr{Op: bind.Computed, Args: operands})
}

// field is "x.field", "Type.this", or a full name.
func (b *binder) field(i int32) bind.ExprID {
	if path := fullType(b.text(i)); path != "" && path == b.text(i) {
		return b.fullName(path, b.start(i))
	}
	object, field := b.t.Child(i, "object"), b.t.Child(i, "field")
	switch b.text(field) {
	case "":
		b.inside(i)
		return 0
	case "this":
		return b.Of(b.typeOf(object))
	}
	x := b.receiver(i, object)
	return b.Select(x, b.text(field), b.start(field))
}

// receiver is what a member is chosen of: an object, or the superclass of a class
// around or an interface of this one, as in Type.super.name().
func (b *binder) receiver(i, object int32) bind.ExprID {
	if object == treesitter.NoNode || b.child(i, "super") == treesitter.NoNode || b.t.Kind(object) == "super" {
		return b.value(object, target{})
	}
	for scope := b.Scope(); scope > 0; scope = b.File.Scopes[scope].Parent {
		if s := &b.File.Scopes[scope]; s.Kind == bind.ClassScope && b.File.Decls[s.Decl].Name == b.text(object) {
			return b.Expr(bind.Expr{Op: bind.Super, Scope: scope})
		}
	}
	// To javac a class that stands in for an interface is none around.
	return b.Expr(bind.Expr{Op: bind.Common, Args: []bind.ExprID{b.Of(b.typeOf(object))}})
}

// typeOf is the type that an expression names.
func (b *binder) typeOf(i int32) bind.ExprID {
	if i != treesitter.NoNode && b.t.Kind(i) == "identifier" {
		return b.silent(b.text(i), b.start(i))
	}
	return b.value(i, target{})
}
