package kotlin

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// call reads f(a) { b }, which the grammar takes for two calls.
func (b *binder) call(i int32) bind.ExprID {
	callee, suffix := b.callee(i)
	if b.nextLine(callee, suffix) {
		b.visit(callee)
		return b.inParentheses(suffix)
	}
	lambda := b.first(b.first(suffix, "annotated_lambda"), "lambda_literal")
	values := b.first(suffix, "value_arguments")
	generics := b.first(suffix, "type_arguments")
	if values == treesitter.NoNode && b.kind(callee) == "call_expression" {
		if f, inner := b.callee(callee); b.first(inner, "annotated_lambda") == treesitter.NoNode {
			callee, values, generics = f, b.first(inner, "value_arguments"), b.first(inner, "type_arguments")
		}
	}
	if lambda != treesitter.NoNode {
		if x, ok := b.scopeFunction(callee, values, lambda); ok {
			return x
		}
	}
	var x bind.ExprID
	if b.kind(callee) == "simple_identifier" {
		name := b.simple(callee)
		b.File.Exprs[name].N = bind.Called
		x = b.known(name)
	} else {
		x = b.visit(callee)
	}
	if generics != treesitter.NoNode {
		e := bind.Expr{Op: bind.Apply, X: x}
		for _, a := range b.named(generics) {
			e.Args = append(e.Args, b.Of(b.typ(a)))
		}
		x = b.Expr(e)
	}
	call := b.Expr(bind.Expr{Op: bind.Call, X: x})
	b.arguments(values, call, lambda)
	return call
}

// nextLine reports whether what the grammar takes for arguments is a statement of
// its own, in parentheses on the next line.
func (b *binder) nextLine(callee, suffix int32) bool {
	return callee != treesitter.NoNode && suffix != treesitter.NoNode &&
		b.t.Nodes[suffix].StartRow > b.t.Nodes[callee].EndRow && b.first(suffix, "value_arguments") != treesitter.NoNode
}

func (b *binder) inParentheses(suffix int32) (last bind.ExprID) {
	for _, c := range b.named(b.first(suffix, "value_arguments")) {
		last = b.children(c)
	}
	return last
}

func (b *binder) callee(i int32) (callee, suffix int32) {
	callee = treesitter.NoNode
	if parts := b.named(i); len(parts) > 0 {
		callee = parts[0]
	}
	return callee, b.first(i, "call_suffix")
}

// arguments reads the arguments of a call, with the function literal after them,
// if any, and puts their values into it.
func (b *binder) arguments(list int32, call bind.ExprID, lambda int32) {
	var args []bind.ExprID
	add := func(i int32) {
		n := len(args)
		if k := b.kind(i); call != 0 && (k == "lambda_literal" || k == "anonymous_function") {
			args = append(args, b.lambda(i, func(k int) bind.ExprID { return b.Expect(call, n, k) }))
			return
		}
		args = append(args, b.visit(i))
	}
	for _, c := range b.named(list) {
		if b.kind(c) == "value_argument" {
			if parts := b.named(c); len(parts) > 0 {
				add(parts[len(parts)-1]) // after its name
			}
		}
	}
	if lambda > 0 {
		add(lambda)
	}
	if call != 0 {
		b.File.Exprs[call].Args = args
	}
}

// scopeFunction reads x.let { }, x.apply { } and the like, and with(x) { }: whose
// value the literal gets, as its parameter or as what its names are members of.
func (b *binder) scopeFunction(callee, values, lambda int32) (bind.ExprID, bool) {
	var x int32
	var name string
	switch parts := b.named(callee); {
	case b.kind(callee) == "navigation_expression" && len(parts) == 2 && values == treesitter.NoNode:
		x = parts[0]
		name, _ = b.name(b.first(parts[1], "simple_identifier"))
	case b.kind(callee) == "simple_identifier" && b.t.Text(callee) == "with" && len(b.named(values)) == 1:
		parts := b.named(b.named(values)[0])
		if len(parts) == 0 {
			return 0, false
		}
		x, name = parts[len(parts)-1], "with"
	default:
		return 0, false
	}
	switch name {
	case "let", "also", "takeIf", "takeUnless", "apply", "run", "with", "use":
	default:
		return 0, false
	}
	value := b.visit(x)
	var f bind.ExprID
	if name == "apply" || name == "run" || name == "with" {
		leave := b.within(b.Expr(bind.Expr{Op: bind.TypeOf, X: value}))
		f = b.as(lambda, 0)
		leave()
	} else {
		f = b.lambda(lambda, func(int) bind.ExprID { return value })
	}
	if name == "let" || name == "run" || name == "with" || name == "use" {
		return b.Expr(bind.Expr{Op: bind.Call, X: f}), true
	}
	return value, true
}
