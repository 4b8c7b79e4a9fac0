package cfamily

import (
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// Description is a file of C++ with its calls, as far as names and types decide what
// they call. It is plain data.
type Description struct {
	File        *bind.File
	Definitions []Definition // in source order
	Sites       []Site       // in source order
}

// Definition is a function with a body.
type Definition struct {
	Decl       bind.DeclID // of the file; its parameters say how many arguments it takes
	Start, End int32       // of the whole definition, without what stands before it of a template
}

// SiteKind is how a call is written.
type SiteKind uint8

const (
	CallSite      SiteKind = iota // f(x), x.f(y), A::f(x), A(x)
	ConstructSite                 // A a(x), A a{x}, new A(x), : member(x), : Base(x)
	OperatorSite                  // a + b, a[i], *p, p->m, a = b
)

// Site is a call.
type Site struct {
	Kind SiteKind
	// Callee is what is called: of a ConstructSite the class, or a member that is an
	// instance of it; of an OperatorSite the bind.Operator itself.
	Callee bind.ExprID
	Call   bind.ExprID // the bind.Call or bind.New; of an OperatorSite 0
	At     int32       // offset of the last name of what is called, of an operator that of its first operand
	Args   int32
}

func (x *walker) site(kind SiteKind, callee, call bind.ExprID, at, args int32) {
	if callee != 0 {
		x.sites = append(x.sites, Site{kind, callee, call, at, args})
	}
}

// construct notes that an object is made with arguments, which the node at holds, and
// walks them.
func (x *walker) construct(class bind.ExprID, place, at int32) {
	if at == treesitter.NoNode {
		return
	}
	if kind := x.t.Kind(at); class == 0 || !x.cpp || kind != "argument_list" && kind != "initializer_list" {
		x.walk(at)
		return
	}
	call := bind.Expr{Op: bind.New, X: class}
	for c := range x.all(at) {
		call.Args = append(call.Args, x.walk(c))
	}
	x.site(ConstructSite, class, x.Expr(call), place, int32(len(call.Args)))
}

// braces notes that an object is made of a list in braces.
func (x *walker) braces(class bind.ExprID, place, at int32) {
	if class == 0 || !x.cpp || at == treesitter.NoNode {
		return
	}
	n := int32(0)
	for range x.all(at) {
		n++
	}
	x.site(ConstructSite, class, x.Expr(bind.Expr{Op: bind.New, X: class, Args: make([]bind.ExprID, n)}), place, n)
}

// all iterates over the children that are no tokens, literals included.
func (x *walker) all(at int32) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		if at == treesitter.NoNode {
			return
		}
		for c := range x.t.Children(at) {
			if x.t.Nodes[c].Named() && x.t.Kind(c) != "comment" && !yield(c) {
				return
			}
		}
	}
}

// operator is what an operator gives for operands, of which nothing is known if
// neither has a name.
func (x *walker) operator(name string, at int32, first bind.ExprID, rest ...bind.ExprID) bind.ExprID {
	known := first != 0
	for _, e := range rest {
		known = known || e != 0
	}
	if !known || !x.cpp {
		return 0
	}
	e := x.Expr(bind.Expr{Op: bind.Operator, Name: "operator" + name, X: first, Args: rest, Scope: x.Scope(), Start: x.start(at)})
	x.site(OperatorSite, e, 0, x.start(at), int32(len(rest)))
	return e
}

// symbol is the operator of an expression: the first child that is a token.
func (x *walker) symbol(at int32) string {
	for c := range x.t.Children(at) {
		if n := &x.t.Nodes[c]; !n.Named() && !strings.ContainsAny(x.t.Kind(c), "()") {
			return x.t.Kind(c)
		}
	}
	return ""
}

// special is the name of what has no identifier for one: "operator+", "~A",
// "operator bool"; else "".
func (x *walker) special(at int32) string {
	switch text := x.t.Text(at); x.t.Kind(at) {
	case "destructor_name":
		return strings.Join(strings.Fields(text), "")
	case "operator_name":
		rest := strings.TrimSpace(strings.TrimPrefix(text, "operator"))
		if rest != "" && (rest[0] == '_' || rest[0] >= 'a' && rest[0] <= 'z') {
			return "operator " + rest
		}
		return "operator" + strings.Join(strings.Fields(rest), "")
	case "operator_cast":
		return "operator " + x.text(at, "type")
	}
	return ""
}
