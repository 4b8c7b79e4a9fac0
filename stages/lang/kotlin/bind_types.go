package kotlin

import (
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

func isType(kind string) bool {
	switch kind {
	case "user_type", "nullable_type", "function_type", "parenthesized_type", "not_nullable_type":
		return true
	}
	return false
}

// hidden is a name that is not reported: of a type.
func (b *binder) hidden(name string, at int32) bind.ExprID {
	return b.Expr(bind.Expr{Op: bind.Name, Name: name, Scope: b.Scope(), Space: bind.Types, Start: at})
}

// typeOf is a value of the type that a declaration has after its name.
func (b *binder) typeOf(i int32) bind.ExprID {
	return b.typeValue(b.first(i, "user_type", "nullable_type", "function_type", "parenthesized_type"))
}

// typeValue is a value of a type, 0 where there is none.
func (b *binder) typeValue(i int32) bind.ExprID {
	if b.kind(i) == "nullable_type" {
		return b.Expr(bind.Expr{Op: bind.Union, Args: []bind.ExprID{b.Of(b.typ(i)), b.Expr(bind.Expr{Op: bind.Null})}})
	}
	return b.Of(b.typ(i))
}

// typ is a type expression.
func (b *binder) typ(i int32) bind.ExprID {
	if i == treesitter.NoNode {
		return 0
	}
	if b.depth++; b.depth > maxDepth {
		b.depth--
		return 0
	}
	defer func() { b.depth-- }()
	switch b.kind(i) {
	case "nullable_type", "parenthesized_type", "type_projection":
		return b.typ(b.first(i, "user_type", "function_type", "nullable_type", "parenthesized_type"))
	case "function_type":
		return b.functionType(i)
	case "user_type":
	default:
		return 0
	}
	var parts []string
	var x bind.ExprID
	for c := range b.t.Children(i) {
		switch b.kind(c) {
		case "type_identifier":
			text, at := b.name(c)
			parts = append(parts, text)
			switch {
			case len(parts) == 1:
				x = b.hidden(text, at)
			case typeName(parts[len(parts)-2]): // a class in a class
				x = b.Expr(bind.Expr{Op: bind.Select, X: x, Name: text, Scope: b.Scope(), Start: at})
			default:
				x = b.hidden(strings.Join(parts, "."), at)
			}
		case "type_arguments":
			e := bind.Expr{Op: bind.Apply, X: x}
			for _, a := range b.named(c) {
				e.Args = append(e.Args, b.Of(b.typ(a)))
			}
			x = b.Expr(e)
		}
	}
	return x
}

// functionType is (A) -> B. Its receiver is the first parameter.
func (b *binder) functionType(i int32) bind.ExprID {
	f := b.Declare(bind.Decl{Kind: bind.Func})
	b.Open(bind.FunctionScope, f)
	var params []bind.DeclID
	var result bind.ExprID
	add := func(c int32) {
		typ := b.typeValue(c)
		params = append(params, b.Declare(bind.Decl{Kind: bind.Param, Type: typ}))
	}
	for _, c := range b.named(i) {
		switch k := b.kind(c); {
		case k == "function_type_parameters":
			for _, p := range b.named(c) {
				if isType(b.kind(p)) {
					add(p)
				} else if typ := b.first(p, "user_type", "nullable_type", "function_type"); typ != treesitter.NoNode {
					add(typ)
				}
			}
		case isType(k):
			result = b.typeValue(c)
		}
	}
	b.Close()
	d := b.Decl(f)
	d.Params, d.Type = params, result
	return b.Expr(bind.Expr{Op: bind.FuncLit, Decl: f})
}

// typeParameters declares the type parameters of a declaration.
func (b *binder) typeParameters(i int32) (out []bind.DeclID) {
	for _, c := range b.named(b.first(i, "type_parameters")) {
		if b.kind(c) == "type_parameter" {
			text, at := b.name(b.first(c, "type_identifier"))
			id := b.Declare(bind.Decl{Name: text, Kind: bind.TypeParam, Start: at})
			if bound := b.typ(b.first(c, "user_type", "nullable_type")); bound != 0 {
				b.Decl(id).Type = bound
			}
			out = append(out, id)
		}
	}
	return out
}
