package callgraph

import (
	"fmt"
	"testing"

	sittercpp "github.com/smacker/go-tree-sitter/cpp"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/calls"
)

var grammarCPP = treesitter.NewGrammar("cpp", sittercpp.GetLanguage())

// misplaced says what is wrong with the places of the functions of a file, or "".
func misplaced(f *calls.File, size int) string {
	for i := range f.Functions {
		fn := &f.Functions[i]
		if fn.Start < 0 || fn.Body < fn.Start || fn.End < fn.Body || int(fn.End) > size || fn.EndLine < fn.Line || fn.Line < 0 ||
			fn.Doc.Start < 0 || fn.Doc.End < fn.Doc.Start || int(fn.Doc.End) > size {
			return fmt.Sprintf("%s at %d, body %d, end %d, lines %d to %d, comment %+v of %d bytes", fn.Name, fn.Start, fn.Body, fn.End, fn.Line, fn.EndLine, fn.Doc, size)
		}
	}
	return ""
}

// readBoth reads a text as C and as C++.
func readBoth(t testing.TB, text string) []*calls.File {
	t.Helper()
	tree, err := treesitter.Parse([]byte(text), grammarCPP, nil, treesitter.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	return []*calls.File{readC(t, "a.c", text), CPP(nil).Read("a.cpp", tree)}
}

// odd are pieces of files in which functions are hard to part.
var odd = []string{
	"/* one */\n// two\nstatic int\nf(int a, char *b)\n{ return g(a); }\n",
	"#if A\nint f(int a) {\n#else\nint f(void) {\n#endif\n  return 1;\n}\n",
	"GENERATE(a, b)\nATTRIBUTE(1) int *(*f(void))(int) { { } }\n",
	"MACRO(int f(void) { return 1; })\nTEST(a, b) { x(); }\nint k(a) int a; { return a; }\n",
	"extern \"C\" { int f() { struct A { int m() { return 1; } }; return 2; } }\n",
	"#define BEGIN {\n#define END }\nint f() BEGIN g(); END\n/* open",
	"class EXPORT A : public B<C> { A() : x{1}, y(2) try { } catch (...) { } ~A() noexcept(false) { } operator int() const { return f(); } };\n",
	"template <class T> auto A<T>::f(T t) -> decltype(t) { return [&](int i) { return g(i); }(1); }\n",
	"int f() { if (a) { } else { ) ( } } } int g() { ( \n",
	"namespace a::b { namespace { int operator\"\"_x(long long) { return R\"(})\"[0]; } } }\n",
	"\\\n#else\n#endif\n#endif\nint \\\nf\\\n() { }\x00\xff\n",
}

// TestPlaces reads pieces in every order, and cut anywhere: what is found of functions
// lies in the file, from its beginning to its end.
func TestPlaces(t *testing.T) {
	found := 0
	for i, a := range odd {
		for j, b := range odd {
			for cut := 0; cut < len(a); cut += 1 + len(a)/(3+(i+j)%4) {
				text := a[cut:] + b + a[:cut]
				for _, f := range readBoth(t, text) {
					found += len(f.Functions)
					if wrong := misplaced(f, len(text)); wrong != "" {
						t.Fatalf("%s: %s in\n%s", f.Path, wrong, text)
					}
				}
			}
		}
	}
	if found < 1000 {
		t.Errorf("only %d functions were found", found)
	}
}

// FuzzPlaces reads any bytes.
func FuzzPlaces(f *testing.F) {
	for i, text := range odd {
		f.Add(text + odd[(i+3)%len(odd)])
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		for _, file := range readBoth(t, text) {
			if wrong := misplaced(file, len(text)); wrong != "" {
				t.Fatalf("%s: %s", file.Path, wrong)
			}
		}
	})
}
