package bind_test

import (
	"testing"
	"time"

	"benchmill/stages/lang/bind"
)

// TestCircularBases: classes may be each other's bases, as the parts of a type in
// several files of a package are. Looking for a member that none has ends, and
// soon, and what the others have is still found.
func TestCircularBases(t *testing.T) {
	start := time.Now()
	got := uses(t, bind.Rules{}, bind.Compat, func(w *writer) {
		w.imports("p", "Foo")
		var ids []bind.DeclID
		names := []string{"A", "B", "C", "D", "E", "F", "G", "H"}
		for _, n := range names {
			id := w.Declare(bind.Decl{Name: n, Kind: bind.Class, Start: w.place()})
			w.Open(bind.ClassScope, id)
			w.Declare(bind.Decl{Name: "own" + n, Kind: bind.Member, Start: w.place()})
			w.Close()
			ids = append(ids, id)
		}
		for _, id := range ids {
			for _, n := range append(names, "Foo") {
				base := w.Expr(bind.Expr{Op: bind.Name, Name: n})
				w.Decl(id).Bases = append(w.Decl(id).Bases, base)
			}
		}
		w.set("a", w.Of(w.get("A")))
		w.member(w.get("a"), "ownH")
		w.member(w.get("a"), "nobody")
	})
	if want := "nobody:member:base"; got != want {
		t.Errorf("uses %q, want %q", got, want)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %s", took)
	}
}
