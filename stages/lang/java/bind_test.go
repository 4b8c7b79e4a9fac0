package java

import (
	"testing"
	"time"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
	"benchmill/stages/lang/langtest"
)

func TestBind(t *testing.T) { langtest.Bind(t, Language()) }

// FuzzBind binds and resolves whatever parses: uses lie in the file, in order, and
// it ends.
func FuzzBind(f *testing.F) {
	for _, seed := range []string{
		"class A extends B<C> { C c = x -> c.d(y::z); { switch (c) { case E -> f(); default -> { yield g; } } } }",
		"import static a.B.c; import a.*; record R(a.b.C... x) implements I { R { this.x = x.y[0].<T>m(new A<>(1) { int q; }); } }",
		"enum E { A { void m() { super.m(); } }; @X(y = @Z({1})) E.F f; } @interface G { int h() default 1; }",
		"void m() { for (var x : y) try (A a = b; c) { } catch (D | E e) { if (!(e instanceof F f)) return; f.g++; } }",
	} {
		f.Add(seed)
	}
	l := Language()
	if err := l.Compile(); err != nil {
		f.Fatal(err)
	}
	limits := treesitter.Limits{MaxBytes: 4 << 10, MaxNodes: 20_000, Timeout: time.Second}
	f.Fuzz(func(t *testing.T, src string) {
		bound, _ := l.BindAll([]lang.SourceFile{{Path: "A.java", Text: src}, {Path: "B.java", Text: "class B { B c, d; B m() { return c; } }"}}, limits)
		for _, mode := range []bind.Mode{bind.Compat, bind.Extended} {
			at := -1
			for _, u := range l.Resolver(bound, nil, mode).Uses("A.java") {
				if u.Start <= at || u.End > len(src) || src[u.Start:u.End] != u.Name {
					t.Errorf("%q: %+v after %d", src, u, at)
				}
				at = u.Start
			}
		}
	})
}
