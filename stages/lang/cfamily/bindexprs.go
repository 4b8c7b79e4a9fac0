package cfamily

import (
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// walk describes any node: an expression, whose value it returns, a declaration,
// a statement, or text that could not be read, whose parts may still be
// understood.
func (x *walker) walk(at int32) bind.ExprID {
	if at == treesitter.NoNode || x.depth >= maxDepth || ignored[x.t.Kind(at)] {
		return 0
	}
	x.depth++
	defer func() { x.depth-- }()
	switch kind := x.t.Kind(at); kind {
	case "identifier", "type_identifier", "namespace_identifier", "field_identifier":
		return x.name(at)
	case "this":
		return x.Expr(bind.Expr{Op: bind.This, Scope: x.Scope()})
	case "null":
		return x.Expr(bind.Expr{Op: bind.Null})
	case "qualified_identifier", "template_type", "template_function", "template_method", "type_descriptor", "dependent_type",
		"dependent_name", "decltype", "placeholder_type_specifier", "sized_type_specifier":
		return x.typ(at)
	case "field_expression":
		return x.field(at)
	case "call_expression":
		return x.call(at)
	case "new_expression":
		class := x.typ(x.t.Child(at, "type"))
		e := x.Of(x.pointer(class))
		x.walk(x.t.Child(at, "placement"))
		made := class
		if x.t.Child(at, "declarator") != treesitter.NoNode {
			made = 0 // an array
		}
		x.construct(made, x.start(max(0, x.t.Child(at, "type"))), x.t.Child(at, "arguments"))
		return e
	case "cast_expression":
		e := x.Of(x.typ(x.t.Child(at, "type")))
		x.walk(x.t.Child(at, "value"))
		return e
	case "compound_literal_expression":
		typ := x.t.Child(at, "type")
		class := x.typ(typ)
		e := x.Of(class)
		value := x.t.Child(at, "value")
		x.braces(class, x.start(at), value)
		x.literal(value, e)
		return e
	case "parenthesized_expression", "condition_clause":
		return x.only(at)
	case "pointer_expression":
		e := x.walk(x.t.Child(at, "argument"))
		if strings.HasPrefix(x.t.Text(at), "*") {
			return x.pointee(e, x.t.Child(at, "argument"), at)
		}
		return e
	case "subscript_expression":
		e := x.walk(x.t.Child(at, "argument"))
		i := x.only(x.t.Child(at, "indices"))
		if index := x.t.Child(at, "index"); index != treesitter.NoNode {
			i = x.walk(index)
		}
		if x.cpp && e != 0 {
			return x.operator("[]", at, e, i)
		}
		return x.Expr(bind.Expr{Op: bind.Index, X: e, N: -1})
	case "binary_expression":
		left, right := x.walk(x.t.Child(at, "left")), x.walk(x.t.Child(at, "right"))
		return x.operator(x.symbol(at), at, left, right)
	case "unary_expression":
		e := x.walk(x.t.Child(at, "argument"))
		return x.operator(x.symbol(at), at, e)
	case "update_expression":
		e := x.walk(x.t.Child(at, "argument"))
		if x.operator(x.symbol(at), at, e) == 0 {
			return 0
		}
		return e
	case "conditional_expression":
		x.walk(x.t.Child(at, "condition"))
		return x.Expr(bind.Expr{Op: bind.Union, Args: []bind.ExprID{x.walk(x.t.Child(at, "consequence")), x.walk(x.t.Child(at, "alternative"))}})
	case "assignment_expression":
		e, right := x.walk(x.t.Child(at, "left")), x.walk(x.t.Child(at, "right"))
		x.operator(x.symbol(at), at, e, right)
		return e
	case "lambda_expression":
		return x.lambda(at)
	case "enumerator", "labeled_statement", "case_statement":
	}
	if x.declaration(at) {
		return 0
	}
	for c := range x.named(at) {
		x.walk(c)
	}
	return 0
}

// only walks the children of a node; the value is that of the last.
func (x *walker) only(at int32) (e bind.ExprID) {
	for c := range x.named(at) {
		e = x.walk(c)
	}
	return e
}

// pointee is what a pointer points to. This is no pointer here.
func (x *walker) pointee(e bind.ExprID, at, star int32) bind.ExprID {
	if at != treesitter.NoNode && x.t.Kind(at) == "this" {
		return e
	}
	if x.cpp && e != 0 {
		return x.operator("*", star, e)
	}
	return x.Expr(bind.Expr{Op: bind.Index, X: e, N: -1})
}

func (x *walker) field(at int32) bind.ExprID {
	argument := x.t.Child(at, "argument")
	e := x.walk(argument)
	if argument != treesitter.NoNode && x.t.Kind(argument) != "this" && x.symbol(at) == "->" {
		if arrow := x.operator("->", at, e); arrow != 0 {
			e = arrow
		}
	}
	field := x.t.Child(at, "field")
	if field == treesitter.NoNode {
		return 0
	}
	if x.t.Kind(field) == "qualified_identifier" { // x.Base::member
		return x.qualified(field)
	}
	name := x.bare(field)
	if name == treesitter.NoNode || x.t.Kind(field) == "destructor_name" {
		return 0
	}
	e = x.Select(e, x.t.Text(name), x.start(name))
	if node := field; x.t.Kind(node) == "dependent_name" {
		if node = x.first(node); node != treesitter.NoNode {
			return x.applied(e, node)
		}
	} else if name != field {
		return x.applied(e, field)
	}
	return e
}

// casts are calls with a type as their argument.
var casts = map[string]bool{"static_cast": true, "dynamic_cast": true, "reinterpret_cast": true, "const_cast": true}

func (x *walker) call(at int32) bind.ExprID {
	function := x.t.Child(at, "function")
	if function == treesitter.NoNode {
		return 0
	}
	name := ""
	if bare := x.bare(function); bare != treesitter.NoNode {
		name = x.t.Text(bare)
	}
	cast := casts[name] && x.t.Kind(function) == "template_function"
	e := bind.Expr{Op: bind.Call}
	if cast {
		for c := range x.named(x.t.Child(function, "arguments")) {
			e.X = x.typ(c)
		}
	} else {
		e.X = x.walk(function)
	}
	arguments := x.t.Child(at, "arguments")
	for c := range x.all(arguments) {
		e.Args = append(e.Args, x.walk(c))
	}
	if !cast {
		id := x.Expr(e)
		x.site(CallSite, e.X, id, x.nameStart(function), int32(len(e.Args)))
		if !x.bodies[name] || x.t.Kind(function) == "field_expression" {
			return id
		}
	}
	if cast || x.bodies[name] && x.t.Kind(function) != "field_expression" {
		return x.Of(e.X)
	}
	return x.Expr(e)
}

// nameStart is where the last name of what is called stands.
func (x *walker) nameStart(at int32) int32 {
	switch x.t.Kind(at) {
	case "field_expression":
		if field := x.t.Child(at, "field"); field != treesitter.NoNode {
			return x.nameStart(field)
		}
	case "qualified_identifier":
		parts := x.parts(at)
		if last := parts[len(parts)-1]; last != treesitter.NoNode {
			return x.nameStart(last)
		}
	}
	if name := x.bare(at); name != treesitter.NoNode {
		return x.start(name)
	}
	return x.start(at)
}

// literal describes the inside of a literal of a class.
func (x *walker) literal(at int32, of bind.ExprID) {
	for c := range x.named(at) {
		if x.t.Kind(c) != "initializer_pair" {
			x.walk(c)
			continue
		}
		for part := range x.named(c) {
			if x.t.Kind(part) != "field_designator" {
				x.walk(part)
			} else if name := x.first(part); name != treesitter.NoNode {
				x.Select(of, x.t.Text(name), x.start(name))
			}
		}
	}
}

func (x *walker) lambda(at int32) bind.ExprID {
	f := x.Declare(bind.Decl{Kind: bind.Func, Start: x.start(at)})
	x.Open(bind.FunctionScope, f)
	for c := range x.named(x.t.Child(at, "captures")) {
		if x.t.Kind(c) != "assignment_expression" {
			x.walk(c)
			continue
		}
		value := x.walk(x.t.Child(c, "right"))
		if left := x.t.Child(c, "left"); left != treesitter.NoNode && x.t.Kind(left) == "identifier" {
			x.Declare(bind.Decl{Name: x.t.Text(left), Kind: bind.Var, Start: x.start(left), Value: value})
		}
	}
	if d := x.t.Child(at, "declarator"); d != treesitter.NoNode {
		x.parametersOf(f, d, 0)
	}
	x.walk(x.t.Child(at, "body"))
	x.Close()
	return x.Expr(bind.Expr{Op: bind.FuncLit, Decl: f})
}
