package bind_test

import (
	"testing"

	"benchmill/stages/lang/bind"
)

var dynamic = bind.Rules{CallConstructs: true, Flow: true, ByCall: true, Library: literals(), Silent: func(class string) bool { return class == "Quiet" }}

// literals is a library with classes of literals.
func literals() *bind.File {
	b := bind.NewBuilder("library")
	for i, name := range []string{"str", "int", "bool"} {
		class := b.Declare(bind.Decl{Name: name, Kind: bind.Class, Start: int32(i)})
		b.Open(bind.ClassScope, class)
		b.Declare(bind.Decl{Name: "upper", Kind: bind.Var, Start: int32(i)})
		b.Close()
	}
	return b.Done()
}

func (w *writer) test(name string, x bind.ExprID, args ...bind.ExprID) bind.ExprID {
	return w.Expr(bind.Expr{Op: bind.Test, Name: name, X: x, Args: args})
}

func (w *writer) literal(text string) bind.ExprID {
	return w.Expr(bind.Expr{Op: bind.Literal, Name: text})
}

// branch writes in a branch of a group, 0 none.
func (w *writer) branch(group int32, write func()) {
	w.File.Scopes[w.Open(bind.BranchScope, 0)].Group = group
	write()
	w.Close()
}

func TestDynamic(t *testing.T) {
	foo := func(w *writer) bind.ExprID { return w.call(w.get("Foo")) }
	for _, c := range []struct {
		name             string
		write            func(w *writer)
		compat, extended string
	}{
		{"split", func(w *writer) {
			w.set("x", w.Split(0, foo(w)))
			w.member(w.get("x"), "a")
			w.set("y", w.Split(foo(w), w.literal("unheard of")))
			w.member(w.get("y"), "b")
		}, "b:member:constructor", "a:member:constructor b:member:constructor"},
		{"a member that is given a value is there, but another file may have it", func(w *writer) {
			w.set("x", foo(w))
			w.Set(w.get("x"), "a", foo(w))
			w.member(w.member(w.get("x"), "a"), "b")
		}, "b:member:constructor", "a:member:constructor"},
		{"only the very branch hides what was before", func(w *writer) {
			w.branch(0, func() { w.set("x", 0) })
			w.set("x", foo(w))
			w.branch(0, func() { w.member(w.get("x"), "a") })
			w.member(w.get("x"), "b")
		}, "b:member:constructor", "a:member:constructor b:member:constructor"},
		{"branches of a group exclude each other", func(w *writer) {
			w.branch(7, func() { w.set("x", 0) })
			w.branch(7, func() {
				w.set("x", foo(w))
				w.branch(0, func() { w.member(w.get("x"), "a") })
			})
			w.member(w.get("x"), "b")
		}, "a:member:constructor", "a:member:constructor"},
		{"a loop variable hides in the whole loop", func(w *writer) {
			w.set("x", 0)
			w.branch(0, func() {
				w.Decl(w.set("x", foo(w))).Hides = true
				w.branch(0, func() { w.member(w.get("x"), "a") })
			})
			w.member(w.get("x"), "b")
		}, "a:member:constructor", "a:member:constructor"},
		{"a global name set in a function", func(w *writer) {
			f := w.Declare(bind.Decl{Name: "f", Kind: bind.Func, Start: w.place()})
			w.Open(bind.FunctionScope, f)
			w.Decl(w.set("x", foo(w))).Global = true
			w.Close()
			w.member(w.get("x"), "a")
		}, "a:member:constructor", "a:member:constructor"},
		{"a guard whose condition is false silences, and not the functions in it", func(w *writer) {
			w.set("x", foo(w))
			w.set("off", w.literal("bool False"))
			start := w.at
			w.member(w.get("x"), "a")
			w.Open(bind.FunctionScope, w.Declare(bind.Decl{Name: "f", Kind: bind.Func, Start: w.place()}))
			w.member(w.get("x"), "b")
			w.Close()
			w.Guard(w.get("off"), start, w.place())
			w.member(w.get("x"), "c")
			w.Guard(w.test("not", w.get("off")), start, w.place())
		}, "b:member:constructor c:member:constructor", "a:member:constructor b:member:constructor c:member:constructor"},
		{"a choice by a condition that is known", func(w *writer) {
			w.set("x", w.Expr(bind.Expr{Op: bind.Choice, X: w.literal("bool True"), Args: []bind.ExprID{foo(w), 0}}))
			w.member(w.get("x"), "a")
			w.set("y", w.Expr(bind.Expr{Op: bind.Choice, X: 0, Args: []bind.ExprID{foo(w), 0}}))
			w.member(w.get("y"), "b")
		}, "a:member:constructor", "a:member:constructor"},
		{"a function that returns its parameter", func(w *writer) {
			f := w.Declare(bind.Decl{Name: "f", Kind: bind.Func, Start: w.place()})
			w.Open(bind.FunctionScope, f)
			p := w.Declare(bind.Decl{Name: "p", Kind: bind.Param, Start: w.place()})
			q := w.Declare(bind.Decl{Name: "q", Kind: bind.Param, Start: w.place(), Omitted: foo(w)})
			w.Decl(f).Params = []bind.DeclID{p, q}
			returns := []bind.ExprID{w.get("p"), w.get("q")}
			w.Close()
			w.Decl(f).Returns = returns
			w.member(w.call(w.get("f"), foo(w)), "a")
			w.member(w.call(w.get("f"), w.Expr(bind.Expr{Op: bind.Named, X: foo(w), Name: "p"})), "b")
			w.member(w.call(w.get("f")), "c")
			w.member(w.call(w.get("f"), foo(w), w.get("unheard")), "d")
		}, "a:member:return b:member:return", "a:member:return b:member:return"},
		{"classes of which nothing is said", func(w *writer) {
			w.Import(bind.Import{Path: "p", Name: "Foo"}, "Quiet", w.place())
			w.member(w.get("Quiet"), "a")
		}, "", "a:member:import"},
		{"literals lack what their class has not", func(w *writer) {
			w.branch(0, func() { w.set("x", w.literal("str \"a\"")) })
			w.branch(0, func() { w.set("x", foo(w)) })
			w.member(w.get("x"), "a")
			w.member(w.get("x"), "upper")
		}, "a:member:constructor", "a:member:constructor"},
	} {
		write := func(w *writer) { w.imports("p", "Foo"); c.write(w) }
		if got := uses(t, dynamic, bind.Compat, write); got != c.compat {
			t.Errorf("%s: %q, want %q", c.name, got, c.compat)
		}
		if got := uses(t, dynamic, bind.Extended, write); got != c.extended {
			t.Errorf("%s, extended: %q, want %q", c.name, got, c.extended)
		}
	}
}

// TestConditions asks for each condition by what it silences.
func TestConditions(t *testing.T) {
	for _, c := range []struct {
		name  string
		test  func(w *writer) bind.ExprID
		false bool
	}{
		{"none", func(w *writer) bind.ExprID { return w.Expr(bind.Expr{Op: bind.Null}) }, true},
		{"nothing known", func(w *writer) bind.ExprID { return 0 }, false},
		{"zero", func(w *writer) bind.ExprID { return w.literal("int 0") }, true},
		{"empty text", func(w *writer) bind.ExprID { return w.literal(`str ""`) }, true},
		{"equal", func(w *writer) bind.ExprID { return w.test("equal", w.literal("int 1"), w.literal("int 1")) }, false},
		{"unequal", func(w *writer) bind.ExprID { return w.test("equal", w.literal("int 1"), w.literal("int 2")) }, true},
		{"less", func(w *writer) bind.ExprID { return w.test("less", w.literal("int 2"), w.literal("int 10")) }, false},
		{"not less", func(w *writer) bind.ExprID { return w.test("less", w.literal("int 10"), w.literal("int 2")) }, true},
		{"and", func(w *writer) bind.ExprID { return w.test("and", 0, w.literal("int 1"), w.literal("int 0")) }, true},
		{"and, unknown", func(w *writer) bind.ExprID { return w.test("and", 0, 0, w.literal("int 0")) }, false},
		{"or", func(w *writer) bind.ExprID { return w.test("or", 0, w.literal("int 1"), w.literal("int 0")) }, false},
		{"an instance is true", func(w *writer) bind.ExprID { return w.test("not", w.get("foo")) }, true},
		{"the class of an instance", func(w *writer) bind.ExprID { return w.test("isinstance", w.get("foo"), w.get("Foo")) }, false},
		{"another class", func(w *writer) bind.ExprID { return w.test("isinstance", w.get("foo"), w.get("Local")) }, true},
		{"an unknown class", func(w *writer) bind.ExprID { return w.test("isinstance", w.get("foo"), w.get("Gone")) }, false},
		{"a base", func(w *writer) bind.ExprID { return w.test("issubclass", w.get("Local"), w.get("Foo")) }, false},
		{"no base", func(w *writer) bind.ExprID { return w.test("issubclass", w.get("Foo"), w.get("Local")) }, true},
		{"no attribute", func(w *writer) bind.ExprID { return w.test("hasattr", w.get("foo"), w.literal("a")) }, true},
		{"an attribute", func(w *writer) bind.ExprID { return w.test("hasattr", w.get("Local"), w.literal("own")) }, false},
		{"callable", func(w *writer) bind.ExprID { return w.test("callable", w.get("Foo")) }, false},
		{"not callable", func(w *writer) bind.ExprID { return w.test("callable", w.get("foo")) }, true},
	} {
		got := uses(t, dynamic, bind.Compat, func(w *writer) {
			w.imports("p", "Foo")
			local := w.Declare(bind.Decl{Name: "Local", Kind: bind.Class, Start: w.place(), Bases: []bind.ExprID{w.get("Foo")}})
			w.Open(bind.ClassScope, local)
			w.set("own", 0)
			w.Close()
			w.set("foo", w.call(w.get("Foo")))
			start := w.at
			w.member(w.get("foo"), "a")
			w.Guard(c.test(w), start, w.at+1)
		})
		if (got == "") != c.false {
			t.Errorf("%s: uses %q, silenced should be %v", c.name, got, c.false)
		}
	}
}
