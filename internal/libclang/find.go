package libclang

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// Errors of [Find].
var (
	ErrNoLibrary = errors.New("libclang was not found; install it (Debian: libclang1-14 and libclang-common-14-dev, which clang brings along)")
	ErrNoHeaders = errors.New("libclang was found without its compiler's own headers (stddef.h and others), and without them expressions vanish; install them (Debian: libclang-common-14-dev)")
)

// Where libraries lie, and their compiler's headers: below the root of the file
// system, or beside the library.
var (
	libraryPaths = []string{
		"usr/lib/llvm-*/lib", "usr/lib/*-linux-gnu", "usr/lib64", "usr/lib64/llvm*/lib*", "usr/lib", "usr/local/lib",
		"opt/homebrew/opt/llvm*/lib", "usr/local/opt/llvm*/lib", "Library/Developer/CommandLineTools/usr/lib",
	}
	headerPaths = []string{"usr/lib/llvm-*/lib/clang/*", "usr/lib/clang/*", "usr/lib64/clang/*", "usr/local/lib/clang/*"}

	// Of "libclang-14.so.13" the first number is the version, the other one a promise.
	libraryName = regexp.MustCompile(`^libclang(?:-([0-9]+)[0-9.]*)?\.(?:dylib|so(?:\.([0-9]+)[0-9.]*)?)$`)
	leading     = regexp.MustCompile(`^[0-9]+`)
	spoken      = regexp.MustCompile(`version ([0-9]+)`)
)

// Find opens the newest library of this machine that has its headers. What is
// missing is [ErrNoLibrary] or [ErrNoHeaders].
func Find() (*Library, error) { return findBelow("/") }

func findBelow(root string) (*Library, error) {
	wrong := ErrNoLibrary
	for _, p := range candidates(root) {
		l, err := Open(p, "")
		if err != nil {
			wrong = err
			continue
		}
		if l.Resource = resource(root, l); l.Resource != "" {
			return l, nil
		}
		wrong = fmt.Errorf("%w: %s", ErrNoHeaders, p)
	}
	return nil, wrong
}

// candidates are the libraries below a folder, without links, newest first.
func candidates(root string) []string {
	type candidate struct {
		path    string
		version int
	}
	var found []candidate
	for _, dir := range libraryPaths {
		paths, _ := filepath.Glob(filepath.Join(root, dir, "libclang*")) // the pattern is right
		for _, p := range paths {
			real, err := filepath.EvalSymlinks(p)
			m := libraryName.FindStringSubmatch(filepath.Base(real))
			if err != nil || m == nil {
				continue
			}
			version, _ := strconv.Atoi(cmp.Or(m[1], m[2]))
			found = append(found, candidate{real, version})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int { return cmp.Or(b.version-a.version, cmp.Compare(a.path, b.path)) })
	var out []string
	for _, c := range slices.Compact(found) {
		out = append(out, c.path)
	}
	return out
}

// resource is the folder with the headers of a library's compiler; "" if there is
// none.
func resource(root string, l *Library) string {
	version := spoken.FindStringSubmatch(l.Version)
	if version == nil {
		return ""
	}
	patterns := []string{filepath.Join(filepath.Dir(l.Path), "clang/*")}
	for _, p := range headerPaths {
		patterns = append(patterns, filepath.Join(root, p))
	}
	for _, p := range patterns {
		found, _ := filepath.Glob(filepath.Join(p, "include", "stddef.h"))
		for _, header := range found {
			dir := filepath.Dir(filepath.Dir(header))
			if leading.FindString(filepath.Base(dir)) == version[1] {
				return dir
			}
		}
	}
	return ""
}
