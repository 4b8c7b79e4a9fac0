package python

import (
	"strings"

	"benchmill/stages/lang/bind"
)

// boolean is one of the operands. Pylint knows it only where it knows both.
func (b *binder) boolean(i int32) bind.ExprID {
	left, ok := b.node(i, "left")
	right, ok2 := b.node(i, "right")
	if !ok || !ok2 {
		return b.walk(i)
	}
	name := "or"
	if op, ok := b.node(i, "operator"); ok {
		name = b.t.Kind(op)
	}
	return b.Expr(bind.Expr{Op: bind.Test, Name: name, Args: []bind.ExprID{b.expr(left), b.expr(right)}})
}

// comparison reads a comparison. That of two literals is known.
func (b *binder) comparison(i int32) bind.ExprID {
	parts := b.named(i)
	values := b.exprs(parts)
	if len(parts) != 2 {
		return 0
	}
	for c := range b.t.Children(i) {
		switch b.t.Kind(c) {
		case "==":
			return b.test("equal", values[0], values[1])
		case "!=":
			return b.test("not", b.test("equal", values[0], values[1]))
		case "<":
			return b.test("less", values[0], values[1])
		case ">=":
			return b.test("not", b.test("less", values[0], values[1]))
		case ">":
			return b.test("less", values[1], values[0])
		case "<=":
			return b.test("not", b.test("less", values[1], values[0]))
		case "in":
			return b.among(values)
		case "not in":
			return b.test("not", b.among(values))
		}
	}
	return 0
}

// among is the test x in (a, b).
func (b *binder) among(values []bind.ExprID) bind.ExprID {
	e := b.File.Exprs[values[1]]
	if e.Op != bind.Tuple && e.Op != bind.List || len(e.Args) == 0 {
		return 0
	}
	var out bind.ExprID
	for _, a := range e.Args {
		equal := b.test("equal", values[0], a)
		if out == 0 {
			out = equal
		} else {
			out = b.test("or", 0, out, equal)
		}
	}
	return b.test("not", b.test("not", out)) // true or false, not an operand
}

// test is a condition; see [bind.Test].
func (b *binder) test(name string, x bind.ExprID, args ...bind.ExprID) bind.ExprID {
	return b.Expr(bind.Expr{Op: bind.Test, Name: name, X: x, Args: args})
}

// choice is x where a condition holds and y where it does not.
func (b *binder) choice(condition, x, y bind.ExprID) bind.ExprID {
	return b.Expr(bind.Expr{Op: bind.Choice, X: condition, Args: []bind.ExprID{x, y}})
}

// narrow reads what an if statement says of a parameter: isinstance(x, T).
func (b *binder) narrow(test int32, from int32) {
	callee, ok := b.node(test, "function")
	args, ok2 := b.node(test, "arguments")
	if !ok || !ok2 || b.t.Text(callee) != "isinstance" || b.function == nil {
		return
	}
	parts := b.named(args)
	if len(parts) != 2 || b.t.Kind(parts[0]) != "identifier" || !b.function.params[b.t.Text(parts[0])] {
		return
	}
	x := parts[0]
	was := b.Expr(bind.Expr{Op: bind.Name, Name: b.t.Text(x), Scope: b.Scope(), Start: b.start(x)})
	types := []int32{parts[1]}
	if b.t.Kind(parts[1]) == "tuple" {
		types = b.named(parts[1])
	}
	var of []bind.ExprID
	for _, typ := range types {
		text, ok := b.dottedText(strings.Join(strings.Fields(b.t.Text(typ)), ""), b.start(typ))
		if !ok {
			return
		}
		of = append(of, b.Of(text))
	}
	b.variable(x, b.Split(was, b.union(of)), from)
}
