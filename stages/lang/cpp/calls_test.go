package cpp

import (
	"fmt"
	"strings"
	"testing"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/calls"
	"benchmill/stages/lang/langtest"
)

func TestCalls(t *testing.T) { langtest.Calls(t, Language()) }

// hostile are files made to be slow; each has a function that calls another. What
// costs more than in proportion to their size does not end within a test's time.
var hostile = map[string]func(n int) string{
	"overloads": func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "struct S%d {};\nvoid f(S%d s) {}\nvoid g%d(S%d s) { f(s); }\n", i, i, i, i)
		}
		return b.String()
	},
	"constructors": func(n int) string {
		return "struct A {" + strings.Repeat(" A(int n);", n) + "};\nvoid f() {" + strings.Repeat(" A(1);", n) + "}\n"
	},
	"circular bases": func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "struct S%d : S%d, S%d { void f%d() { none(); this->other(); f%d(); } };\n", i, (i+1)%n, (i+7)%n, i, i)
		}
		return b.String()
	},
	"nested templates": func(n int) string {
		return "template <class T> struct L { T &at(); };\nvoid f(" + strings.Repeat("L<", n/20) + "int" + strings.Repeat("> ", n/20) + " x) { x" +
			strings.Repeat(".at()", n/20) + "; }\n"
	},
	"operators": func(n int) string {
		return "struct V { V operator+(V o); V operator*(V o); };\nV operator+(V a, int n) { return a; }\nV f(V v) { return v" + strings.Repeat(" + v * v", n) + "; }\n"
	},
	"members of the unknown": func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "struct S%d { void m(); };\nvoid f%d(Unknown u) { u.m(); }\n", i, i)
		}
		return b.String()
	},
	"declared only": func(n int) string {
		return strings.Repeat("class A;\n", n) + "class A { public: void m() {} };\nvoid f(A *a) {" + strings.Repeat(" a->m();", n) + "}\n"
	},
	"macros of names": func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "#define A%d A%d\n", i, (i+1)%n)
		}
		return b.String() + "void g() {}\nvoid f(A1 a) { a.m(); g(); }\n"
	},
}

func TestCallsHostile(t *testing.T) {
	l := Language()
	if err := l.Compile(); err != nil {
		t.Fatal(err)
	}
	for name, write := range hostile {
		t.Run(name, func(t *testing.T) {
			files := langtest.ReadCalls(t, l, []lang.SourceFile{{Path: "a.cpp", Text: write(1000)}})
			n := 0
			for range l.CallGraph.Link(files, nil).Edges("a.cpp") {
				n++
			}
			if n == 0 {
				t.Error("no edges")
			}
		})
	}
}

// FuzzCalls resolves any two files: edges must belong to functions of their file.
func FuzzCalls(f *testing.F) {
	f.Add("struct A { A(int n); A *next(); int operator[](int i); };", "#include \"a.h\"\nA *A::next() { A a(1); a[2]; return next()->next(); }")
	f.Add("template <class T> struct L : T { T at(); };", "#include \"a.h\"\nvoid f(L<L<int>> l) { l.at().at(); std::move(l); }")
	f.Add("class A; struct A; namespace n { class A : A {}; }", "#include \"a.h\"\n#define A n::A\nn::A::A() : A(*this) { A(A); }")
	l := Language()
	if err := l.Compile(); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, header, source string) {
		limits := treesitter.Limits{MaxBytes: 1 << 14, MaxNodes: 1 << 18, Timeout: treesitter.DefaultLimits.Timeout}
		var files []*calls.File
		for _, s := range []lang.SourceFile{{Path: "a.cpp", Text: source}, {Path: "a.h", Text: header}} {
			tree, err := l.ParseWhole(s.Path, []byte(s.Text), limits)
			if err != nil {
				return
			}
			files = append(files, l.CallGraph.Read(s.Path, tree))
		}
		g := l.CallGraph.Link(files, nil)
		for _, file := range files {
			for e := range g.Edges(file.Path) {
				if e.Caller < 0 || e.Caller >= len(file.Functions) || e.Callee.Name == "" || e.Sites < 1 {
					t.Fatalf("%s: %+v of %d functions", file.Path, e, len(file.Functions))
				}
			}
		}
	})
}
