package java

import (
	"slices"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// instanceOf declares what a pattern gives a name to. It is a truth value.
func (b *binder) instanceOf(i int32) bind.ExprID {
	b.walk(b.t.Child(i, "left"))
	typ := b.Of(b.typ(b.t.Child(i, "right")))
	if name := b.t.Child(i, "name"); name != treesitter.NoNode {
		b.Declare(bind.Decl{Name: b.text(name), Kind: bind.Var, Start: b.start(name), Type: typ})
	}
	if pattern := b.t.Child(i, "pattern"); pattern != treesitter.NoNode {
		b.pattern(pattern)
	}
	return 0
}

// pattern declares what a type or record pattern gives names to.
func (b *binder) pattern(i int32) {
	defer b.shallower()
	if !b.deeper() {
		return
	}
	var typ bind.ExprID
	for c := range b.t.Children(i) {
		switch k := b.t.Kind(c); {
		case k == "identifier" && typ != 0 && b.t.Kind(i) != "record_pattern":
			b.Declare(bind.Decl{Name: b.text(c), Kind: bind.Var, Start: b.start(c), Type: typ})
		case k == "type_pattern" || k == "record_pattern" || k == "record_pattern_body" || k == "record_pattern_component" || k == "pattern":
			b.pattern(c)
		case isType(k):
			typ = b.Of(b.typ(c))
		case k != "identifier":
			b.walk(c)
		}
	}
}

// switched is a switch, as a statement or an expression. Constants of an enum
// stand in it without the enum's name.
func (b *binder) switched(i int32, to target) bind.ExprID {
	selector := b.value(b.t.Child(i, "condition"), target{})
	if b.hasDefault(b.t.Child(i, "body")) {
		selector = b.Expr(bind.Expr{Op: bind.Erased, X: selector})
	}
	var yields []bind.ExprID
	outer := b.yield
	b.yield = &yields
	b.block(func() {
		body := b.t.Child(i, "body")
		if body == treesitter.NoNode {
			return
		}
		for group := range b.t.Children(body) {
			b.block(func() { b.switchGroup(group, selector, to) })
		}
	})
	b.yield = outer
	return b.Expr(bind.Expr{Op: bind.Union, Args: yields})
}

// hasDefault reports whether a switch has a default label. Only then javac looks
// at labels where it does not know what is switched on.
func (b *binder) hasDefault(body int32) bool {
	if body == treesitter.NoNode {
		return false
	}
	for group := range b.t.Children(body) {
		for label := range b.t.Children(group) {
			if b.t.Kind(label) == "switch_label" && b.child(label, "default") != treesitter.NoNode {
				return true
			}
		}
	}
	return false
}

func (b *binder) switchGroup(i int32, selector bind.ExprID, to target) {
	for c := range b.t.Children(i) {
		switch kind := b.t.Kind(c); {
		case kind == "switch_label":
			b.label(c, selector)
		case kind == "expression_statement" && b.t.Kind(i) == "switch_rule":
			v := b.value(b.child1(c), to)
			*b.yield = append(*b.yield, v)
		default:
			b.walk(c)
		}
	}
}

func (b *binder) label(i int32, selector bind.ExprID) {
	for c := range b.t.Children(i) {
		switch kind := b.t.Kind(c); {
		case kind == "identifier":
			if name := b.text(c); name != "" {
				b.Ref(b.Expr(bind.Expr{Op: bind.Name, Name: name, Scope: b.Scope(), Start: b.start(c), Context: selector}))
			}
		case slices.Contains([]string{"pattern", "type_pattern", "record_pattern"}, kind):
			b.pattern(c)
		default:
			b.walk(c)
		}
	}
}
