package typescript

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// params declares the parameters of a function, without this.
func (b *binder) params(at int32, expects bind.ExprID) []bind.DeclID {
	if one := b.child(at, "parameter"); one != treesitter.NoNode { // x => ...
		return []bind.DeclID{b.Declare(bind.Decl{Name: b.t.Text(one), Kind: bind.Param, Start: b.start(one),
			Space: bind.Values, Value: b.parameterOf(expects, 0)})}
	}
	list := b.child(at, "parameters")
	if list == treesitter.NoNode {
		return nil
	}
	var out []bind.DeclID
	for c := range b.t.Children(list) {
		if k := b.t.Kind(c); k != "required_parameter" && k != "optional_parameter" {
			continue
		}
		pattern := b.child(c, "pattern")
		if pattern == treesitter.NoNode {
			continue
		}
		if b.t.Kind(pattern) == "this" {
			b.this, b.thisType = thisUnknown, b.annotationOf(c)
			continue
		}
		out = append(out, b.param(c, pattern, expects, len(out)))
	}
	return out
}

func (b *binder) param(at, pattern int32, expects bind.ExprID, n int) bind.DeclID {
	for c := range b.t.Children(at) {
		if b.t.Kind(c) == "decorator" {
			b.expr(c, 0)
		}
	}
	d := bind.Decl{Kind: bind.Param, Start: b.start(pattern), Space: bind.Values}
	typed := b.child(at, "type") != treesitter.NoNode
	d.Type = b.annotationOf(at)
	initial := b.child(at, "value")
	if initial != treesitter.NoNode {
		d.Value = b.expr(initial, d.Type)
	}
	switch {
	case typed:
		d.Value = 0
	case expects != 0:
		d.Value = b.parameterOf(expects, n)
	}
	if b.t.Kind(pattern) == "rest_pattern" {
		d.Rest = true
		if pattern = b.only(pattern); pattern == treesitter.NoNode {
			return b.Declare(d)
		}
	}
	if b.t.Kind(pattern) != "identifier" {
		id := b.Declare(d)
		b.pattern(pattern, max(d.Type, d.Value)) // one of them is 0
		return id
	}
	d.Name = b.t.Text(pattern)
	id := b.Declare(d)
	if b.has(at, "accessibility_modifier") || b.has(at, "readonly") || b.has(at, "override_modifier") {
		b.within(b.classScope(), func() {
			b.declareMember(bind.Decl{Name: d.Name, Kind: bind.Member, Start: d.Start, Type: d.Type, Value: d.Value})
		})
	}
	return id
}

// classScope is the scope of the class whose method is open.
func (b *binder) classScope() bind.ScopeID {
	s := b.Scope()
	for s > 0 && b.File.Scopes[s].Kind != bind.ClassScope {
		s = b.File.Scopes[s].Parent
	}
	return s
}

func (b *binder) typeParams(at int32) []bind.DeclID {
	if at == treesitter.NoNode {
		return nil
	}
	var out []bind.DeclID
	for c := range b.t.Children(at) {
		if b.t.Kind(c) != "type_parameter" {
			continue
		}
		name := b.child(c, "name")
		if name == treesitter.NoNode {
			continue
		}
		id := b.Declare(bind.Decl{Name: b.t.Text(name), Kind: bind.TypeParam, Start: b.start(name), Space: bind.Types})
		out = append(out, id)
		b.generics[place{b.Scope(), b.t.Text(name)}] = true
		var constraint, initial bind.ExprID
		if k := b.child(c, "constraint"); k != treesitter.NoNode {
			constraint = b.typ(b.only(k))
		}
		if k := b.child(c, "value"); k != treesitter.NoNode {
			initial = b.typ(b.only(k))
		}
		if constraint == 0 {
			constraint = initial
		}
		b.Decl(id).Type = constraint
	}
	return out
}
