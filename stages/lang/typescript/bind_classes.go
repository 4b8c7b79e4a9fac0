package typescript

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// declareMember declares a member in the open class.
func (b *binder) declareMember(d bind.Decl) bind.DeclID {
	d.Space = bind.Members
	k := place{b.Scope(), d.Name}
	b.members[k] = b.members[k] || d.Static
	return b.Declare(d)
}

// class declares a class under a name.
func (b *binder) class(at int32, name string) bind.DeclID {
	start := b.start(at)
	if n := b.child(at, "name"); n != treesitter.NoNode {
		start = b.start(n)
	}
	for c := range b.t.Children(at) {
		if b.t.Kind(c) == "decorator" {
			b.expr(c, 0)
		}
	}
	id := b.Declare(bind.Decl{Name: name, Kind: bind.Class, Start: start})
	wasThis := b.this
	b.block(func() {
		params := b.typeParams(b.child(at, "type_parameters"))
		var bases []bind.ExprID
		for c := range b.t.Children(at) {
			if b.t.Kind(c) == "class_heritage" {
				bases = b.heritage(c)
			}
		}
		d := b.Decl(id)
		d.TypeParams, d.Bases = params, bases
		b.Open(bind.ClassScope, id)
		if body := b.child(at, "body"); body != treesitter.NoNode {
			b.classBody(body)
		}
		b.Close()
	})
	b.this = wasThis
	return id
}

// heritage binds what a class extends, and walks over what it implements, which
// gives it no members.
func (b *binder) heritage(at int32) (bases []bind.ExprID) {
	extends := func(c int32) {
		for v := range b.t.Children(c) {
			switch {
			case !b.named(v):
			case b.t.Kind(v) != "type_arguments":
				bases = append(bases, b.expr(v, 0))
			default:
				args := b.types(v)
				if n := len(bases); n > 0 && bases[n-1] != 0 {
					bases[n-1] = b.Expr(bind.Expr{Op: bind.Apply, X: bases[n-1], Args: args})
				}
			}
		}
	}
	for c := range b.t.Children(at) {
		switch b.t.Kind(c) {
		case "extends_clause":
			extends(c)
		case "implements_clause":
			b.types(c)
		default:
			if b.named(c) { // JavaScript: the class itself
				bases = append(bases, b.expr(c, 0))
			}
		}
	}
	return bases
}

func (b *binder) classBody(at int32) {
	for c := range b.t.Children(at) {
		switch b.t.Kind(c) {
		case "decorator":
			b.this = thisUnknown
			b.expr(c, 0)
		case "public_field_definition", "field_definition":
			b.field(c)
		case "method_definition", "abstract_method_signature", "method_signature":
			b.method(c, 0)
		case "class_static_block":
			b.this = thisStatic
			b.Open(bind.FunctionScope, 0)
			was := b.hoisted
			b.hoisted = b.Scope()
			b.statements(c)
			b.hoisted = was
			b.Close()
		case "index_signature":
			b.indexSignature(c)
		default:
			if b.named(c) {
				b.statement(c)
			}
		}
	}
}

// key is the name of a property, "" where it is computed.
func (b *binder) key(at int32) string {
	switch {
	case at == treesitter.NoNode:
		return ""
	case b.t.Kind(at) != "computed_property_name":
		return unquoted(b.t.Text(at))
	}
	inner := b.only(at)
	if inner == treesitter.NoNode {
		return ""
	}
	b.expr(inner, 0)
	switch {
	case b.t.Kind(inner) == "string":
		return unquoted(b.t.Text(inner))
	case b.t.Text(inner) == "Symbol.iterator" || b.t.Text(inner) == "Symbol.asyncIterator":
		return iterator
	}
	return ""
}

func (b *binder) field(at int32) {
	b.decorators(at)
	name := b.child(at, "name")
	if name == treesitter.NoNode {
		name = b.child(at, "property")
	}
	d := bind.Decl{Name: b.key(name), Kind: bind.Member, Start: b.start(at), Static: b.has(at, "static")}
	b.this = thisInstance
	if d.Static {
		b.this = thisStatic
	}
	d.Type = b.annotationOf(at)
	typed := b.child(at, "type") != treesitter.NoNode
	if value := b.child(at, "value"); value != treesitter.NoNode {
		x := b.expr(value, d.Type)
		if !typed {
			d.Value = x
		}
	} else if !typed {
		b.auto[place{b.Scope(), d.Name}] = true
		d.Value = b.Expr(bind.Expr{Op: bind.Null})
	}
	b.declareMember(d)
}

func (b *binder) decorators(at int32) {
	for c := range b.t.Children(at) {
		if b.t.Kind(c) == "decorator" {
			b.expr(c, 0)
		}
	}
}

// method declares a method, getter or setter of the open class, interface or
// object, of which a type may be expected.
func (b *binder) method(at int32, expects bind.ExprID) {
	b.decorators(at)
	d := bind.Decl{Name: b.key(b.child(at, "name")), Start: b.start(at), Space: bind.Members,
		Static: b.has(at, "static"), Property: b.has(at, "get"), Constructor: b.text(at, "name") == "constructor"}
	k := place{b.Scope(), d.Name}
	if b.t.Kind(at) == "method_signature" {
		b.overloaded[k] = true
	} else if b.overloaded[k] {
		d.Name = "" // callers see the signatures before it
	}
	b.members[k] = b.members[k] || d.Static
	if b.has(at, "set") {
		d.Name = ""
	}
	if d.Name == "" {
		expects = 0
	}
	was := b.this
	if b.has(at, "set") { // takes what the getter gives
		this := b.Expr(bind.Expr{Op: bind.This, Scope: b.Scope(), Static: d.Static})
		b.function(at, d, b.taking(b.member(this, k.name)))
	} else {
		b.function(at, d, b.member(expects, d.Name))
	}
	b.this = was
	if d.Name == iterator {
		this := b.Expr(bind.Expr{Op: bind.This, Scope: b.Scope()})
		b.Declare(bind.Decl{Name: "__elem__", Kind: bind.Member, Space: bind.Members, Value: b.elem(b.resultOf(b.member(this, iterator)))})
	}
}

// iterator is what the member is called that iterating calls.
const iterator = "[Symbol.iterator]"
