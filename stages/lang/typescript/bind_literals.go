package typescript

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// object is a class of one instance. Values are looked up outside of it; its
// methods have it as this.
func (b *binder) object(at int32, expects bind.ExprID) bind.ExprID {
	id := b.Declare(bind.Decl{Kind: bind.Class, Start: b.start(at), Space: bind.Members})
	outer := b.Scope()
	inner := b.Open(bind.ClassScope, id)
	b.Enter(outer)
	for c := range b.t.Children(at) {
		switch b.t.Kind(c) {
		case "pair":
			name := b.key(b.child(c, "key"))
			var context bind.ExprID
			value := b.child(c, "value")
			if expects != 0 && name != "" && value != treesitter.NoNode && mayNeedContext(b.t.Kind(value)) {
				context = b.member(expects, name)
			}
			x := b.expr(value, context)
			if name == "" {
				b.Decl(id).Opaque = true
				continue
			}
			b.within(inner, func() {
				b.declareProperty(bind.Decl{Name: name, Kind: bind.Member, Start: b.start(c), Value: x})
			})
		case "shorthand_property_identifier":
			x := b.value(c)
			b.File.Exprs[x].N = apart
			b.within(inner, func() {
				b.declareProperty(bind.Decl{Name: b.t.Text(c), Kind: bind.Member, Start: b.start(c), Value: x})
			})
		case "spread_element":
			x := b.expr(b.only(c), expects)
			b.Decl(id).Bases = append(b.Decl(id).Bases, x)
		case "method_definition":
			b.within(inner, func() { b.method(c, expects) })
		default:
			if b.named(c) {
				b.expr(c, 0)
			}
		}
	}
	return b.Expr(bind.Expr{Op: bind.Object, Decl: id})
}

// declareProperty declares a member of an object literal.
func (b *binder) declareProperty(d bind.Decl) {
	d.Space = bind.Members
	b.Declare(d)
}

// maxPlaces is how long an array literal may be for its places to count: whether
// one is meant as a tuple depends on more than is known here.
const maxPlaces = 3

func (b *binder) array(at int32, expects bind.ExprID) bind.ExprID {
	elements := b.elements(at, b.elem(expects))
	if n := len(elements); n < 2 || n > maxPlaces || b.spreads(at) {
		return b.list(elements...)
	}
	return b.Expr(bind.Expr{Op: bind.Tuple, Args: elements})
}

func (b *binder) spreads(at int32) bool { return b.has(at, "spread_element") }

// tuple is an array literal whose places count.
func (b *binder) tuple(at int32) bind.ExprID {
	return b.Expr(bind.Expr{Op: bind.Tuple, Args: b.elements(at, 0)})
}

func (b *binder) elements(at int32, expects bind.ExprID) (out []bind.ExprID) {
	for c := range b.t.Children(at) {
		switch {
		case !b.named(c) || b.t.Kind(c) == "comment":
		case b.t.Kind(c) == "spread_element":
			out = append(out, b.elem(b.expr(b.only(c), 0)))
		default:
			var context bind.ExprID
			if mayNeedContext(b.t.Kind(c)) {
				context = expects
			}
			out = append(out, b.expr(c, context))
		}
	}
	return out
}
