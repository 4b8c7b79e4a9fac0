package java

import (
	"path"
	"slices"
	"strings"

	"benchmill/stages/lang"
)

type resolver struct {
	types    map[string][]string // paths that declare a type, ascending, by full name
	packages map[string]bool
}

func newResolver(ix *lang.Index) lang.Resolver {
	r := &resolver{types: map[string][]string{}, packages: map[string]bool{}}
	for _, p := range ix.Paths {
		f := ix.Files[p]
		r.packages[f.Module] = true
		for _, name := range f.Declares {
			if f.Module == "" {
				name = inPackage(f.Path, "", name)
			}
			r.types[name] = append(r.types[name], p)
		}
	}
	return r
}

// inPackage is the full name of a type in the package of a file. The nameless
// package is one per folder here, since programs that have nothing to do with
// each other share it.
func inPackage(file, module, name string) string {
	if module == "" {
		return path.Dir(file) + "/" + name
	}
	return module + "." + name
}

// parent is a full name without its last part.
func parent(name string) string { return name[:max(strings.LastIndexByte(name, '.'), 0)] }

// Dependencies looks names up in the order of the language: types of the file
// itself, single imports, the package, imports on demand.
func (r *resolver) Dependencies(f *lang.Facts) []string {
	var out, onDemand []string
	settled := map[string]bool{}
	for _, name := range f.Declares {
		settled[last(name)] = true
	}
	for _, im := range f.Imports {
		switch {
		case len(im.Names) == 0:
			out = append(out, r.enclosing(f, im.Path)...)
			if im.Kind != "static" {
				settled[last(im.Path)] = true
			}
		case len(r.types[im.Path]) > 0: // all members of a type
			out = append(out, r.nearest(f.Path, im.Path)...)
		case im.Kind == "static": // of a type nested in one unknown
			out = append(out, r.enclosing(f, im.Path)...)
		case r.packages[im.Path] && !slices.Contains(onDemand, im.Path):
			onDemand = append(onDemand, im.Path)
		}
	}
	for _, word := range f.Identifiers {
		if settled[word] {
			continue
		}
		if strings.Contains(word, ".") {
			out = append(out, r.nearest(f.Path, word)...)
			continue
		}
		found := r.nearest(f.Path, inPackage(f.Path, f.Module, word))
		for i := 0; i < len(onDemand) && len(found) == 0; i++ {
			found = r.nearest(f.Path, onDemand[i]+"."+word)
		}
		out = append(out, found...)
	}
	return lang.Unique(f.Path, out)
}

func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// enclosing finds the type that a name is or lies in: a nested type or a member
// of a type is in the file of that type.
func (r *resolver) enclosing(f *lang.Facts, name string) []string {
	for name != "" && len(name) <= maxName {
		if found := r.nearest(f.Path, name); len(found) > 0 {
			return found
		}
		name = parent(name)
	}
	return nil
}

// nearest is the file that declares a type, among several the first of those
// that share most leading folders with from. Sorted, these lie side by side.
func (r *resolver) nearest(from, name string) []string {
	paths := r.types[name]
	if len(paths) < 2 {
		return paths
	}
	at, own := slices.BinarySearch(paths, from)
	if own {
		return []string{from}
	}
	folder := ""
	for _, p := range paths[max(at-1, 0):min(at+1, len(paths))] {
		if shared := sharedFolder(p, from); len(shared) > len(folder) {
			folder = shared
		}
	}
	first, _ := slices.BinarySearch(paths, folder)
	return paths[first : first+1]
}

func sharedFolder(a, b string) string {
	end := 0
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			end = i + 1
		}
	}
	return a[:end]
}
