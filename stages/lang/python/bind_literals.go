package python

import (
	"strings"

	"benchmill/stages/lang/bind"
)

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

// plain is the text of a string literal on one line, without prefix and escapes.
func plain(text string) (string, bool) {
	if len(text) < 2 || text[0] != '"' && text[0] != '\'' || text[len(text)-1] != text[0] {
		return "", false
	}
	inner := text[1 : len(text)-1]
	return inner, !strings.ContainsAny(inner, "\\\n"+text[:1])
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
