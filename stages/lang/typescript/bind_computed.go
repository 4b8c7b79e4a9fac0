package typescript

import (
	"strconv"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// qualified is a type or namespace inside another namespace. That an import for
// the namespace is missing, the compiler says in words that do not count, and
// nothing of what it would be inside of an empty class.
func (b *binder) qualified(at int32) bind.ExprID {
	if !b.deeper() {
		b.nesting--
		return 0
	}
	defer func() { b.nesting-- }()
	outer, inner := "module", "name"
	switch b.t.Kind(at) {
	case "identifier", "type_identifier":
		e := b.Name(b.t.Text(at), b.start(at))
		b.File.Exprs[e].N = apart
		return e
	case "nested_identifier", "member_expression":
		outer, inner = "object", "property"
	case "nested_type_identifier":
	default:
		return b.expr(at, 0)
	}
	left, name := b.child(at, outer), b.child(at, inner)
	if left == treesitter.NoNode || name == treesitter.NoNode {
		return 0
	}
	x := b.selects(b.qualified(left), name)
	b.File.Exprs[x].N = apart
	return x
}

func (b *binder) generic(at int32) bind.ExprID {
	name := b.child(at, "name")
	if name == treesitter.NoNode {
		b.statements(at)
		return 0
	}
	var x bind.ExprID
	if b.t.Kind(name) == "nested_type_identifier" {
		x = b.qualified(name)
	} else {
		x = b.typeName(name)
	}
	args := b.typeArguments(at)
	if len(args) > 0 {
		switch b.t.Text(name) { // types that are computed
		case "Awaited":
			return b.await(args[0])
		case "ReturnType":
			return b.resultOf(args[0])
		case "InstanceType":
			return b.Of(args[0])
		case "Pick": // the members it has, and those that are said to be picked
			id := b.Declare(bind.Decl{Kind: bind.Class, Space: bind.Members, Bases: args[:1]})
			b.Open(bind.ClassScope, id)
			b.declareMember(bind.Decl{Name: bind.AnyMember, Kind: bind.Member})
			b.Close()
			return b.Expr(bind.Expr{Op: bind.Object, Decl: id})
		case "__elem__": // of the library
			return b.elem(args[0])
		}
	}
	return b.Of(b.Expr(bind.Expr{Op: bind.Apply, X: x, Args: args}))
}

func (b *binder) tupleType(at int32) bind.ExprID {
	var args []bind.ExprID
	rest := false
	for c := range b.t.Children(at) {
		if !b.named(c) || b.t.Kind(c) == "comment" {
			continue
		}
		x := b.typ(c)
		if name := b.child(c, "name"); name != treesitter.NoNode && b.t.Kind(name) == "rest_pattern" {
			x, rest = b.elem(x), true
		}
		rest = rest || b.t.Kind(c) == "rest_type"
		args = append(args, x)
	}
	if rest {
		return b.list(args...)
	}
	return b.Expr(bind.Expr{Op: bind.Tuple, Args: args})
}

// placeOf is the number that a type is, or -1.
func (b *binder) placeOf(at int32) int {
	if n, err := strconv.ParseInt(b.t.Text(at), 10, 31); err == nil {
		return int(n)
	}
	return -1
}

// isGeneric reports whether a type is a type parameter, or looked up in one.
func (b *binder) isGeneric(at int32) bool {
	for at != treesitter.NoNode && b.t.Kind(at) == "lookup_type" {
		at = b.only(at)
	}
	if at == treesitter.NoNode || b.t.Kind(at) != "type_identifier" {
		return false
	}
	for s := b.Scope(); s >= 0; s = b.File.Scopes[s].Parent {
		if b.generics[place{s, b.t.Text(at)}] {
			return true
		}
	}
	return false
}

// conditional is T extends U ? V : W. Inside V, T is an U.
func (b *binder) conditional(at int32) bind.ExprID {
	b.block(func() {
		left, right := b.child(at, "left"), b.child(at, "right")
		b.typ(left)
		extends := b.typ(right)
		b.block(func() {
			if left != treesitter.NoNode && b.t.Kind(left) == "type_identifier" {
				b.Declare(bind.Decl{Name: b.t.Text(left), Kind: bind.Alias, Space: bind.Types, Type: extends})
			}
			b.typ(b.child(at, "consequence"))
		})
		b.typ(b.child(at, "alternative"))
	})
	return 0
}

// lookupType is T[K]. A key in quotes that is missing is reported like a member.
func (b *binder) lookupType(at int32) bind.ExprID {
	var x, key int32 = treesitter.NoNode, treesitter.NoNode
	for c := range b.t.Children(at) {
		switch {
		case !b.named(c) || b.t.Kind(c) == "comment":
		case x == treesitter.NoNode:
			x = c
		default:
			key = c
		}
	}
	if x != treesitter.NoNode && key != treesitter.NoNode && b.text(x, "name") == "Parameters" {
		if args := b.typeArguments(x); len(args) == 1 {
			return b.parameterOf(args[0], b.placeOf(key))
		}
	}
	value := b.typ(x)
	if key == treesitter.NoNode {
		return 0
	}
	switch inner := b.only(key); {
	case b.t.Kind(key) == "literal_type" && inner != treesitter.NoNode && b.t.Kind(inner) == "string":
		if value == 0 {
			return 0
		}
		member := b.Select(value, unquoted(b.t.Text(inner)), b.start(inner)+1)
		if b.isGeneric(x) { // reported in other words
			b.File.Exprs[member].N = apart
		}
		return member
	case b.t.Kind(key) == "literal_type" && inner != treesitter.NoNode && b.t.Kind(inner) == "number":
		b.selects(value, inner)
		return b.index(value, int32(b.placeOf(key)))
	case b.t.Kind(key) == "predefined_type":
		return b.index(value, -1)
	}
	b.typ(key)
	return 0
}
