package bind_test

import (
	"testing"

	"benchmill/stages/lang/bind"
)

// class declares a class with fields of given types.
func (w *writer) class(name string, space bind.Space, fields map[string]bind.ExprID) bind.DeclID {
	c := w.Declare(bind.Decl{Name: name, Kind: bind.Class, Start: w.place(), Space: space})
	w.Open(bind.ClassScope, c)
	for _, field := range []string{"own", "kind", bind.AnyMember} {
		if typ, ok := fields[field]; ok {
			w.Declare(bind.Decl{Name: field, Kind: bind.Member, Start: w.place(), Type: typ})
		}
	}
	w.Close()
	return c
}

func (w *writer) object(c bind.DeclID) bind.ExprID {
	return w.Expr(bind.Expr{Op: bind.Object, Decl: c})
}

func (w *writer) union(args ...bind.ExprID) bind.ExprID {
	return w.Expr(bind.Expr{Op: bind.Union, Args: args})
}

func (w *writer) foo() bind.ExprID { return w.Of(w.Expr(bind.Expr{Op: bind.Name, Name: "Foo"})) }

// function declares one overload of f.
func (w *writer) function(takes, gives bind.ExprID, typeParams ...bind.DeclID) {
	f := w.Declare(bind.Decl{Name: "f", Kind: bind.Func, Start: w.place(), TypeParams: typeParams})
	w.Open(bind.FunctionScope, f)
	p := w.Declare(bind.Decl{Name: "p", Kind: bind.Param, Start: w.place(), Type: takes})
	w.Close()
	w.Decl(f).Params, w.Decl(f).Type = []bind.DeclID{p}, gives
}

// list is a library with one class, whose instances are lists.
func list() *bind.File {
	w := &writer{Builder: bind.NewBuilder("library")}
	c := w.Declare(bind.Decl{Name: "List", Kind: bind.Class, Start: w.place()})
	t := w.Declare(bind.Decl{Name: "T", Kind: bind.TypeParam, Start: w.place()})
	w.Open(bind.ClassScope, c)
	of := w.Of(w.Expr(bind.Expr{Op: bind.Name, Name: "T", Scope: w.Scope()}))
	w.Declare(bind.Decl{Name: "__elem__", Kind: bind.Member, Type: of})
	w.Declare(bind.Decl{Name: "first", Kind: bind.Member, Type: of})
	w.Close()
	w.Decl(c).TypeParams = []bind.DeclID{t}
	return w.Done()
}

func TestPossibilities(t *testing.T) {
	every := bind.Rules{Every: true, List: "List", Library: list(), Absent: func(*bind.Import) bool { return true }, Tolerant: true}
	plain := every
	plain.PlainStubs = true
	classes := every
	classes.OfClasses = func(name string) bool { return name == "prototype" }
	for _, c := range []struct {
		name  string
		rules bind.Rules
		want  string // in Compat mode
		write func(w *writer)
	}{
		{"one possibility has the member", bind.Rules{}, "", func(w *writer) {
			c := w.class("C", 0, map[string]bind.ExprID{"next": 0, "own": 0})
			w.member(w.union(w.foo(), w.object(c)), "own")
		}},
		{"every possibility must have it", every, "next:member:annotation", func(w *writer) {
			c := w.class("C", 0, map[string]bind.ExprID{bind.AnyMember: 0})
			w.member(w.union(w.foo(), w.object(c)), "next")
		}},
		{"something unknown has it for all", every, "", func(w *writer) { w.member(w.union(w.foo(), 0), "next") }},
		{"what a stand-in with type arguments is, nobody knows", plain, "", func(w *writer) {
			apply := w.Expr(bind.Expr{Op: bind.Apply, X: w.Expr(bind.Expr{Op: bind.Name, Name: "Foo"}), Args: []bind.ExprID{w.foo()}})
			w.member(w.Of(apply), "next")
		}},
		{"but an instance made with them", plain, "next:member:constructor", func(w *writer) {
			apply := w.Expr(bind.Expr{Op: bind.Apply, X: w.Expr(bind.Expr{Op: bind.Name, Name: "Foo"}), Args: []bind.ExprID{w.foo()}})
			w.member(w.Expr(bind.Expr{Op: bind.New, X: apply, Args: []bind.ExprID{w.foo()}}), "next")
		}},
		{"a member of all classes, not of instances", classes, "prototype:member:annotation", func(w *writer) {
			w.member(w.Expr(bind.Expr{Op: bind.Name, Name: "bar"}), "prototype")
			w.member(w.Of(w.Expr(bind.Expr{Op: bind.Name, Name: "bar"})), "prototype")
		}},
		{"types and values do not see each other", every, "next:member:import next:member:annotation", func(w *writer) {
			w.class("Foo", bind.Types, nil)
			w.member(w.Expr(bind.Expr{Op: bind.Name, Name: "Foo", Space: bind.Values}), "next")
			w.member(w.Of(w.Expr(bind.Expr{Op: bind.Name, Name: "Foo", Space: bind.Types})), "next")
		}},
		{"a member is found by selecting only", every, "next:member:import", func(w *writer) {
			c := w.class("C", 0, nil)
			w.Open(bind.ClassScope, c)
			w.Declare(bind.Decl{Name: "Foo", Kind: bind.Func, Start: w.place(), Space: bind.Members})
			w.member(w.Expr(bind.Expr{Op: bind.Name, Name: "Foo", Scope: w.Scope(), Space: bind.Values}), "next")
			w.Close()
		}},
		{"any member", every, "next:member:field", func(w *writer) {
			c := w.class("C", 0, map[string]bind.ExprID{bind.AnyMember: w.foo()})
			w.member(w.member(w.object(c), "whatever"), "next")
		}},
		{"a tuple is a list, too", every, "next:member:field", func(w *writer) {
			w.member(w.member(w.Expr(bind.Expr{Op: bind.Tuple, Args: []bind.ExprID{w.foo()}}), "first"), "next")
		}},
		{"told apart by literals", every, "", func(w *writer) { w.choice(w.Expr(bind.Expr{Op: bind.Literal, Static: true})) }},
		{"told apart by another file", every, "own:member:import", func(w *writer) {
			w.choice(w.Expr(bind.Expr{Op: bind.Select, X: w.Expr(bind.Expr{Op: bind.Name, Name: "Foo"}), Name: "next"}))
		}},
		{"the first function that takes the arguments", every, "next:member:return", func(w *writer) {
			w.function(w.Expr(bind.Expr{Op: bind.List, Args: []bind.ExprID{0}}), 0)
			w.function(0, w.foo())
			c := w.class("C", 0, nil)
			w.member(w.call(w.Expr(bind.Expr{Op: bind.Name, Name: "f"}), w.object(c)), "next")
		}},
		{"a function with type parameters for those given", every, "next:member:return", func(w *writer) {
			w.function(0, 0)
			p := w.Declare(bind.Decl{Name: "T", Kind: bind.TypeParam, Start: w.place()})
			w.function(0, w.Of(w.Expr(bind.Expr{Op: bind.Name, Name: "T"})), p)
			f := w.Expr(bind.Expr{Op: bind.Apply, X: w.Expr(bind.Expr{Op: bind.Name, Name: "f"}), Args: []bind.ExprID{w.foo()}})
			w.member(w.call(f, 0), "next")
		}},
		{"type parameters in the elements of a list", every, "next:member:return", func(w *writer) {
			p := w.Declare(bind.Decl{Name: "T", Kind: bind.TypeParam, Start: w.place()})
			of := w.Of(w.Expr(bind.Expr{Op: bind.Name, Name: "T"}))
			w.function(w.Expr(bind.Expr{Op: bind.List, Args: []bind.ExprID{of}}), of, p)
			w.member(w.call(w.Expr(bind.Expr{Op: bind.Name, Name: "f"}), w.Expr(bind.Expr{Op: bind.Tuple, Args: []bind.ExprID{w.foo()}})), "next")
		}},
		{"type parameters in the members of an object", every, "next:member:return", func(w *writer) {
			p := w.Declare(bind.Decl{Name: "T", Kind: bind.TypeParam, Start: w.place()})
			of := w.Of(w.Expr(bind.Expr{Op: bind.Name, Name: "T"}))
			w.function(w.object(w.class("", bind.Members, map[string]bind.ExprID{bind.AnyMember: of})), of, p)
			given := w.object(w.class("", bind.Members, map[string]bind.ExprID{"own": w.foo()}))
			w.member(w.call(w.Expr(bind.Expr{Op: bind.Name, Name: "f"}), given), "next")
		}},
	} {
		got := uses(t, c.rules, bind.Compat, func(w *writer) {
			w.imports("p", "Foo")
			w.imports("p", "bar")
			c.write(w)
		})
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// choice selects a member that one of two possibilities has, whose kinds differ.
func (w *writer) choice(kind bind.ExprID) {
	a := w.class("", bind.Members, map[string]bind.ExprID{"kind": kind, "own": 0})
	b := w.class("", bind.Members, map[string]bind.ExprID{"kind": kind})
	w.member(w.union(w.object(a), w.object(b)), "own")
}
