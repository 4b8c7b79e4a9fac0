package csharp

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

func (b *binder) invocation(i int32) bind.ExprID {
	f, list := b.child(i, "function"), b.child(i, "arguments")
	var x bind.ExprID
	switch b.kind(f) {
	case "identifier":
		x = b.visit(f)
		b.lambdas(list, func(lambda int32) { b.hide(f, lambda) })
	case "generic_name":
		text, at := b.name(b.first(f, "identifier"))
		x = b.applied(b.Name(text, at), f)
		b.lambdas(list, func(lambda int32) { b.hide(f, lambda) })
	default:
		x = b.visit(f)
		b.called(x)
		b.hide(f, list)
	}
	call := b.Expr(bind.Expr{Op: bind.Call, X: x})
	b.arguments(list, call)
	return b.whole(i, call)
}

// called notes that a member is called.
func (b *binder) called(x bind.ExprID) {
	e := &b.File.Exprs[x]
	if e.Op == bind.Apply {
		e = &b.File.Exprs[e.X]
	}
	if e.Op == bind.Select {
		e.N = bind.Called
	}
}

// lambdas calls f for the function literals among arguments. A compiler looks at
// them only once it knows which parameters they have.
func (b *binder) lambdas(list int32, f func(lambda int32)) {
	if list == treesitter.NoNode {
		return
	}
	for c := range b.t.Children(list) {
		if a := b.onlyChild(c); isLambda(b.kind(a)) {
			f(a)
		}
	}
}

func isLambda(kind string) bool {
	return kind == "lambda_expression" || kind == "anonymous_method_expression"
}

// arguments reads the arguments of a call and puts their values into it.
func (b *binder) arguments(list int32, call bind.ExprID) {
	if list == treesitter.NoNode {
		return
	}
	var args []bind.ExprID
	for c := range b.t.Children(list) {
		if b.kind(c) == "argument" {
			args = append(args, b.argument(c, call, len(args)))
		}
	}
	if call != 0 {
		b.File.Exprs[call].Args = args
	}
}

func (b *binder) argument(i int32, call bind.ExprID, n int) bind.ExprID {
	x := b.onlyChild(i)
	switch {
	case x == treesitter.NoNode:
		return 0
	case isLambda(b.kind(x)):
		if call != 0 {
			b.hideFrom(treesitter.NoNode, b.Expect(call, n, bind.Itself), x)
		}
		return b.lambda(x, 0, func(k int) bind.ExprID { return b.Expect(call, n, k) })
	case b.kind(x) == "declaration_expression" && call != 0 && b.kind(b.child(x, "type")) == "implicit_type":
		text, at := b.name(b.child(x, "name"))
		b.Declare(bind.Decl{Name: text, Kind: bind.Var, Start: at, Value: b.Expect(call, n, bind.Itself)})
		return 0
	}
	return b.visit(x)
}

// creation makes an object.
func (b *binder) creation(i int32) bind.ExprID {
	typ := b.typ(b.child(i, "type"))
	x := b.Expr(bind.Expr{Op: bind.New, X: typ})
	b.lambdas(b.child(i, "arguments"), func(lambda int32) { b.hideFrom(treesitter.NoNode, typ, lambda) })
	b.arguments(b.child(i, "arguments"), x)
	b.initializer(b.child(i, "initializer"), x)
	return x
}

// initializer sets members of an object, or adds elements to a collection.
func (b *binder) initializer(i int32, object bind.ExprID) {
	if i == treesitter.NoNode {
		return
	}
	for c := range b.t.Children(i) {
		if b.kind(c) != "assignment_expression" {
			if b.t.Nodes[c].Named() {
				b.hideFrom(treesitter.NoNode, object, c)
				b.visit(c)
			}
			continue
		}
		left, right := b.child(c, "left"), b.child(c, "right")
		var x bind.ExprID
		if b.kind(left) == "identifier" {
			x = b.member(object, left)
			b.hide(left, right)
		} else {
			was := b.receiver
			b.receiver = object
			x = b.visit(left)
			b.receiver = was
		}
		if b.kind(right) == "initializer_expression" {
			b.initializer(right, x)
		} else {
			b.as(right, x)
		}
	}
}

// elements reads the elements of an array.
func (b *binder) elements(i int32, typ bind.ExprID) (out []bind.ExprID) {
	if i == treesitter.NoNode {
		return nil
	}
	for c := range b.t.Children(i) {
		switch {
		case b.kind(c) == "initializer_expression":
			out = append(out, b.elements(c, typ)...)
		case b.t.Nodes[c].Named() && b.kind(c) != "comment":
			out = append(out, b.as(c, typ))
		}
	}
	return out
}

// ranks reads the lengths of an array's dimensions.
func (b *binder) ranks(i int32) {
	if b.kind(i) == "array_type" {
		b.visit(b.child(i, "rank"))
		b.ranks(b.child(i, "type"))
	}
}

// anonymous makes an object of a type without name. What has no name of its own
// is called as what it was selected as.
func (b *binder) anonymous(i int32) bind.ExprID {
	var members []bind.Decl
	pending := treesitter.NoNode // may turn out to be a name
	add := func(name, value int32) {
		text, at := b.name(name)
		members = append(members, bind.Decl{Name: text, Kind: bind.Member, Start: at, Value: b.visit(value)})
	}
	flush := func() {
		if pending == treesitter.NoNode {
			return
		}
		name := pending
		if b.kind(pending) == "member_access_expression" {
			name = b.child(pending, "name")
		}
		add(name, pending)
		pending = treesitter.NoNode
	}
	named := treesitter.NoNode
	for c := range b.t.Children(i) {
		switch {
		case b.kind(c) == "=":
			named, pending = pending, treesitter.NoNode
		case b.kind(c) == ",":
			flush()
		case !b.t.Nodes[c].Named() && b.kind(c) != "this" || b.kind(c) == "comment":
		case named != treesitter.NoNode:
			add(named, c)
			named = treesitter.NoNode
		default:
			pending = c
		}
	}
	flush()
	id := b.Declare(bind.Decl{Kind: bind.Class, Start: b.start(i)})
	b.Open(bind.ClassScope, id)
	for _, m := range members {
		b.Declare(m)
	}
	b.Close()
	return b.Expr(bind.Expr{Op: bind.Object, Decl: id})
}
