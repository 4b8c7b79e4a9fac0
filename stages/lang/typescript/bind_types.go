package typescript

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// annotation is the type after a colon, or a type itself.
func (b *binder) annotation(at int32) bind.ExprID {
	switch b.t.Kind(at) {
	case "type_annotation", "opting_type_annotation", "omitting_type_annotation", "adding_type_annotation":
		at = b.only(at)
	}
	return b.typ(at)
}

// annotationOf is the declared type of a node, 0 without one.
func (b *binder) annotationOf(at int32) bind.ExprID {
	if c := b.child(at, "type"); c != treesitter.NoNode {
		return b.annotation(c)
	}
	return 0
}

func (b *binder) types(at int32) (out []bind.ExprID) {
	for c := range b.t.Children(at) {
		if b.named(c) && b.t.Kind(c) != "comment" {
			out = append(out, b.typ(c))
		}
	}
	return out
}

func (b *binder) typeArguments(at int32) []bind.ExprID {
	if c := b.child(at, "type_arguments"); c != treesitter.NoNode {
		return b.types(c)
	}
	return nil
}

func isType(kind string) bool {
	switch kind {
	case "type_identifier", "nested_type_identifier", "generic_type", "predefined_type", "union_type", "intersection_type",
		"array_type", "readonly_type", "tuple_type", "optional_type", "rest_type", "parenthesized_type", "function_type",
		"constructor_type", "type_query", "index_type_query", "lookup_type", "literal_type", "template_literal_type", "template_type",
		"conditional_type", "infer_type", "object_type", "this_type", "type_predicate", "existential_type", "flow_maybe_type",
		"type_annotation", "opting_type_annotation", "omitting_type_annotation", "adding_type_annotation", "type_predicate_annotation",
		"asserts_annotation", "asserts", "type_arguments", "constraint", "default_type":
		return true
	}
	return false
}

// typ is a value of a type.
func (b *binder) typ(at int32) bind.ExprID {
	if at == treesitter.NoNode || !b.named(at) || !b.deeper() {
		return 0
	}
	defer func() { b.nesting-- }()
	switch b.t.Kind(at) {
	case "comment":
		return 0
	case "type_identifier":
		return b.Of(b.typeName(at))
	case "identifier":
		if b.t.Text(at) == "undefined" {
			return b.Expr(bind.Expr{Op: bind.Null})
		}
		return b.Of(b.typeName(at))
	case "nested_type_identifier":
		return b.Of(b.qualified(at))
	case "generic_type":
		return b.generic(at)
	case "predefined_type":
		return b.predefined(b.t.Text(at))
	case "union_type":
		if args := b.types(at); len(args) > 0 {
			return b.union(args...)
		}
		return 0
	case "intersection_type":
		return b.intersection(at)
	case "array_type":
		return b.list(b.typ(b.only(at)))
	case "readonly_type", "parenthesized_type", "optional_type", "type_annotation", "opting_type_annotation",
		"omitting_type_annotation", "adding_type_annotation", "constraint", "default_type":
		return b.typ(b.only(at))
	case "rest_type":
		return b.elem(b.typ(b.only(at)))
	case "tuple_type":
		return b.tupleType(at)
	case "required_parameter", "optional_parameter": // of a tuple
		return b.annotationOf(at)
	case "function_type":
		return b.Expr(bind.Expr{Op: bind.FuncLit, Decl: b.function(at, bind.Decl{Start: b.start(at)}, 0)})
	case "constructor_type":
		b.function(at, bind.Decl{Start: b.start(at)}, 0)
		return 0
	case "type_query":
		return b.expr(b.only(at), 0)
	case "lookup_type":
		return b.lookupType(at)
	case "literal_type":
		x := b.expr(b.only(at), 0)
		if e := &b.File.Exprs[x]; e.Op == bind.Literal {
			e.Static = true
		}
		return x
	case "template_literal_type", "template_type":
		b.types(at)
		return b.literal("String")
	case "conditional_type":
		return b.conditional(at)
	case "infer_type":
		if name := b.only(at); name != treesitter.NoNode {
			b.Declare(bind.Decl{Name: b.t.Text(name), Kind: bind.TypeParam, Start: b.start(name), Space: bind.Types})
		}
		return 0
	case "object_type":
		return b.objectType(at)
	case "this_type", "this":
		if b.this == thisUnknown {
			return 0
		}
		return b.Expr(bind.Expr{Op: bind.This, Scope: b.Scope()})
	case "type_predicate_annotation", "asserts_annotation", "asserts":
		b.types(at)
		return b.literal("Boolean")
	case "type_predicate":
		if name := b.child(at, "name"); name != treesitter.NoNode && b.t.Kind(name) == "identifier" {
			b.value(name)
		}
		b.typ(b.child(at, "type"))
		return b.literal("Boolean")
	case "index_type_query", "existential_type", "flow_maybe_type":
		b.types(at)
		return 0
	}
	return b.expr(at, 0)
}

func (b *binder) typeName(at int32) bind.ExprID {
	e := b.Name(b.t.Text(at), b.start(at))
	b.File.Exprs[e].Space = bind.Types
	return e
}

func (b *binder) predefined(name string) bind.ExprID {
	switch name {
	case "string":
		return b.literal("String")
	case "number":
		return b.literal("Number")
	case "boolean":
		return b.literal("Boolean")
	case "void":
		return b.Expr(bind.Expr{Op: bind.Null})
	}
	return 0 // any, unknown, never, object, symbol, bigint
}

// intersection is an instance of a class that has what each of some types has.
func (b *binder) intersection(at int32) bind.ExprID {
	return b.allOf(b.types(at)...)
}

func (b *binder) allOf(bases ...bind.ExprID) bind.ExprID {
	id := b.Declare(bind.Decl{Kind: bind.Class, Space: bind.Members, Bases: bases})
	return b.Expr(bind.Expr{Op: bind.Object, Decl: id})
}

func (b *binder) objectType(at int32) bind.ExprID {
	id := b.Declare(bind.Decl{Kind: bind.Class, Start: b.start(at), Space: bind.Members})
	b.Open(bind.ClassScope, id)
	b.signatures(at)
	b.Close()
	return b.Expr(bind.Expr{Op: bind.Object, Decl: id})
}
