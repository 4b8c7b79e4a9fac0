package python

import "benchmill/stages/lang/bind"

// expr reads an expression, and lists the names and members in it.
func (b *binder) expr(i int32) bind.ExprID {
	if b.depth >= maxNesting {
		return 0
	}
	b.depth++
	defer func() { b.depth-- }()
	t := b.t
	switch t.Kind(i) {
	case "identifier":
		x := b.Name(t.Text(i), b.start(i))
		if t.Text(i) == "TYPE_CHECKING" {
			return b.literal("bool False")
		}
		return b.unless(i, x)
	case "attribute":
		return b.attribute(i)
	case "call":
		return b.call(i)
	case "subscript":
		return b.subscript(i)
	case "assignment":
		return b.assignment(i)
	case "augmented_assignment":
		b.augmented(i)
	case "named_expression":
		return b.walrus(i)
	case "parenthesized_expression", "named_argument":
		if parts := b.named(i); len(parts) == 1 {
			return b.expr(parts[0])
		}
		return b.walk(i)
	case "conditional_expression":
		if parts := b.named(i); len(parts) == 3 {
			yes := b.expr(parts[0])
			test := b.expr(parts[1])
			b.Guard(test, b.start(parts[0]), b.end(parts[0]))
			return b.choice(test, yes, b.expr(parts[2]))
		}
		return b.walk(i)
	case "not_operator":
		if x, ok := b.node(i, "argument"); ok {
			return b.test("not", b.expr(x))
		}
		return b.walk(i)
	case "comparison_operator":
		return b.comparison(i)
	case "binary_operator":
		return b.binary(i)
	case "boolean_operator":
		return b.boolean(i)
	case "await":
		if parts := b.named(i); len(parts) == 1 {
			return b.Split(0, b.Expr(bind.Expr{Op: bind.Await, X: b.expr(parts[0])}))
		}
		return b.walk(i)
	case "yield":
		return b.yield(i)
	case "lambda":
		return b.lambda(i)
	case "tuple", "expression_list":
		return b.Expr(bind.Expr{Op: bind.Tuple, Args: b.exprs(b.named(i))})
	case "list":
		return b.list(b.exprs(b.named(i))...)
	case "list_comprehension", "set_comprehension", "generator_expression", "dictionary_comprehension":
		return b.comprehension(i)
	case "dictionary":
		return b.dictionary(i)
	case "set":
		b.walk(i)
		return b.literal("set")
	case "string", "concatenated_string":
		return b.text(i)
	case "integer":
		return b.literal("int " + t.Text(i))
	case "float":
		return b.literal("float " + t.Text(i))
	case "true":
		return b.literal("bool True")
	case "false":
		return b.literal("bool False")
	case "none":
		return b.null()
	case "keyword_argument":
		if value, ok := b.node(i, "value"); ok {
			return b.expr(value)
		}
	case "type":
		return b.annotation(i)
	case "block", "module":
		b.block(i)
	default:
		return b.walk(i)
	}
	return 0
}

// walk reads what stands below a node, whose own value is not known.
func (b *binder) walk(i int32) bind.ExprID {
	if b.depth >= maxNesting {
		return 0
	}
	b.depth++
	for c := range b.t.Children(i) {
		if b.t.Nodes[c].Named() {
			b.statement(c)
		}
	}
	b.depth--
	return 0
}

func (b *binder) exprs(nodes []int32) []bind.ExprID {
	var out []bind.ExprID
	for _, n := range nodes {
		out = append(out, b.expr(n))
	}
	return out
}

func (b *binder) walrus(i int32) bind.ExprID {
	name, ok := b.node(i, "name")
	value, ok2 := b.node(i, "value")
	if !ok || !ok2 {
		return b.walk(i)
	}
	v := b.expr(value)
	from := b.end(i)
	if b.comprehends > 0 {
		from = b.comprehends - 1
	}
	b.variable(name, v, from)
	return b.Split(0, v)
}

// binary reads an operation. Lists that are written out may be added up and
// repeated.
func (b *binder) binary(i int32) bind.ExprID {
	left, ok := b.node(i, "left")
	right, ok2 := b.node(i, "right")
	op, ok3 := b.node(i, "operator")
	if !ok || !ok2 || !ok3 {
		return b.walk(i)
	}
	x, y := b.expr(left), b.expr(right)
	listed := b.t.Kind(left) == "list" || b.t.Kind(left) == "tuple"
	switch {
	case listed && b.t.Kind(op) == "+":
		return b.union([]bind.ExprID{x, y})
	case listed && b.t.Kind(op) == "*":
		return x
	}
	return 0
}

func (b *binder) yield(i int32) bind.ExprID {
	parts := b.named(i)
	value := b.null()
	if len(parts) > 0 {
		value = b.expr(parts[0])
		if b.t.Kind(i+2) == "from" {
			value = b.Expr(bind.Expr{Op: bind.Elem, X: value})
		}
	}
	if b.function != nil && b.class == nil {
		b.function.yields = append(b.function.yields, value)
	}
	return 0
}

// comprehension reads one with a scope of its own.
func (b *binder) comprehension(i int32) bind.ExprID {
	b.Open(bind.BlockScope, 0)
	class, outer := b.class, b.comprehends
	b.class, b.comprehends = nil, b.start(i)+1
	var body []int32
	for _, c := range b.named(i) {
		switch b.t.Kind(c) {
		case "for_in_clause":
			var value bind.ExprID
			if right, ok := b.node(c, "right"); ok {
				value = b.element(right, b.async(c))
			}
			if left, ok := b.node(c, "left"); ok {
				b.assign(left, value, b.start(i))
			}
		case "if_clause":
			b.walk(c)
		default:
			body = append(body, c)
		}
	}
	var value bind.ExprID
	for _, c := range body {
		value = b.expr(c)
	}
	b.class, b.comprehends = class, outer
	b.Close()
	if b.t.Kind(i) == "dictionary_comprehension" {
		return 0
	}
	return b.Split(0, b.list(value))
}

func (b *binder) returns(i int32) {
	value := b.null()
	if parts := b.named(i); len(parts) > 0 {
		value = b.expr(parts[0])
	}
	if b.function != nil && b.class == nil {
		b.function.returns = append(b.function.returns, value)
	}
}
