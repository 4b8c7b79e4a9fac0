package bind_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"benchmill/stages/lang/bind"
)

// fn declares a method or function without a type of its own.
func (w *writer) fn(name string) bind.DeclID {
	return w.Declare(bind.Decl{Name: name, Kind: bind.Func, Start: w.place()})
}

// shared is a file of functions and classes: f twice, Base with run, Foo below it.
func shared() *bind.File {
	w := &writer{Builder: bind.NewBuilder("b")}
	w.fn("f")
	w.fn("f")
	base := w.Declare(bind.Decl{Name: "Base", Kind: bind.Class, Start: w.place()})
	w.Open(bind.ClassScope, base)
	w.fn("run")
	w.fn("run")
	w.Close()
	foo := w.Declare(bind.Decl{Name: "Foo", Kind: bind.Class, Start: w.place()})
	w.Open(bind.ClassScope, foo)
	next := w.fn("next")
	w.Close()
	w.Decl(next).Type = w.Of(w.get("Foo"))
	w.Decl(foo).Bases = []bind.ExprID{w.get("Base")}
	w.Declare(bind.Decl{Name: "g", Kind: bind.Imported, Start: w.place(), Import: w.Import(bind.Import{Path: "a", Name: "mine"}, "", 0)})
	return w.Done()
}

// reading opens a file "a" beside shared; what asks returns is written as
// path:name/offset.
func reading(t *testing.T, rules bind.Rules, write func(w *writer) func(r *bind.Reader) []bind.Target) string {
	t.Helper()
	w := &writer{Builder: bind.NewBuilder("a")}
	ask := write(w)
	link := linker{project: map[string]bind.Target{}, globals: map[string]bind.Target{"Foo": {Path: "b", Decl: 6}}}
	b := shared()
	for _, f := range []*bind.File{w.Done(), b} {
		link.project[f.Path+"."] = bind.Target{Path: f.Path}
		for i, d := range slices.Backward(f.Decls) {
			if d.Name != "" {
				link.project[f.Path+"."+d.Name] = bind.Target{Path: f.Path, Decl: bind.DeclID(i)}
			}
		}
	}
	r := bind.NewResolver([]*bind.File{w.File, b}, link, &rules, bind.Compat).Open("a")
	var out []string
	for _, target := range ask(r) {
		name := ""
		if target.Decl != 0 {
			name = r.File(target.Path).Decls[target.Decl].Name
		}
		out = append(out, fmt.Sprintf("%s:%s/%d", target.Path, name, target.Decl))
	}
	return strings.Join(out, " ")
}

func TestReader(t *testing.T) {
	members := bind.Rules{MembersInScope: true, CallConstructs: true}
	library := members
	library.Library = list()
	best := members
	best.Best = true
	declared := func(ref bind.ExprID) func(r *bind.Reader) []bind.Target {
		return func(r *bind.Reader) []bind.Target { return r.Declared(ref) }
	}
	cases := []struct {
		name, want string
		rules      bind.Rules
		write      func(w *writer) func(r *bind.Reader) []bind.Target
	}{
		{"all overloads of the innermost scope", "a:f/3 a:f/4", members, func(w *writer) func(*bind.Reader) []bind.Target {
			w.fn("f")
			outer := w.fn("g")
			w.Open(bind.FunctionScope, outer)
			w.fn("f")
			w.fn("f")
			return declared(w.get("f"))
		}},
		{"an import with its overloads", "b:f/1 b:f/2", members, func(w *writer) func(*bind.Reader) []bind.Target {
			w.imports("b", "f")
			return declared(w.get("f"))
		}},
		{"an import of an import, in circles back to the file", "a:mine/2", members, func(w *writer) func(*bind.Reader) []bind.Target {
			w.imports("b", "g")
			w.fn("mine")
			return declared(w.get("g"))
		}},
		{"a member of a module", "b:f/1 b:f/2", members, func(w *writer) func(*bind.Reader) []bind.Target {
			w.Import(bind.Import{Path: "b"}, "b", w.place())
			return declared(w.member(w.get("b"), "f"))
		}},
		{"a module", "b:/0", members, func(w *writer) func(*bind.Reader) []bind.Target {
			w.Import(bind.Import{Path: "b"}, "b", w.place())
			return declared(w.get("b"))
		}},
		{"a name of the package", "b:Foo/6", members, func(w *writer) func(*bind.Reader) []bind.Target {
			return declared(w.get("Foo"))
		}},
		{"members of what calls give, inherited", "b:run/4 b:run/5", members, func(w *writer) func(*bind.Reader) []bind.Target {
			w.set("x", w.call(w.get("Foo")))
			return declared(w.member(w.call(w.member(w.get("x"), "next")), "run"))
		}},
		{"a member by its simple name before a function around", "b:run/4 b:run/5", members, func(w *writer) func(*bind.Reader) []bind.Target {
			w.fn("run")
			c := w.Declare(bind.Decl{Name: "C", Kind: bind.Class, Start: w.place()})
			w.Decl(c).Bases = []bind.ExprID{w.get("Foo")}
			w.Open(bind.ClassScope, c)
			w.Open(bind.FunctionScope, w.fn("m"))
			return declared(w.get("run"))
		}},
		{"both possibilities", "a:m/2 a:m/4", members, func(w *writer) func(*bind.Reader) []bind.Target {
			for _, name := range []string{"A", "B"} {
				w.Open(bind.ClassScope, w.Declare(bind.Decl{Name: name, Kind: bind.Class, Start: w.place()}))
				w.fn("m")
				w.Close()
			}
			return declared(w.member(w.union(w.call(w.get("A")), w.call(w.get("B"))), "m"))
		}},
		{"another name of a type", "b:Foo/6", members, func(w *writer) func(*bind.Reader) []bind.Target {
			foo := w.get("Foo")
			w.Declare(bind.Decl{Name: "Also", Kind: bind.Alias, Start: w.place(), Type: foo})
			return declared(w.get("Also"))
		}},
		{"what is not known", "", members, func(w *writer) func(*bind.Reader) []bind.Target {
			w.imports("elsewhere", "f")
			return declared(w.member(w.get("f"), "run"))
		}},
		{"a name nothing declares", "", members, func(w *writer) func(*bind.Reader) []bind.Target { return declared(w.get("zzz")) }},
		{"no expression", "", members, func(w *writer) func(*bind.Reader) []bind.Target { return declared(1000) }},
		{"members of the library", "library:first/4", library, func(w *writer) func(*bind.Reader) []bind.Target {
			return declared(w.member(w.Expr(bind.Expr{Op: bind.List}), "first"))
		}},
		{"classes of a value", "b:Foo/6 a:A/1", members, func(w *writer) func(*bind.Reader) []bind.Target {
			w.Declare(bind.Decl{Name: "A", Kind: bind.Class, Start: w.place()})
			w.set("x", w.union(w.call(w.get("Foo")), w.call(w.get("A"))))
			x := w.get("x")
			return func(r *bind.Reader) []bind.Target { return r.Classes(x) }
		}},
		{"types that a variable holds", "b:Foo/6", members, func(w *writer) func(*bind.Reader) []bind.Target {
			w.set("x", w.get("Foo"))
			x := w.get("x")
			return func(r *bind.Reader) []bind.Target { return r.Types(x) }
		}},
		{"functions that a variable holds", "a:f/1", members, func(w *writer) func(*bind.Reader) []bind.Target {
			w.fn("f")
			w.set("x", w.get("f"))
			x := w.get("x")
			return func(r *bind.Reader) []bind.Target { return r.Functions(x) }
		}},
		{"the overload that fits a call", "a:f/4 a:f/4", best, func(w *writer) func(*bind.Reader) []bind.Target {
			w.Open(bind.ClassScope, w.Declare(bind.Decl{Name: "A", Kind: bind.Class, Start: w.place()}))
			w.Close()
			w.function(w.foo(), 0) // takes a Foo
			call := w.call(w.get("f"), w.call(w.get("A")))
			w.function(w.Of(w.get("A")), 0)
			return func(r *bind.Reader) []bind.Target { return append(r.Called(call), r.Fitting(call, r.Called(call))...) }
		}},
		{"members of a class, inherited", "b:run/4 b:run/5", members, func(w *writer) func(*bind.Reader) []bind.Target {
			foo := w.get("Foo")
			return func(r *bind.Reader) []bind.Target { return r.Members(r.Types(foo)[0], "run") }
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.rules.List = "List"
			if got := reading(t, c.rules, c.write); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Answers must not depend on the mode of the resolver, nor on one another, and a
// file that is not there has no reader.
func TestReaderAlone(t *testing.T) {
	w := &writer{Builder: bind.NewBuilder("a")}
	w.imports("p", "Foo")
	w.set("x", w.call(w.get("Foo")))
	first := w.member(w.get("x"), "next")
	second := w.member(w.call(first), "next")
	link := linker{project: map[string]bind.Target{"p.Foo": {Path: "b", Decl: 1}}}
	for _, mode := range []bind.Mode{bind.Compat, bind.Extended} {
		r := bind.NewResolver([]*bind.File{w.File, other()}, link, &bind.Rules{CallConstructs: true, Flow: true}, mode)
		for _, order := range [][]bind.ExprID{{first, second}, {second, first}} {
			reader := r.Open("a")
			for _, e := range order {
				if got := reader.Declared(e); len(got) != 1 || got[0] != (bind.Target{Path: "b", Decl: 2}) {
					t.Errorf("mode %d: expression %d is %v", mode, e, got)
				}
			}
		}
		if r.Open("none") != nil {
			t.Error("a reader of no file")
		}
	}
}

// All answers about a file that is made to be slow come within the bounds of one.
func TestReaderHostile(t *testing.T) {
	rules := bind.Rules{MembersInScope: true, CallConstructs: true, List: "List", Library: list()}
	for name, write := range hostile {
		t.Run(name, func(t *testing.T) {
			file, other := &writer{Builder: bind.NewBuilder("a")}, &writer{Builder: bind.NewBuilder("b")}
			file.imports("p", "Foo")
			other.Declare(bind.Decl{Name: "Foo", Kind: bind.Class, Start: other.place()})
			write(file, other)
			link := starLinker{linker{project: map[string]bind.Target{"p.Foo": {Path: "b", Decl: 1}}}}
			start := time.Now()
			r := bind.NewResolver([]*bind.File{file.Done(), other.Done()}, link, &rules, bind.Compat).Open("a")
			for _, ref := range file.File.Refs {
				r.Declared(ref)
				r.Classes(ref)
			}
			if took := time.Since(start); took > 10*time.Second {
				t.Error(took)
			}
		})
	}
}
