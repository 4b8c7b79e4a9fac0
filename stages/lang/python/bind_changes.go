package python

import (
	"strings"

	"benchmill/stages/lang/bind"
)

// changes reports whether pylint takes an assignment for an augmented one: the
// value is an operation on the target itself, to the right of it only where order
// does not matter and a whole number is to the left, and no operand is a call.
func (b *binder) changes(target, value int32) bool {
	value = b.bare(value)
	left, ok := b.node(value, "left")
	right, ok2 := b.node(value, "right")
	op, ok3 := b.node(value, "operator")
	if !ok || !ok2 || !ok3 || b.t.Kind(value) != "binary_operator" || b.t.Kind(target) != "attribute" {
		return false
	}
	left, right = b.bare(left), b.bare(right)
	switch text := b.t.Text(target); {
	case b.t.Kind(left) == "call" || b.t.Kind(right) == "call":
		return false
	case b.t.Text(left) == text:
		return true
	default:
		return b.t.Text(right) == text && b.t.Kind(left) == "integer" && strings.Contains("*+^&|", b.t.Kind(op))
	}
}

// bare is what stands in parentheses.
func (b *binder) bare(i int32) int32 {
	for range maxNesting {
		parts := b.named(i)
		if b.t.Kind(i) != "parenthesized_expression" || len(parts) != 1 {
			break
		}
		i = parts[0]
	}
	return i
}

// change reads the target of an assignment that changes a member, which does not
// give its owner one to pylint.
func (b *binder) change(target int32) {
	object, ok := b.node(target, "object")
	if !ok {
		b.walk(target)
		return
	}
	b.expr(object)
	b.changed(target)
}

// changed notes a member that a class must have from elsewhere.
func (b *binder) changed(target int32) {
	object, ok := b.node(target, "object")
	name, ok2 := b.node(target, "attribute")
	if !ok || !ok2 {
		return
	}
	if c, _ := b.instance(object); c != nil {
		c.changed = append(c.changed, name)
	}
}

// maxAsked bounds the bases that are asked.
const maxAsked = 8

// settle declares what a class changes and defines, in the open scope. What it
// does not define, pylint misses even where one of the bases is not known, which
// may have it: it is asked of each of them, or of where they come from.
func (b *binder) settle(c *class, bases []bind.ExprID) {
	asked := map[string]bool{}
	for _, i := range c.changed {
		name := b.t.Text(i)
		if c.fields[name] || len(c.variables[name])+len(c.shared[name]) > 0 {
			b.Declare(bind.Decl{Name: name, Kind: bind.Member, Start: b.start(i)})
			continue
		}
		if asked[name] {
			continue
		}
		asked[name] = true
		for _, m := range c.members[name] {
			for _, base := range bases[:min(len(bases), maxAsked)] {
				e := b.File.Exprs[m]
				e.X = b.Split(b.root(base), e.X)
				b.Ref(b.Expr(e))
			}
		}
	}
}

// root is what a base class is a member of, or the class itself.
func (b *binder) root(x bind.ExprID) bind.ExprID {
	for {
		switch e := &b.File.Exprs[x]; e.Op {
		case bind.Select:
			x = e.X
		case bind.Split:
			x = e.Args[0]
		default:
			return x
		}
	}
}
