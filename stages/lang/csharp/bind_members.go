package csharp

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// extension is put in front of the name of an extension method, where it is
// declared a second time, without the parameter it extends.
const extension = bind.ExtensionPrefix

// function declares a method, constructor, operator, local function or accessor,
// and reads its body. Where nobody can name it, d has an odd name.
func (b *binder) function(i int32, d bind.Decl, result int32) {
	b.attributes(i)
	d.Kind = bind.Func
	id := b.Declare(d)
	wasResult, wasReturns := b.result, b.returns
	b.Open(bind.FunctionScope, id)
	generics := b.typeParameters(i)
	typ := b.typeValue(result)
	list := b.child(i, "parameters")
	params := b.parameters(list)
	x := b.Decl(id)
	x.TypeParams, x.Type, x.Params = generics, typ, params
	b.result, b.returns = b.awaited(i, typ), nil
	if c := b.first(i, "constructor_initializer"); c != treesitter.NoNode {
		b.children(c)
	}
	b.body(i, b.result)
	b.Close()
	b.result, b.returns = wasResult, wasReturns
	if len(params) > 0 && b.has(list, "parameter") && b.modified(b.first(list, "parameter"), "this") {
		b.Declare(bind.Decl{Name: extension + d.Name, Kind: bind.Func, Start: d.Start, Static: true, TypeParams: generics, Type: typ, Params: params[1:]})
	}
}

// awaited is what a function's body gives, where its caller has to wait for it.
func (b *binder) awaited(i int32, typ bind.ExprID) bind.ExprID {
	if typ == 0 || !b.modified(i, "async") {
		return typ
	}
	return b.Expr(bind.Expr{Op: bind.Await, X: typ})
}

// body reads the body of a function that gives result.
func (b *binder) body(i int32, result bind.ExprID) {
	switch body := b.child(i, "body"); b.kind(body) {
	case "":
	case "arrow_expression_clause":
		b.as(b.onlyChild(body), result)
	default:
		b.visit(body)
	}
}

// onlyChild is the last named child.
func (b *binder) onlyChild(i int32) int32 {
	last := treesitter.NoNode
	for c := range b.t.Children(i) {
		if b.kind(c) != "comment" && (b.t.Nodes[c].Named() || b.kind(c) == "this" || b.kind(c) == "base") {
			last = c
		}
	}
	return last
}

func (b *binder) method(i int32) {
	name := b.child(i, "name")
	text, at := b.name(name)
	if b.has(i, "explicit_interface_specifier") {
		text = "~" + text
	}
	result := b.child(i, "returns")
	if result == treesitter.NoNode {
		result = b.child(i, "type")
	}
	b.function(i, bind.Decl{Name: text, Start: at, Static: b.modified(i, "static")}, result)
}

func (b *binder) parameters(list int32) (out []bind.DeclID) {
	if list == treesitter.NoNode {
		return nil
	}
	if b.kind(list) != "parameter_list" && b.kind(list) != "bracketed_parameter_list" { // of a lambda
		text, at := b.name(list)
		return []bind.DeclID{b.Declare(bind.Decl{Name: text, Kind: bind.Param, Start: at})}
	}
	declare := func(typ, name int32, rest bool) {
		value := b.typeValue(typ)
		text, at := b.name(name)
		out = append(out, b.Declare(bind.Decl{Name: text, Kind: bind.Param, Start: at, Type: value, Rest: rest}))
	}
	for c := range b.t.Children(list) {
		if b.kind(c) == "parameter" {
			b.attributes(c)
			declare(b.child(c, "type"), b.child(c, "name"), false)
			if d := b.onlyChild(c); d != b.child(c, "name") {
				b.visit(d)
			}
		}
	}
	if name := b.child(list, "name"); name != treesitter.NoNode { // a parameter array has no node of its own
		declare(b.child(list, "type"), name, true)
	}
	return out
}

// property declares a property, an event with accessors or an indexer.
func (b *binder) property(i int32) {
	b.attributes(i)
	value := b.typeValue(b.child(i, "type"))
	text, at := b.name(b.child(i, "name"))
	static := b.modified(i, "static")
	indexer := b.kind(i) == "indexer_declaration"
	switch {
	case b.has(i, "explicit_interface_specifier"):
	case indexer:
		b.Declare(bind.Decl{Name: "__index__", Kind: bind.Member, Start: b.start(i), Type: value})
	default:
		b.Declare(bind.Decl{Name: text, Kind: bind.Member, Start: at, Type: value, Static: static})
	}
	accessors := b.child(i, "accessors")
	if accessors != treesitter.NoNode {
		for c := range b.t.Children(accessors) {
			if b.kind(c) == "accessor_declaration" {
				b.accessor(c, b.child(i, "parameters"), value)
			}
		}
	}
	if v := b.child(i, "value"); v != treesitter.NoNode {
		b.Open(bind.FunctionScope, 0)
		b.parameters(b.child(i, "parameters"))
		if b.kind(v) == "arrow_expression_clause" {
			v = b.onlyChild(v)
		}
		b.as(v, value)
		b.Close()
	}
}

func (b *binder) accessor(i, parameters int32, value bind.ExprID) {
	wasResult, wasReturns := b.result, b.returns
	b.Open(bind.FunctionScope, 0)
	b.parameters(parameters)
	b.Declare(bind.Decl{Name: "value", Kind: bind.Param, Start: b.start(i), Type: value})
	b.result, b.returns = value, nil
	b.body(i, value)
	b.Close()
	b.result, b.returns = wasResult, wasReturns
}

func (b *binder) enumMember(i int32) {
	b.attributes(i)
	text, at := b.name(b.child(i, "name"))
	this := b.Expr(bind.Expr{Op: bind.This, Scope: b.Scope()})
	b.Declare(bind.Decl{Name: text, Kind: bind.Member, Start: at, Type: this, Static: true})
	b.visit(b.child(i, "value"))
}

// delegate declares a type that is a function.
func (b *binder) delegate(i int32) {
	text, at := b.name(b.child(i, "name"))
	id := b.Declare(bind.Decl{Name: text + aritySuffix(b.t, i), Kind: bind.Alias, Start: at})
	b.Open(bind.BlockScope, 0)
	generics := b.typeParameters(i)
	f := b.Declare(bind.Decl{Kind: bind.Func, Start: at})
	b.Open(bind.FunctionScope, f)
	result := b.typeValue(b.child(i, "type"))
	params := b.parameters(b.child(i, "parameters"))
	x := b.Decl(f)
	x.Type, x.Params = result, params
	b.Close()
	b.Close()
	literal := b.Expr(bind.Expr{Op: bind.FuncLit, Decl: f})
	a := b.Decl(id)
	a.TypeParams, a.Type = generics, literal
}

// attributes reads the attributes of a declaration: the arguments, and what they
// name in the attribute's class.
func (b *binder) attributes(i int32) {
	for c := range b.t.Children(i) {
		if b.kind(c) == "attribute_list" {
			b.visit(c)
		}
	}
}

func (b *binder) attribute(i int32) {
	args := b.first(i, "attribute_argument_list")
	if args == treesitter.NoNode {
		return
	}
	value := b.Of(b.attributeType(b.child(i, "name")))
	for c := range b.t.Children(args) {
		if b.kind(c) != "attribute_argument" {
			continue
		}
		if set := b.first(c, "assignment_expression"); set != treesitter.NoNode {
			b.member(value, b.child(set, "left"))
			b.hide(b.child(set, "left"), b.child(set, "right"))
			b.visit(b.child(set, "right"))
		} else {
			b.children(c)
		}
	}
}

// variables declares what a declaration of variables or fields declares.
func (b *binder) variables(i int32, d bind.Decl) {
	typ := b.typeValue(b.child(i, "type"))
	for c := range b.t.Children(i) {
		switch b.kind(c) {
		case "variable_declarator":
			b.variable(c, typ, d)
		case "initializer_expression":
			b.visit(c)
		}
	}
}

func (b *binder) variable(i int32, typ bind.ExprID, d bind.Decl) {
	name := b.child(i, "name")
	var value bind.ExprID
	if v := b.onlyChild(i); v != treesitter.NoNode && v != name && b.kind(v) != "bracketed_argument_list" {
		value = b.as(v, typ)
	}
	if pattern := b.first(i, "tuple_pattern"); pattern != treesitter.NoNode {
		b.destructure(pattern, value)
		return
	}
	d.Name, d.Start = b.name(name)
	d.Type, d.Value = typ, value
	b.Declare(d)
}

// destructure declares the names of a tuple pattern.
func (b *binder) destructure(pattern int32, value bind.ExprID) {
	n := int32(0)
	for c := range b.t.Children(pattern) {
		switch b.kind(c) {
		case "identifier":
			text, at := b.name(c)
			b.Declare(bind.Decl{Name: text, Kind: bind.Var, Start: at, Value: b.Expr(bind.Expr{Op: bind.Index, X: value, N: n})})
			n++
		case "tuple_pattern":
			b.destructure(c, b.Expr(bind.Expr{Op: bind.Index, X: value, N: n}))
			n++
		case "discard":
			n++
		}
	}
}
