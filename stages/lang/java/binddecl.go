package java

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// class declares a class, interface, enum, record or annotation type.
func (b *binder) class(i int32) {
	name := b.t.Child(i, "name")
	if b.text(name) == "" {
		b.inside(i)
		return
	}
	kind := b.t.Kind(i)
	b.walk(b.child(i, "modifiers"))
	id := b.Declare(bind.Decl{Name: b.text(name), Kind: bind.Class, Start: b.start(name),
		Opaque: b.partial && kind == "class_declaration", Interface: kind == "interface_declaration" || kind == "annotation_type_declaration"})
	// Bases see the type parameters and what is around the class, not what is in it.
	b.Open(bind.BlockScope, 0)
	params := b.typeParameters(b.t.Child(i, "type_parameters"))
	var bases []bind.ExprID
	for c := range b.t.Children(i) {
		switch b.t.Kind(c) {
		case "superclass":
			bases = append(bases, b.typ(c))
		case "super_interfaces", "extends_interfaces":
			for t := range b.t.Children(b.child(c, "type_list")) {
				if base := b.typ(t); base != 0 {
					b.File.Exprs[base].Static = true
					bases = append(bases, base)
				}
			}
		}
	}
	if kind == "enum_declaration" {
		self := b.Of(b.silent(b.text(name), b.start(name)))
		bases = append(bases, b.Expr(bind.Expr{Op: bind.Apply, X: b.silent(enumClass, 0), Args: []bind.ExprID{self}}))
	}
	d := b.Decl(id)
	d.TypeParams, d.Bases = params, bases
	b.Open(bind.ClassScope, id)
	if kind == "record_declaration" {
		b.components(b.t.Child(i, "parameters"))
	}
	b.members(b.t.Child(i, "body"), b.text(name))
	b.Close()
	b.Close()
}

// anonymous declares the class that a body after "new Type(...)" or an enum
// constant makes, and is an instance of it.
func (b *binder) anonymous(body int32, base bind.ExprID) bind.ExprID {
	id := b.Declare(bind.Decl{Kind: bind.Class, Start: b.start(body), Bases: []bind.ExprID{base}})
	b.Open(bind.ClassScope, id)
	b.members(body, "")
	b.Close()
	return b.Expr(bind.Expr{Op: bind.Object, Decl: id})
}

// members declares what a class body holds. name is the class's own.
func (b *binder) members(i int32, name string) {
	if i == treesitter.NoNode {
		return
	}
	defer b.shallower()
	if !b.deeper() {
		return
	}
	outer, yield := b.body, b.yield
	b.body, b.yield = nil, nil
	for c := range b.t.Children(i) {
		switch b.t.Kind(c) {
		case "enum_body_declarations":
			b.members(c, name)
		case "field_declaration", "constant_declaration":
			b.variables(c, bind.Member)
		case "method_declaration", "annotation_type_element_declaration":
			b.method(c, b.text(b.t.Child(c, "name"))+call, false)
		case "constructor_declaration", "compact_constructor_declaration":
			b.method(c, constructor, true)
		case "enum_constant":
			b.enumConstant(c, name)
		default:
			b.statement(c)
		}
	}
	b.body, b.yield = outer, yield
}

func (b *binder) enumConstant(i int32, enum string) {
	name := b.t.Child(i, "name")
	b.walk(b.child(i, "modifiers"))
	self := b.silent(enum, b.start(name))
	b.Declare(bind.Decl{Name: b.text(name), Kind: bind.Member, Start: b.start(name), Type: b.Of(self), Static: true})
	b.arguments(b.t.Child(i, "arguments"), b.Expr(bind.Expr{Op: bind.New, X: self}))
	if body := b.t.Child(i, "body"); body != treesitter.NoNode {
		b.anonymous(body, self)
	}
}

// has reports whether a declaration has a modifier.
func (b *binder) has(i int32, modifier string) bool {
	m := b.child(i, "modifiers")
	return m != treesitter.NoNode && b.child(m, modifier) != treesitter.NoNode
}

// components declares a record's fields, the methods that read them, and the
// constructor that takes them.
func (b *binder) components(i int32) {
	if i == treesitter.NoNode {
		return
	}
	init := b.Declare(bind.Decl{Name: constructor, Kind: bind.Func, Start: b.start(i), Constructor: true})
	var params []bind.DeclID
	for c := range b.t.Children(i) {
		name := b.t.Child(c, "name")
		if name == treesitter.NoNode {
			continue
		}
		typ := b.Of(b.typ(b.t.Child(c, "type")))
		b.walk(b.child(c, "modifiers"))
		params = append(params, b.Declare(bind.Decl{Name: b.text(name), Kind: bind.Member, Start: b.start(name), Type: typ}))
		b.Declare(bind.Decl{Name: b.text(name) + call, Kind: bind.Func, Start: b.start(name), Type: typ})
	}
	b.Decl(init).Params = params
}

// method declares a method or constructor and walks its body.
func (b *binder) method(i int32, name string, makes bool) {
	b.walk(b.child(i, "modifiers"))
	at := b.t.Child(i, "name")
	if at == treesitter.NoNode {
		at = i
	}
	id := b.Declare(bind.Decl{Name: name, Kind: bind.Func, Start: b.start(at), Constructor: makes,
		Static: b.has(i, "static"), Default: b.t.Child(i, "body") != treesitter.NoNode})
	b.Open(bind.FunctionScope, id)
	params := b.typeParameters(b.t.Child(i, "type_parameters"))
	var result bind.ExprID
	if !makes {
		result = b.Of(b.array(b.typ(b.t.Child(i, "type")), b.text(b.t.Child(i, "dimensions"))))
	}
	d := b.Decl(id)
	d.TypeParams, d.Type = params, result
	taken := b.parameters(b.t.Child(i, "parameters"))
	b.Decl(id).Params = taken
	b.code(b.t.Child(i, "body"), result)
	b.walk(b.t.Child(i, "value")) // of an annotation's element
	b.Close()
}

// code walks the body of a method or lambda and returns what it returns.
func (b *binder) code(i int32, result bind.ExprID) []bind.ExprID {
	if i == treesitter.NoNode {
		return nil
	}
	outer, yield := b.body, b.yield
	b.body, b.yield = &body{result: result}, nil
	b.statements(i)
	out := b.body.returns
	b.body, b.yield = outer, yield
	return out
}

// parameters declares the parameters of a method, constructor or lambda.
func (b *binder) parameters(i int32) []bind.DeclID {
	if i == treesitter.NoNode {
		return nil
	}
	var out []bind.DeclID
	for c := range b.t.Children(i) {
		name, typ, rest := b.t.Child(c, "name"), b.t.Child(c, "type"), false
		switch b.t.Kind(c) {
		case "formal_parameter":
		case "spread_parameter":
			rest = true
			for p := range b.t.Children(c) {
				if isType(b.t.Kind(p)) {
					typ = p
				}
			}
			name = b.t.Child(b.child(c, "variable_declarator"), "name")
		default:
			continue
		}
		b.walk(b.child(c, "modifiers"))
		x := b.array(b.typ(typ), b.text(b.t.Child(c, "dimensions")))
		d := bind.Decl{Name: b.text(name), Kind: bind.Param, Start: b.start(max(name, 0)), Rest: rest}
		d.Type = b.Of(x)
		if rest {
			// A use inside sees an array, a caller gives elements.
			b.Declare(bind.Decl{Name: d.Name, Kind: bind.Var, Start: d.Start, Type: b.Of(b.array(x, "[]"))})
			d.Name = ""
		}
		out = append(out, b.Declare(d))
	}
	return out
}

// variables declares the variables of a field or local declaration.
func (b *binder) variables(i int32, kind bind.DeclKind) {
	b.walk(b.child(i, "modifiers"))
	typ := b.typ(b.t.Child(i, "type"))
	for c := range b.t.Children(i) {
		if b.t.Kind(c) == "variable_declarator" {
			b.variable(c, typ, kind)
		}
	}
}

// variable declares one variable: of a declaration, of the head of a loop, or of
// a resource.
func (b *binder) variable(i int32, typ bind.ExprID, kind bind.DeclKind) bind.DeclID {
	name := b.t.Child(i, "name")
	d := bind.Decl{Name: b.text(name), Kind: kind, Start: b.start(max(name, 0))}
	d.Type = b.Of(b.array(typ, b.text(b.t.Child(i, "dimensions"))))
	d.Value = b.value(b.t.Child(i, "value"), target{typ: d.Type})
	return b.Declare(d)
}
