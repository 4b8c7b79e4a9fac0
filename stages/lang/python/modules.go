package python

import (
	"iter"
	"path"
	"strings"
)

// modules finds the modules of a repository.
type modules struct {
	files map[string]bool
	roots map[string]string   // folder of a file -> where its absolute imports start from
	tops  map[string][]string // a module or folder -> the roots that hold it
}

// newModules finds the folders absolute imports start from: those above the
// topmost package of each file, where a package is a folder with __init__.py.
// Paths are ascending.
func newModules(paths []string) *modules {
	m := &modules{files: make(map[string]bool, len(paths)), roots: map[string]string{}, tops: map[string][]string{}}
	for _, p := range paths {
		m.files[p] = true
	}
	isRoot := map[string]bool{}
	for _, p := range paths {
		dir := path.Dir(p)
		if _, ok := m.roots[dir]; !ok {
			m.roots[dir] = m.root(dir)
			isRoot[m.roots[dir]] = true
		}
	}
	seen := map[[2]string]bool{}
	for _, p := range paths {
		for dir := path.Dir(p); ; dir = path.Dir(dir) {
			top, _, _ := strings.Cut(strings.TrimPrefix(p, dir+"/"), "/")
			top = strings.TrimSuffix(top, ".py")
			if isRoot[dir] && !seen[[2]string{dir, top}] {
				seen[[2]string{dir, top}] = true
				m.tops[top] = append(m.tops[top], dir)
			}
			if dir == "." || dir == "/" {
				break
			}
		}
	}
	return m
}

func (m *modules) root(dir string) string {
	for dir != "." && m.files[path.Join(dir, "__init__.py")] {
		dir = path.Dir(dir)
	}
	return dir
}

// above is the folder so many levels up, which the root has none of.
func above(dir string, levels int) (string, bool) {
	for range levels {
		if dir == "." || dir == "/" {
			return "", false
		}
		dir = path.Dir(dir)
	}
	return dir, true
}

// starts are the folders in which a file looks for a module, in order: those that
// the dots of a relative import name, else its own root, the folders above it,
// which hold packages without __init__.py, and at last other files' roots.
func (m *modules) starts(from, module string, level int) iter.Seq[string] {
	return func(yield func(string) bool) {
		if level > 0 {
			if dir, ok := above(path.Dir(from), level-1); ok {
				yield(dir)
			}
			return
		}
		own, ok := m.roots[path.Dir(from)]
		for ; ok; own, ok = above(own, 1) {
			if !yield(own) {
				return
			}
		}
		top, _, _ := strings.Cut(module, ".")
		for _, root := range m.tops[top] {
			if !yield(root) {
				return
			}
		}
	}
}

// below is the path without suffix of a module below a folder, or "" outside the
// repository.
func below(dir, module string) string {
	base := path.Join(dir, strings.ReplaceAll(module, ".", "/"))
	if strings.HasPrefix(base, "../") {
		return ""
	}
	return base
}

// file is the file of the module at a path without suffix, or "".
func (m *modules) file(base string) string {
	if base == "" {
		return ""
	}
	for _, p := range []string{base + "/__init__.py", base + ".py"} {
		if p = path.Clean(p); m.files[p] {
			return p
		}
	}
	return ""
}
