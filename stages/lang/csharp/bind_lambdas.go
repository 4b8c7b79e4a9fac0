package csharp

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// as reads an expression where a value like typ is wanted: what parameters of a
// function literal are, and what new() makes.
func (b *binder) as(i int32, typ bind.ExprID) bind.ExprID {
	switch b.kind(i) {
	case "parenthesized_expression":
		return b.as(b.onlyChild(i), typ)
	case "lambda_expression", "anonymous_method_expression":
		if typ == 0 {
			return b.lambda(i, 0, func(int) bind.ExprID { return 0 })
		}
		call := b.taking(typ)
		b.hideFrom(treesitter.NoNode, typ, i)
		return b.lambda(i, typ, func(k int) bind.ExprID { return b.Expect(call, 0, k) })
	case "implicit_object_creation_expression":
		b.arguments(b.first(i, "argument_list"), 0)
		b.initializer(b.first(i, "initializer_expression"), typ)
		return typ
	case "conditional_expression":
		b.visit(b.child(i, "condition"))
		x, y := b.as(b.child(i, "consequence"), typ), b.as(b.child(i, "alternative"), typ)
		return b.whole(i, b.Expr(bind.Expr{Op: bind.Union, Args: []bind.ExprID{x, y}}))
	case "initializer_expression": // of an array
		b.elements(i, b.Expr(bind.Expr{Op: bind.Elem, X: typ}))
		return typ
	}
	return b.visit(i)
}

// taking is a call of a function that takes one argument of a type, so that a
// literal finds what is expected of it.
func (b *binder) taking(typ bind.ExprID) bind.ExprID {
	f := b.Declare(bind.Decl{Kind: bind.Func})
	b.Open(bind.FunctionScope, f)
	p := b.Declare(bind.Decl{Kind: bind.Param, Type: typ})
	b.Close()
	b.Decl(f).Params = []bind.DeclID{p}
	return b.Expr(bind.Expr{Op: bind.Call, X: b.Expr(bind.Expr{Op: bind.FuncLit, Decl: f}), Args: []bind.ExprID{0}})
}

// lambda reads a function literal. Parameters without a type are as expected.
func (b *binder) lambda(i int32, typ bind.ExprID, expected func(k int) bind.ExprID) bind.ExprID {
	id := b.Declare(bind.Decl{Kind: bind.Func, Start: b.start(i)})
	wasResult, wasReturns := b.result, b.returns
	b.Open(bind.FunctionScope, id)
	params := b.parameters(b.child(i, "parameters"))
	for k, p := range params {
		if b.Decl(p).Type == 0 {
			x := expected(k)
			b.Decl(p).Value = x
		}
	}
	b.Decl(id).Params = params
	b.result, b.returns = 0, nil
	body := b.child(i, "body")
	if body == treesitter.NoNode {
		body = b.onlyChild(i)
	}
	if b.kind(body) == "block" {
		b.visit(body)
	} else {
		b.returns = []bind.ExprID{b.visit(body)}
	}
	b.Decl(id).Returns = b.returns
	b.Close()
	b.result, b.returns = wasResult, wasReturns
	return b.Expr(bind.Expr{Op: bind.FuncLit, Decl: id})
}

// query reads a query expression. Each clause but the first is looked at only
// where those before it hold together.
func (b *binder) query(i int32) bind.ExprID {
	b.Open(bind.BlockScope, 0)
	defer b.Close()
	var current, source, result bind.ExprID
	into := false
	last := treesitter.NoNode
	for c := range b.t.Children(i) {
		if last != treesitter.NoNode && b.t.Nodes[c].Named() {
			b.Shade(bind.Span{Start: b.start(i), End: b.start(c)}, source, bind.Span{Start: b.start(c), End: b.end(i)})
		}
		switch kind := b.kind(c); kind {
		case "from_clause":
			source = b.visit(b.onlyChild(c))
			element := b.Expr(bind.Expr{Op: bind.Elem, X: source})
			b.rangeVariable(b.child(c, "name"), b.child(c, "type"), element)
		case "let_clause":
			b.rangeVariable(b.first(c, "identifier"), treesitter.NoNode, b.visit(b.onlyChild(c)))
		case "join_clause":
			b.join(c)
		case "select_clause":
			current = b.visit(b.onlyChild(c))
			result = current
		case "group_clause":
			x, key := b.pair(c)
			current = b.Of(b.generic("IGrouping`2", key, x))
			result = current
		case "into":
			into = true
			continue
		case "identifier":
			if into {
				b.rangeVariable(c, treesitter.NoNode, current)
			}
		default:
			b.visit(c)
		}
		last, into = c, false
	}
	return b.whole(i, b.Of(b.generic("IEnumerable`1", result)))
}

// pair reads the two expressions of "group x by key".
func (b *binder) pair(i int32) (x, key bind.ExprID) {
	n := 0
	for c := range b.t.Children(i) {
		if !b.t.Nodes[c].Named() || b.kind(c) == "comment" {
			continue
		}
		if v := b.visit(c); n == 0 {
			x = v
		} else {
			key = v
		}
		n++
	}
	return x, key
}

func (b *binder) rangeVariable(name, typ int32, value bind.ExprID) {
	if name == treesitter.NoNode {
		return
	}
	text, at := b.name(name)
	b.Declare(bind.Decl{Name: text, Kind: bind.Var, Start: at, Type: b.typeValue(typ), Value: value})
}

// join reads "join x in xs on a equals b into g".
func (b *binder) join(i int32) {
	name, typ := treesitter.NoNode, treesitter.NoNode
	var source bind.ExprID
	after := ""
	for c := range b.t.Children(i) {
		if !b.t.Nodes[c].Named() {
			if after = b.kind(c); after == "in" && name == treesitter.NoNode {
				name, typ = typ, treesitter.NoNode
			}
			continue
		}
		switch {
		case b.kind(c) == "join_into_clause":
			b.rangeVariable(b.onlyChild(c), treesitter.NoNode, source)
		case after == "join" && typ == treesitter.NoNode:
			typ = c
		case after == "join":
			name = c
		case after == "in":
			source = b.visit(c)
			b.rangeVariable(name, typ, b.Expr(bind.Expr{Op: bind.Elem, X: source}))
		default:
			b.visit(c)
		}
	}
}

// choice reads a switch expression.
func (b *binder) choice(i int32) bind.ExprID {
	was := b.subject
	defer func() { b.subject = was }()
	e := bind.Expr{Op: bind.Union}
	seen := false
	for c := range b.t.Children(i) {
		switch {
		case b.kind(c) == "switch_expression_arm":
			b.Open(bind.BlockScope, 0)
			for p := range b.t.Children(c) {
				if b.t.Nodes[p].Named() && p != b.onlyChild(c) {
					b.visit(p)
				}
			}
			e.Args = append(e.Args, b.visit(b.onlyChild(c)))
			b.Close()
		case b.t.Nodes[c].Named() && !seen:
			b.subject = b.visit(c)
			seen = true
		}
	}
	return b.whole(i, b.Expr(e))
}

// with reads "x with { A = 1 }".
func (b *binder) with(i int32) bind.ExprID {
	var x bind.ExprID
	first := true
	for c := range b.t.Children(i) {
		switch {
		case b.kind(c) == "with_initializer":
			if name := b.first(c, "identifier"); name != treesitter.NoNode {
				b.member(x, name)
				if v := b.onlyChild(c); v != name {
					b.hide(name, v)
					b.visit(v)
				}
			}
		case b.t.Nodes[c].Named() && first:
			x, first = b.visit(c), false
		}
	}
	return x
}

// pattern declares what a pattern names in a value.
func (b *binder) pattern(i int32, subject bind.ExprID) {
	if i == treesitter.NoNode {
		return
	}
	if b.depth++; b.depth > maxDepth {
		b.depth--
		return
	}
	defer func() { b.depth-- }()
	typ := b.typeValue(b.child(i, "type"))
	if typ == 0 {
		typ = subject
	}
	switch b.kind(i) {
	case "declaration_pattern", "recursive_pattern", "var_pattern":
		if list := b.first(i, "property_pattern_clause"); list != treesitter.NoNode {
			for c := range b.t.Children(list) {
				if b.kind(c) == "subpattern" {
					b.subpattern(c, typ)
				}
			}
		}
		if name := b.child(i, "name"); b.kind(name) == "identifier" {
			text, at := b.name(name)
			b.Declare(bind.Decl{Name: text, Kind: bind.Var, Start: at, Type: typ})
		}
	case "constant_pattern", "relational_pattern", "type_pattern":
		b.children(i)
	default:
		for c := range b.t.Children(i) {
			if b.t.Nodes[c].Named() {
				b.pattern(c, subject)
			}
		}
	}
}

func (b *binder) subpattern(i int32, subject bind.ExprID) {
	x := subject
	inner := b.onlyChild(i)
	if name := b.first(i, "identifier"); name != treesitter.NoNode && name != inner {
		x = b.member(subject, name)
	}
	b.pattern(inner, x)
}
