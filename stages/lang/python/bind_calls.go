package python

import "benchmill/stages/lang/bind"

func (b *binder) call(i int32) bind.ExprID {
	callee, ok := b.node(i, "function")
	args, ok2 := b.node(i, "arguments")
	if !ok || !ok2 {
		return b.walk(i)
	}
	name := b.t.Text(callee)
	if name == "super" {
		b.walk(args)
		f := b.function
		for f != nil && f.class == nil {
			f = f.around
		}
		if f == nil {
			return 0
		}
		return b.Expr(bind.Expr{Op: bind.Super, Scope: f.scope})
	}
	call := b.Expr(bind.Expr{Op: bind.Call, X: b.expr(callee)})
	if b.t.Kind(args) != "argument_list" {
		b.expr(args) // f(x for x in y)
		return call
	}
	nodes := b.named(args)
	var values []bind.ExprID
	for n, a := range nodes {
		switch b.t.Kind(a) {
		case "lambda":
			values = append(values, b.lambdaFor(a, call, n))
		case "keyword_argument":
			v := b.expr(a)
			if keyword, ok := b.node(a, "name"); ok {
				values = append(values, b.Expr(bind.Expr{Op: bind.Named, X: v, Name: b.t.Text(keyword)}))
			}
		default:
			values = append(values, b.expr(a))
		}
	}
	b.File.Exprs[call].Args = values
	if v, ok := b.builtin(name, nodes, values); ok {
		return v
	}
	if v, ok := b.spelled(name, nodes, values); ok {
		return b.Split(v, call)
	}
	return call
}

// spelled is what pylint takes a call for by the name of what is called, whatever
// that is bound to: str("x") is a string though a module of the project has a str.
// Where it does not know the argument, it goes by what the name is bound to.
func (b *binder) spelled(name string, nodes []int32, values []bind.ExprID) (bind.ExprID, bool) {
	for _, n := range nodes {
		if b.t.Kind(n) == "keyword_argument" {
			return 0, false
		}
	}
	switch name {
	case "str":
		return b.literal(`str ""`), true // it does not know more
	case "bool":
		if len(nodes) == 0 {
			return b.literal("bool False"), true
		}
		return b.test("not", b.test("not", values[0])), len(nodes) == 1
	case "int":
		if len(nodes) == 0 {
			return b.literal("int 0"), true
		}
		return values[0], b.t.Kind(nodes[0]) == "integer"
	case "list", "tuple", "set", "dict":
		return b.literal(name), len(nodes) == 0
	case "frozenset":
		return b.literal("set"), len(nodes) == 0
	}
	return 0, false
}

// builtin is a call of a function whose meaning pylint knows.
func (b *binder) builtin(name string, nodes []int32, values []bind.ExprID) (bind.ExprID, bool) {
	attribute := func() (string, bool) {
		if len(nodes) < 2 {
			return "", false
		}
		return plain(b.t.Text(nodes[1]))
	}
	switch {
	case name == "object.__new__" && len(values) == 1:
		return b.Of(values[0]), true
	case name == "type" && len(values) == 1:
		return b.Expr(bind.Expr{Op: bind.TypeOf, X: values[0]}), true
	case name == "isinstance" && len(values) == 2:
		classes := values[1:]
		if e := &b.File.Exprs[values[1]]; e.Op == bind.Tuple {
			classes = e.Args
		}
		return b.test("isinstance", values[0], classes...), true
	case name == "issubclass" && len(values) == 2:
		return b.test("issubclass", values[0], values[1]), true
	case name == "callable" && len(values) == 1:
		return b.test("callable", values[0]), true
	case name == "hasattr" && len(values) == 2:
		if member, ok := attribute(); ok {
			return b.test("hasattr", values[0], b.Expr(bind.Expr{Op: bind.Literal, Name: member})), true
		}
	case name == "getattr" && len(values) > 1:
		if member, ok := attribute(); ok {
			v := b.Expr(bind.Expr{Op: bind.Select, X: values[0], Name: member, Scope: b.Scope(), Start: b.start(nodes[1])})
			if len(values) > 2 {
				has := b.test("hasattr", values[0], b.Expr(bind.Expr{Op: bind.Literal, Name: member}))
				v = b.choice(has, v, values[2])
			}
			return v, true
		}
	}
	return 0, false
}

func (b *binder) lambda(i int32) bind.ExprID { return b.lambdaFor(i, 0, 0) }

// lambdaFor reads a lambda that is an argument of a call, if that is not 0.
func (b *binder) lambdaFor(i int32, call bind.ExprID, arg int) bind.ExprID {
	f := &function{around: b.function, params: map[string]bool{}, globals: map[string]bool{}}
	params := b.parameters(i)
	id := b.Declare(bind.Decl{Kind: bind.Func, Start: b.start(i)})
	around := b.class
	f.scope = b.Open(bind.FunctionScope, id)
	b.function, b.class = f, nil
	if call != 0 {
		for n := range params {
			params[n].Type = b.Expect(call, arg, n)
		}
	}
	b.declareParams(id, f, params)
	if body, ok := b.node(i, "body"); ok {
		b.Decl(id).Returns = []bind.ExprID{b.expr(body)}
	}
	b.function, b.class = f.around, around
	b.Close()
	return b.Expr(bind.Expr{Op: bind.FuncLit, Decl: id})
}
