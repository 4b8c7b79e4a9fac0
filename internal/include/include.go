// Package include knows what the languages with a C preprocessor share: which
// file of a repository an #include names, without knowing how the repository is
// built, and where the body of a macro turns into a comment.
//
// Over-approximation: <x> is searched for like "x", so a header of the system
// that shares its name with one of the repository is taken for the latter; and
// every folder with a telling name is an include root for every file.
// Under-approximation: roots that only build files know of are not searched.
package include

import (
	"path"
	"strings"
)

// rootNames are the names of folders that builds often search headers in.
var rootNames = map[string]bool{
	"include": true, "src": true, "lib": true, "libs": true, "library": true, "libraries": true, "inc": true,
}

// maxLevels bounds how deep below the top of a repository roots are seen.
const maxLevels = 64

// Index knows the files of one repository. It is safe for concurrent use.
type Index struct {
	files map[string]bool
	below map[string][]place // by path below the folder
}

// A place is a file seen from one of the folders above it.
type place struct {
	folder, path string
	ups          uint64 // bit n: the folder is n levels above an include root
}

// New indexes files by their cleaned paths, which must be ascending. The include
// roots are the top of the repository, the entry directory, and every folder
// above a file that is named include, inc, src, lib, libs, library or libraries.
func New(entry string, paths []string) *Index {
	ix := &Index{files: make(map[string]bool, len(paths)), below: make(map[string][]place, 2*len(paths))}
	entry = path.Clean("/" + entry)[1:]
	ups := map[string]uint64{}
	addRoot(ups, "")
	for _, p := range paths {
		ix.files[p] = true
		for folder := range folders(p) {
			if folder == entry || rootNames[path.Base(folder)] {
				addRoot(ups, folder)
			}
		}
	}
	for _, p := range paths {
		for folder, rest := range folders(p) {
			if u := ups[folder]; u != 0 {
				ix.below[rest] = append(ix.below[rest], place{folder, p, u})
			}
		}
	}
	return ix
}

// addRoot notes how far every folder above a root is from it.
func addRoot(ups map[string]uint64, root string) {
	if ups[root]&1 != 0 {
		return
	}
	for up := range maxLevels {
		ups[root] |= 1 << up
		if root == "" {
			return
		}
		root = root[:max(0, strings.LastIndexByte(root, '/'))]
	}
}

// folders iterates over the folders above a file from the top, "", downwards,
// each with the file's path below it.
func folders(p string) func(yield func(folder, rest string) bool) {
	return func(yield func(folder, rest string) bool) {
		at := 0
		for range maxLevels {
			if !yield(p[:max(0, at-1)], p[at:]) {
				return
			}
			i := strings.IndexByte(p[at:], '/')
			if i < 0 {
				return
			}
			at += i + 1
		}
	}
}

// Find returns the file that an include of the given path means in the file
// from, or "" when it is none of the repository. The folder of from comes first;
// then, of the include roots that have the file, the one that shares most
// leading folders with from; then the first in path order. Backslashes part
// folders too. A path may climb with "..", but not out of the repository.
func (ix *Index) Find(from, include string) string {
	include = strings.ReplaceAll(include, `\`, "/")
	if include == "" || include[0] == '/' || strings.HasSuffix(include, "/") {
		return ""
	}
	folder := path.Dir(from)
	if own := path.Join(folder, include); ix.files[own] {
		return own
	}
	rest, ups := path.Clean(include), 0
	for strings.HasPrefix(rest, "../") {
		rest = rest[len("../"):]
		ups++
	}
	if ups >= maxLevels {
		return ""
	}
	found, nearest := "", -1
	for _, p := range ix.below[rest] {
		if p.ups>>ups&1 == 0 {
			continue
		}
		if n := shared(p.folder, folder); n > nearest {
			found, nearest = p.path, n
		}
	}
	return found
}

// shared counts the leading folders that two folders have in common.
func shared(a, b string) int {
	n := 0
	for i := 0; ; i++ {
		endA, endB := i == len(a) || a[i] == '/', i == len(b) || b[i] == '/'
		switch {
		case endA && endB && i > 0:
			n++
		case endA || endB || a[i] != b[i]:
			return n
		}
		if i == len(a) || i == len(b) {
			return n
		}
	}
}
