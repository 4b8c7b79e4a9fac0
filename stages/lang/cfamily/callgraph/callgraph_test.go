package callgraph

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	clang "github.com/smacker/go-tree-sitter/c"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/calls"
)

var cGrammar = treesitter.NewGrammar("c", clang.GetLanguage())

func readC(t testing.TB, path, text string) *calls.File {
	t.Helper()
	tree, err := treesitter.Parse([]byte(text), cGrammar, nil, treesitter.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	return read(path, tree, false)
}

// list is the edges of a file as lines of text.
func list(f *calls.File, g calls.Graph) []string {
	var out []string
	for e := range g.Edges(f.Path) {
		out = append(out, fmt.Sprintf("%s %s %s", f.Functions[e.Caller].Name, e.Evidence, e.Callee.Name))
	}
	return out
}

// TestUpstream: no calls of macros, the variable beside the field, and nothing that
// an unknown name takes with it.
func TestUpstream(t *testing.T) {
	f := readC(t, "a.c", `
struct ops { int (*run)(int); };
#define TWICE(x) once(once(x))
#define alias once
int once(int a) { return a; }
void *sized(size_t n) { return 0; }
size_t length(char *s) { return once(1); }
int caller(struct ops *o) {
	size_t n = once(1);
	int a = 0;
	TWICE(2);
	alias(3);
	sized(4);
	o->run(5);
	if (once(a) == NULL) a = caller(o);
	a = n + once(6);
	return caller(o);
}
`)
	all, upstream := Link([]*calls.File{f}, Options{}), Link([]*calls.File{f}, Options{Upstream: true})
	want := []string{"length written once", "caller written once", "caller macro once", "caller written sized", "caller indirect ops::run", "caller written caller"}
	if got := list(f, all); !slices.Equal(got, sorted(want, got)) {
		t.Errorf("all: %q, want %q", got, want)
	}
	want = []string{"length written once", "caller indirect o", "caller indirect ops::run", "caller written caller"}
	if got := list(f, upstream); !slices.Equal(got, sorted(want, got)) {
		t.Errorf("upstream: %q, want %q", got, want)
	}
}

// sorted puts what is wanted into the order of what there is, as far as that has it.
func sorted(want, got []string) []string {
	out := slices.Clone(want)
	slices.SortStableFunc(out, func(a, b string) int { return slices.Index(got, a) - slices.Index(got, b) })
	return out
}

func TestConditions(t *testing.T) {
	for _, c := range []struct {
		condition string
		want      truth
	}{
		{"0", no}, {"1", yes}, {"2", yes}, {"(1)", yes}, {"!0", yes}, {"!1", no}, {"!X", unknown}, {"X", unknown},
		{"defined(HERE)", yes}, {"defined HERE", yes}, {"!defined(HERE)", no}, {"defined(GONE)", no}, {"defined(X)", unknown},
		{"0 && X", no}, {"X && 0", no}, {"1 && X", unknown}, {"1 || X", yes}, {"X || 1", yes}, {"0 || X", unknown},
		{"1 == 2", unknown}, {"X > 1 || 1", yes}, {"X > 1 && 0", no}, {"f(0, 1) && 0", no}, {"f(0) || 0", unknown},
		{"(0 || defined(HERE)) && 1", yes}, {"", unknown}, {"(", unknown}, {")", unknown}, {"1 )", unknown}, {"&& ||", unknown},
		{"0x10", yes}, {"1L", unknown}, {"__has_include(<a.h>) && 0", no}, {strings.Repeat("!", 1000) + "1", unknown},
		{"1 /* one */ && /* two */ 1", yes}, {"1 \\\n && 0", no},
	} {
		conditions := conditions{state: yes, defined: map[string]truth{"HERE": yes, "GONE": no}}
		x := &lexer{src: []byte(c.condition), names: newNames(), line: true, all: true}
		if got := conditions.evaluate(x); got != c.want {
			t.Errorf("%q is %d, want %d", c.condition, got, c.want)
		}
	}
}

func TestSystemTable(t *testing.T) {
	seen := map[string]string{}
	headers := map[string]bool{}
	for line := range strings.Lines(systemText) {
		if line[0] == '#' {
			continue
		}
		header, names, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || headers[header] || !slices.IsSorted(strings.Fields(names)) {
			t.Errorf("line %.40q: no header, one that was there before, or names that are not ascending", line)
		}
		headers[header] = true
		for _, n := range strings.Fields(names) {
			n, _, _ = strings.Cut(n, "=")
			if seen[n] != "" {
				t.Errorf("%s stands under %s and %s", n, seen[n], header)
			}
			seen[n] = header
		}
	}
	for name, want := range map[string]systemEntry{
		"strlen": {header: "string.h"}, "malloc": {header: "stdlib.h"}, "pthread_create": {header: "pthread.h"}, "epoll_wait": {header: "sys/epoll.h"},
		"va_start": {header: "stdarg.h", kind: systemMacro}, "assert": {header: "assert.h", kind: systemMacro, calls: "__assert_fail"},
		"errno": {header: "errno.h", kind: systemObject, calls: "__errno_location"}, "sort": {header: "algorithm", std: true},
	} {
		if got := systemNames()[name]; got != want {
			t.Errorf("%s is %+v, want %+v", name, got, want)
		}
	}
}

// TestConcurrent asks for the edges of many files at once, each several times.
func TestConcurrent(t *testing.T) {
	var files []*calls.File
	for i := range 20 {
		files = append(files, readC(t, fmt.Sprintf("%02d.c", i), fmt.Sprintf(`
#include "%02d.c"
#define CALL(f) f##_0(%d)
static int own(int a) { return a; }
int f%d_0(int a) { CALL(f%d); return own(a); }
int g_%d(void) { CALL(g); CALL(f%d); return 0; }
`, (i+1)%20, i, i, (i+1)%20, i, (i+7)%20)))
	}
	g := Link(files, Options{})
	var want [][]string
	for _, f := range files {
		got := list(f, g)
		if len(got) < 3 {
			t.Fatalf("%s: %q", f.Path, got)
		}
		want = append(want, got)
	}
	var wait sync.WaitGroup
	for worker := range 8 {
		wait.Go(func() {
			for i := range files {
				at := (i + worker*3) % len(files)
				if got := list(files[at], g); !slices.Equal(got, want[at]) {
					t.Errorf("%s: %q, want %q", files[at].Path, got, want[at])
				}
			}
		})
	}
	wait.Wait()
}

// TestBounded: macros that grow without end cost no more than the bounds say, and
// calls behind them are found.
func TestBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("#define F0(x) x x\n#define LOOP(x) LOOP(LOOP(x))\n#define A B\n#define B A\n")
	for i := range 60 {
		fmt.Fprintf(&b, "#define F%d(x) F%d(x) F%d(F%d(x))\n", i+1, i, i, i)
	}
	b.WriteString("int after(void) { return 1; }\nint main(void) {\n" + strings.Repeat("F60(after());\n", 500) + "LOOP(1); A(); return after(); }\n")
	f := readC(t, "a.c", b.String())
	s := newSight(Link([]*calls.File{f}, Options{}).(*graph))
	s.open(0)
	bound := s.expand.left
	s.edges()
	if spent := bound - s.expand.left; spent > bound+maxUse {
		t.Errorf("%d tokens were made, the bound is %d", spent, bound)
	}
	if got := list(f, Link([]*calls.File{f}, Options{})); !slices.Contains(got, "main written after") {
		t.Errorf("%q", got)
	}
}
