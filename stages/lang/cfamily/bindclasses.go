package cfamily

import (
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// specifier describes a class or enum, or names one.
func (x *walker) specifier(at int32) bind.ExprID {
	name, body := x.t.Child(at, "name"), x.t.Child(at, "body")
	switch {
	case body != treesitter.NoNode && name == treesitter.NoNode:
		return x.body(at, "type@"+x.place(at), at)
	case body != treesitter.NoNode && x.t.Kind(name) == "type_identifier":
		return x.body(at, x.t.Text(name), name)
	case body != treesitter.NoNode: // a specialization, or a class of another scope
		x.typ(name)
		return x.body(at, "type@"+x.place(at), name)
	case name == treesitter.NoNode:
		return 0
	}
	if parent := x.t.Nodes[at].Parent; parent == treesitter.NoNode || x.t.Nodes[at].Field == 0 && x.t.Kind(parent) != "type_descriptor" {
		if text := x.t.Text(name); !x.bodies[text] && x.t.Kind(name) == "type_identifier" { // declared, but not defined here
			x.Declare(bind.Decl{Name: text, Kind: bind.Class, Start: x.start(name), Bases: []bind.ExprID{x.hiddenPath(x.path(text))}})
		}
		return 0
	}
	return x.typ(name)
}

// body describes a class or enum that has a body, as a class of the open scope,
// and returns its name.
func (x *walker) body(at int32, name string, place int32) bind.ExprID {
	id := x.Declare(bind.Decl{Name: name, Kind: bind.Class, Start: x.start(place)})
	e := x.hidden(name)
	x.classes[x.path(name)] = id
	enum := x.t.Kind(at) == "enum_specifier"
	for c := range x.named(at) {
		if x.t.Kind(c) == "base_class_clause" {
			for b := range x.named(c) {
				if kind := x.t.Kind(b); kind != "access_specifier" && kind != "virtual" {
					base := x.typ(b)
					x.Decl(id).Bases = append(x.Decl(id).Bases, base)
				}
			}
		}
	}
	was := x.Scope()
	x.Open(bind.ClassScope, id)
	x.scopes = append(x.scopes, name)
	if body := x.t.Child(at, "body"); body != treesitter.NoNode {
		x.members(body, enum, was, strings.HasPrefix(x.t.Text(at), "enum class") || strings.HasPrefix(x.t.Text(at), "enum struct"))
	}
	x.scopes = x.scopes[:len(x.scopes)-1]
	x.Enter(was)
	return e
}

// members describes the body of a class, or the enumerators of an enum, which
// its scope has too if it is not scoped. Functions see what is declared below
// them, but their bodies are walked where they stand: names have no order here.
func (x *walker) members(body int32, enum bool, outer bind.ScopeID, scoped bool) {
	for c := range x.named(body) {
		if !enum || x.t.Kind(c) != "enumerator" {
			x.walk(c)
			continue
		}
		d := bind.Decl{Name: x.text(c, "name"), Kind: bind.Member, Start: x.start(c), Static: true}
		x.Declare(d)
		x.walk(x.t.Child(c, "value"))
		if !scoped {
			inner := x.Enter(outer)
			d.Kind = bind.Var
			x.Declare(d)
			x.Enter(inner)
		}
	}
}
