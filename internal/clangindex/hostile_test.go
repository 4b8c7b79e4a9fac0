package clangindex

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

func repository(t testing.TB, files map[string]string) string {
	t.Helper()
	a := &txtar.Archive{}
	for name, text := range files {
		a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(text)})
	}
	return unpack(t, a)
}

// database compiles each file by itself.
func database(files ...string) string {
	var entries []string
	for _, f := range files {
		entries = append(entries, fmt.Sprintf(`{"directory": ".", "file": %q, "command": "c++ -c %s"}`, f, f))
	}
	return "[" + strings.Join(entries, ",") + "]"
}

// Code that is broken, deep or odd costs its own unit at most.
func TestHostile(t *testing.T) {
	l := workers(t)
	fine := "int g(int); int f(int x) { return g(x); }\n"
	for name, code := range map[string]string{
		"empty":        "",
		"NUL":          "int h() { \x00 return 1; }",
		"not text":     "\xff\xfe\x00\x01",
		"half":         "int h() { return g(1;",
		"missing":      "#include \"none.h\"\nint h() { return 2; }",
		"itself":       "#include \"odd.cc\"\nint h() { return 2; }",
		"parentheses":  "int h() { return " + strings.Repeat("(", 10_000) + "1" + strings.Repeat(")", 10_000) + "; }",
		"braces":       "void h() " + strings.Repeat("{", 10_000) + strings.Repeat("}", 10_000),
		"sum":          "int h() { return 1" + strings.Repeat("+1", 20_000) + "; }",
		"else if":      "int h(int x) { if (x) ;" + strings.Repeat(" else if (x) ;", 20_000) + " }",
		"namespaces":   strings.Repeat("namespace n {", 2_000) + "int h() { return 1; }" + strings.Repeat("}", 2_000),
		"classes":      nested(80),
		"long name":    "int " + strings.Repeat("h", 100_000) + "() { return 1; }",
		"line":         "#line 4000000000 \"/etc/passwd\"\nint h() { return 1; }",
		"odd include":  "#include \"/dev/null\"\nint h() { return 1; }",
		"many strings": "const char *h() { return " + strings.Repeat(`"x" `, 10_000) + "; }",
	} {
		t.Run(name, func(t *testing.T) {
			dir := repository(t, map[string]string{"fine.cc": fine, "odd.cc": code, DatabaseName: database("odd.cc", "fine.cc")})
			g, err := Index(context.Background(), l, dir, Options{Parallel: 2})
			if err != nil {
				t.Fatal(err)
			}
			read := 2
			for _, p := range g.Problems {
				if p.File != "odd.cc" || p.What == "" {
					t.Errorf("problem: %+v", p)
				}
				if !p.Read {
					read--
				}
			}
			if g.Units != read || name == "empty" && len(g.Problems) > 0 {
				t.Errorf("%d units, %v", g.Units, g.Problems)
			}
			found := false
			for _, f := range g.Functions {
				found = found || f.Path == "fine.cc" && len(f.Calls) == 1 && f.Calls[0].Callee == "g"
				if f.Path != "fine.cc" && f.Path != "odd.cc" {
					t.Errorf("a function in %s", f.Path)
				}
			}
			if !found {
				t.Errorf("the other unit is lost: %d functions, %v", len(g.Functions), g.Problems)
			}
		})
	}
}

// nested are functions in classes in functions.
func nested(levels int) string {
	return "void h() {" + strings.Repeat("struct S { void m() {", levels) + strings.Repeat("} };", levels) + "}"
}

// Names that are links are followed, and what lies outside of the root is no part of
// the repository.
func TestOutside(t *testing.T) {
	l := workers(t)
	outside := repository(t, map[string]string{"secret.h": "#pragma once\ninline int secret() { return 1; }\n"})
	dir := repository(t, map[string]string{
		"a.cc":       "#include \"link.h\"\n#include \"" + outside + "/secret.h\"\nint a() { return secret(); }\n",
		DatabaseName: database("a.cc"),
	})
	if err := os.Symlink(filepath.Join(outside, "secret.h"), filepath.Join(dir, "link.h")); err != nil {
		t.Fatal(err)
	}
	g, err := Index(context.Background(), l, dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Functions) != 1 || g.Functions[0].Name != "a" || g.Functions[0].Calls[0].Origin != originExternal {
		t.Errorf("%+v", g.Functions)
	}
}

func TestDatabases(t *testing.T) {
	l := workers(t)
	ctx := context.Background()
	if _, err := Index(ctx, l, repository(t, map[string]string{"a.cc": ""}), Options{}); !errors.Is(err, ErrNoDatabase) {
		t.Errorf("no database: %v", err)
	}
	if _, err := Index(ctx, l, repository(t, map[string]string{DatabaseName: database("none.cc")}), Options{}); err == nil || !strings.Contains(err.Error(), "none of 1 units") {
		t.Errorf("nothing to read: %v", err)
	}
	if _, err := Index(ctx, l, repository(t, map[string]string{DatabaseName: "{"}), Options{}); err == nil || !strings.Contains(err.Error(), DatabaseName) {
		t.Errorf("broken: %v", err)
	}
	below := map[string]string{
		"x/y/" + DatabaseName: database("b.cc"), "x/y/b.cc": "int b() { return 1; }",
		"z/" + DatabaseName: database("c.cc"), "z/c.cc": "int b(); int c() { return b(); }",
	}
	g, err := Index(ctx, l, repository(t, below), Options{})
	if err != nil || len(g.Functions) != 2 || len(g.Functions[1].Calls) != 1 || g.Functions[1].Calls[0].Path != "x/y/b.cc" {
		t.Errorf("two of them: %+v, %v", g, err)
	}
	below[DatabaseName] = database("z/c.cc")
	if g, err := Index(ctx, l, repository(t, below), Options{}); err != nil || len(g.Functions) != 1 {
		t.Errorf("the one at the top: %+v, %v", g, err)
	}
	folder := repository(t, map[string]string{DatabaseName + "/x": ""})
	if _, err := Index(ctx, l, folder, Options{}); err == nil || !strings.Contains(err.Error(), "no plain file") {
		t.Errorf("a folder: %v", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Index(ended, l, repository(t, below), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
