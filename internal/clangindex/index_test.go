package clangindex

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"benchmill/internal/libclang"
	"benchmill/internal/testdeps"
)

var update = flag.Bool("update", false, "write the golden sections of testdata")

func library(t testing.TB) *libclang.Library {
	t.Helper()
	l, err := libclang.Find()
	if errors.Is(err, libclang.ErrNoLibrary) || errors.Is(err, libclang.ErrNoHeaders) {
		testdeps.Missing(t, "libclang", err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestMain is a worker where a test starts it as one.
func TestMain(m *testing.M) {
	if os.Getenv("BENCHMILL_TEST_WORKER") == "" {
		os.Exit(m.Run())
	}
	l, err := libclang.Find()
	if err == nil {
		err = Serve(l, os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func workers(t testing.TB) *Workers {
	t.Helper()
	library(t)
	t.Setenv("BENCHMILL_TEST_WORKER", "1")
	w := NewWorkers([]string{os.Args[0]}, 5*time.Minute)
	t.Cleanup(w.Close)
	return w
}

func unpack(t testing.TB, a *txtar.Archive) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range a.Files {
		p := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The calls of each function of testdata/*.txtar are those in its last section.
func TestIndex(t *testing.T) {
	l := workers(t)
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) < 2 {
		t.Fatalf("%d cases: %v", len(names), err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var want []byte
			if last := len(a.Files) - 1; a.Files[last].Name == "want" {
				want = a.Files[last].Data
				a.Files = a.Files[:last]
			}
			dir := unpack(t, a)
			g, err := Index(context.Background(), l, dir, Options{Parallel: 3})
			if err != nil {
				t.Fatal(err)
			}
			got := describe(g)
			if *update {
				a.Files = append(a.Files, txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if got != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
			checkPlaces(t, g, dir)
			// Whatever order units end in, the bytes are the same.
			one, err := Index(context.Background(), l, dir, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if a, b := write(t, g), write(t, one); a != b {
				t.Errorf("one worker:\n%s\nthree:\n%s", b, a)
			}
		})
	}
}

func write(t testing.TB, g *Graph) string {
	t.Helper()
	var out bytes.Buffer
	if err := g.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// describe leaves out what depends on the library's version and the system's headers.
func describe(g *Graph) string {
	var out strings.Builder
	for _, p := range g.Problems {
		what, _, _ := strings.Cut(p.What, ",")
		fmt.Fprintf(&out, "problem: %s: %s\n", p.File, strings.TrimSpace(what))
	}
	for _, f := range g.Functions {
		fmt.Fprintf(&out, "%s:%d-%d %s (%s)", f.Path, f.Line, f.EndLine, f.Qualified, f.Name)
		if f.Local {
			out.WriteString(" local")
		}
		if f.Inline {
			out.WriteString(" inline")
		}
		out.WriteByte('\n')
		for _, c := range f.Calls {
			fmt.Fprintf(&out, "  %s %s", c.Evidence, c.Callee)
			if c.Via != "" {
				fmt.Fprintf(&out, " via %s", c.Via)
			}
			fmt.Fprintf(&out, ": %s", c.Origin)
			if c.Origin == originDefined || c.Origin == originDeclared {
				fmt.Fprintf(&out, " %s:%d", c.Path, c.Line)
			}
			if c.Sites > 1 {
				fmt.Fprintf(&out, " x%d", c.Sites)
			}
			if c.Alternatives > 0 {
				fmt.Fprintf(&out, " +%d", c.Alternatives)
			}
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// checkPlaces holds offsets to the texts of files.
func checkPlaces(t *testing.T, g *Graph, dir string) {
	t.Helper()
	for _, f := range g.Functions {
		data, err := os.ReadFile(filepath.Join(dir, f.Path))
		if err != nil {
			t.Fatal(err)
		}
		if data[f.Body] != '{' || data[f.End-1] != '}' || bytes.Count(data[:f.Start], []byte("\n")) != int(f.Line-1) ||
			bytes.Count(data[:f.End], []byte("\n")) != int(f.EndLine-1) {
			t.Errorf("%s %s: start %d, body %d, end %d, lines %d to %d", f.Path, f.Name, f.Start, f.Body, f.End, f.Line, f.EndLine)
		}
		for _, c := range f.Calls {
			if c.First < f.Start || c.First >= f.End {
				t.Errorf("%s %s: call of %s at %d, outside of it", f.Path, f.Name, c.Callee, c.First)
			}
		}
	}
}
