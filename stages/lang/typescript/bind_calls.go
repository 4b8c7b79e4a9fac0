package typescript

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

func (b *binder) call(at int32) bind.ExprID {
	callee := b.child(at, "function")
	arguments := b.child(at, "arguments")
	if callee != treesitter.NoNode && arguments != treesitter.NoNode && b.t.Text(callee) == "Promise.all" {
		if list := b.only(arguments); list != treesitter.NoNode {
			return b.promiseAll(callee, list)
		}
	}
	x := b.expr(callee, 0)
	if args := b.typeArguments(at); x != 0 && args != nil {
		x = b.Expr(bind.Expr{Op: bind.Apply, X: x, Args: args})
	}
	call := b.Expr(bind.Expr{Op: bind.Call, X: x})
	b.arguments(call, arguments)
	if x == 0 {
		return 0
	}
	return call
}

// promiseAll waits for each of a list.
func (b *binder) promiseAll(callee, list int32) bind.ExprID {
	b.expr(callee, 0)
	if b.t.Kind(list) != "array" {
		if x := b.elem(b.expr(list, 0)); x != 0 {
			return b.applied("Promise", b.list(b.await(x)))
		}
		return 0
	}
	all := b.tuple(list)
	for i, x := range b.File.Exprs[all].Args {
		if x != 0 {
			b.File.Exprs[all].Args[i] = b.await(x)
		}
	}
	return b.applied("Promise", all)
}

// arguments fills in the arguments of a call.
func (b *binder) arguments(call bind.ExprID, at int32) {
	if at == treesitter.NoNode {
		return
	}
	if b.t.Kind(at) != "arguments" { // a template
		b.expr(at, 0)
		return
	}
	var args []bind.ExprID
	known := b.File.Exprs[call].X != 0
	for c := range b.t.Children(at) {
		if !b.named(c) || b.t.Kind(c) == "comment" {
			continue
		}
		var expects bind.ExprID
		if known && mayNeedContext(b.t.Kind(c)) {
			expects = b.Expect(call, len(args), bind.Itself)
		}
		args = append(args, b.expr(c, expects))
	}
	b.File.Exprs[call].Args = args
}

func (b *binder) newExpression(at int32) bind.ExprID {
	x := b.expr(b.child(at, "constructor"), 0)
	if args := b.typeArguments(at); x != 0 && args != nil {
		x = b.Expr(bind.Expr{Op: bind.Apply, X: x, Args: args})
	}
	made := b.Expr(bind.Expr{Op: bind.New, X: x})
	b.arguments(made, b.child(at, "arguments"))
	if x == 0 {
		return 0
	}
	return made
}
