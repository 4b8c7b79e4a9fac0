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
	class, place := bind.ExprID(0), int32(0)              // of which an object is made where
	values := func(d int32, of bind.ExprID) bind.ExprID { // parts of a declarator, or of the declaration
		value := x.value(x.t.Child(d, "value"), of, class, place)
		x.walk(x.t.Child(d, "default_value"))
		return value
	}
	none := true
	for d := range x.fields(at, "declarator") {
		none = false
		name := x.declared(d)
		of := x.Of(x.wrapped(e, name.pointer))
		if class = 0; !name.pointer && name.node != treesitter.NoNode {
			class, place = e, x.start(name.node)
		}
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
		decl := bind.Decl{Name: x.called(name.node), Kind: kind, Start: x.start(name.node), Type: of}
		if auto {
			decl.Type, decl.Value = 0, value
		}
		if name.function != treesitter.NoNode && kind == bind.Var && x.constructed(name, e) {
			x.Declare(decl)
			continue
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
	if first != 0 && x.t.Kind(at) == "optional_parameter_declaration" {
		x.Decl(first).Omitted = x.Expr(bind.Expr{})
	}
	if first != 0 && x.t.Kind(at) == "variadic_parameter_declaration" {
		x.Decl(first).Rest = true
	}
	if none {
		values(at, 0)
		if kind == bind.Param {
			first = x.Declare(bind.Decl{Kind: bind.Param, Start: x.start(at), Type: x.Of(e)})
		}
	}
	return first
}

// constructed reports whether what reads like a function declared inside another is
// a variable made of other ones, "A a(b)", and notes what that calls.
func (x *walker) constructed(name declarator, class bind.ExprID) bool {
	if class == 0 || name.pointer || !x.isPrototype(name.function) || x.File.Scopes[x.block()].Kind != bind.FunctionScope {
		return false
	}
	list := x.t.Child(name.function, "parameters")
	n := int32(0)
	for p := range x.all(list) {
		if x.t.Kind(p) != "parameter_declaration" {
			return false
		}
		n++
		for c := range x.all(p) {
			switch x.t.Kind(c) {
			case "type_identifier", "qualified_identifier", "pointer_declarator", "reference_declarator":
			default:
				return false
			}
		}
	}
	if n == 0 {
		return false
	}
	call := bind.Expr{Op: bind.New, X: class}
	for p := range x.named(list) {
		call.Args = append(call.Args, x.operands(p))
	}
	x.site(ConstructSite, class, x.Expr(call), x.start(name.node), n)
	return true
}

// operands walks what reads like a parameter, but is an expression: a, a * b. Only
// a single one has a known value.
func (x *walker) operands(at int32) (e bind.ExprID) {
	n := 0
	for c := range x.named(at) {
		n++
		if x.t.Kind(c) == "pointer_declarator" || x.t.Kind(c) == "reference_declarator" {
			x.operands(c)
		} else {
			e = x.walk(c)
		}
	}
	if n != 1 {
		return 0
	}
	return e
}

// block is the scope around that is no block.
func (x *walker) block() bind.ScopeID {
	s := x.Scope()
	for x.File.Scopes[s].Kind == bind.BlockScope {
		s = x.File.Scopes[s].Parent
	}
	return s
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
// constructor of the class, which is 0 for none, say nothing of a type.
func (x *walker) value(at int32, of, class bind.ExprID, place int32) bind.ExprID {
	if at == treesitter.NoNode {
		return 0
	}
	switch x.t.Kind(at) {
	case "initializer_list":
		x.braces(class, place, at)
		x.literal(at, of)
		return 0
	case "argument_list":
		x.construct(class, place, at)
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
