package cfamily

import (
	"slices"
	"strings"
	"testing"

	grammar "github.com/smacker/go-tree-sitter/cpp"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

var cpp = treesitter.NewGrammar("cpp", grammar.GetLanguage())

// mended is the text that Mend has the grammar read, with blanks squeezed.
func mended(text string) string {
	m := mender{src: []byte(text)}
	m.split()
	if !m.blank() {
		return "same"
	}
	return strings.Join(strings.Fields(string(m.out)), " ")
}

func TestMend(t *testing.T) {
	for text, want := range map[string]string{
		"class EXPORT A {};":                         "class A {};",
		"class ALIGN(16) A : B {};":                  "class A : B {};",
		"ALIGNED(class) A {};":                       "class A {};",
		"ALIGNED(float) a[4];":                       "float a[4];",
		"INLINE A *f() {}":                           "A *f() {}",
		"FORCE_INLINE void f();":                     "void f();",
		"int f() const NOEXCEPT {}":                  "int f() const {}",
		"class A { INLINE A(int n) : x(n) {} };":     "class A { A(int n) : x(n) {} };",
		"class A { explicit INLINE A(int n); };":     "class A { explicit A(int n); };",
		"API std::string &f();":                      "std::string &f();",
		"API List<int> f();":                         "List<int> f();",
		"API INLINE A f();":                          "A f();",
		"DWORD x;":                                   "same",
		"FILE *f;":                                   "same",
		"DWORD f(int n);":                            "same",
		"struct STAT buf;":                           "same",
		"x = MAX(a, b);":                             "same",
		"if (x) CHECK;":                              "same",
		"n::KIND kind = n::KIND::A;":                 "same",
		"// INLINE A f()\n\"INLINE A f()\";":         "same",
		"#define INLINE A f()\n#define B \\\n X A f": "same",
		"case KIND: x;":                              "same",
		"operator BOOL const *();":                   "same",
	} {
		if got := mended(text); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
	}
}

// A mended tree is one of the text that was given.
func TestMendKeepsText(t *testing.T) {
	parse := func(text string) *treesitter.Tree {
		tree, err := treesitter.Parse([]byte(text), cpp, nil, treesitter.DefaultLimits)
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	const src = "class EXPORT A { INLINE int f() { return 1; } };"
	tree := parse(src)
	got := Mend(tree, treesitter.DefaultLimits)
	if got == tree || string(got.Source) != src {
		t.Errorf("mended %v of %q", got != tree, got.Source)
	}
	plain := parse("class A {};")
	if Mend(plain, treesitter.DefaultLimits) != plain {
		t.Error("a tree without macros is another")
	}
}

// FuzzDescribe reads any bytes: places must lie in the file and expressions exist.
func FuzzDescribe(f *testing.F) {
	for _, seed := range []string{
		"class EXPORT A : B { A(int n) : x(n), y{1} {} int operator+(A &o); }; A::~A() {}",
		"void f() { A a(b), c(d * e), g{1}; new A(1); a->b()[1](2); *p = a + -b; A::f<int>(x); }",
		"template <class... T> auto f(T... t, ...) -> decltype(t) { auto [a, b] = g(t...); }",
		"ALIGNED(class) A { operator bool() const; A() = default; }; using namespace n; typedef A B;",
		"((((((((", "class class class {", "operator operator(",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tree, err := treesitter.Parse([]byte(text), cpp, nil, treesitter.Limits{MaxBytes: 1 << 16, MaxNodes: 1 << 20, Timeout: treesitter.DefaultLimits.Timeout})
		if err != nil {
			return
		}
		d := Describe("a.cpp", Mend(tree, treesitter.DefaultLimits))
		d.Slim()
		for i, e := range d.File.Exprs {
			if n := len(d.File.Exprs); int(e.X) >= n || int(e.Context) >= n || slices.ContainsFunc(e.Args, func(a bind.ExprID) bool { return int(a) >= n }) {
				t.Fatalf("expression %d of %d: %+v", i, n, e)
			}
		}
		for _, s := range d.Sites {
			if s.At < 0 || int(s.At) > len(text) || int(s.Callee) >= len(d.File.Exprs) || int(s.Call) >= len(d.File.Exprs) || s.Callee == 0 {
				t.Fatalf("a site %+v of %d expressions in %d bytes", s, len(d.File.Exprs), len(text))
			}
		}
		for _, def := range d.Definitions {
			if def.Start < 0 || def.End < def.Start || int(def.End) > len(text) || int(def.Decl) >= len(d.File.Decls) {
				t.Fatalf("a definition %+v in %d bytes", def, len(text))
			}
		}
	})
}
