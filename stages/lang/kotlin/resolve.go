package kotlin

import (
	"strings"

	"benchmill/stages/lang"
)

// resolver knows the files that declare a name outside classes, by full name.
type resolver struct{ files map[string][]string }

func newResolver(ix *lang.Index) lang.Resolver {
	r := &resolver{map[string][]string{}}
	for _, p := range ix.Paths {
		for _, name := range ix.Files[p].Declares {
			if len(r.files[name]) < maxFiles {
				r.files[name] = append(r.files[name], p)
			}
		}
	}
	return r
}

func (r *resolver) Dependencies(f *lang.Facts) []string {
	packages := []string{f.Module}
	var out []string
	for _, im := range f.Imports {
		if all(im) {
			packages = append(packages, im.Path)
		}
		out = append(out, r.enclosing(im.Path)...)
	}
	for _, word := range f.Identifiers {
		for _, p := range packages {
			if found := r.files[full(p, word)]; len(found) > 0 {
				out = append(out, found...)
				break
			}
		}
	}
	return lang.Unique(f.Path, out)
}

// enclosing finds what is declared by a name or holds what is: a member of an
// object is in the file of that.
func (r *resolver) enclosing(name string) []string {
	for name != "" && len(name) <= maxName {
		if found := r.files[name]; len(found) > 0 {
			return found
		}
		name = name[:max(strings.LastIndexByte(name, '.'), 0)]
	}
	return nil
}
