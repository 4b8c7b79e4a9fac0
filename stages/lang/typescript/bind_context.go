package typescript

import "benchmill/stages/lang/bind"

// taking is a function with one parameter of type typ.
func (b *binder) taking(typ bind.ExprID) bind.ExprID {
	var takes, p bind.DeclID
	b.within(0, func() {
		takes = b.Declare(bind.Decl{Kind: bind.Func})
		p = b.Declare(bind.Decl{Kind: bind.Param, Type: typ})
	})
	b.Decl(takes).Params = []bind.DeclID{p}
	return b.Expr(bind.Expr{Op: bind.FuncLit, Decl: takes})
}

// parameterOf is parameter n of a function that has the type expects.
func (b *binder) parameterOf(expects bind.ExprID, n int) bind.ExprID {
	if expects == 0 {
		return 0
	}
	if e := b.File.Exprs[expects]; e.Op == bind.Expected && e.N == bind.Itself {
		return b.Expect(e.X, int(e.Args[0]), n)
	}
	return b.Expect(b.resultOf(b.taking(expects)), 0, n)
}

func (b *binder) resultOf(f bind.ExprID) bind.ExprID {
	return b.Expr(bind.Expr{Op: bind.Call, X: f})
}

// mayNeedContext reports whether a kind of expression may hold a function literal
// whose parameters depend on where it stands.
func mayNeedContext(kind string) bool {
	switch kind {
	case "arrow_function", "function_expression", "function", "object", "array", "parenthesized_expression", "ternary_expression", "binary_expression":
		return true
	}
	return false
}
