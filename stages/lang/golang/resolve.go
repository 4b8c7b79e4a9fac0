package golang

import (
	"path"
	"strings"

	"golang.org/x/mod/module"

	"benchmill/stages/lang"
)

type resolver struct {
	projects
	packages map[string][]string // files without tests, by folder
}

func newResolver(ix *lang.Index) lang.Resolver {
	r := &resolver{newProjects(ix), map[string][]string{}}
	for _, p := range ix.Paths {
		if !strings.HasSuffix(p, "_test.go") {
			r.packages[path.Dir(p)] = append(r.packages[path.Dir(p)], p)
		}
	}
	return r
}

func (r *resolver) Dependencies(f *lang.Facts) []string {
	var out []string
	from := path.Dir(f.Path)
	seen := map[string]bool{} // one folder under many paths must not add up
	for _, im := range f.Imports {
		if dir := r.folder(from, im.Path); dir != "" && !seen[dir] {
			seen[dir] = true
			out = append(out, r.packages[dir]...)
		}
	}
	return lang.Unique(f.Path, out)
}

// folder is that of the package that an import in a folder means, or "".
func (r *resolver) folder(from, importPath string) string {
	if local(importPath) {
		return path.Join(from, importPath)
	}
	return r.imported(r.of(from), importPath)
}

// local reports whether an import path is relative, which code outside of
// modules may still use.
func local(importPath string) bool {
	return importPath == "." || importPath == ".." || strings.HasPrefix(importPath, "./") || strings.HasPrefix(importPath, "../")
}

// imported is the folder of a package, or "": of all modules whose path starts
// the import path, the longest one that has the package. A folder below another
// go.mod belongs to that one's module alone.
func (r *resolver) imported(own *project, importPath string) string {
	if module.CheckImportPath(importPath) != nil {
		return ""
	}
	for end := len(importPath); end > 0; end = strings.LastIndexByte(importPath[:end], '/') {
		root := r.module(own, importPath[:end])
		if root == "" {
			continue
		}
		if dir := path.Join(root, importPath[end:]); len(r.packages[dir]) > 0 && r.of(dir) == r.of(root) {
			return dir
		}
	}
	return ""
}
