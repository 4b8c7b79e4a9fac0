package typescript

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

func (b *binder) indexSignature(at int32) {
	if c := b.child(at, "index_type"); c != treesitter.NoNode {
		b.typ(c)
	}
	for c := range b.t.Children(at) {
		if b.t.Kind(c) == "mapped_type_clause" {
			b.mapped(at, c)
			return
		}
	}
	typ := b.annotationOf(at)
	b.declareMember(bind.Decl{Name: "__index__", Kind: bind.Member, Type: typ})
	if b.text(at, "index_type") == "string" {
		b.declareMember(bind.Decl{Name: bind.AnyMember, Kind: bind.Member, Type: typ})
	}
}

// mapped is a type with a member for each of some keys, which are not known here.
func (b *binder) mapped(at, clause int32) {
	b.block(func() {
		if name := b.child(clause, "name"); name != treesitter.NoNode {
			b.Declare(bind.Decl{Name: b.t.Text(name), Kind: bind.TypeParam, Start: b.start(name), Space: bind.Types})
		}
		for c := range b.t.Children(clause) {
			if b.named(c) && b.child(clause, "name") != c {
				b.typ(c)
			}
		}
		b.annotationOf(at)
	})
	b.declareMember(bind.Decl{Name: bind.AnyMember, Kind: bind.Member})
}

func (b *binder) interfaceType(at int32) {
	name := b.child(at, "name")
	id := b.Declare(bind.Decl{Name: b.text(at, "name"), Kind: bind.Class, Start: b.start(max(name, at)), Space: bind.Types})
	b.block(func() {
		params := b.typeParams(b.child(at, "type_parameters"))
		var bases []bind.ExprID
		for c := range b.t.Children(at) {
			if b.t.Kind(c) == "extends_type_clause" {
				bases = b.types(c)
			}
		}
		d := b.Decl(id)
		d.TypeParams, d.Bases = params, bases
		b.Open(bind.ClassScope, id)
		if body := b.child(at, "body"); body != treesitter.NoNode {
			b.signatures(body)
		}
		b.Close()
	})
}

// signatures declares the members of an interface or an object type.
func (b *binder) signatures(at int32) {
	for c := range b.t.Children(at) {
		switch b.t.Kind(c) {
		case "property_signature":
			name := b.child(c, "name")
			b.declareMember(bind.Decl{Name: b.key(name), Kind: bind.Member, Start: b.start(c), Type: b.annotationOf(c)})
		case "method_signature":
			b.method(c, 0)
		case "call_signature":
			b.function(c, bind.Decl{Name: "__call__", Start: b.start(c), Space: bind.Members}, 0)
		case "construct_signature":
			b.function(c, bind.Decl{Start: b.start(c)}, 0)
		case "index_signature":
			b.indexSignature(c)
		default:
			if b.named(c) {
				b.statement(c)
			}
		}
	}
}

func (b *binder) alias(at int32) {
	name, value := b.child(at, "name"), b.child(at, "value")
	if name == treesitter.NoNode || value == treesitter.NoNode {
		b.statements(at)
		return
	}
	id := b.Declare(bind.Decl{Name: b.t.Text(name), Kind: bind.Alias, Start: b.start(name), Space: bind.Types})
	b.block(func() {
		params := b.typeParams(b.child(at, "type_parameters"))
		typ := b.typ(value)
		d := b.Decl(id)
		d.TypeParams, d.Type = params, typ
	})
}

func (b *binder) enum(at int32) {
	name, body := b.child(at, "name"), b.child(at, "body")
	id := b.Declare(bind.Decl{Name: b.text(at, "name"), Kind: bind.Class, Start: b.start(max(name, at))})
	b.Open(bind.ClassScope, id)
	for c := range b.t.Children(max(body, at)) {
		switch {
		case b.t.Kind(c) == "enum_assignment":
			if value := b.child(c, "value"); value != treesitter.NoNode {
				b.expr(value, 0)
			}
			b.declareMember(bind.Decl{Name: b.text(c, "name"), Kind: bind.Member, Static: true, Start: b.start(c)})
		case body != treesitter.NoNode && b.named(c):
			b.declareMember(bind.Decl{Name: unquoted(b.t.Text(c)), Kind: bind.Member, Static: true, Start: b.start(c)})
		}
	}
	b.Close()
}
