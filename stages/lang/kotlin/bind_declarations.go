package kotlin

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// class declares a class, interface, enum or object.
func (b *binder) class(i int32) {
	text, at := b.name(b.first(i, "type_identifier", "simple_identifier"))
	id := b.Declare(bind.Decl{Name: text, Kind: bind.Class, Start: at})
	b.members(i, id)
}

// members reads what makes up a class: bases, constructor, body. What its
// companion has is found as if it were its own.
func (b *binder) members(i int32, id bind.DeclID) {
	was := b.returns
	b.Open(bind.BlockScope, 0) // bases see the type parameters, and not the members
	params := b.typeParameters(i)
	bases := b.bases(i)
	if body := b.first(i, "class_body"); body != treesitter.NoNode {
		if c := b.first(body, "companion_object"); c != treesitter.NoNode {
			bases = append(bases, b.bases(c)...)
		}
	}
	d := b.Decl(id)
	d.TypeParams, d.Bases = params, bases
	b.Open(bind.ClassScope, id)
	b.constructor(b.first(i, "primary_constructor"))
	for _, c := range b.named(i) {
		if b.kind(c) == "delegation_specifier" { // arguments see the constructor's parameters
			b.delegation(c)
		}
	}
	for _, c := range b.named(i) {
		if k := b.kind(c); k == "class_body" || k == "enum_class_body" {
			for _, m := range b.named(c) {
				if b.kind(m) == "enum_entry" {
					b.enumEntry(m)
				} else {
					b.visit(m)
				}
			}
		}
	}
	b.Close()
	b.Close()
	b.returns = was
}

func (b *binder) bases(i int32) (out []bind.ExprID) {
	for _, c := range b.named(i) {
		if b.kind(c) != "delegation_specifier" {
			continue
		}
		typ := b.first(c, "user_type")
		if typ == treesitter.NoNode {
			typ = b.first(b.first(c, "constructor_invocation", "explicit_delegation"), "user_type")
		}
		if typ != treesitter.NoNode {
			out = append(out, b.typ(typ))
		}
	}
	return out
}

func (b *binder) delegation(i int32) {
	if call := b.first(i, "constructor_invocation"); call != treesitter.NoNode {
		b.arguments(b.first(call, "value_arguments"), 0, 0)
	} else if by := b.first(i, "explicit_delegation"); by != treesitter.NoNode {
		b.children(by)
	}
}

// constructor declares a primary constructor. Its parameters are members, or seen
// like them while an instance is made.
func (b *binder) constructor(i int32) {
	if i == treesitter.NoNode {
		return
	}
	var params []bind.DeclID
	for _, c := range b.named(i) {
		if b.kind(c) != "class_parameter" {
			continue
		}
		text, at := b.name(b.first(c, "simple_identifier"))
		params = append(params, b.Declare(bind.Decl{Name: text, Kind: bind.Member, Start: at, Type: b.typeOf(c)}))
		b.defaultValue(c)
	}
	id := b.Declare(bind.Decl{Name: "constructor", Kind: bind.Func, Start: b.start(i), Constructor: true})
	b.Decl(id).Params = params
}

// defaultValue visits what follows "=".
func (b *binder) defaultValue(i int32) {
	after := false
	for c := range b.t.Children(i) {
		if after && b.t.Nodes[c].Named() {
			b.visit(c)
		}
		after = after || b.t.Kind(c) == "="
	}
}

func (b *binder) enumEntry(i int32) {
	text, at := b.name(b.first(i, "simple_identifier"))
	this := b.Expr(bind.Expr{Op: bind.This, Scope: b.Scope()})
	b.Declare(bind.Decl{Name: text, Kind: bind.Member, Start: at, Type: this, Static: true})
	b.arguments(b.first(i, "value_arguments"), 0, 0)
	if body := b.first(i, "class_body"); body != treesitter.NoNode {
		b.Open(bind.FunctionScope, 0)
		b.children(body)
		b.Close()
	}
}

func (b *binder) alias(i int32) {
	text, at := b.name(b.first(i, "type_identifier"))
	id := b.Declare(bind.Decl{Name: text, Kind: bind.Alias, Start: at})
	b.Open(bind.BlockScope, 0)
	params := b.typeParameters(i)
	typ := b.typ(b.first(i, "user_type", "nullable_type", "function_type", "parenthesized_type"))
	b.Close()
	d := b.Decl(id)
	d.TypeParams, d.Type = params, typ
}

// function declares a function. One that extends a type is declared under an odd
// name, and its body reads as if it stood in a class that inherits from the type.
func (b *binder) function(i int32) {
	nameNode := b.first(i, "simple_identifier")
	text, at := b.name(nameNode)
	d := bind.Decl{Name: text, Start: at}
	receiver := b.receiver(i, nameNode)
	if receiver == treesitter.NoNode {
		b.scopedFunction(i, d, 0)
		return
	}
	d.Name = bind.ExtensionPrefix + text
	b.scopedFunction(i, d, receiver)
}

// receiver is the type before the dot of what extends one.
func (b *binder) receiver(i, name int32) int32 {
	found := treesitter.NoNode
	for c := range b.t.Children(i) {
		switch k := b.kind(c); {
		case c == name || k == "variable_declaration":
			return treesitter.NoNode
		case k == ".":
			return found
		case k == "user_type" || k == "nullable_type" || k == "parenthesized_type":
			found = c
		}
	}
	return treesitter.NoNode
}

func (b *binder) scopedFunction(i int32, d bind.Decl, receiver int32) {
	d.Kind = bind.Func
	id := b.Declare(d)
	was := b.returns
	b.returns = nil
	b.Open(bind.FunctionScope, id)
	generics := b.typeParameters(i)
	leave := func() {}
	if receiver > 0 {
		leave = b.within(b.typ(receiver))
	}
	params := b.parameters(b.first(i, "function_value_parameters"))
	typ := b.typeValue(b.result(i))
	if call := b.first(i, "constructor_delegation_call"); call != treesitter.NoNode {
		b.arguments(b.first(call, "value_arguments"), 0, 0)
	}
	body := b.first(i, "function_body", "statements")
	value := b.visit(body)
	if b.first(body, "=") != treesitter.NoNode {
		b.returns = append(b.returns, value)
	}
	x := b.Decl(id)
	x.TypeParams, x.Params, x.Type, x.Returns = generics, params, typ, b.returns
	leave()
	b.Close()
	b.returns = was
}

// within opens a class that inherits from a type, whose members are found by their
// simple names, and returns what closes it.
func (b *binder) within(typ bind.ExprID) func() {
	id := b.Declare(bind.Decl{Kind: bind.Class})
	b.Decl(id).Bases = []bind.ExprID{typ}
	b.Open(bind.ClassScope, id)
	b.Open(bind.FunctionScope, 0)
	return func() {
		b.Close()
		b.Close()
	}
}

// result is the declared type of a function, after its parameters.
func (b *binder) result(i int32) int32 {
	after := false
	for c := range b.t.Children(i) {
		if after && isType(b.kind(c)) {
			return c
		}
		after = after || b.kind(c) == "function_value_parameters"
	}
	return treesitter.NoNode
}

func (b *binder) parameters(list int32) (out []bind.DeclID) {
	rest := false
	for _, c := range b.named(list) {
		switch b.kind(c) {
		case "parameter_modifiers":
			rest = b.t.Text(c) == "vararg"
		case "parameter":
			text, at := b.name(b.first(c, "simple_identifier"))
			d := bind.Decl{Name: text, Kind: bind.Param, Start: at, Type: b.typeOf(c), Rest: rest}
			if rest { // callers give elements, and inside it is an array
				array := b.Of(b.Expr(bind.Expr{Op: bind.Apply, X: b.hidden("Array", -1), Args: []bind.ExprID{d.Type}}))
				b.Declare(bind.Decl{Name: text, Kind: bind.Var, Start: at, Type: array})
				d.Name = ""
			}
			out = append(out, b.Declare(d))
			rest = false
		default: // a default value
			b.visit(c)
		}
	}
	return out
}

// property declares a property or a variable.
func (b *binder) property(i int32) {
	kind := bind.Var
	if b.File.Scopes[b.Scope()].Kind == bind.ClassScope {
		kind = bind.Member
	}
	pattern := b.first(i, "variable_declaration", "multi_variable_declaration")
	extends := b.receiver(i, treesitter.NoNode)
	leave := func() {}
	if extends != treesitter.NoNode {
		text, at := b.name(b.first(pattern, "simple_identifier"))
		b.Declare(bind.Decl{Name: bind.ExtensionPrefix + text, Kind: bind.Var, Start: at, Type: b.typeOf(pattern)})
		leave = b.within(b.typ(extends))
	}
	var value bind.ExprID
	for _, c := range b.named(i) {
		switch k := b.kind(c); {
		case k == "binding_pattern_kind" || k == "modifiers" || c == pattern || isType(k) || k == "type_parameters" || k == "type_constraints":
		case k == "property_delegate":
			value = b.Expr(bind.Expr{Op: bind.Select, X: b.children(c), Name: "value", Scope: b.Scope()})
		case k == "getter":
			b.Open(bind.FunctionScope, 0)
			body := b.first(c, "function_body")
			if v := b.visit(body); b.first(body, "=") != treesitter.NoNode {
				value = v
			}
			b.Close()
		case k == "setter":
			b.visit(c)
		default:
			value = b.as(c, b.typeOf(pattern))
		}
	}
	leave()
	if extends == treesitter.NoNode {
		b.variable(pattern, kind, value)
	}
}
