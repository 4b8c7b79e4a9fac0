package golang

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// walk describes any node: an expression, whose value it returns, a statement,
// or text that could not be read, whose parts may still be understood.
func (x *walker) walk(at int32) bind.ExprID {
	if at == treesitter.NoNode || x.depth >= maxDepth {
		return 0
	}
	x.depth++
	defer func() { x.depth-- }()
	if e, ok := x.expression(at); ok {
		return e
	}
	if !x.statement(at) {
		for c := range x.named(at) {
			x.walk(c)
		}
	}
	return 0
}

func (x *walker) expression(at int32) (bind.ExprID, bool) {
	switch x.t.Kind(at) {
	case "identifier", "type_identifier", "package_identifier":
		return x.name(at), true
	case "nil":
		return x.Expr(bind.Expr{Op: bind.Null}), true
	case "selector_expression":
		return x.selector(at), true
	case "call_expression":
		return x.call(at), true
	case "type_conversion_expression":
		return x.conversion(at), true
	case "composite_literal":
		typ := x.t.Child(at, "type")
		e := x.Of(x.typ(typ))
		x.literal(x.t.Child(at, "body"), typ, e)
		return e, true
	case "func_literal":
		f := x.Declare(bind.Decl{Kind: bind.Func, Start: x.start(at)})
		x.function(f, at)
		return x.Expr(bind.Expr{Op: bind.FuncLit, Decl: f}), true
	case "parenthesized_expression", "variadic_argument", "literal_element":
		return x.walk(x.first(at)), true
	case "unary_expression":
		e := x.walk(x.t.Child(at, "operand"))
		switch {
		case x.has(at, "&"), x.has(at, "*"):
			return e, true
		case x.has(at, "<-"):
			return x.Expr(bind.Expr{Op: bind.Elem, X: e}), true
		}
		return 0, true
	case "index_expression":
		e := bind.Expr{Op: bind.Index, X: x.walk(x.t.Child(at, "operand")), N: -1}
		index := x.walk(x.t.Child(at, "index"))
		if operand := x.t.Child(at, "operand"); x.namesFunction(operand) {
			e = bind.Expr{Op: bind.Apply, X: e.X, Args: []bind.ExprID{x.Of(index)}}
		}
		return x.Expr(e), true
	case "slice_expression":
		e := x.walk(x.t.Child(at, "operand"))
		for _, field := range []string{"start", "end", "capacity"} {
			x.walk(x.t.Child(at, field))
		}
		return e, true
	case "type_assertion_expression":
		return x.assertion(x.t.Child(at, "operand"), x.t.Child(at, "type")), true
	case "type_instantiation_expression":
		e := bind.Expr{Op: bind.Apply}
		for c := range x.named(at) {
			if typ := x.typ(c); e.X == 0 {
				e.X = typ
			} else {
				e.Args = append(e.Args, x.Of(typ))
			}
		}
		return x.applied(x.first(at), e), true
	case "qualified_type", "generic_type", "pointer_type", "parenthesized_type", "slice_type", "array_type",
		"implicit_length_array_type", "map_type", "channel_type", "struct_type", "interface_type", "function_type":
		return x.typ(at), true
	case "label_name", "comment":
		return 0, true
	}
	return 0, false
}

// assertion is a value asserted to be of a type. Compilers do not look at the
// type of what they do not know.
func (x *walker) assertion(operand, typ int32) bind.ExprID {
	value := x.walk(operand)
	e := x.Of(x.typ(typ))
	if operand == treesitter.NoNode || typ == treesitter.NoNode {
		return e
	}
	of := x.span(operand)
	x.Shade(of, value, x.span(typ))
	return x.Whole(e, of.Start, of.End)
}

// namesFunction reports whether a node is the name of a function of the file,
// so that what follows in brackets is a type.
func (x *walker) namesFunction(at int32) bool {
	return at != treesitter.NoNode && x.t.Kind(at) == "identifier" && x.kind(x.t.Text(at)) == bind.Func
}

// bare takes off parentheses and stars. It reports whether there was a star.
func (x *walker) bare(at int32) (int32, bool) {
	star := false
	for at != treesitter.NoNode {
		switch kind := x.t.Kind(at); {
		case kind == "parenthesized_expression":
			at = x.first(at)
		case kind == "unary_expression" && x.has(at, "*"):
			at, star = x.t.Child(at, "operand"), true
		default:
			return at, star
		}
	}
	return at, star
}

// isTypeName reports whether an operand is a type of the file in parentheses or
// none.
func (x *walker) isTypeName(at int32) bool {
	at, _ = x.bare(at)
	return at != treesitter.NoNode && x.t.Kind(at) == "identifier" && x.isType(x.t.Text(at))
}

func (x *walker) selector(at int32) bind.ExprID {
	operand, field := x.t.Child(at, "operand"), x.t.Child(at, "field")
	if field == treesitter.NoNode {
		return x.walk(operand)
	}
	return x.selected(operand, field)
}

// selected is a member of a package, a value or a type.
func (x *walker) selected(operand, field int32) bind.ExprID {
	if x.isPackage(operand) {
		return x.qualified(operand, field)
	}
	e := x.walk(operand)
	if x.isTypeName(operand) { // a method as a function
		e = x.Of(e)
	}
	s := x.Expr(bind.Expr{Op: bind.Select, X: e, Name: x.t.Text(field), Scope: x.Scope(), Start: x.start(field)})
	if !x.silent && x.t.Text(field) != "_" {
		x.Ref(s)
	}
	return s
}

func (x *walker) call(at int32) bind.ExprID {
	function, list := x.t.Child(at, "function"), x.t.Child(at, "arguments")
	name := ""
	if function != treesitter.NoNode && x.t.Kind(function) == "identifier" && x.kind(x.t.Text(function)) == 0 {
		name = x.t.Text(function)
	}
	callee := x.walk(function)
	e := bind.Expr{Op: bind.Call, X: callee}
	if types := x.t.Child(at, "type_arguments"); types != treesitter.NoNode {
		generic := bind.Expr{Op: bind.Apply, X: callee}
		for c := range x.named(types) {
			generic.Args = append(generic.Args, x.Of(x.typ(c)))
		}
		e.X = x.Expr(generic)
	}
	if list != treesitter.NoNode {
		for c := range x.named(list) {
			if x.t.Kind(c) == "comment" {
				continue
			}
			e.Args = append(e.Args, x.walk(c))
		}
	}
	switch {
	case (name == "new" || name == "make") && len(e.Args) > 0:
		return x.Of(e.Args[0])
	case x.isTypeName(function):
		return x.Of(e.X)
	}
	if inner, star := x.bare(function); star && inner != treesitter.NoNode && x.t.Kind(inner) != "call_expression" && !x.isVariable(inner) {
		return x.Of(callee)
	}
	return x.Expr(e)
}

// conversion is one to a type that cannot be a name, or a call with type
// arguments, which looks the same.
func (x *walker) conversion(at int32) bind.ExprID {
	typ, operand := x.t.Child(at, "type"), x.t.Child(at, "operand")
	e := x.typ(typ)
	arg := x.walk(operand)
	if typ != treesitter.NoNode && x.t.Kind(typ) == "generic_type" && !x.isType(x.text(typ, "type")) {
		return x.Expr(bind.Expr{Op: bind.Call, X: e, Args: []bind.ExprID{arg}})
	}
	return x.Of(e)
}
