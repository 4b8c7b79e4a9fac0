package bind_test

import (
	"testing"

	"benchmill/stages/lang/bind"
)

// TestCascade is about a compiler that says each mistake once. The other file
// declares Foo with a member next.
func TestCascade(t *testing.T) {
	java := bind.Rules{MembersInScope: true, Ordered: true, Absent: func(im *bind.Import) bool { return im.Path != "jdk" }}
	foo := func(w *writer) bind.ExprID { // a variable of type Foo
		w.imports("p", "Foo")
		f := w.Declare(bind.Decl{Name: "f", Kind: bind.Param, Start: w.place()})
		w.Decl(f).Type = w.Of(w.Expr(bind.Expr{Op: bind.Name, Name: "Foo"}))
		return w.Expr(bind.Expr{Op: bind.Name, Name: "f"})
	}
	class := func(w *writer, name string, bases ...bind.ExprID) {
		c := w.Declare(bind.Decl{Name: name, Kind: bind.Class, Start: w.place(), Bases: bases})
		w.Open(bind.ClassScope, c)
		w.Close()
	}
	named := func(w *writer, name string) bind.ExprID { return w.Expr(bind.Expr{Op: bind.Name, Name: name}) }
	const next = "next:member:annotation"
	for _, c := range []struct {
		name  string
		want  string
		write func(w *writer)
	}{
		{"only members that the other file declares", next, func(w *writer) {
			f := foo(w)
			w.member(f, "next")
			w.member(f, "missing")
		}},
		{"a call with an argument that was reported", next, func(w *writer) {
			f := foo(w)
			w.call(w.member(f, "next"), w.member(f, "next"))
		}},
		{"a call with a value of a library that is not there", "", func(w *writer) {
			f := foo(w)
			w.imports("library", "Lib")
			w.call(w.member(f, "next"), named(w, "Lib"))
		}},
		{"one of a library that is", next, func(w *writer) {
			f := foo(w)
			w.imports("jdk", "Lib")
			w.call(w.member(f, "next"), named(w, "Lib"))
		}},
		{"what an operator makes of something reported", next, func(w *writer) {
			f := foo(w)
			sum := w.Expr(bind.Expr{Op: bind.Computed, Args: []bind.ExprID{0, w.member(f, "next")}})
			w.call(w.member(f, "next"), sum)
		}},
		{"a condition has the type that is expected", next + " " + next, func(w *writer) {
			f := foo(w)
			either := w.Expr(bind.Expr{Op: bind.Union, Args: []bind.ExprID{0, w.member(f, "next")}})
			w.call(w.member(f, "next"), either)
		}},
		{"an instance made with arguments of what is empty", "", func(w *writer) {
			foo(w)
			made := w.Expr(bind.Expr{Op: bind.New, X: named(w, "Foo"), Args: []bind.ExprID{w.Expr(bind.Expr{Op: bind.Null})}})
			w.member(made, "next")
		}},
		{"a cast to a class that is not related", "", func(w *writer) {
			foo(w)
			class(w, "Own")
			own := w.Of(named(w, "Own"))
			w.member(w.Expr(bind.Expr{Op: bind.Cast, X: w.Of(named(w, "Foo")), Args: []bind.ExprID{own}}), "next")
		}},
		{"a cast to the class it inherits from", next, func(w *writer) {
			foo(w)
			class(w, "Own", named(w, "Foo"))
			own := w.Of(named(w, "Own"))
			w.member(w.Expr(bind.Expr{Op: bind.Cast, X: w.Of(named(w, "Foo")), Args: []bind.ExprID{own}}), "next")
		}},
		{"what was reported, as an object without members", next + " other:member:import", func(w *writer) {
			f := foo(w)
			w.member(w.Expr(bind.Expr{Op: bind.Erased, X: w.member(f, "next")}), "other")
		}},
		{"what a library had that is not there is none", "", func(w *writer) {
			w.imports("library", "Lib")
			w.member(w.Expr(bind.Expr{Op: bind.Erased, X: named(w, "Lib")}), "other")
		}},
		{"the overload with so many parameters", "next:member:return", func(w *writer) {
			foo(w)
			for _, params := range [][]bind.DeclID{nil, {w.Declare(bind.Decl{Kind: bind.Param})}} {
				m := w.Declare(bind.Decl{Name: "m()", Kind: bind.Func, Start: w.place(), Params: params})
				if params == nil {
					w.Decl(m).Type = w.Of(named(w, "Foo"))
				}
			}
			w.member(w.call(named(w, "m()")), "next")
			w.member(w.call(named(w, "m()"), 0), "next")
		}},
		{"a variable is not seen before it is declared", next, func(w *writer) {
			f := foo(w)
			w.Open(bind.BlockScope, 0)
			w.member(w.Expr(bind.Expr{Op: bind.Name, Name: "f", Scope: w.Scope(), Start: w.place()}), "next")
			w.set("f", 0)
			w.member(w.Expr(bind.Expr{Op: bind.Name, Name: "f", Scope: w.Scope(), Start: w.place()}), "next")
			w.Close()
			_ = f
		}},
		{"a label is a member of what is switched on, unless declared", next, func(w *writer) {
			f := foo(w)
			w.set("known", 0)
			for _, name := range []string{"next", "known", "missing"} {
				w.Ref(w.Expr(bind.Expr{Op: bind.Name, Name: name, Start: w.place(), Context: f}))
			}
		}},
	} {
		if got := uses(t, java, bind.Compat, c.write); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
