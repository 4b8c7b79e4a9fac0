package kotlin

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

func (b *binder) expression(i int32) bind.ExprID {
	switch b.kind(i) {
	case "simple_identifier", "interpolated_identifier":
		return b.known(b.simple(i))
	case "navigation_expression", "directly_assignable_expression", "indexing_expression":
		var x bind.ExprID
		for n, c := range b.named(i) {
			if n == 0 {
				x = b.visit(c)
			} else {
				x = b.suffix(x, c)
			}
		}
		return x
	case "call_expression":
		return b.call(i)
	case "callable_reference":
		return b.reference(i)
	case "this_expression":
		return b.Expr(bind.Expr{Op: bind.This, Scope: b.Scope()})
	case "super_expression":
		return b.Expr(bind.Expr{Op: bind.Super, Scope: b.Scope()})
	case "assignment":
		parts := b.named(i)
		if len(parts) == 2 {
			b.as(parts[1], b.visit(parts[0]))
			return 0
		}
		b.children(i)
		return 0
	case "as_expression":
		parts := b.named(i)
		if len(parts) > 0 {
			b.visit(parts[0])
			return b.typeValue(parts[len(parts)-1])
		}
	case "elvis_expression":
		e := bind.Expr{Op: bind.Union}
		for _, c := range b.named(i) {
			e.Args = append(e.Args, b.visit(c))
		}
		return b.Expr(e)
	case "if_expression":
		return b.branches(i)
	case "when_expression":
		return b.when(i)
	case "lambda_literal", "anonymous_function":
		return b.as(i, 0)
	case "annotated_lambda", "parenthesized_expression":
		return b.children(i)
	case "postfix_expression", "prefix_expression", "spread_expression":
		return b.children(i)
	case "object_literal":
		id := b.Declare(bind.Decl{Kind: bind.Class, Start: b.start(i)})
		b.members(i, id)
		return b.Expr(bind.Expr{Op: bind.Object, Decl: id})
	case "jump_expression":
		v := b.children(i)
		if b.first(i, "return") != treesitter.NoNode && v != 0 {
			b.returns = append(b.returns, v)
		}
		return b.Expr(bind.Expr{Op: bind.Null})
	case "infix_expression":
		return b.infix(i)
	case "conjunction_expression":
		b.Open(bind.BlockScope, 0)
		for _, c := range b.named(i) {
			b.visit(c)
			b.narrow(c, 0)
		}
		b.Close()
		return b.literal("Boolean")
	case "null":
		return b.Expr(bind.Expr{Op: bind.Null})
	case "string_literal", "multi_line_string_literal":
		b.children(i)
		return b.literal("String")
	case "integer_literal", "long_literal", "hex_literal":
		return b.literal("Int")
	case "boolean_literal", "check_expression", "disjunction_expression", "equality_expression", "comparison_expression":
		b.children(i)
		return b.literal("Boolean")
	}
	b.children(i)
	return 0
}

func (b *binder) literal(name string) bind.ExprID {
	return b.Expr(bind.Expr{Op: bind.Literal, Name: name})
}

// simple is a name as it stands.
func (b *binder) simple(i int32) bind.ExprID {
	text, at := b.name(i)
	return b.Name(text, at)
}

// known is the value of a name, as far as it can be without other files: a function
// or a property that is imported is one of any type, which may be of a library.
func (b *binder) known(name bind.ExprID) bind.ExprID {
	e := &b.File.Exprs[name]
	if typeName(e.Name) || capital(e.Name) && e.N == bind.Called || !b.imported[e.Name] || b.declared[e.Name] {
		return name
	}
	return b.Split(0, name)
}

// suffix is a member or an element of x.
func (b *binder) suffix(x bind.ExprID, i int32) bind.ExprID {
	switch b.kind(i) {
	case "navigation_suffix":
		n := b.first(i, "simple_identifier")
		if n == treesitter.NoNode {
			b.children(i)
			return 0
		}
		return b.member(x, n)
	case "indexing_suffix":
		b.children(i)
		return b.Expr(bind.Expr{Op: bind.Index, X: x, N: -1})
	}
	b.visit(i)
	return 0
}

// member selects a member; an extension looks the same. Of the operators on bits
// none is taken for one, since numbers have them.
func (b *binder) member(x bind.ExprID, name int32) bind.ExprID {
	text, at := b.name(name)
	e := b.Select(x, text, at)
	switch text {
	case "and", "or", "xor", "inv", "shl", "shr", "ushr":
	default:
		b.File.Exprs[e].N = bind.Called
	}
	return e
}

// reference reads C::f and x::f.
func (b *binder) reference(i int32) bind.ExprID {
	var x bind.ExprID
	if t := b.first(i, "type_identifier"); t != treesitter.NoNode {
		if text, at := b.name(t); capital(text) {
			x = b.hidden(text, at)
		} else {
			x = b.known(b.Name(text, at))
		}
	}
	n := b.first(i, "simple_identifier")
	if n == treesitter.NoNode {
		return 0
	}
	if x != 0 {
		return b.member(x, n)
	}
	name := b.simple(n)
	b.File.Exprs[name].N = bind.Called
	return b.known(name)
}

func (b *binder) infix(i int32) bind.ExprID {
	parts := b.named(i)
	if len(parts) != 3 || b.kind(parts[1]) != "simple_identifier" {
		b.children(i)
		return 0
	}
	x := b.visit(parts[0])
	if b.t.Text(parts[1]) == "to" {
		y := b.visit(parts[2])
		return b.Of(b.Expr(bind.Expr{Op: bind.Apply, X: b.hidden("Pair", -1), Args: []bind.ExprID{x, y}}))
	}
	call := b.Expr(bind.Expr{Op: bind.Call, X: b.member(x, parts[1])})
	arg := b.visit(parts[2])
	b.File.Exprs[call].Args = []bind.ExprID{arg}
	return call
}

// as reads an expression where a value like typ is wanted.
func (b *binder) as(i int32, typ bind.ExprID) bind.ExprID {
	if k := b.kind(i); k != "lambda_literal" && k != "anonymous_function" {
		return b.visit(i)
	}
	if typ == 0 {
		return b.lambda(i, func(int) bind.ExprID { return 0 })
	}
	f := b.Declare(bind.Decl{Kind: bind.Func}) // takes one argument of the type
	b.Open(bind.FunctionScope, f)
	p := b.Declare(bind.Decl{Kind: bind.Param, Type: typ})
	b.Close()
	b.Decl(f).Params = []bind.DeclID{p}
	call := b.Expr(bind.Expr{Op: bind.Call, X: b.Expr(bind.Expr{Op: bind.FuncLit, Decl: f}), Args: []bind.ExprID{0}})
	return b.lambda(i, func(k int) bind.ExprID { return b.Expect(call, 0, k) })
}

// lambda reads a function literal; without parameters it has one called it.
func (b *binder) lambda(i int32, expected func(k int) bind.ExprID) bind.ExprID {
	if b.depth++; b.depth > maxDepth {
		b.depth--
		return 0
	}
	defer func() { b.depth-- }()
	id := b.Declare(bind.Decl{Kind: bind.Func, Start: b.start(i)})
	was := b.returns
	b.returns = nil
	b.Open(bind.FunctionScope, id)
	var params []bind.DeclID
	declare := func(text string, at int32, typ bind.ExprID) {
		d := bind.Decl{Name: text, Kind: bind.Param, Start: at, Type: typ}
		if typ == 0 {
			d.Value = expected(len(params))
		}
		params = append(params, b.Declare(d))
	}
	list := b.first(i, "lambda_parameters")
	switch {
	case b.kind(i) == "anonymous_function":
		params = b.parameters(b.first(i, "function_value_parameters"))
	case list == treesitter.NoNode && b.first(i, "->") == treesitter.NoNode:
		declare("it", b.start(i), 0)
	default:
		for _, c := range b.named(list) {
			if b.kind(c) == "variable_declaration" {
				text, at := b.name(b.first(c, "simple_identifier"))
				declare(text, at, b.typeOf(c))
			} else {
				value := expected(len(params))
				declare("", b.start(c), value)
				b.variable(c, 0, value)
			}
		}
	}
	body := b.first(i, "statements", "function_body")
	if last := b.visit(body); b.kind(i) == "lambda_literal" {
		b.returns = append(b.returns, last)
	}
	d := b.Decl(id)
	d.Params, d.Returns = params, b.returns
	b.Close()
	b.returns = was
	return b.Expr(bind.Expr{Op: bind.FuncLit, Decl: id})
}

// branches reads an if. In its first branch what was tested has the type.
func (b *binder) branches(i int32) bind.ExprID {
	e := bind.Expr{Op: bind.Union}
	var condition int32 = treesitter.NoNode
	for _, c := range b.named(i) {
		if b.kind(c) != "control_structure_body" {
			b.visit(c)
			condition = c
			continue
		}
		b.Open(bind.BlockScope, 0)
		if len(e.Args) == 0 {
			b.narrow(condition, 0)
		}
		e.Args = append(e.Args, b.visit(c))
		b.Close()
	}
	return b.Expr(e)
}

// narrow declares what a condition says of the types of names once more.
func (b *binder) narrow(i int32, depth int) {
	switch b.kind(i) {
	case "conjunction_expression", "parenthesized_expression":
		for _, c := range b.named(i) {
			if depth < 20 {
				b.narrow(c, depth+1)
			}
		}
	case "check_expression":
		if parts := b.named(i); len(parts) == 2 && b.first(i, "is") != treesitter.NoNode {
			b.tested(parts[0], parts[1])
		}
	}
}

// tested declares a name once more, with the type it was tested for.
func (b *binder) tested(subject, typ int32) {
	if b.kind(subject) == "simple_identifier" {
		text, at := b.name(subject)
		value := b.typeValue(typ)
		b.Declare(bind.Decl{Name: text, Kind: bind.Var, Start: at, Type: value})
	}
}

// when reads a when expression, whose subject has in each branch the type that is
// tested there.
func (b *binder) when(i int32) bind.ExprID {
	b.Open(bind.BlockScope, 0)
	defer b.Close()
	subject := treesitter.NoNode
	if s := b.first(i, "when_subject"); s != treesitter.NoNode {
		if v := b.first(s, "variable_declaration"); v != treesitter.NoNode {
			parts := b.named(s)
			b.variable(v, 0, b.visit(parts[len(parts)-1]))
			subject = b.first(v, "simple_identifier")
		} else {
			b.children(s)
			subject = b.first(s, "simple_identifier")
		}
	}
	e := bind.Expr{Op: bind.Union}
	for _, entry := range b.named(i) {
		if b.kind(entry) != "when_entry" {
			continue
		}
		b.Open(bind.BlockScope, 0)
		conditions := 0
		test := treesitter.NoNode
		for _, c := range b.named(entry) {
			if b.kind(c) == "when_condition" {
				b.children(c)
				conditions++
				test = b.first(b.first(c, "type_test"), "user_type", "nullable_type")
			}
		}
		if conditions == 1 && test != treesitter.NoNode && subject != treesitter.NoNode {
			b.tested(subject, test)
		}
		e.Args = append(e.Args, b.visit(b.first(entry, "control_structure_body")))
		b.Close()
	}
	return b.Expr(e)
}
