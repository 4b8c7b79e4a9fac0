package python

import (
	"strconv"
	"strings"

	"benchmill/stages/lang/bind"
)

func (b *binder) attribute(i int32) bind.ExprID {
	object, ok := b.node(i, "object")
	name, ok2 := b.node(i, "attribute")
	if !ok || !ok2 {
		return b.walk(i)
	}
	x := b.expr(object)
	of, text := b.t.Text(object), b.t.Text(name)
	switch {
	case text == "__class__":
		return b.Expr(bind.Expr{Op: bind.TypeOf, X: x})
	case text == "TYPE_CHECKING":
		b.member(x, name)
		return b.literal("bool False")
	case of == "sys" && text == "platform":
		return b.literal(`str "linux"`) // where the checker runs
	case of == b.caught && text == "args":
		guarded := b.guarded // pylint knows what exceptions have
		b.guarded = true
		defer func() { b.guarded = guarded }()
	}
	v := b.member(x, name)
	if c, _ := b.instance(object); c != nil {
		c.members[text] = append(c.members[text], v)
	}
	return b.unless(i, v)
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

// place is the value of an integer literal, or -1.
func place(text string) int32 {
	n, err := strconv.ParseInt(text, 10, 31)
	if err != nil {
		return -1
	}
	return int32(n)
}
