package cfamily

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// declare describes a declaration of variables, fields, parameters or functions
// without a body.
func (x *walker) declare(at int32, kind bind.DeclKind) (first bind.DeclID) {
	typ := x.t.Child(at, "type")
	e := x.typ(typ)
	auto := typ != treesitter.NoNode && x.t.Kind(typ) == "placeholder_type_specifier"
	if kind == bind.Var && x.File.Scopes[x.Scope()].Kind == bind.ClassScope {
		kind = bind.Member
	}
	values := func(d int32, of bind.ExprID) bind.ExprID { // parts of a declarator, or of the declaration
		value := x.value(x.t.Child(d, "value"), of)
		x.walk(x.t.Child(d, "default_value"))
		return value
	}
	none := true
	for d := range x.fields(at, "declarator") {
		none = false
		name := x.declared(d)
		of := x.Of(x.wrapped(e, name.pointer))
		value := values(d, of)
		if value == 0 {
			value = values(at, of)
		}
		if x.t.Kind(d) == "init_declarator" && x.t.Kind(x.inside(d)) == "structured_binding_declarator" {
			x.bindings(x.inside(d), value)
			continue
		}
		if name.node == treesitter.NoNode {
			if name.function != treesitter.NoNode {
				x.parameters(name.function)
			}
			continue
		}
		decl := bind.Decl{Name: x.t.Text(name.node), Kind: kind, Start: x.start(name.node), Type: of}
		if auto {
			decl.Type, decl.Value = 0, value
		}
		if name.function != treesitter.NoNode && x.isPrototype(name.function) {
			decl.Kind, decl.Type = bind.Func, 0
			id := x.Declare(decl)
			x.signature(id, name.function, of)
			continue
		}
		if name.outer != treesitter.NoNode {
			x.typ(name.outer)
			continue
		}
		if id := x.Declare(decl); first == 0 {
			first = id
		}
	}
	if none {
		values(at, 0)
		if kind == bind.Param {
			first = x.Declare(bind.Decl{Kind: bind.Param, Start: x.start(at), Type: x.Of(e)})
		}
	}
	return first
}

// inside is the declarator in a declarator.
func (x *walker) inside(d int32) int32 {
	if i := inner(x.t, d); i != treesitter.NoNode {
		return i
	}
	return d
}

// isPrototype reports whether a function declarator declares a function, and not
// a pointer to one.
func (x *walker) isPrototype(function int32) bool {
	d := x.t.Child(function, "declarator")
	return d != treesitter.NoNode && x.t.Kind(d) != "parenthesized_declarator"
}

// wrapped is a type, or that of pointers to it.
func (x *walker) wrapped(e bind.ExprID, pointer bool) bind.ExprID {
	if pointer {
		return x.pointer(e)
	}
	return e
}

// value is an initializer of a variable that is a value of. Arguments of a
// constructor say nothing of a type.
func (x *walker) value(at int32, of bind.ExprID) bind.ExprID {
	if at == treesitter.NoNode {
		return 0
	}
	switch x.t.Kind(at) {
	case "initializer_list":
		x.literal(at, of)
		return 0
	case "argument_list":
		x.walk(at)
		return 0
	}
	return x.walk(at)
}

// bindings declares the names of a structured binding.
func (x *walker) bindings(at int32, value bind.ExprID) {
	place := int32(0)
	for c := range x.named(at) {
		part := x.Expr(bind.Expr{Op: bind.Index, X: value, N: place})
		x.Declare(bind.Decl{Name: x.t.Text(c), Kind: bind.Var, Start: x.start(c), Value: part})
		place++
	}
}

func (x *walker) rangeLoop(at int32) {
	x.Open(bind.BlockScope, 0)
	defer x.Close()
	x.walk(x.t.Child(at, "initializer"))
	elem := x.Expr(bind.Expr{Op: bind.Elem, X: x.walk(x.t.Child(at, "right"))})
	typ, d := x.t.Child(at, "type"), x.t.Child(at, "declarator")
	e := x.typ(typ)
	if d != treesitter.NoNode && x.t.Kind(x.inside(d)) == "structured_binding_declarator" {
		x.bindings(x.inside(d), elem)
	} else if name := x.declared(d); name.node != treesitter.NoNode {
		decl := bind.Decl{Name: x.t.Text(name.node), Kind: bind.Var, Start: x.start(name.node), Type: x.Of(x.wrapped(e, name.pointer)), Value: elem}
		if e == 0 {
			decl.Type = 0
		}
		x.Declare(decl)
	}
	x.walk(x.t.Child(at, "body"))
}
