package rust

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/langtest"
)

func TestLanguage(t *testing.T) { langtest.Run(t, Language()) }

func BenchmarkAnalyze(b *testing.B) { langtest.Bench(b, Language()) }

func BenchmarkParseOnly(b *testing.B) { langtest.BenchParseOnly(b, Language()) }

// TestImportBounds: use trees multiply their prefixes by their leaves.
func TestImportBounds(t *testing.T) {
	l := compiled(t)
	long := strings.Repeat("a", maxPath-5)
	for name, test := range map[string]struct {
		src  string
		want int
	}{
		"short enough":    {"use " + long + "::{b, c};", 2},
		"too long":        {"use " + long + "::{bcdef, c};", 1},
		"much too long":   {"use " + long + "::{" + long + "::{c, d}, c};", 1},
		"nested":          {"use " + strings.Repeat("{", maxNesting) + "a" + strings.Repeat("}", maxNesting) + ";", 1},
		"nested too deep": {"use " + strings.Repeat("{", maxNesting+1) + "a" + strings.Repeat("}", maxNesting+1) + ";", 0},
		"too many":        {"use a::{" + strings.Repeat("b,", maxImports+10) + "};", maxImports},
	} {
		t.Run(name, func(t *testing.T) {
			if f := analyze(t, l, "a.rs", test.src); len(f.Imports) != test.want {
				t.Errorf("%d imports, want %d", len(f.Imports), test.want)
			}
		})
	}
}

// TestTreeBounds: with #[path] every one of n programs may hold every file; the
// tree stays in proportion to the repository, and each file keeps a place.
func TestTreeBounds(t *testing.T) {
	const n = 100
	var facts []*lang.Facts
	var imports []lang.Import
	for i := range n {
		imports = append(imports, lang.Import{Kind: kindMod, Path: fmt.Sprint("m", i), Names: []string{fmt.Sprintf("p%d.rs", i)}})
	}
	for i := range n {
		facts = append(facts, &lang.Facts{Path: fmt.Sprintf("src/bin/p%d.rs", i), Imports: imports})
	}
	ix := lang.NewIndex("", facts, map[string]string{"Cargo.toml": "[package]\nname = \"p\""})
	f, places := newForest(ix), 0
	for _, p := range ix.Paths {
		if len(f.places[p]) == 0 {
			t.Errorf("%s has no place", p)
		}
		places += len(f.places[p])
	}
	if limit := maxShare*n + 1<<16/n; places > limit {
		t.Errorf("%d places for %d files, limit %d", places, n, limit)
	}
	if got := newResolver(ix).Dependencies(facts[0]); len(got) != n-1 {
		t.Errorf("%d dependencies, want all other %d", len(got), n-1)
	}
}

// TestLookupBounds: modules that bring in each other's names by globs end.
func TestLookupBounds(t *testing.T) {
	const n = 200
	facts := []*lang.Facts{{Path: "src/lib.rs"}}
	for i := range n {
		m := fmt.Sprint("m", i)
		facts[0].Imports = append(facts[0].Imports, lang.Import{Kind: kindMod, Path: m}, lang.Import{Kind: kindUse, Path: m + "::*"})
		facts = append(facts, &lang.Facts{Path: "src/" + m + ".rs", Imports: []lang.Import{
			{Kind: kindUse, Path: "super::*"}, {Kind: kindUse, Path: "nowhere::x"}, {Kind: kindUse, Path: "y::z", Names: []string{"y"}}, {Kind: kindPath, Path: "y::z"},
		}})
	}
	ix := lang.NewIndex("", facts, map[string]string{"Cargo.toml": "[package]\nname = \"p\""})
	if got := newResolver(ix).Dependencies(facts[1]); !slices.Equal(got, []string{"src/lib.rs"}) {
		t.Errorf("dependencies %q", got)
	}
}

// FuzzResolve: no source and no manifest may lead out of the index.
func FuzzResolve(f *testing.F) {
	f.Add("mod a; use super::b::{c, d::*}; #[path = \"../../x.rs\"] mod e { mod f; } fn g() { $crate::h::i() }", "[package]\nname = \"p\"\n[lib]\npath = \"../../b.rs\"")
	f.Add("extern crate self as a; use a::*; use ::r#b::c as d; // e::f\nm!{\"g::h\" i::j}", "[[bin]]\npath = \"a.rs\"\n[dependencies]\nb = {path = \"..\"}\n[package]\nname = \"p\"")
	l := compiled(f)
	f.Fuzz(func(t *testing.T, src, manifest string) {
		var facts []*lang.Facts
		for _, p := range []string{"src/lib.rs", "src/a.rs", "src/a/mod.rs", "tests/b.rs"} {
			if one, err := l.Analyze(p, []byte(src), treesitter.DefaultLimits); err == nil {
				facts = append(facts, one)
			}
		}
		ix := lang.NewIndex("", facts, map[string]string{"Cargo.toml": manifest, "src/a/Cargo.toml": manifest})
		r := newResolver(ix)
		for _, one := range facts {
			for _, p := range r.Dependencies(one) {
				if !ix.Has(p) || p == one.Path {
					t.Errorf("%s depends on %q", one.Path, p)
				}
			}
		}
	})
}

func compiled(t testing.TB) *lang.Language {
	l := Language()
	if err := l.Compile(); err != nil {
		t.Fatal(err)
	}
	return l
}

func analyze(t *testing.T, l *lang.Language, path, src string) *lang.Facts {
	t.Helper()
	f, err := l.Analyze(path, []byte(src), treesitter.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
