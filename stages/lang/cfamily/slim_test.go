package cfamily

import (
	"fmt"
	"slices"
	"testing"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// meanings are what the calls of a file mean.
func meanings(d *Description) []string {
	binding := Binding(Pointers())
	files := []*bind.File{d.File}
	r := bind.NewResolver(files, Farsighted(binding.Link(files, nil)), binding.Rules, bind.Extended).Open(d.File.Path)
	var out []string
	for _, s := range d.Sites {
		out = append(out, fmt.Sprint(s.Kind, s.At, s.Args, r.Declared(s.Callee), r.Called(s.Call), r.Classes(s.Callee), r.Classes(s.Call)))
	}
	return out
}

// TestSlim: calls mean the same with fewer expressions.
func TestSlim(t *testing.T) {
	const src = `
struct B { int n; B *next(); int operator[](int i); };
struct A : B { A(int n) : B(), m(n) {} B m; auto own() { return m.next(); } };
template <class T> struct L { T at(int i = 0); };
int g(A a) { return a.own()->next()->n; }
int f(L<A> l) { A a(1); int unused = 3; long other = unused; l.at().own()[2]; return g(l.at(1)) + a.m[3]; }
`
	tree := treesitter.MustParse([]byte(src), cpp)
	whole, slim := Describe("a.cpp", tree), Describe("a.cpp", tree)
	slim.Slim()
	if want, got := meanings(whole), meanings(slim); !slices.Equal(want, got) || len(want) < 10 {
		t.Errorf("calls mean\n%q\nwithout Slim\n%q", got, want)
	}
	if all, kept := len(whole.File.Exprs), len(slim.File.Exprs); kept >= all || slim.File.Refs != nil {
		t.Errorf("%d of %d expressions are kept, %d refs", kept, all, len(slim.File.Refs))
	}
}
