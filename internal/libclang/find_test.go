package libclang

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/testdeps"
)

func touch(t *testing.T, root string, names ...string) {
	t.Helper()
	for _, name := range names {
		p := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, []byte("no library"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCandidates(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	touch(t, root, "usr/lib/x86_64-linux-gnu/libclang-9.so.9.0.1", "usr/lib64/libclang.so.18.1.3", "usr/lib/x86_64-linux-gnu/libclang-14.so.14.0.6",
		"usr/lib/libclang-cpp.so.19", "usr/lib/llvm-19/lib/libclangAST.a", "usr/local/lib/libclang.so")
	if err := os.Symlink("../lib64/libclang.so.18.1.3", filepath.Join(root, "usr/lib/libclang.so.18")); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range candidates(root) {
		rel, _ := filepath.Rel(root, p)
		got = append(got, rel)
	}
	want := []string{"usr/lib64/libclang.so.18.1.3", "usr/lib/x86_64-linux-gnu/libclang-14.so.14.0.6", "usr/lib/x86_64-linux-gnu/libclang-9.so.9.0.1", "usr/local/lib/libclang.so"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestResource(t *testing.T) {
	root := t.TempDir()
	touch(t, root, "usr/lib/clang/14.0.6/include/stddef.h", "usr/lib/clang/140/include/stddef.h", "usr/lib/llvm-18/lib/clang/18/include/stddef.h", "usr/lib/clang/9/include/other.h")
	for version, want := range map[string]string{
		"Debian clang version 14.0.6":   "usr/lib/clang/14.0.6",
		"clang version 18.1.3 (Fedora)": "usr/lib/llvm-18/lib/clang/18",
		"clang version 9.0.0":           "",
		"something else":                "",
	} {
		got := resource(root, &Library{Path: root + "/usr/lib/libclang.so", Version: version})
		if rel, _ := filepath.Rel(root, got); got != "" && rel != want || got == "" && want != "" {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}

func TestNoLibrary(t *testing.T) {
	root := t.TempDir()
	if _, err := findBelow(root); !errors.Is(err, ErrNoLibrary) {
		t.Errorf("%v", err)
	}
	touch(t, root, "usr/lib/libclang.so.14")
	if _, err := findBelow(root); err == nil || errors.Is(err, ErrNoLibrary) {
		t.Errorf("what is no library: %v", err)
	}
}

// A library of the machine, seen where none of its headers are.
func TestNoHeaders(t *testing.T) {
	l, err := Find()
	if errors.Is(err, ErrNoLibrary) || errors.Is(err, ErrNoHeaders) {
		testdeps.Missing(t, "libclang", err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	data, err := os.ReadFile(l.Path)
	if err != nil {
		t.Fatal(err)
	}
	touch(t, root, "usr/lib/libclang-99.so.99")
	if err := os.WriteFile(filepath.Join(root, "usr/lib/libclang-99.so.99"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := findBelow(root); !errors.Is(err, ErrNoHeaders) {
		t.Errorf("%v", err)
	}
}

// A library that has not what is needed is refused by the name of what it lacks.
func TestOpenOther(t *testing.T) {
	found, _ := filepath.Glob("/lib*/*/libm.so.6")
	if len(found) == 0 {
		found, _ = filepath.Glob("/lib*/libm.so.6")
	}
	if len(found) == 0 {
		t.Skip("no other library was found")
	}
	if _, err := Open(found[0], ""); err == nil || !strings.Contains(err.Error(), "has no clang_") {
		t.Errorf("%v", err)
	}
}
