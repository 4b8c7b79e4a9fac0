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
	path := filepath.Join(folder(t), "npm", "node_modules", filepath.FromSlash(name))
	_, err := os.Stat(path)
	switch {
	case err == nil:
		return path
	case !errors.Is(err, fs.ErrNotExist):
		t.Fatal(err)
	case os.Getenv("CI") != "":
		t.Fatalf("%s is not installed: %s; \"make deps\" installs it", name, why)
	}
	t.Skipf("%s is not installed: %s; \"make deps\" installs it", name, why)
	return ""
}

// folder is where install.sh puts things: BENCHMILL_DEPS, or a folder of the module
// the test is in.
func folder(t testing.TB) string {
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
