package bind_test

import (
	"testing"
	"unicode"

	"benchmill/stages/lang/bind"
)

// TestInternal: what a base class that is not known may have, it cannot have
// under a name that only the project gives.
func TestInternal(t *testing.T) {
	rules := bind.Rules{Internal: func(name string) bool { return unicode.IsLower(rune(name[0])) }}
	got := uses(t, rules, bind.Compat, func(w *writer) {
		w.imports("p", "Foo")
		w.imports("elsewhere", "Unknown")
		class := w.Declare(bind.Decl{Name: "A", Kind: bind.Class, Start: w.place()})
		foo, unknown := w.Expr(bind.Expr{Op: bind.Name, Name: "Foo"}), w.Expr(bind.Expr{Op: bind.Name, Name: "Unknown"})
		w.Decl(class).Bases = []bind.ExprID{unknown, foo}
		w.set("a", w.Of(w.get("A")))
		w.member(w.get("a"), "internal")
		w.member(w.get("a"), "Exported")
	})
	if want := "internal:member:base"; got != want {
		t.Errorf("uses %q, want %q", got, want)
	}
}

// TestTuplePlaces: a number selects what stands at its place.
func TestTuplePlaces(t *testing.T) {
	got := uses(t, bind.Rules{}, bind.Compat, func(w *writer) {
		w.imports("p", "Foo")
		w.set("pair", w.Expr(bind.Expr{Op: bind.Tuple, Args: []bind.ExprID{0, w.Of(w.get("Foo"))}}))
		for _, place := range []string{"0", "1", "2", "-1", "99999999999999999999"} {
			first := w.Expr(bind.Expr{Op: bind.Select, X: w.get("pair"), Name: place})
			w.member(first, "x"+place)
		}
	})
	if want := "x1:member:annotation"; got != want {
		t.Errorf("uses %q, want %q", got, want)
	}
}

// ownLinker says that imports lead back to the file that has them: to it as a
// module, or to its second declaration.
type ownLinker struct{}

func (ownLinker) Import(_ *bind.File, im *bind.Import) []bind.Target {
	if im.Name == "" {
		return []bind.Target{{Path: "a", Module: true}}
	}
	return []bind.Target{{Path: "a", Decl: 2}}
}

func (ownLinker) Global(*bind.File, string) []bind.Target { return nil }

// TestOwnTargets: what a file imports from itself needs no other file, as in
// "use super::*" inside of a module that is written in its parent's file.
func TestOwnTargets(t *testing.T) {
	w := &writer{Builder: bind.NewBuilder("a")}
	w.Declare(bind.Decl{Name: "placeholder", Kind: bind.Var, Start: w.place()})
	class := w.Declare(bind.Decl{Name: "Own", Kind: bind.Class, Start: w.place()})
	w.Open(bind.ClassScope, class)
	w.Declare(bind.Decl{Name: "has", Kind: bind.Member, Start: w.place()})
	w.Close()
	w.Open(bind.NamespaceScope, 0)
	w.imports("own", "")
	w.Import(bind.Import{Path: "own"}, "module", w.place())
	w.Import(bind.Import{Path: "own", Name: "Own"}, "Alias", w.place())
	w.member(w.get("module"), "Own")
	w.member(w.get("Alias"), "has")
	w.member(w.get("Alias"), "lacks")
	w.Close()
	for _, mode := range []bind.Mode{bind.Compat, bind.Extended} {
		if got := bind.NewResolver([]*bind.File{w.Done()}, ownLinker{}, &bind.Rules{Names: true}, mode).Uses("a"); len(got) > 0 {
			t.Errorf("mode %d: uses %v", mode, got)
		}
	}
}

// TestAppliedStubs: type arguments reach what an import stands for.
func TestAppliedStubs(t *testing.T) {
	other := &writer{Builder: bind.NewBuilder("b")}
	box := other.Declare(bind.Decl{Name: "Box", Kind: bind.Class, Start: other.place()})
	other.Open(bind.ClassScope, box)
	param := other.Declare(bind.Decl{Name: "T", Kind: bind.TypeParam, Start: other.place()})
	other.Declare(bind.Decl{Name: "item", Kind: bind.Member, Start: other.place(), Type: other.Expr(bind.Expr{Op: bind.Name, Name: "T", Scope: other.Scope()})})
	other.Close()
	other.Decl(box).TypeParams = []bind.DeclID{param}
	w := &writer{Builder: bind.NewBuilder("a")}
	w.imports("p", "Foo")
	w.imports("p", "Thing")
	generic := w.Expr(bind.Expr{Op: bind.Apply, X: w.get("Foo"), Args: []bind.ExprID{w.Of(w.get("Thing"))}})
	w.set("box", w.Of(generic))
	w.member(w.member(w.get("box"), "item"), "part")
	link := linker{project: map[string]bind.Target{"p.Foo": {Path: "b", Decl: box}, "p.Thing": {Path: "c"}}}
	for mode, want := range map[bind.Mode]int{bind.Compat: 1, bind.Extended: 2} {
		if got := bind.NewResolver([]*bind.File{w.Done(), other.Done()}, link, &bind.Rules{}, mode).Uses("a"); len(got) != want {
			t.Errorf("mode %d: %d uses, want %d: %v", mode, len(got), want, got)
		}
	}
}
