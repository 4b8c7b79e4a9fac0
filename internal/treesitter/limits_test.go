package treesitter

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/smacker/go-tree-sitter/python"
)

func statements(n int) []byte { return bytes.Repeat([]byte("x = f(1, [2, 3])\n"), n) }

func TestTooLarge(t *testing.T) {
	g := NewGrammar("python", python.GetLanguage())
	src := statements(10)
	if _, err := Parse(src, g, nil, Limits{MaxBytes: len(src) - 1, MaxNodes: 1000}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("one byte too many: %v", err)
	}
	if len(g.idle.workers) != 0 {
		t.Error("a file too large took a parser")
	}
	if _, err := Parse(src, g, nil, Limits{MaxBytes: len(src), MaxNodes: 1000}); err != nil {
		t.Errorf("a file as large as the limit: %v", err)
	}
}

// TestAfterFailure checks that a worker which ran into a limit parses the next
// file as a new one would.
func TestAfterFailure(t *testing.T) {
	g := NewGrammar("python", python.GetLanguage())
	next := source{"next.py", g, []byte("def f():\n    return 1\n")}
	want := parse(t, next, nil)
	worker := g.idle.workers[0]
	for _, c := range []struct {
		name   string
		src    []byte
		limits Limits
		err    error
	}{
		{"time", statements(200_000), Limits{MaxBytes: 8 << 20, MaxNodes: 1 << 30, Timeout: time.Microsecond}, ErrTimeout},
		{"nodes", statements(100), Limits{MaxBytes: 8 << 20, MaxNodes: 1000}, ErrTooMany},
		{"no nodes", statements(1), Limits{MaxBytes: 8 << 20}, ErrTooMany},
	} {
		tree, err := Parse(c.src, g, nil, c.limits)
		if !errors.Is(err, c.err) || tree != nil {
			t.Errorf("%s: %v, want %v", c.name, err, c.err)
		}
		if got := parse(t, next, nil); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the next tree of the worker is wrong: %d nodes, want %d", c.name, len(got.Nodes), len(want.Nodes))
		}
		if len(g.idle.workers) != 1 || g.idle.workers[0] != worker {
			t.Errorf("%s: the worker was not used again", c.name)
		}
	}
}

func TestExactNodeLimit(t *testing.T) {
	g := grammars()[".py"]
	all := parse(t, source{"a.py", g, statements(3)}, nil)
	if _, err := Parse(statements(3), g, nil, Limits{MaxBytes: 1000, MaxNodes: len(all.Nodes)}); err != nil {
		t.Errorf("as many nodes as the limit: %v", err)
	}
	if _, err := Parse(statements(3), g, nil, Limits{MaxBytes: 1000, MaxNodes: len(all.Nodes) - 1}); !errors.Is(err, ErrTooMany) {
		t.Errorf("one node too many: %v", err)
	}
}

func TestEmpty(t *testing.T) {
	for suffix, g := range grammars() {
		tree, err := Parse(nil, g, nil, limits)
		if err != nil || len(tree.Nodes) != 1 || tree.ErrorShare() != 0 {
			t.Errorf("%s: %v", suffix, err)
		}
		if err := ParseOnly(nil, g); err != nil {
			t.Errorf("%s: %v", suffix, err)
		}
	}
}

// TestDeep makes the walk grow its stack many times over.
func TestDeep(t *testing.T) {
	const deep = 50_000
	src := []byte("x = " + strings.Repeat("(", deep) + "1" + strings.Repeat(")", deep) + "\n")
	tree := parse(t, source{"deep.py", grammars()[".py"], src}, nil)
	level, deepest := map[int32]int{NoNode: 0}, 0
	for i, n := range tree.Nodes {
		level[int32(i)] = level[n.Parent] + 1
		deepest = max(deepest, level[int32(i)])
	}
	if deepest < deep {
		t.Errorf("deepest node at %d, want more than %d", deepest, deep)
	}
}

// TestIdle checks that workers are kept for the next file, up to a number, and
// not with the memory of a huge one.
func TestIdle(t *testing.T) {
	g := NewGrammar("python", python.GetLanguage())
	var held []*worker
	for range maxIdle + 3 {
		held = append(held, g.idle.get(g))
	}
	for _, w := range held {
		g.idle.put(w)
	}
	if len(g.idle.workers) != maxIdle {
		t.Errorf("%d idle workers, want %d", len(g.idle.workers), maxIdle)
	}
	before := len(g.idle.workers)
	parse(t, source{"huge.py", g, statements(80_000)}, nil)
	if len(g.idle.workers) != before-1 {
		t.Errorf("the worker of a huge file was kept with its buffer")
	}
}

func TestParallel(t *testing.T) {
	sources := corpus(t)
	var want []*Tree
	for _, s := range sources {
		want = append(want, parse(t, s, nil))
	}
	var wait sync.WaitGroup
	for worker := range 8 {
		wait.Go(func() {
			for i := range sources {
				at := (i + worker) % len(sources)
				got, err := Parse(sources[at].text, sources[at].grammar, nil, limits)
				if err != nil || !reflect.DeepEqual(got.Nodes, want[at].Nodes) {
					t.Errorf("%s: another tree in parallel, %v", sources[at].name, err)
				}
			}
		})
	}
	wait.Wait()
}

// TestCostly refuses text before a parser sees it, once its length is allowed.
func TestCostly(t *testing.T) {
	g := NewGrammar("python", python.GetLanguage())
	asked := 0
	g.Costly = func(src []byte) bool {
		asked++
		return bytes.Contains(src, []byte("@"))
	}
	limits := Limits{MaxBytes: 10, MaxNodes: 1000}
	for _, c := range []struct {
		src   string
		err   error
		asked int
	}{{"@a", ErrCostly, 1}, {"@aaaaaaaaaa", ErrTooLarge, 0}, {"a", nil, 1}} {
		asked = 0
		if tree, err := Parse([]byte(c.src), g, nil, limits); !errors.Is(err, c.err) || (tree == nil) != (err != nil) || asked != c.asked {
			t.Errorf("%q: %v, asked %d times", c.src, err, asked)
		}
		if c.err != nil && len(g.idle.workers) != 0 {
			t.Errorf("%q took a parser", c.src)
		}
	}
}
