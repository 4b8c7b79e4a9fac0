// Package testdeps finds what install.sh beside it installed for the tests.
package testdeps

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// NPM is the path of a file or folder of an installed npm package, such as
// "@octokit/openapi/package.json". Where it is missing the test is skipped, loudly,
// and fails under CI; why says what then is not tested.
func NPM(t testing.TB, name, why string) string {
	t.Helper()
	path := filepath.Join(Folder(t), "npm", "node_modules", filepath.FromSlash(name))
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		Missing(t, name, why)
	} else if err != nil {
		t.Fatal(err)
	}
	return path
}

// Missing ends a test that needs what is not installed: it is skipped, loudly, and
// fails under CI. why says what then is not tested.
func Missing(t testing.TB, what, why string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is not installed: %s; \"make deps\" installs it", what, why)
	}
	t.Skipf("%s is not installed: %s; \"make deps\" installs it", what, why)
}

// Folder is where install.sh puts things: BENCHMILL_DEPS, or a folder of the module
// the test is in.
func Folder(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("BENCHMILL_DEPS"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, ".benchmill", "deps")
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("not inside of a module")
		}
		dir = up
	}
}
