package bind_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchmill/stages/lang/bind"
)

// linker says that imports of paths in project are of the project.
type linker struct {
	project map[string]bind.Target
	globals map[string]bind.Target
}

func (l linker) Import(_ *bind.File, im *bind.Import) []bind.Target {
	if t, ok := l.project[im.Path+"."+im.Name]; ok {
		return []bind.Target{t}
	}
	return nil
}

func (l linker) Global(_ *bind.File, name string) []bind.Target {
	if t, ok := l.globals[name]; ok {
		return []bind.Target{t}
	}
	return nil
}

// writer builds a file; every place is an offset of its own.
type writer struct {
	*bind.Builder
	at int32
}

func (w *writer) place() int32 { w.at += 10; return w.at }

func (w *writer) imports(module, name string) {
	w.Import(bind.Import{Path: module, Name: name}, name, w.place())
}

func (w *writer) set(name string, value bind.ExprID) bind.DeclID {
	return w.Declare(bind.Decl{Name: name, Kind: bind.Var, Start: w.place(), Value: value})
}

func (w *writer) get(name string) bind.ExprID { return w.Name(name, w.place()) }

func (w *writer) member(x bind.ExprID, name string) bind.ExprID { return w.Select(x, name, w.place()) }

func (w *writer) call(x bind.ExprID, args ...bind.ExprID) bind.ExprID {
	return w.Expr(bind.Expr{Op: bind.Call, X: x, Args: args})
}

func uses(t *testing.T, rules bind.Rules, mode bind.Mode, write func(w *writer)) string {
	t.Helper()
	w := &writer{Builder: bind.NewBuilder("a")}
	write(w)
	link := linker{project: map[string]bind.Target{"p.Foo": {Path: "b", Decl: 1}, "p.bar": {Path: "b"}}, globals: map[string]bind.Target{"Same": {Path: "b", Decl: 1}}}
	var out []string
	for _, u := range bind.NewResolver([]*bind.File{w.Done(), other()}, link, &rules, mode).Uses("a") {
		out = append(out, fmt.Sprintf("%s:%s:%s", u.Name, u.Kind, u.Via))
	}
	return strings.Join(out, " ")
}

// other is the file that declares Foo, with a method next that returns a Foo.
func other() *bind.File {
	w := &writer{Builder: bind.NewBuilder("b")}
	foo := w.Declare(bind.Decl{Name: "Foo", Kind: bind.Class, Start: w.place()})
	w.Open(bind.ClassScope, foo)
	next := w.Declare(bind.Decl{Name: "next", Kind: bind.Func, Start: w.place()})
	w.Decl(next).Type = w.Of(w.get("Foo"))
	w.Close()
	return w.Done()
}

func TestUses(t *testing.T) {
	python := bind.Rules{CallConstructs: true, Flow: true}
	for _, c := range []struct {
		name           string
		rules          bind.Rules
		compat, beyond string // what the extended mode finds; "": the same
		write          func(w *writer)
	}{
		{"a member of an import", python, "x:member:import", "", func(w *writer) {
			w.imports("p", "Foo")
			w.member(w.get("Foo"), "x")
		}},
		{"an import from elsewhere", python, "", "", func(w *writer) {
			w.imports("q", "Foo")
			w.member(w.get("Foo"), "x")
		}},
		{"the name itself", bind.Rules{Names: true}, "Foo:name:import", "", func(w *writer) {
			w.imports("p", "Foo")
			w.get("Foo")
		}},
		{"a name of the package", bind.Rules{Globals: true}, "Same:name:import", "", func(w *writer) { w.get("Same") }},
		{"a constructed instance in a variable", python, "x:member:constructor", "", func(w *writer) {
			w.imports("p", "Foo")
			w.set("f", w.call(w.get("Foo")))
			w.member(w.get("f"), "x")
		}},
		{"what a member gives is followed beyond only", python, "next:member:constructor", "next:member:constructor next:member:return", func(w *writer) {
			w.imports("p", "Foo")
			w.set("f", w.call(w.get("Foo")))
			w.member(w.call(w.member(w.get("f"), "next")), "next")
		}},
		{"a later assignment replaces an earlier one", python, "", "", func(w *writer) {
			w.imports("p", "Foo")
			w.set("f", w.call(w.get("Foo")))
			w.set("f", 0)
			w.member(w.get("f"), "x")
		}},
		{"one in another branch does not", python, "x:member:constructor", "", func(w *writer) {
			w.imports("p", "Foo")
			w.set("f", w.call(w.get("Foo")))
			w.Open(bind.BranchScope, 0)
			w.set("f", w.Expr(bind.Expr{Op: bind.Null}))
			w.Close()
			w.member(w.get("f"), "x")
		}},
		{"something unknown has every member", python, "", "", func(w *writer) {
			w.imports("p", "Foo")
			w.set("f", w.call(w.get("Foo")))
			w.Open(bind.BranchScope, 0)
			w.set("f", 0)
			w.Close()
			w.member(w.get("f"), "x")
		}},
		{"a name of the file hides the import in its function", python, "", "", func(w *writer) {
			w.imports("p", "Foo")
			f := w.Declare(bind.Decl{Name: "f", Kind: bind.Func, Start: w.place()})
			w.Open(bind.FunctionScope, f)
			w.Declare(bind.Decl{Name: "Foo", Kind: bind.Param, Start: w.place()})
			w.member(w.get("Foo"), "x")
			w.Close()
		}},
		{"a member inherited, by its simple name", bind.Rules{MembersInScope: true}, "x:inherited:base", "", func(w *writer) {
			w.imports("p", "Foo")
			c := w.Declare(bind.Decl{Name: "C", Kind: bind.Class, Start: w.place()})
			base := w.Expr(bind.Expr{Op: bind.Name, Name: "Foo"})
			w.Decl(c).Bases = []bind.ExprID{base}
			w.Open(bind.ClassScope, c)
			w.Declare(bind.Decl{Name: "own", Kind: bind.Member, Start: w.place()})
			m := w.Declare(bind.Decl{Name: "m", Kind: bind.Func, Start: w.place()})
			w.Open(bind.FunctionScope, m)
			w.get("x")
			w.get("own")
			w.get("m")
			w.Close()
			w.Close()
		}},
		{"a member of a class of the file", python, "", "", func(w *writer) {
			c := w.Declare(bind.Decl{Name: "C", Kind: bind.Class, Start: w.place()})
			w.Open(bind.ClassScope, c)
			w.Close()
			w.member(w.call(w.get("C")), "missing") // a mistake of the file, not of another one
		}},
	} {
		if got := uses(t, c.rules, bind.Compat, c.write); got != c.compat {
			t.Errorf("%s: %q, want %q", c.name, got, c.compat)
		}
		want := c.beyond
		if want == "" {
			want = c.compat
		}
		if got := uses(t, c.rules, bind.Extended, c.write); got != want {
			t.Errorf("%s, extended: %q, want %q", c.name, got, want)
		}
	}
}

// FuzzUses resolves files whose expressions and declarations refer to each other
// at random, as no language writes them: it ends, in bounded steps, with places of
// the file in source order. Each bit of the second argument is a rule.
func FuzzUses(f *testing.F) {
	f.Add([]byte("hello, a file of all kinds of expressions"), uint32(1))
	f.Add(slices.Repeat([]byte{8, 1, 2, 3, 15, 9, 7}, 40), uint32(2))
	f.Add(slices.Repeat([]byte{190, 1, 2, 3, 15, 26, 90, 8, 3}, 40), ^uint32(0))
	f.Fuzz(func(t *testing.T, data []byte, bits uint32) {
		file, library := random(data, "a"), random(data, "library")
		rules := randomRules(bits, library)
		link := linker{project: map[string]bind.Target{"p.n1": {Path: "b", Decl: 1}, "p.n2": {Path: "a", Decl: 1}}, globals: map[string]bind.Target{".n1": {Path: "b", Decl: 1}, "n3": {Path: "b", Decl: 2}}}
		for _, mode := range []bind.Mode{bind.Compat, bind.Extended} {
			at := -1
			for _, u := range bind.NewResolver([]*bind.File{file, random(data, "b"), other()}, link, rules, mode).Uses("a") {
				if u.Start <= at || u.End < u.Start {
					t.Errorf("%+v after %d", u, at)
				}
				at = u.Start
			}
		}
	})
}

func randomRules(bits uint32, library *bind.File) *bind.Rules {
	next := func() bool { bits >>= 1; return bits&1 > 0 }
	r := &bind.Rules{
		Names: bits&1 > 0, Globals: next(), MembersInScope: next(), CallConstructs: next(), ByCall: next(), Flow: next(),
		Every: next(), PlainStubs: next(), Declared: next(), Aliases: next(), Qualified: next(), Extensions: next(),
		Ordered: next(), Tolerant: next(), List: "n1", Library: library,
	}
	if next() {
		r.Absent = func(im *bind.Import) bool { return im.Name != "n1" }
	}
	return r
}

func random(data []byte, path string) *bind.File {
	w := &writer{Builder: bind.NewBuilder(path)}
	const n, ops = 48, bind.Whole + 1
	name := func(b byte) string { return fmt.Sprintf("n%d", b%4) }
	expr := func(b byte) bind.ExprID { return bind.ExprID(b % n) }
	w.Import(bind.Import{Path: "p", Name: "n1"}, "n1", 1)
	w.Import(bind.Import{Path: "p", Name: "n2"}, "n2", 2)
	w.Import(bind.Import{Path: "p", Name: "n1", All: true}, "", 3)
	depth := 0
	for len(data) >= 6 && len(w.File.Exprs) < 200 {
		a, b, c, d, e, g := data[0], data[1], data[2], data[3], data[4], data[5]
		data = data[6:]
		switch {
		case a < 40 && depth < 20:
			id := w.Declare(bind.Decl{Name: name(b), Kind: bind.Class, Start: w.place(), Bases: []bind.ExprID{expr(c)}})
			w.Open(bind.ClassScope, id)
			depth++
		case a < 80 && depth < 20:
			id := w.Declare(bind.Decl{Name: name(b), Kind: bind.Func, Start: w.place(), Type: expr(c), Returns: []bind.ExprID{expr(d)}, Property: e&1 > 0, Constructor: e&2 > 0})
			w.Open(bind.FunctionScope, id)
			p := w.Declare(bind.Decl{Name: name(g), Kind: bind.DeclKind(e%9 + 2), Start: w.place(), Type: expr(g), Value: expr(e)})
			w.Decl(id).Params, w.Decl(id).TypeParams = []bind.DeclID{p}, []bind.DeclID{p}
			depth++
		case a < 100 && depth < 20:
			w.Open(bind.BranchScope, 0)
			depth++
		case a < 140 && depth > 0:
			w.Close()
			depth--
		case a < 180:
			w.Declare(bind.Decl{Name: name(b), Kind: bind.DeclKind(c%10 + 1), Start: w.place(), Type: expr(d) * bind.ExprID(e&1), Value: expr(g), Import: 1})
		}
		for len(w.File.Exprs) < n { // those that all refer to
			w.Expr(bind.Expr{Op: bind.Op(len(w.File.Exprs)) % ops, Name: name(b), X: expr(c), Args: []bind.ExprID{expr(d)}, Decl: 1})
		}
		w.Ref(w.Expr(bind.Expr{Op: bind.Name, Name: name(b), Scope: w.Scope(), Start: w.place()}))
		w.Ref(w.Expr(bind.Expr{Op: bind.Select, X: expr(e), Name: name(c), Scope: w.Scope(), Start: w.place()}))
		x := bind.Expr{Op: bind.Op(g) % ops, Name: name(b), X: expr(c), Args: []bind.ExprID{expr(d), expr(e)}, Decl: bind.DeclID(1 + int(d)%max(1, len(w.File.Decls)-1)), Scope: w.Scope(), N: int32(int8(a))}
		switch x.Op {
		case bind.Test:
			x.Name = []string{"not", "and", "or", "equal", "less", "isinstance", "issubclass", "callable", "hasattr"}[b%9]
		case bind.Literal:
			x.Name += " " + string(data[:min(2, len(data))])
		case bind.Call, bind.New, bind.Reference:
			x.Context = expr(a)
		case bind.Whole:
			x.Start, x.N = int32(a), int32(a)+int32(b)
		}
		w.Expr(x)
		switch a % 8 {
		case 0:
			w.Guard(expr(b), int32(c), w.at)
		case 1:
			w.Set(expr(b), name(c), expr(d))
		case 2:
			w.Shade(bind.Span{Start: int32(b), End: w.at}, expr(c), bind.Span{Start: w.at, End: w.at + int32(d)})
		}
	}
	return w.Done()
}
