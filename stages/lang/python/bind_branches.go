package python

import (
	"strings"
	"sync"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

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
	first := all[0] == i
	if !first { // its condition is asked only where those before do not hold
		b.open(i)
	}
	test, tested := b.node(all[0], "condition")
	var condition bind.ExprID
	name, holds := "", false
	if tested {
		condition = b.expr(test)
		if name, holds = b.absent(test); name != "" && assigned()[name] {
			name = ""
		}
	}
	if first {
		b.open(i)
	}
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
	if parts := b.named(value); b.t.Kind(value) == "as_pattern" && len(parts) > 0 {
		target = b.t.Child(value, "alias")
		value = parts[0]
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
			types := b.named(c)
			types = types[:min(len(types), 1)]
			if len(types) > 0 && b.t.Kind(types[0]) == "tuple" {
				types = b.named(types[0])
			}
			var caught []bind.ExprID
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
