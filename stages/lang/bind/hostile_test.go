package bind_test

import (
	"fmt"
	"testing"
	"time"

	"benchmill/stages/lang/bind"
)

// many is how large hostile files are. With 10,000, none takes two seconds.
const many = 1_000

// starLinker says that every import of everything is of a file of its own.
type starLinker struct{ linker }

func (l starLinker) Import(f *bind.File, im *bind.Import) []bind.Target {
	if im.All {
		return []bind.Target{{Path: "b"}}
	}
	return l.linker.Import(f, im)
}

// TestHostile: what grows with a file twice over, or with the ways through it, is
// bounded. The deadline is far from what any of these files takes.
func TestHostile(t *testing.T) {
	plain := bind.Rules{CallConstructs: true, Names: true, List: "List", Library: list()}
	flow := bind.Rules{CallConstructs: true, Flow: true, ByCall: true, List: "List", Library: list()}
	scoped := bind.Rules{MembersInScope: true, Declared: true}
	exact := bind.Rules{MembersInScope: true, Ordered: true, Absent: func(*bind.Import) bool { return true }}
	every := bind.Rules{Every: true, Absent: func(*bind.Import) bool { return true }, Tolerant: true, List: "List", Library: list()}
	all := map[string]bind.Rules{"plain": plain, "flow": flow, "scoped": scoped, "exact": exact, "every": every}
	for name, write := range hostile {
		t.Run(name, func(t *testing.T) {
			for rule, rules := range all {
				file, other := &writer{Builder: bind.NewBuilder("a")}, &writer{Builder: bind.NewBuilder("b")}
				file.imports("p", "Foo")
				other.Declare(bind.Decl{Name: "Foo", Kind: bind.Class, Start: other.place()})
				write(file, other)
				link := starLinker{linker{project: map[string]bind.Target{"p.Foo": {Path: "b", Decl: 1}}}}
				files := []*bind.File{file.Done(), other.Done()}
				for _, mode := range []bind.Mode{bind.Compat, bind.Extended} {
					start := time.Now()
					n := len(bind.NewResolver(files, link, &rules, mode).Uses("a"))
					took := time.Since(start)
					if took > time.Second {
						t.Logf("%s, mode %d: %s, %d uses", rule, mode, took, n)
					}
					if took > 10*time.Second {
						t.Errorf("%s, mode %d: %s", rule, mode, took)
					}
				}
			}
		})
	}
}

func (w *writer) typeOf(name string) bind.ExprID {
	return w.Expr(bind.Expr{Op: bind.Name, Name: name, Scope: w.Scope()})
}

// method declares a method that takes and gives what is said; inside writes its body.
func (w *writer) method(name string, gives bind.ExprID, inside func()) bind.DeclID {
	f := w.Declare(bind.Decl{Name: name, Kind: bind.Func, Start: w.place(), Type: gives})
	w.Open(bind.FunctionScope, f)
	if inside != nil {
		inside()
	}
	w.Close()
	return f
}

var hostile = map[string]func(w, other *writer){
	"methods and calls": func(w, _ *writer) {
		w.Open(bind.ClassScope, w.Declare(bind.Decl{Name: "C", Kind: bind.Class, Start: w.place()}))
		for i := range many {
			w.method(fmt.Sprint("m", i), w.foo(), func() {
				w.member(w.call(w.member(w.Expr(bind.Expr{Op: bind.This, Scope: w.Scope()}), fmt.Sprint("m", many-i-1))), "x")
				w.member(w.call(w.get(fmt.Sprint("m", many-i-1))), "x")
			})
		}
		w.Close()
	},
	"overloads and calls": func(w, _ *writer) {
		w.Open(bind.ClassScope, w.Declare(bind.Decl{Name: "C", Kind: bind.Class, Start: w.place()}))
		for range many {
			w.method("m", w.foo(), func() {
				w.member(w.call(w.member(w.Expr(bind.Expr{Op: bind.This, Scope: w.Scope()}), "m")), "x")
				w.member(w.call(w.get("m"), w.get("Foo")), "x")
			})
		}
		w.Close()
	},
	"nested lambdas": func(w, _ *writer) {
		for i := range many / 2 {
			f := w.Declare(bind.Decl{Name: "", Kind: bind.Func, Start: w.place()})
			w.Open(bind.FunctionScope, f)
			p := w.Declare(bind.Decl{Name: fmt.Sprint("p", i), Kind: bind.Param, Start: w.place()})
			w.Decl(f).Params = []bind.DeclID{p}
			w.member(w.get("p0"), "x")
			w.member(w.get("Foo"), "x")
		}
		for range many / 2 {
			w.Close()
		}
	},
	"nested branches of groups": func(w, _ *writer) {
		for i := range many / 2 {
			w.File.Scopes[w.Open(bind.BranchScope, 0)].Group = int32(i + 1)
			w.set("x", w.call(w.typeOf("Foo")))
			w.member(w.get("x"), "x")
		}
		for range many / 2 {
			w.Close()
		}
		for range many / 2 {
			w.member(w.get("x"), "x")
		}
	},
	"a chain of assignments": func(w, _ *writer) {
		w.set("x", w.call(w.get("Foo")))
		for range many {
			w.set("x", w.member(w.get("x"), "x"))
		}
	},
	"a chain of assignments seen from functions": func(w, _ *writer) {
		w.set("x", w.call(w.get("Foo")))
		for i := range many {
			w.set("x", w.member(w.get("x"), "x"))
			w.method(fmt.Sprint("f", i), 0, func() { w.member(w.get("x"), "x") })
		}
	},
	"assignments in branches": func(w, _ *writer) {
		for i := range many {
			w.File.Scopes[w.Open(bind.BranchScope, 0)].Group = int32(i + 1)
			w.set("x", w.call(w.typeOf("Foo")))
			w.Close()
			w.member(w.get("x"), "x")
		}
	},
	"a chain of variables, backwards": func(w, _ *writer) {
		for i := range many {
			w.member(w.get(fmt.Sprint("x", i)), "x")
			w.set(fmt.Sprint("x", i), w.typeOf(fmt.Sprint("x", i+1)))
		}
		w.set(fmt.Sprint("x", many), w.foo())
	},
	"a chain of calls": func(w, _ *writer) {
		x := w.get("Foo")
		for range many {
			x = w.call(w.member(x, "x"), w.get("Foo"))
		}
	},
	"diamonds": func(w, other *writer) {
		for _, w := range []*writer{w, other} {
			const high = 60
			for i := range high {
				for _, side := range "ab" {
					c := w.Declare(bind.Decl{Name: fmt.Sprintf("%c%d", side, i), Kind: bind.Class, Start: w.place()})
					w.Open(bind.ClassScope, c)
					w.Close()
					if i > 0 {
						bases := []bind.ExprID{w.typeOf(fmt.Sprint("a", i-1)), w.typeOf(fmt.Sprint("b", i-1)), w.typeOf(fmt.Sprint("a", i-1))}
						w.Decl(c).Bases = bases
					}
				}
			}
			foo := w.typeOf(fmt.Sprint("a", high-1))
			if w == other {
				w.Decl(1).Bases = []bind.ExprID{foo}
			}
		}
		c := w.Declare(bind.Decl{Name: "Mine", Kind: bind.Class, Start: w.place(), Bases: []bind.ExprID{w.typeOf("Foo"), w.typeOf("a59")}})
		w.Open(bind.ClassScope, c)
		for i := range 100 {
			w.method(fmt.Sprint("f", i), 0, func() { w.get(fmt.Sprint("gone", i)) })
			w.member(w.foo(), fmt.Sprint("gone", i))
			w.member(w.Of(w.typeOf("Mine")), fmt.Sprint("gone", i))
			w.member(w.Of(w.typeOf("a59")), fmt.Sprint("gone", i))
			w.member(w.Expr(bind.Expr{Op: bind.Cast, X: w.Of(w.typeOf("a59")), Args: []bind.ExprID{w.foo()}}), "x")
		}
		w.Close()
	},
	"many bases": func(w, _ *writer) {
		c := w.Declare(bind.Decl{Name: "C", Kind: bind.Class, Start: w.place()})
		for i := range many {
			base := w.typeOf([]string{"Foo", fmt.Sprint("B", i)}[i%2])
			w.Decl(c).Bases = append(w.Decl(c).Bases, base)
			w.Declare(bind.Decl{Name: fmt.Sprint("B", i), Kind: bind.Class, Start: w.place()})
		}
		w.Open(bind.ClassScope, c)
		w.method("m", 0, func() {
			for i := range many {
				w.get(fmt.Sprint("gone", i))
				w.member(w.Expr(bind.Expr{Op: bind.This, Scope: w.Scope()}), fmt.Sprint("gone", i))
			}
		})
		w.Close()
	},
	"a giant union": func(w, _ *writer) {
		var args []bind.ExprID
		for i := range many {
			w.class(fmt.Sprint("C", i), 0, map[string]bind.ExprID{"kind": w.Expr(bind.Expr{Op: bind.Literal, Static: true})})
			args = append(args, w.Of(w.typeOf(fmt.Sprint("C", i))))
		}
		w.set("u", w.union(append(args, w.foo())...))
		f := w.method("f", 0, nil)
		w.Decl(f).Returns = args
		for range many {
			w.member(w.get("u"), "x")
			w.member(w.call(w.get("f")), "x")
		}
	},
	"type parameters": func(w, _ *writer) {
		c := w.class("G", 0, nil)
		var params []bind.DeclID
		var args []bind.ExprID
		w.Open(bind.ClassScope, c)
		for i := range many {
			params = append(params, w.Declare(bind.Decl{Name: fmt.Sprint("T", i), Kind: bind.TypeParam, Start: w.place()}))
			args = append(args, w.foo())
		}
		w.Close()
		w.Decl(c).TypeParams = params
		w.function(w.Of(w.typeOf("G")), w.foo(), params...)
		for range many {
			apply := w.Expr(bind.Expr{Op: bind.Apply, X: w.typeOf("G"), Args: args[:20]})
			w.member(w.Expr(bind.Expr{Op: bind.New, X: apply}), "x")
			w.member(w.call(w.get("f"), w.Of(apply)), "x")
		}
		w.member(w.Of(w.Expr(bind.Expr{Op: bind.Apply, X: w.typeOf("G"), Args: args})), "x")
	},
	"imports of everything": func(w, _ *writer) {
		for range many {
			w.Import(bind.Import{Path: "q", All: true}, "", w.place())
		}
		for i := range many {
			w.member(w.get(fmt.Sprint("gone", i)), "x")
		}
	},
	"function literals as arguments": func(w, _ *writer) {
		var args []bind.ExprID
		x := w.get("Foo")
		for range many {
			f := w.Declare(bind.Decl{Kind: bind.Func, Start: w.place(), Space: bind.Members})
			args = append(args, w.Expr(bind.Expr{Op: bind.FuncLit, Decl: f}))
		}
		call := w.call(w.member(x, "on"), args...)
		for i := range args {
			w.set(fmt.Sprint("p", i), w.Expect(call, i, 0))
			w.member(w.get(fmt.Sprint("p", i)), "x")
		}
	},
	"members given": func(w, _ *writer) {
		for range many {
			w.Set(w.typeOf("Foo"), "x", w.call(w.typeOf("Foo")))
			w.member(w.member(w.get("Foo"), "x"), "y")
		}
	},
	"shades, guards and wholes": func(w, _ *writer) {
		for range many {
			w.member(w.get("Foo"), "x")
			w.Guard(w.test("equal", 0, 0), 0, 1<<30)
			w.Shade(bind.Span{Start: 0, End: w.place()}, 0, bind.Span{Start: w.at + 5, End: w.at + 6})
			w.member(w.Whole(0, 0, w.at), "x")
			w.set("y", w.Whole(w.typeOf("z"), 0, w.at))
			w.member(w.get("y"), "x")
		}
	},
	"conditions that lead back to themselves": func(w, _ *writer) {
		not := w.Expr(bind.Expr{Op: bind.Test, Name: "not"})
		and := w.Expr(bind.Expr{Op: bind.Test, Name: "and", Args: []bind.ExprID{not, not}})
		w.File.Exprs[not].X = and
		w.set("x", w.Expr(bind.Expr{Op: bind.Choice, X: not, Args: []bind.ExprID{w.call(w.get("Foo")), and}}))
		w.member(w.get("x"), "y")
		w.Guard(not, 0, w.place())
	},
	"conditions of conditions": func(w, _ *writer) {
		test := w.test("equal", 0, 0)
		for range 60 {
			test = w.test("and", 0, test, test)
		}
		w.set("x", w.Expr(bind.Expr{Op: bind.Choice, X: test, Args: []bind.ExprID{w.call(w.get("Foo")), 0}}))
		w.member(w.get("x"), "y")
	},
}
