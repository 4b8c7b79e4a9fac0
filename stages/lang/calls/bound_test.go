package calls_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/all"
	"benchmill/stages/lang/calls"
	"benchmill/stages/lang/langtest"
)

// small keeps hostile inputs quick to test.
var small = treesitter.Limits{MaxBytes: 1 << 20, MaxNodes: 2_000_000, Timeout: treesitter.DefaultLimits.Timeout}

// samples are two files of each language whose calls a binding explains: the second
// uses the first.
var samples = map[string][2]string{
	"python":     {"class A:\n    def __init__(self): self.f()\n    def f(self, x=len('')): return A()\n", "from a import A as B\n@B\ndef g(h):\n    h(B().f())\n"},
	"java":       {"class A { A() { this(1); } A(int n) { f(() -> f(null)); } void f(Runnable r) { r.run(); } }", "class B extends A { B() { super(1); new A(2).f(null); Math.max(1, 2); } }"},
	"typescript": {"export class A { constructor() { this.f(1) } f(x: number): void; f(x) { return new A() } }", "import {A as B} from './a';\nexport const g = (h: () => void) => { h(); new B().f(1); console.log(1) }"},
	"rust":       {"pub struct A; impl A { pub fn f(&self) { self.f(); std::mem::drop(1); } }", "mod a;\nuse a::A;\n#[inline] fn g(h: fn()) { h(); A.f(); println!(\"{}\", g(h)); }"},
	"go":         {"package a\ntype A struct{ h func() }\nfunc (a *A) F() { a.h(); a.F(); len(\"\") }", "package a\nimport \"fmt\"\nfunc g(h func()) { h(); new(A).F(); fmt.Println() }"},
	"csharp":     {"namespace N { class A { A() : this(1) { } A(int n) { F(() => F(null)); } void F(Action a) { a(); } int P => 1; } }", "using N; class B : A { B() : base(1) { new A(2).F(null); Console.WriteLine(); } }"},
}

func languages(t testing.TB) []*lang.Language {
	t.Helper()
	set, err := all.Languages()
	if err != nil {
		t.Fatal(err)
	}
	var out []*lang.Language
	for _, l := range set.Languages {
		if _, ok := samples[l.Name]; ok {
			if l.CallGraph == nil {
				t.Fatalf("%s has no call graph", l.Name)
			}
			out = append(out, l)
		}
	}
	if len(out) != len(samples) {
		t.Fatalf("only %d languages", len(out))
	}
	return out
}

// check reads and links texts and checks what must hold of any call graph. A text
// that cannot be parsed is left out.
func check(t testing.TB, l *lang.Language, texts ...string) (edges int) {
	t.Helper()
	var sources []lang.SourceFile
	var files []*calls.File
	for i, text := range texts {
		path := string(rune('a'+i)) + l.Syntaxes[0].Suffixes[0]
		tree, err := l.ParseWhole(path, []byte(text), small)
		if err != nil {
			if errors.Is(err, lang.ErrNotUTF8) || lang.Reason(err) != "parse_failed" {
				continue
			}
			t.Fatal(err)
		}
		sources = append(sources, lang.SourceFile{Path: path, Text: text})
		files = append(files, l.CallGraph.Read(path, tree))
	}
	graph := l.CallGraph.Link(files, nil)
	langtest.CheckCalls(t, sources, files, graph)
	for _, f := range files {
		for range graph.Edges(f.Path) {
			edges++
		}
	}
	return edges
}

func FuzzBound(f *testing.F) {
	all := languages(f)
	for i, l := range all {
		f.Add(byte(i), samples[l.Name][0], samples[l.Name][1])
	}
	f.Fuzz(func(t *testing.T, language byte, a, b string) {
		check(t, all[int(language)%len(all)], a, b)
	})
}

// Texts nobody would write are read all the same, and what stands beside them too.
func TestHostile(t *testing.T) {
	const deep = 600
	for _, l := range languages(t) {
		first, second := samples[l.Name][0], samples[l.Name][1]
		want := check(t, l, first, second)
		if want < 5 {
			t.Fatalf("%s: %d edges in the samples", l.Name, want)
		}
		texts := []string{
			strings.Repeat("f(", deep), strings.Repeat("a.f().", deep), strings.Repeat("(", deep), strings.Repeat("a::", deep),
			strings.Repeat("@f\n", deep), strings.Repeat("#[f]\n", deep), strings.Repeat("/**/", deep), strings.Repeat("// x\n", deep),
			strings.Repeat("class A { f() { ", deep/3), strings.Repeat("function f() { ", deep/3), strings.Repeat("fn f() { ", deep/3),
			strings.Repeat("namespace A { ", deep/3), strings.Repeat("x = () => ", deep/3), strings.Repeat("x = y = function f() {};", deep),
			"def f(" + strings.Repeat("x=f(),", deep) + "): pass", indented("def f():", 100), indented("class A:", 100),
			"class " + strings.Repeat("A", deep) + " { void f() { f(); } }", "f(" + strings.Repeat("1,", deep) + ")",
			strings.Repeat("/** x */ void f() { f(); }", deep/3),
		}
		for i, text := range texts {
			if got := check(t, l, first, second, text); got < want {
				t.Errorf("%s: %d edges beside text %d, want %d or more", l.Name, got, i, want)
			}
			check(t, l, first+"\n"+text, text+"\n"+second)
		}
		for i := range 8 {
			check(t, l, first[:len(first)*i/8], second)
		}
	}
}

// indented nests a line in itself.
func indented(line string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + line + "\n")
	}
	return b.String()
}

// A graph answers the same from several goroutines, and whatever was asked before.
func TestConcurrent(t *testing.T) {
	for _, l := range languages(t) {
		var files []*calls.File
		for i, text := range samples[l.Name] {
			path := string(rune('a'+i)) + l.Syntaxes[0].Suffixes[0]
			tree, err := l.ParseWhole(path, []byte(text), small)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, l.CallGraph.Read(path, tree))
		}
		graph := l.CallGraph.Link(files, nil)
		answers := make(chan string)
		for range 4 {
			go func() {
				var b strings.Builder
				for _, f := range files {
					for e := range graph.Edges(f.Path) {
						fmt.Fprintf(&b, "%+v\n", e)
					}
				}
				answers <- b.String()
			}()
		}
		first := <-answers
		for range 3 {
			if again := <-answers; again != first {
				t.Errorf("%s: %s\nthen\n%s", l.Name, first, again)
			}
		}
		slices.Reverse(files)
		for _, f := range files {
			for e := range graph.Edges(f.Path) {
				if !strings.Contains(first, fmt.Sprintf("%+v\n", e)) {
					t.Errorf("%s: %+v came only later", l.Name, e)
				}
			}
		}
		for range graph.Edges("nowhere") {
			t.Errorf("%s: edges of no file", l.Name)
		}
	}
}

// BenchmarkBound reads and links a file of many functions; bytes a second stay the
// same when there are four times as many.
func BenchmarkBound(b *testing.B) {
	for _, l := range languages(b) {
		for _, n := range []int{250, 1000} {
			b.Run(fmt.Sprintf("%s/%d", l.Name, n), func(b *testing.B) {
				text := samples[l.Name][0]
				name := "A"
				var all strings.Builder
				for i := range n {
					all.WriteString(strings.ReplaceAll(strings.TrimPrefix(text, "package a\n"), name, fmt.Sprintf("%s%d", name, i)) + "\n")
				}
				whole := all.String()
				if strings.HasPrefix(text, "package a\n") {
					whole = "package a\n" + whole
				}
				path := "a" + l.Syntaxes[0].Suffixes[0]
				tree, err := l.ParseWhole(path, []byte(whole), treesitter.DefaultLimits)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(whole)))
				for b.Loop() {
					edges := 0
					for range l.CallGraph.Link([]*calls.File{l.CallGraph.Read(path, tree)}, nil).Edges(path) {
						edges++
					}
					if edges < n {
						b.Fatalf("%d edges", edges)
					}
				}
			})
		}
	}
}

// Functions come in the order of their starts, whatever stands in decorators.
func TestOrder(t *testing.T) {
	for _, l := range languages(t) {
		if l.Name == "typescript" {
			check(t, l, "class A { @dec(function inner() { inner(); }) method() { this.method(); } }", "")
		}
	}
}
