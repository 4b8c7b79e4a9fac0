package typescript

import (
	"slices"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// fact says what a name is where a condition holds.
type fact struct {
	name string
	typ  bind.ExprID
}

// facts are what a condition says where it holds, or with not, where it does not.
// The condition is described already; what is made here stands nowhere.
func (b *binder) facts(at int32, not bool) []fact {
	if at == treesitter.NoNode || !b.deeper() {
		b.nesting--
		return nil
	}
	defer func() { b.nesting-- }()
	switch b.t.Kind(at) {
	case "parenthesized_expression":
		return b.facts(b.only(at), not)
	case "unary_expression":
		if b.has(at, "!") {
			return b.facts(b.only(at), !not)
		}
	case "call_expression":
		if !not {
			return b.guarded(at, false)
		}
	case "binary_expression":
		return b.compared(at, not)
	}
	return nil
}

func (b *binder) compared(at int32, not bool) []fact {
	left, right := b.child(at, "left"), b.child(at, "right")
	if left == treesitter.NoNode || right == treesitter.NoNode {
		return nil
	}
	switch operator := b.text(at, "operator"); operator {
	case "&&", "||":
		if not == (operator == "||") {
			return append(b.facts(left, not), b.facts(right, not)...)
		}
	case "instanceof":
		if !not && b.isName(left) && b.isName(right) {
			return []fact{{b.t.Text(left), b.Of(b.unlisted(right))}}
		}
	case "in":
		if !not && b.isName(right) && b.t.Kind(left) == "string" {
			return []fact{{b.t.Text(right), b.having(b.unlisted(right), unquoted(b.t.Text(left)))}}
		}
	case "===", "==", "!==", "!=":
		if x := b.only(left); not == (operator[0] == '!') && b.has(left, "typeof") && b.isName(x) && b.t.Kind(right) == "string" {
			return []fact{{b.t.Text(x), b.predefined(unquoted(b.t.Text(right)))}}
		}
	}
	return nil
}

func (b *binder) isName(at int32) bool {
	return at != treesitter.NoNode && b.t.Kind(at) == "identifier"
}

// unlisted is the value of a name that is listed elsewhere.
func (b *binder) unlisted(at int32) bind.ExprID {
	return b.Expr(bind.Expr{Op: bind.Name, Name: b.t.Text(at), Scope: b.Scope(), Space: bind.Values})
}

// having is a value with one more member.
func (b *binder) having(x bind.ExprID, member string) bind.ExprID {
	id := b.Declare(bind.Decl{Kind: bind.Class, Space: bind.Members})
	b.Open(bind.ClassScope, id)
	b.Declare(bind.Decl{Name: member, Kind: bind.Member, Space: bind.Members})
	b.Close()
	return b.allOf(x, b.Expr(bind.Expr{Op: bind.Object, Decl: id}))
}

// where runs f with names narrowed by facts.
func (b *binder) where(facts []fact, f func()) {
	opened := b.narrow(facts)
	f()
	if opened {
		b.Close()
	}
}

// narrow opens a scope in which facts hold, if there are any.
func (b *binder) narrow(facts []fact) bool {
	facts = slices.DeleteFunc(facts, func(f fact) bool { return f.typ == 0 })
	if len(facts) == 0 {
		return false
	}
	b.Open(bind.BlockScope, 0)
	for _, f := range facts {
		b.Declare(bind.Decl{Name: f.name, Kind: bind.Var, Space: bind.Values, Type: f.typ})
	}
	return true
}

func (b *binder) ifStatement(at int32) {
	condition := b.child(at, "condition")
	b.expr(condition, 0)
	if then := b.child(at, "consequence"); b.named(then) {
		b.where(b.facts(condition, false), func() { b.statement(then) })
	}
	if otherwise := b.child(at, "alternative"); b.named(otherwise) {
		b.where(b.facts(condition, true), func() { b.statement(otherwise) })
	}
}

func (b *binder) ternary(at int32, expects bind.ExprID) bind.ExprID {
	condition := b.child(at, "condition")
	b.expr(condition, 0)
	var x, y bind.ExprID
	b.where(b.facts(condition, false), func() { x = b.expr(b.child(at, "consequence"), expects) })
	b.where(b.facts(condition, true), func() { y = b.expr(b.child(at, "alternative"), expects) })
	return b.union(x, y)
}

func (b *binder) binary(at int32, expects bind.ExprID) (x bind.ExprID) {
	left, right := b.child(at, "left"), b.child(at, "right")
	switch operator := b.text(at, "operator"); operator {
	case "&&":
		b.expr(left, 0)
		b.where(b.facts(left, false), func() { x = b.expr(right, expects) })
		return x
	case "||", "??":
		x = b.expr(left, expects)
		var y bind.ExprID
		b.where(b.facts(left, true), func() { y = b.expr(right, expects) })
		return b.union(x, y)
	case "+":
		b.expr(left, 0)
		b.expr(right, 0)
		return 0
	case "-", "*", "/", "%", "**", "<<", ">>", ">>>", "&", "|", "^":
		b.expr(left, 0)
		b.expr(right, 0)
		return b.literal("Number")
	}
	b.expr(left, 0)
	b.expr(right, 0)
	return b.literal("Boolean")
}
