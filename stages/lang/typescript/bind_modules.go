package typescript

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

func (b *binder) imports(at int32) {
	kind := kindImport
	if b.t.Nodes[at].Parent != 0 {
		kind = kindNested
	}
	specifier, names := importsOf(b.t, at)
	for _, n := range names {
		name := n.name
		if name == importNamespace {
			name = "" // the module itself
		}
		b.Import(bind.Import{Kind: kind, Path: specifier, Name: name}, n.local, b.start(n.at))
	}
}

// importAlias is import A = B.C.
func (b *binder) importAlias(at int32) {
	var name int32 = treesitter.NoNode
	var value bind.ExprID
	for c := range b.t.Children(at) {
		switch {
		case !b.named(c):
		case name == treesitter.NoNode:
			name = c
		default:
			value = b.qualified(c)
		}
	}
	if name != treesitter.NoNode {
		b.Declare(bind.Decl{Name: b.t.Text(name), Kind: bind.Namespace, Start: b.start(name), Value: value})
	}
}

func (b *binder) export(at int32) {
	if source := b.child(at, "source"); source != treesitter.NoNode {
		b.exportFrom(at, literal(b.t.Text(source)))
		return
	}
	isDefault := b.has(at, "default")
	for c := range b.t.Children(at) {
		switch kind := b.t.Kind(c); {
		case !b.named(c) || kind == "comment":
		case kind == "export_clause":
			for s := range b.t.Children(c) {
				if name, alias := specifierNames(b.t, s); name != treesitter.NoNode {
					b.exports(unquoted(b.t.Text(alias)), b.either(name), alias)
				}
			}
		case b.t.Nodes[c].Field != 0 && b.child(at, "declaration") == c:
			first := len(b.File.Decls)
			b.statement(c)
			b.exportDeclared(first, isDefault)
		case b.child(at, "value") == c || b.has(at, "="):
			value := bind.ExprID(0)
			if b.t.Kind(c) == "identifier" {
				value = b.either(c)
			} else {
				value = b.expr(c, 0)
			}
			b.exports(importDefault, value, c)
		default: // decorators
			b.expr(c, 0)
		}
	}
}

// either is a name that may be one of a type or of a value.
func (b *binder) either(at int32) bind.ExprID {
	return b.Name(b.t.Text(at), b.start(at))
}

func (b *binder) exports(name string, value bind.ExprID, at int32) {
	b.within(exportsScope, func() {
		b.Declare(bind.Decl{Name: name, Kind: bind.Var, Start: b.start(at), Value: value})
	})
}

// exportDeclared exports what was declared in the open scope since a declaration.
func (b *binder) exportDeclared(first int, isDefault bool) {
	for i := first; i < len(b.File.Decls); i++ {
		d := b.File.Decls[i]
		if d.Scope != b.Scope() || b.Scope() != 0 || d.Name == "" {
			continue
		}
		name := d.Name
		if isDefault {
			name = importDefault
		}
		value := b.Expr(bind.Expr{Op: bind.Name, Name: d.Name})
		b.within(exportsScope, func() {
			b.Declare(bind.Decl{Name: name, Kind: bind.Var, Start: d.Start, Value: value})
		})
	}
}

func (b *binder) exportFrom(at int32, specifier string) {
	b.within(exportsScope, func() {
		for c := range b.t.Children(at) {
			switch b.t.Kind(c) {
			case "*":
				b.Import(bind.Import{Kind: kindAll, Path: specifier}, "", 0)
			case "namespace_export":
				if name := b.only(c); name != treesitter.NoNode {
					b.Import(bind.Import{Kind: kindExport, Path: specifier}, unquoted(b.t.Text(name)), b.start(name))
				}
			case "export_clause":
				for s := range b.t.Children(c) {
					if name, alias := specifierNames(b.t, s); name != treesitter.NoNode {
						b.Import(bind.Import{Kind: kindExport, Path: specifier, Name: unquoted(b.t.Text(name))}, unquoted(b.t.Text(alias)), b.start(alias))
					}
				}
			}
		}
	})
}

// unquoted is the name that a property key or a module name writes.
func unquoted(text string) string {
	if n := len(text); n >= 2 && (text[0] == '"' || text[0] == '\'') {
		return text[1 : n-1]
	}
	return text
}

func (b *binder) namespace(at int32) {
	name, body := b.child(at, "name"), b.child(at, "body")
	id := bind.DeclID(0)
	if b.named(name) && b.t.Kind(name) != "string" {
		id = b.Declare(bind.Decl{Name: b.t.Text(name), Kind: bind.Namespace, Start: b.start(name)})
	}
	scope := bind.BlockScope
	if id != 0 {
		scope = bind.NamespaceScope
	}
	was := b.hoisted
	b.hoisted = b.Open(scope, id)
	if body != treesitter.NoNode {
		b.statements(body)
	}
	b.Close()
	b.hoisted = was
}
