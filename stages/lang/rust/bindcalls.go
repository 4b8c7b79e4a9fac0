package rust

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// diverging are macros after which nothing comes.
var diverging = map[string]bool{"panic": true, "todo": true, "unimplemented": true, "unreachable": true, "bail": true}

// macro is a call of a macro. What it gives is not known.
func (x *walker) macro(at int32) bind.ExprID {
	name := x.t.Child(at, "macro")
	if name == treesitter.NoNode {
		return 0
	}
	defer func() {
		for c := range x.t.Children(at) {
			if x.t.Kind(c) == "token_tree" {
				x.tokens(c)
			}
		}
	}()
	if x.t.Kind(name) == "scoped_identifier" {
		x.path(name)
		return 0
	}
	x.name(name)
	if diverging[x.word(name)] {
		return x.Expr(bind.Expr{Op: bind.Null})
	}
	return 0
}

// call is a call of a function, a method or what makes a tuple struct.
func (x *walker) call(at int32) bind.ExprID {
	function, list := x.t.Child(at, "function"), x.t.Child(at, "arguments")
	if function == treesitter.NoNode {
		return 0
	}
	if x.t.Kind(function) == "field_expression" && same[x.text(function, "field")] {
		e := x.walk(x.t.Child(function, "value"))
		x.passed(list, 0)
		return e
	}
	e := bind.Expr{Op: bind.Call, X: x.walk(function)}
	call := x.Expr(e)
	args := x.passed(list, call)
	x.File.Exprs[call].Args = args
	segments := x.segments(function)
	first, last := segments[0], segments[len(segments)-1]
	switch kind := x.kind(last); {
	case len(segments) == 1 && (last == "Self" || isType(last) && !isConstant(last) && (kind == bind.Class || kind == bind.Imported)):
		return x.Of(e.X)
	case len(segments) > 1 && len(args) == 1 && x.kind(first) != bind.Class && transparent[segments[len(segments)-2]] && (last == "new" || last == "clone" || last == "from"):
		return args[0]
	}
	return call
}

// passed are the values of a list of arguments of a call.
func (x *walker) passed(list int32, call bind.ExprID) []bind.ExprID {
	if list == treesitter.NoNode {
		return nil
	}
	var out []bind.ExprID
	for c := range x.named(list) {
		if x.t.Kind(c) == "closure_expression" {
			out = append(out, x.closure(c, call, len(out)))
		} else {
			out = append(out, x.walk(c))
		}
	}
	return out
}

// closure is a function literal; parameters without a type have that which the
// call expects that it is the given argument of.
func (x *walker) closure(at int32, call bind.ExprID, arg int) bind.ExprID {
	f := x.Declare(bind.Decl{Kind: bind.Func, Start: x.start(at)})
	x.open(bind.FunctionScope, f)
	var ids []bind.DeclID
	if list := x.t.Child(at, "parameters"); list != treesitter.NoNode {
		for p := range x.named(list) {
			d, pattern := bind.Decl{Kind: bind.Param, Start: x.start(p)}, p
			if x.t.Kind(p) == "parameter" {
				d.Type, pattern = x.Of(x.typ(x.t.Child(p, "type"))), x.t.Child(p, "pattern")
			} else if call != 0 {
				d.Value = x.Expect(call, arg, len(ids))
			}
			ids = append(ids, x.parameter(d, pattern))
		}
	}
	result := x.Of(x.typ(x.t.Child(at, "return_type")))
	value := x.walk(x.t.Child(at, "body"))
	x.close()
	d := x.Decl(f)
	d.Params, d.Type = ids, result
	if result == 0 && value != 0 {
		d.Returns = []bind.ExprID{value}
	}
	return x.Expr(bind.Expr{Op: bind.FuncLit, Decl: f})
}

// parameter declares a parameter, and the names of its pattern.
func (x *walker) parameter(d bind.Decl, pattern int32) bind.DeclID {
	if pattern != treesitter.NoNode && x.t.Kind(pattern) == "identifier" {
		d.Name, d.Start = x.word(pattern), x.start(pattern)
		return x.local(d)
	}
	id := x.Declare(d)
	value := d.Type
	if value == 0 {
		value = d.Value
	}
	x.pattern(pattern, value)
	return id
}

// function describes the parameters, the result and the body of a function, with
// declarations it sees from the impl around it.
func (x *walker) function(f bind.DeclID, at int32, own []bind.Decl) {
	x.open(bind.FunctionScope, f)
	var types []bind.DeclID
	for _, d := range own {
		x.note(d.Name, d.Kind)
		id := x.Declare(d)
		if d.Kind == bind.TypeParam {
			types = append(types, id)
		}
	}
	types = append(types, x.typeParameters(at)...)
	var ids []bind.DeclID
	if list := x.t.Child(at, "parameters"); list != treesitter.NoNode {
		for p := range x.named(list) {
			if x.t.Kind(p) == "parameter" {
				d := bind.Decl{Kind: bind.Param, Start: x.start(p), Type: x.Of(x.typ(x.t.Child(p, "type")))}
				ids = append(ids, x.parameter(d, x.t.Child(p, "pattern")))
			}
		}
	}
	result := x.Of(x.typ(x.t.Child(at, "return_type")))
	d := x.Decl(f)
	d.TypeParams, d.Params, d.Type = types, ids, result
	if body := x.t.Child(at, "body"); body != treesitter.NoNode {
		x.items(body)
	}
	x.close()
}
