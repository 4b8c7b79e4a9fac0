package java

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// target is what an expression is written for, which gives the parameters of a
// lambda their types: an argument of a call, or a place of a declared type.
type target struct {
	call bind.ExprID
	arg  int
	typ  bind.ExprID
}

func (b *binder) invocation(i int32, to target) bind.ExprID {
	object, name := b.t.Child(i, "object"), b.t.Child(i, "name")
	if b.text(name) == "" {
		b.inside(i)
		return 0
	}
	var callee bind.ExprID
	if object == treesitter.NoNode {
		callee = b.Name(b.text(name)+call, b.start(name))
	} else {
		callee = b.Select(b.receiver(i, object), b.text(name)+call, b.start(name))
	}
	if args := b.t.Child(i, "type_arguments"); args != treesitter.NoNode {
		b.inside(args)
	}
	return b.arguments(b.t.Child(i, "arguments"), b.Expr(bind.Expr{Op: bind.Call, X: callee, Context: b.context(to)}))
}

// context is what is expected of an expression.
func (b *binder) context(to target) bind.ExprID {
	if to.call != 0 {
		return b.Expect(to.call, to.arg, bind.Itself)
	}
	return to.typ
}

// arguments walks the arguments of a call or of a new instance, and is that.
func (b *binder) arguments(i int32, of bind.ExprID) bind.ExprID {
	if i == treesitter.NoNode {
		return of
	}
	var args []bind.ExprID
	for c := range b.t.Children(i) {
		if k := b.t.Kind(c); b.t.Nodes[c].Named() && k != "line_comment" && k != "block_comment" {
			args = append(args, b.value(c, target{call: of, arg: len(args)}))
		}
	}
	b.File.Exprs[of].Args = args
	return of
}

func (b *binder) creation(i int32, to target) bind.ExprID {
	node := b.t.Child(i, "type")
	var typ bind.ExprID
	if first := b.child1(i); first < node && first >= 0 && !isType(b.t.Kind(first)) && b.t.Kind(b.t.Nodes[first].Next) == "." {
		outer := b.value(first, target{})
		typ = b.Expr(bind.Expr{Op: bind.TypeOf, X: outer})
		typ = b.Expr(bind.Expr{Op: bind.Select, X: typ, Name: b.text(node), Scope: b.Scope(), Start: b.start(node)})
	} else {
		typ = b.typ(node)
	}
	e := bind.Expr{Op: bind.New, X: typ}
	if args := b.childOf(node, "type_arguments"); args != treesitter.NoNode && b.child1(args) == treesitter.NoNode {
		e.Context = b.context(to) // new Type<>(...)
	}
	made := b.arguments(b.t.Child(i, "arguments"), b.Expr(e))
	if body := b.child(i, "class_body"); body != treesitter.NoNode {
		object := b.anonymous(body, typ)
		if len(b.File.Exprs[made].Args) == 0 {
			return object
		}
	}
	return made
}

func (b *binder) lambda(i int32, to target) bind.ExprID {
	if to.call == 0 && to.typ != 0 {
		to = b.place(to.typ)
	}
	id := b.Declare(bind.Decl{Kind: bind.Func, Start: b.start(i)})
	b.Open(bind.FunctionScope, id)
	list := b.t.Child(i, "parameters")
	var params []bind.DeclID
	if list != treesitter.NoNode {
		switch b.t.Kind(list) {
		case "identifier":
			params = append(params, b.untyped(list, to, 0))
		case "inferred_parameters":
			for c := range b.t.Children(list) {
				if b.t.Kind(c) == "identifier" {
					params = append(params, b.untyped(c, to, len(params)))
				}
			}
		default:
			params = b.parameters(list)
			for n, p := range params { // (var x) -> ...
				if b.Decl(p).Type == 0 && to.call != 0 {
					v := b.Expect(to.call, to.arg, n)
					b.Decl(p).Value = v
				}
			}
		}
	}
	var result bind.ExprID
	if to.call != 0 {
		result = b.Expect(to.call, to.arg, bind.Result)
	}
	var returns []bind.ExprID
	if body := b.t.Child(i, "body"); body != treesitter.NoNode && b.t.Kind(body) == "block" {
		returns = b.code(body, result)
	} else {
		returns = []bind.ExprID{b.value(body, target{typ: result})}
	}
	d := b.Decl(id)
	d.Params, d.Returns = params, returns
	b.Close()
	return b.Expr(bind.Expr{Op: bind.FuncLit, Decl: id})
}

func (b *binder) untyped(i int32, to target, n int) bind.DeclID {
	d := bind.Decl{Name: b.text(i), Kind: bind.Param, Start: b.start(i)}
	if to.call != 0 {
		d.Value = b.Expect(to.call, to.arg, n)
	}
	return b.Declare(d)
}

// place is a place of a type, seen as the argument of a function that takes one.
func (b *binder) place(typ bind.ExprID) target {
	f := b.Declare(bind.Decl{Kind: bind.Func})
	b.Open(bind.FunctionScope, f)
	p := b.Declare(bind.Decl{Kind: bind.Param, Type: typ})
	b.Decl(f).Params = []bind.DeclID{p}
	b.Close()
	x := b.Expr(bind.Expr{Op: bind.FuncLit, Decl: f})
	return target{call: b.Expr(bind.Expr{Op: bind.Call, X: x})}
}

// reference is "x::name" or "Type::new".
func (b *binder) reference(i int32, to target) bind.ExprID {
	object, name := b.child1(i), treesitter.NoNode
	for c := range b.t.Children(i) {
		if c != object && b.t.Kind(c) == "identifier" {
			name = c
		}
	}
	if object == treesitter.NoNode {
		return 0
	}
	var x bind.ExprID
	if isType(b.t.Kind(object)) {
		x = b.typ(object)
	} else {
		x = b.value(object, target{})
	}
	if name != treesitter.NoNode && name != object {
		return b.Select(x, b.text(name)+call, b.start(name))
	}
	made := b.Expr(bind.Expr{Op: bind.New, X: x, Context: b.context(to)})
	id := b.Declare(bind.Decl{Kind: bind.Func, Start: b.start(i), Returns: []bind.ExprID{made}})
	return b.Expr(bind.Expr{Op: bind.Reference, Decl: id})
}
