package typescript

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// pattern declares the names of a pattern that takes a value apart. The keys of an
// object pattern are members of the value.
func (b *binder) pattern(at int32, value bind.ExprID) {
	b.takeApart(at, value, func(name int32, value bind.ExprID) {
		b.Declare(bind.Decl{Name: b.t.Text(name), Kind: bind.Var, Start: b.start(name), Space: bind.Values, Value: value})
	})
}

// assign takes a value apart into variables and members that exist.
func (b *binder) assign(at int32, value bind.ExprID) {
	b.takeApart(at, value, func(name int32, value bind.ExprID) {
		switch b.t.Kind(name) {
		case "identifier", "shorthand_property_identifier_pattern", "shorthand_property_identifier":
			text := b.t.Text(name)
			ref := b.value(name)
			if b.t.Kind(name) != "identifier" {
				b.File.Exprs[ref].N = apart
			}
			b.assigned(text, value)
		default:
			b.expr(name, 0)
			b.assignedField(name, value)
		}
	})
}

// assigned adds an assignment to what a variable without type and value may be.
func (b *binder) assigned(name string, value bind.ExprID) {
	for s := b.Scope(); s >= 0; s = b.File.Scopes[s].Parent {
		if b.File.Scopes[s].Kind == bind.FunctionScope && !b.auto[place{s, name}] {
			return // not followed into functions
		}
		if b.auto[place{s, name}] {
			b.within(s, func() {
				b.Declare(bind.Decl{Name: name, Kind: bind.Var, Space: bind.Values, Value: value})
			})
			return
		}
	}
}

// assignedField does the same for a field, in this.name = value.
func (b *binder) assignedField(at int32, value bind.ExprID) {
	property := b.child(at, "property")
	if object := b.child(at, "object"); object == treesitter.NoNode || property == treesitter.NoNode || b.t.Kind(object) != "this" || b.this != thisInstance {
		return
	}
	if k := (place{b.classScope(), b.t.Text(property)}); b.auto[k] {
		b.within(k.scope, func() {
			b.declareMember(bind.Decl{Name: k.name, Kind: bind.Member, Value: value})
		})
	}
}

// takeApart calls each for every name or place of a pattern with its value.
func (b *binder) takeApart(at int32, value bind.ExprID, each func(int32, bind.ExprID)) {
	if at == treesitter.NoNode || !b.deeper() {
		return
	}
	defer func() { b.nesting-- }()
	switch b.t.Kind(at) {
	case "object_pattern", "object":
		b.takeObject(at, value, each)
	case "array_pattern", "array":
		n := int32(0)
		for c := range b.t.Children(at) {
			switch {
			case b.t.Kind(c) == ",":
				n++
			case b.t.Kind(c) == "rest_pattern" || b.t.Kind(c) == "spread_element":
				b.takeApart(b.only(c), b.list(b.elem(value)), each)
			case b.named(c) && b.t.Kind(c) != "comment":
				b.takeApart(c, b.index(value, n), each)
			}
		}
	case "assignment_pattern", "object_assignment_pattern", "assignment_expression":
		b.takeApart(b.child(at, "left"), b.orInitial(value, b.child(at, "right")), each)
	case "rest_pattern", "parenthesized_expression", "non_null_expression":
		b.takeApart(b.only(at), value, each)
	default:
		each(at, value)
	}
}

func (b *binder) takeObject(at int32, value bind.ExprID, each func(int32, bind.ExprID)) {
	for c := range b.t.Children(at) {
		switch b.t.Kind(c) {
		case "shorthand_property_identifier_pattern", "shorthand_property_identifier":
			each(c, b.selects(value, c))
		case "object_assignment_pattern":
			left := b.child(c, "left")
			if left == treesitter.NoNode {
				continue
			}
			each(left, b.orInitial(b.selects(value, left), b.child(c, "right")))
		case "pair_pattern", "pair":
			key := b.child(c, "key")
			var v bind.ExprID
			if b.named(key) && b.t.Kind(key) == "property_identifier" {
				v = b.selects(value, key)
			} else if k := b.key(key); k != "" {
				v = b.member(value, k)
			}
			b.takeApart(b.child(c, "value"), v, each)
		case "rest_pattern", "spread_element":
			b.takeApart(b.only(c), value, each)
		}
	}
}

// orInitial is a value or, where that is missing, the one at a node.
func (b *binder) orInitial(value bind.ExprID, at int32) bind.ExprID {
	if at == treesitter.NoNode {
		return value
	}
	return b.union(value, b.expr(at, value))
}

func (b *binder) index(x bind.ExprID, n int32) bind.ExprID {
	if x == 0 {
		return 0
	}
	return b.Expr(bind.Expr{Op: bind.Index, X: x, N: n})
}

func (b *binder) elem(x bind.ExprID) bind.ExprID {
	if x == 0 {
		return 0
	}
	return b.Expr(bind.Expr{Op: bind.Elem, X: x})
}

func (b *binder) await(x bind.ExprID) bind.ExprID {
	if x == 0 {
		return 0
	}
	return b.Expr(bind.Expr{Op: bind.Await, X: x})
}

func (b *binder) list(elems ...bind.ExprID) bind.ExprID {
	return b.Expr(bind.Expr{Op: bind.List, Args: elems})
}
