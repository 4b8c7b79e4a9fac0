package python

import (
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

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
		object, ok := b.node(i, "object")
		name, ok2 := b.node(i, "attribute")
		if !ok || !ok2 {
			return b.walk(i)
		}
		if b.caught != "" && t.Text(object) == b.caught && t.Text(name) == "args" {
			guarded := b.guarded // pylint knows what exceptions have
			b.guarded = true
			defer func() { b.guarded = guarded }()
		}
		x := b.expr(object)
		switch t.Text(name) {
		case "__class__":
			return b.Expr(bind.Expr{Op: bind.TypeOf, X: x})
		case "TYPE_CHECKING":
			b.member(x, name)
			return b.literal("bool False")
		case "platform":
			if t.Text(object) == "sys" { // where the checker runs
				return b.literal(`str "linux"`)
			}
		}
		return b.unless(i, b.member(x, name))
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

// member selects a member. Where pylint says nothing about it, only the extended
// mode asks; its value is the same.
func (b *binder) member(x bind.ExprID, name int32) bind.ExprID {
	text, at := b.t.Text(name), b.start(name)
	if !b.guarded {
		return b.Select(x, text, at)
	}
	b.Select(b.Split(0, x), text, at)
	return b.Expr(bind.Expr{Op: bind.Select, X: x, Name: text, Scope: b.Scope(), Start: at})
}

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
	return call
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

// builtin is a call of a function whose meaning pylint knows.
func (b *binder) builtin(name string, nodes []int32, values []bind.ExprID) (bind.ExprID, bool) {
	attribute := func() (string, bool) {
		if len(nodes) < 2 {
			return "", false
		}
		return plain(b.t.Text(nodes[1]))
	}
	switch {
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

// plain is the text of a string literal on one line, without prefix and escapes.
func plain(text string) (string, bool) {
	if len(text) < 2 || text[0] != '"' && text[0] != '\'' || text[len(text)-1] != text[0] {
		return "", false
	}
	inner := text[1 : len(text)-1]
	return inner, !strings.ContainsAny(inner, "\\\n"+text[:1])
}

// text reads a string. One that is put together is not known to pylint.
func (b *binder) text(i int32) bind.ExprID {
	if text, ok := plain(b.t.Text(i)); ok {
		return b.literal(`str "` + text + `"`)
	}
	b.walk(i)
	for c := range b.t.Inside(i) {
		if b.t.Kind(c) == "interpolation" {
			return b.Split(0, b.literal("str"))
		}
	}
	return b.literal("str")
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

func (b *binder) subscript(i int32) bind.ExprID {
	object, ok := b.node(i, "value")
	if !ok {
		return b.walk(i)
	}
	x := b.expr(object)
	var keys []int32
	for _, c := range b.named(i) {
		if c != object {
			b.expr(c)
			keys = append(keys, c)
		}
	}
	if len(keys) != 1 {
		return 0
	}
	index := bind.Expr{Op: bind.Index, X: x, N: -1}
	switch text := b.t.Text(keys[0]); b.t.Kind(keys[0]) {
	case "integer":
		index.N = place(text)
	case "unary_operator":
		if n := place(strings.TrimPrefix(text, "-")); n > 0 {
			index.N = -1 - n
		}
	case "string":
		index.Name, _ = plain(text)
	case "slice":
		index.Name = ":"
	}
	if index.N == -1 && index.Name == "" {
		return b.Split(0, b.Expr(index))
	}
	return b.Expr(index)
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

func (b *binder) dictionary(i int32) bind.ExprID {
	var values []bind.ExprID
	var keyed []bind.Decl
	for _, c := range b.named(i) {
		if value, ok := b.node(c, "value"); ok {
			key := b.t.Child(c, "key")
			b.expr(key)
			v := b.expr(value)
			values = append(values, v)
			if text, ok := plain(b.t.Text(key)); ok {
				keyed = append(keyed, bind.Decl{Name: "[" + text + "]", Kind: bind.Member, Start: b.start(key), Value: v})
			}
			continue
		}
		b.walk(c)
		values = append(values, 0)
	}
	// A class whose members are called by the keys.
	id := b.Declare(bind.Decl{Kind: bind.Class, Start: b.start(i)})
	b.Decl(id).Bases = []bind.ExprID{b.generic("dict", b.literal("str"), b.union(values))}
	b.Open(bind.ClassScope, id)
	for _, d := range keyed {
		b.Declare(d)
	}
	b.Close()
	return b.Expr(bind.Expr{Op: bind.Object, Decl: id})
}

func (b *binder) null() bind.ExprID { return b.Expr(bind.Expr{Op: bind.Null}) }

func (b *binder) literal(class string) bind.ExprID {
	return b.Expr(bind.Expr{Op: bind.Literal, Name: class})
}

func (b *binder) list(elems ...bind.ExprID) bind.ExprID {
	return b.Expr(bind.Expr{Op: bind.List, Args: elems})
}

// test is a condition; see [bind.Test].
func (b *binder) test(name string, x bind.ExprID, args ...bind.ExprID) bind.ExprID {
	return b.Expr(bind.Expr{Op: bind.Test, Name: name, X: x, Args: args})
}

// choice is x where a condition holds and y where it does not.
func (b *binder) choice(condition, x, y bind.ExprID) bind.ExprID {
	return b.Expr(bind.Expr{Op: bind.Choice, X: condition, Args: []bind.ExprID{x, y}})
}

func (b *binder) union(parts []bind.ExprID) bind.ExprID {
	if len(parts) == 1 {
		return parts[0]
	}
	return b.Expr(bind.Expr{Op: bind.Union, Args: parts})
}

// generic is a class of the library with type arguments.
func (b *binder) generic(class string, args ...bind.ExprID) bind.ExprID {
	name := b.Expr(bind.Expr{Op: bind.Name, Name: class})
	return b.Expr(bind.Expr{Op: bind.Apply, X: name, Args: args})
}

// Split is an expression of which pylint knows less: compat, where the extended
// mode knows extended.
func (b *binder) Split(compat, extended bind.ExprID) bind.ExprID {
	if extended == 0 || compat == extended {
		return compat
	}
	return b.Builder.Split(compat, extended)
}

var _ = treesitter.NoNode
