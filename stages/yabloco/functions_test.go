package yabloco

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

func functionsOf(w *world, config any) map[string]schemas.RepositoryFunction {
	w.t.Helper()
	out := map[string]schemas.RepositoryFunction{}
	for _, f := range stagetest.Rows[schemas.RepositoryFunction](w.run(Functions(), config, nil), "functions") {
		out[f.Name] = f
	}
	return out
}

func counts(f schemas.RepositoryFunction) string {
	return fmt.Sprintf("%d callers; %d = file %d package %d project %d stdlib %d external %d; unresolved %d; %s",
		f.CallsNum, f.DepNum, f.SameFile, f.SamePackage, f.Project, f.Stdlib, f.External, f.Unresolved, f.Level)
}

func TestFunctions(t *testing.T) {
	w := fruit(t)
	got := functionsOf(w, nil)
	for name, want := range map[string]string{
		"peel":  "0 callers; 4 = file 2 package 1 project 1 stdlib 0 external 0; unresolved 0; project",
		"stop":  "2 callers; 0 = file 0 package 0 project 0 stdlib 0 external 0; unresolved 0; none",
		"twice": "1 callers; 1 = file 1 package 0 project 0 stdlib 0 external 0; unresolved 0; same_file",
		"wash":  "1 callers; 2 = file 0 package 0 project 0 stdlib 1 external 1; unresolved 1; stdlib",
		"once":  "1 callers; 0 = file 0 package 0 project 0 stdlib 0 external 0; unresolved 0; none",
	} {
		if counts(got[name]) != want {
			t.Errorf("%s: %s\nwant %s", name, counts(got[name]), want)
		}
	}
	stop := got["stop"]
	if stop.Docstring != "Stops at the given number n. " || stop.Pos != 12 || stop.CodeLength != 4 || stop.LastCommit != "2024-02-02" || stop.DateMode != "mainline" ||
		*stop.Hits != 20 || stop.HitsSource != "lcov" || stop.Counted != "macro,operator,written" || stop.Engine != "" || got["twice"].Engine != "native" {
		t.Errorf("%+v", stop)
	}
	if once := got["once"]; once.Hits != nil || once.LastCommit != "" || once.Docstring != "Peels once.\nThen\n  rests. " {
		t.Errorf("%+v", once)
	}
}

// Upstream counts what its indexer saw.
func TestFunctionsUpstream(t *testing.T) {
	got := functionsOf(fruit(t), &FunctionsConfig{Counting{Compat: compatUpstream}})
	if want := "0 callers; 4 = file 2 package 2 project 0 stdlib 0 external 0; unresolved 0; same_package"; counts(got["peel"]) != want {
		t.Errorf("%s, want %s", counts(got["peel"]), want)
	}
	if got["wash"].CallsNum != 0 || got["peel"].Counted != "indirect,written" {
		t.Errorf("%+v", got["wash"])
	}
}

// Whatever order rows come in, rows and graph are the same.
func TestOrderDoesNotMatter(t *testing.T) {
	w := fruit(t)
	// Two calls at one place, as macros make them, and one pair with two kinds of evidence.
	w.call("peel", "wash", schemas.EvidenceWritten, 125)
	w.call("twice", "once", schemas.EvidenceMacro, 300)
	functions, graph := w.run(Functions(), nil, nil).Output("functions"), w.run(Graph(), nil, nil).Output("graph")
	for seed := range uint64(20) {
		s := w.shuffled(seed)
		if !reflect.DeepEqual(s.run(Functions(), nil, nil).Output("functions"), functions) || !reflect.DeepEqual(s.run(Graph(), nil, nil).Output("graph"), graph) {
			t.Fatalf("seed %d: other rows", seed)
		}
	}
}

// An id stays when a function moves, and is another for whatever else is different.
func TestIDs(t *testing.T) {
	base := []schemas.Definition{{Path: "a.c", Start: 10, Qualified: "f", Signature: "int f(int a)"}}
	id := func(repo string, change func(d *schemas.Definition)) string {
		d := base[0]
		change(&d)
		return identify(repo, []schemas.Definition{d})[0]
	}
	first := id("o/r", func(*schemas.Definition) {})
	if len(first) != 16 || strings.ToUpper(first) != first || strings.Trim(first, "0123456789ABCDEF") != "" {
		t.Errorf("%q", first)
	}
	if id("o/r", func(d *schemas.Definition) { d.Start, d.Signature = 99, "int  f(int\n a)" }) != first {
		t.Error("another line, another id")
	}
	other := []string{
		first, id("o/s", func(*schemas.Definition) {}), id("o/r", func(d *schemas.Definition) { d.Path = "b.c" }),
		id("o/r", func(d *schemas.Definition) { d.Qualified = "n::f" }), id("o/r", func(d *schemas.Definition) { d.Signature = "int f(long a)" }),
	}
	twins := identify("o/r", []schemas.Definition{base[0], {Path: "a.c", Start: 50, Qualified: "f", Signature: "int f(int a)"}})
	if twins[0] != first {
		t.Errorf("%q", twins)
	}
	if all := append(other, twins[1]); len(slices.Compact(slices.Sorted(slices.Values(all)))) != len(all) {
		t.Errorf("%q", all)
	}
}

// Tables that do not belong together are told.
func TestMismatch(t *testing.T) {
	for says, spoil := range map[string]func(w *world){
		"no definition stands there":            func(w *world) { w.calls[0].CallerStart++ },
		"calls stop at src/peel.c":              func(w *world) { w.calls[0].CalleeStart++ },
		"the files of 1 functions are missing":  func(w *world) { w.files = w.files[:2] },
		"lib/wash.c: its functions are not of ": func(w *world) { w.files[2].Text = w.files[2].Text[:40] },
	} {
		w := fruit(t)
		spoil(w)
		for _, stage := range []func() error{
			func() error { _, err := w.try(Functions(), nil, nil); return err },
			func() error { _, err := w.try(Graph(), nil, nil); return err },
		} {
			if err := stage(); err == nil || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), "own/fruit: ") {
				t.Errorf("%v, want %s", err, says)
			}
		}
	}
}
