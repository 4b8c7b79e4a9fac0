package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"benchmill/internal/clangindex"
	"benchmill/internal/libclang"
	"benchmill/internal/testdeps"
)

// TestMain is the command where a test starts it as a worker.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "-worker" {
		main()
		return
	}
	os.Exit(m.Run())
}

func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.c":                   "int g(int);\n#define MORE(x) (1 + other(x))\nint other(int x) { return x; }\nint f(int x) { return g(x) + (g)(2) + MORE(3); }\n",
		"sub/b.c":               "int g(int x) { return x ? g(x - 1) : 0; }\n#ifdef OFF\nint off(void) { return g(1); }\n#endif\n",
		".hidden/c.c":           "int h(void) { return 1; }\n",
		"not_built.c":           "int f(int);\nint never(void) { return f(1); }\n",
		"sub/image.png":         "\x89PNG",
		"compile_commands.json": `[{"directory": ".", "file": "a.c", "command": "cc -c a.c"}, {"directory": ".", "file": "sub/b.c", "command": "cc -c sub/b.c"}]`,
	} {
		p := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// What was compiled is compared, and what was not is left out on both sides.
func TestRun(t *testing.T) {
	if _, err := libclang.Find(); errors.Is(err, libclang.ErrNoLibrary) || errors.Is(err, libclang.ErrNoHeaders) {
		testdeps.Missing(t, "libclang", err.Error())
	}
	o := options{root: folder(t), language: "c", index: filepath.Join(t.TempDir(), "i"), parallel: 2, unit: 5 * time.Minute, verbose: true, examples: 3}
	var first, second strings.Builder
	if err := run(context.Background(), o, &first); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"native: 3 files, 0 of them not read", "2 units, 0 problems",
		"written  name 2 0 0 1.0000 1.0000 1.0000 100.00%",
		"written+macro  name 3 0 0 1.0000 1.0000 1.0000 100.00%",
		"functions: native 5, clang 3, both 3;", "only clang, written calls: 0",
	} {
		if !strings.Contains(strings.Join(strings.Fields(first.String()), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("no %q in\n%s", want, first.String())
		}
	}
	// The kept graph gives the same, and a part of it less.
	o.under = "sub"
	if err := run(context.Background(), o, &second); err != nil || !strings.Contains(second.String(), "both 1;") {
		t.Errorf("%v\n%s", err, second.String())
	}
	if data, err := os.ReadFile(o.index); err != nil || !strings.Contains(string(data), `"format":1`) {
		t.Errorf("%v: %s", err, data)
	}
}

func TestRunRefuses(t *testing.T) {
	if err := run(context.Background(), options{root: t.TempDir(), language: "cobol"}, nil); err == nil || !strings.Contains(err.Error(), "cobol") {
		t.Errorf("%v", err)
	}
	if _, err := libclang.Find(); err == nil {
		if err := run(context.Background(), options{root: t.TempDir(), language: "c"}, nil); !errors.Is(err, clangindex.ErrNoDatabase) {
			t.Errorf("%v", err)
		}
	}
}

func TestSourceLine(t *testing.T) {
	for at, want := range map[int64]string{0: "a", 2: "b", 3: "b", 99: "", -1: "a"} {
		if line, _ := sourceLine("a\n\tb\n", at); line != want {
			t.Errorf("%d: %q, want %q", at, line, want)
		}
	}
}
