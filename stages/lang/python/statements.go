package python

import (
	"strconv"
	"strings"
	"sync"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// declare declares a name, in the file where a global statement says so.
func (b *binder) declare(d bind.Decl) bind.DeclID {
	if b.class != nil && b.class.enum && d.Kind == bind.Var {
		d.Value = 0 // a member, not what it is set to
	}
	d.Global = b.function != nil && b.class == nil && b.function.globals[d.Name]
	id := b.Declare(d)
	if b.class != nil {
		b.class.variables[d.Name] = append(b.class.variables[d.Name], id)
	}
	return id
}

// hiding declares what hides what its names had before.
func (b *binder) hiding(declare func()) {
	first := len(b.File.Decls)
	declare()
	for i := range b.File.Decls[first:] {
		b.File.Decls[first+i].Hides = true
	}
}

// variable gives a name a value from an offset on.
func (b *binder) variable(i int32, value bind.ExprID, from int32) {
	b.declare(bind.Decl{Name: b.t.Text(i), Kind: bind.Var, Start: b.start(i), From: from, Value: value})
}

// assign gives a target a value.
func (b *binder) assign(target int32, value bind.ExprID, from int32) {
	if b.depth >= maxNesting {
		return
	}
	b.depth++
	defer func() { b.depth-- }()
	switch b.t.Kind(target) {
	case "identifier":
		b.variable(target, value, from)
	case "attribute":
		b.assignMember(target, value)
	case "pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list":
		place := 0
		for _, c := range b.named(target) {
			switch kind := b.t.Kind(c); {
			case kind == "list_splat_pattern" || kind == "list_splat":
				place = -1
				for _, s := range b.named(c) {
					b.assign(s, 0, from)
				}
			case place < 0 || value == 0:
				b.assign(c, 0, from)
			default:
				b.assign(c, b.Expr(bind.Expr{Op: bind.Index, X: value, N: int32(place)}), from)
				place++
			}
		}
	case "parenthesized_expression", "as_pattern_target":
		for _, c := range b.named(target) {
			b.assign(c, value, from)
		}
	default:
		b.expr(target)
	}
}

// assignMember gives a member of a value a value: a field of the class where that
// is what a method calls its instance.
func (b *binder) assignMember(target int32, value bind.ExprID) {
	object, ok := b.node(target, "object")
	name, ok2 := b.node(target, "attribute")
	if !ok || !ok2 {
		b.walk(target)
		return
	}
	x := b.expr(object)
	if c, static := b.instance(object); c != nil {
		was := b.Enter(c.scope)
		id := b.Declare(bind.Decl{Name: b.t.Text(name), Kind: bind.Member, Start: b.start(name), Value: value})
		b.Enter(was)
		if static {
			c.shared[b.t.Text(name)] = append(c.shared[b.t.Text(name)], id)
		} else {
			c.fields[b.t.Text(name)] = true
		}
		return
	}
	b.Set(x, b.t.Text(name), value)
}

// instance is the class whose instance, or which itself, a node names, or nil.
func (b *binder) instance(i int32) (c *class, static bool) {
	if b.t.Kind(i) != "identifier" {
		return nil, false
	}
	name := b.t.Text(i)
	for f := b.function; f != nil; f = f.around {
		if f.self == name {
			return f.class, f.static
		}
		if f.params[name] {
			return nil, false
		}
	}
	return nil, false
}

// assignment reads x = y = value, with or without a type.
func (b *binder) assignment(i int32) bind.ExprID {
	var targets []int32
	var value, typ bind.ExprID
	at, valued := i, false
	for {
		if t, ok := b.node(at, "left"); ok {
			targets = append(targets, t)
		}
		if t, ok := b.node(at, "type"); ok {
			typ = b.annotation(t)
		}
		right, ok := b.node(at, "right")
		if !ok {
			break
		}
		if b.t.Kind(right) == "assignment" {
			at = right
			continue
		}
		value, valued = b.expr(right), true
		if b.class != nil && b.class.dataclass && typ != 0 {
			value = b.defaultOf(right, value)
		}
		break
	}
	switch {
	case typ != 0 && b.library:
		for _, t := range targets {
			b.declare(bind.Decl{Name: b.t.Text(t), Kind: bind.Var, Start: b.start(t), Type: typ})
		}
		return 0
	case typ != 0 && b.class != nil && b.class.dataclass:
		value = b.Split(b.field(typ, value, valued), typ)
	case typ != 0:
		value = b.Split(value, typ)
	}
	for _, t := range targets {
		b.assign(t, value, b.end(i))
	}
	return value
}

// augmented reads x += value: what x is then is not known.
func (b *binder) augmented(i int32) {
	if left, ok := b.node(i, "left"); ok {
		b.expr(left)
		if kind := b.t.Kind(left); kind == "identifier" {
			b.variable(left, 0, b.end(i))
		} else if c := b.owner(left); c != nil {
			name := b.t.Child(left, "attribute")
			was := b.Enter(c.scope)
			b.Declare(bind.Decl{Name: b.t.Text(name), Kind: bind.Member, Start: b.start(name)})
			b.Enter(was)
		}
	}
	if right, ok := b.node(i, "right"); ok {
		b.expr(right)
	}
}

// owner is the class of the instance of which a node is an attribute, or nil.
func (b *binder) owner(i int32) *class {
	object, ok := b.node(i, "object")
	if !ok || b.t.Kind(i) != "attribute" || b.t.Child(i, "attribute") == treesitter.NoNode {
		return nil
	}
	c, _ := b.instance(object)
	return c
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

// loop reads a for statement. What iterates over a literal is known to pylint.
func (b *binder) loop(i int32) {
	var value bind.ExprID
	if right, ok := b.node(i, "right"); ok {
		value = b.element(right, b.async(i))
	}
	body, ok := b.node(i, "body")
	b.Open(bind.BranchScope, 0)
	if left, ok2 := b.node(i, "left"); ok && ok2 {
		b.hiding(func() { b.assign(left, value, b.start(body)) })
	}
	if ok {
		b.block(body)
	}
	b.Close()
	b.otherwise(i)
}

// async reports whether a statement or clause begins with async.
func (b *binder) async(i int32) bool {
	return int(b.t.Nodes[i].Next) > int(i)+1 && b.t.Kind(i+1) == "async"
}

// element is what iterating over an expression yields.
func (b *binder) element(i int32, async bool) bind.ExprID {
	x := b.expr(i)
	if x == 0 {
		return 0
	}
	elem := b.Expr(bind.Expr{Op: bind.Elem, X: x})
	if async {
		return b.Split(0, elem)
	}
	return elem
}

// otherwise reads the else of a loop or a try.
func (b *binder) otherwise(i int32) {
	for _, c := range b.named(i) {
		if body, ok := b.node(c, "body"); ok && b.t.Kind(c) == "else_clause" {
			b.branch(body)
		}
	}
}

func (b *binder) while(i int32) {
	if test, ok := b.node(i, "condition"); ok {
		b.expr(test)
	}
	if body, ok := b.node(i, "body"); ok {
		b.branch(body)
	}
	b.otherwise(i)
}

// conditional reads an if statement.
func (b *binder) conditional(i int32) {
	clauses := []int32{i}
	for _, c := range b.named(i) {
		if kind := b.t.Kind(c); kind == "elif_clause" || kind == "else_clause" {
			clauses = append(clauses, c)
		}
	}
	b.clauses(i, clauses, sync.OnceValue(func() map[string]bool { return b.assigned(i) }))
}

// clauses reads the first of the clauses of an if statement, and then the others.
func (b *binder) clauses(i int32, all []int32, assigned func() map[string]bool) {
	if len(all) == 0 || b.depth >= maxNesting {
		return
	}
	b.depth++
	defer func() { b.depth-- }()
	test, tested := b.node(all[0], "condition")
	var condition bind.ExprID
	name, holds := "", false
	if tested {
		condition = b.expr(test)
		if name, holds = b.absent(test); name != "" && assigned()[name] {
			name = ""
		}
	}
	b.open(i)
	for _, body := range b.named(all[0]) {
		if b.t.Kind(body) != "block" {
			continue
		}
		if tested {
			b.Guard(condition, b.start(body), b.end(body))
			b.narrow(test, b.start(body))
		}
		b.without(name, holds, func() { b.block(body) })
	}
	b.Close()
	b.without(name, !holds, func() { b.clauses(i, all[1:], assigned) })
}

// with reads a with statement: a name has what __enter__ returns.
func (b *binder) with(i int32) {
	guarded := b.guarded
	for c := range b.t.Inside(i) {
		if b.t.Kind(c) == "with_item" {
			b.withItem(c, b.async(i))
		}
		if b.t.Kind(c) == "block" {
			break
		}
	}
	if body, ok := b.node(i, "body"); ok {
		b.branch(body)
	}
	b.guarded = guarded
}

func (b *binder) withItem(i int32, async bool) {
	value, ok := b.node(i, "value")
	if !ok {
		b.walk(i)
		return
	}
	var target int32 = treesitter.NoNode
	if b.t.Kind(value) == "as_pattern" {
		target = b.t.Child(value, "alias")
		value = b.named(value)[0]
	}
	x := b.expr(value)
	if text := b.t.Text(value); strings.Contains(text, "suppress(") && strings.Contains(text, "AttributeError") {
		b.guarded = true
	}
	if target == treesitter.NoNode {
		return
	}
	enter := "__enter__"
	if async {
		enter = "__aenter__"
	}
	entered := b.Expr(bind.Expr{Op: bind.Call, X: b.Expr(bind.Expr{Op: bind.Select, X: x, Name: enter})})
	if async {
		entered = b.Split(0, b.Expr(bind.Expr{Op: bind.Await, X: entered}))
	}
	b.assign(target, entered, b.end(i))
}

// try reads a try statement. Pylint says nothing in its body where a handler
// names AttributeError.
func (b *binder) try(i int32) {
	guarded, handles := b.guarded, false
	for c := range b.t.Children(i) {
		handles = handles || b.handles(c)
	}
	for c := range b.t.Children(i) {
		b.guarded = handles
		switch b.t.Kind(c) {
		case "block":
			b.open(i)
			b.block(c)
			b.Close()
		case "except_clause", "except_group_clause":
			b.guarded = false
			b.handler(i, c)
		case "finally_clause":
			b.branch(c)
		}
	}
	b.guarded = handles
	b.otherwise(i)
	b.guarded = guarded
}

// handles reports whether a clause of a try statement names AttributeError.
func (b *binder) handles(i int32) bool {
	if kind := b.t.Kind(i); kind != "except_clause" && kind != "except_group_clause" {
		return false
	}
	for c := range b.t.Inside(i) {
		switch b.t.Kind(c) {
		case "block":
			return false
		case "identifier":
			if b.t.Text(c) == "AttributeError" {
				return true
			}
		}
	}
	return false
}

// handler reads an except clause.
func (b *binder) handler(try, i int32) {
	caught := b.caught
	defer func() { b.caught = caught }()
	b.open(try)
	name := treesitter.NoNode
	for _, c := range b.named(i) {
		switch b.t.Kind(c) {
		case "block":
			b.block(c)
			if name != treesitter.NoNode { // it is gone then
				b.assign(name, 0, b.end(c))
			}
		case "as_pattern":
			parts := b.named(c)
			var caught []bind.ExprID
			types := []int32{parts[0]}
			if b.t.Kind(parts[0]) == "tuple" {
				types = b.named(parts[0])
			}
			for _, typ := range types {
				caught = append(caught, b.Of(b.expr(typ)))
			}
			if alias, ok := b.node(c, "alias"); ok {
				name = alias
				b.hiding(func() { b.assign(alias, b.union(caught), b.end(c)) })
				b.caught = b.t.Text(alias)
			}
		default:
			b.expr(c)
		}
	}
	b.Close()
}

// match reads a match statement. What its patterns capture is not known.
func (b *binder) match(i int32) {
	for c := range b.t.Inside(i) {
		switch b.t.Kind(c) {
		case "block":
			b.cases(c)
			return
		default:
			if b.t.Nodes[c].Parent == i && b.t.Nodes[c].Named() {
				b.expr(c)
			}
		}
	}
}

func (b *binder) cases(block int32) {
	for _, c := range b.named(block) {
		b.open(block)
		for _, part := range b.named(c) {
			switch b.t.Kind(part) {
			case "case_pattern":
				b.pattern(part)
			case "block":
				b.block(part)
			default:
				b.expr(part)
			}
		}
		b.Close()
	}
}

// pattern reads a case pattern: names with dots and those of classes are values,
// the others captures.
func (b *binder) pattern(i int32) {
	for c := range b.t.Inside(i) {
		parent := b.t.Nodes[c].Parent
		value := func(name int32) bool {
			return len(b.named(name)) > 1 || b.t.Kind(b.t.Nodes[name].Parent) == "class_pattern"
		}
		switch kind, in := b.t.Kind(c), b.t.Kind(parent); {
		case kind == "dotted_name" && value(c):
			b.dotted(c)
		case kind == "identifier" && (in == "dotted_name" && !value(parent) || in == "splat_pattern" || in == "as_pattern"):
			b.variable(c, 0, b.end(i))
		}
	}
}

// dotted reads a.b.c as a value.
func (b *binder) dotted(i int32) bind.ExprID {
	var x bind.ExprID
	for n, c := range b.named(i) {
		if n == 0 {
			x = b.Name(b.t.Text(c), b.start(c))
		} else {
			x = b.member(x, c)
		}
	}
	return x
}

// place is the value of an integer literal, or -1.
func place(text string) int32 {
	n, err := strconv.ParseInt(text, 10, 31)
	if err != nil {
		return -1
	}
	return int32(n)
}
