package rust

import (
	"maps"
	"slices"
	"strings"

	"benchmill/stages/lang"
)

// Bounds on hostile repositories.
const (
	maxPlaces = 64  // of one file whose imports are resolved
	maxSteps  = 256 // lookups for one path; uses may lead in circles
)

type resolver struct {
	*forest
	libraries map[string]*module // by the name paths start with
	packages  map[string]*module // by the name dependencies say
}

func newResolver(ix *lang.Index) lang.Resolver {
	r := &resolver{newForest(ix), map[string]*module{}, map[string]*module{}}
	for _, dir := range slices.Sorted(maps.Keys(r.projects)) {
		p := r.projects[dir]
		lib := r.library(p)
		if lib == nil {
			continue
		}
		if r.libraries[p.libName] == nil {
			r.libraries[p.libName] = lib
		}
		if r.packages[p.name] == nil {
			r.packages[p.name] = lib
		}
	}
	return r
}

// library is the root of a package's library, or nil.
func (r *resolver) library(p *project) *module {
	if p == nil || r.crates[p.libPath] == nil {
		return nil
	}
	return r.crates[p.libPath].root
}

func (r *resolver) Dependencies(f *lang.Facts) []string {
	var out []string
	places := r.places[f.Path]
	for _, p := range places[:min(len(places), maxPlaces)] {
		for _, im := range f.Imports {
			s := p.at(im)
			switch {
			case s == nil:
			case im.Kind == kindMod:
				for _, found := range r.files(s, im) {
					out = append(out, found.file)
				}
			case im.Kind == kindUse || im.Kind == kindPath:
				search := search{resolver: r, steps: maxSteps}
				if m, _ := search.resolve(s.module, strings.TrimSuffix(im.Path, "::*")); m != nil {
					out = append(out, m.files...)
				}
			}
		}
	}
	return lang.Unique(f.Path, out)
}

// A search is the resolution of one path.
type search struct {
	*resolver
	steps  int
	active []lookup // under way, to leave circles
}

type lookup struct {
	in   *module
	name string
}

// resolve follows a path from a module. It returns the deepest module that the
// path names, nil for none, and whether that is all of the path.
func (s *search) resolve(from *module, path string) (m *module, all bool) {
	first, rest, more := strings.Cut(path, "::")
	switch first {
	case "self":
		m = from
	case "super":
		m = from.parent
	case "crate":
		m = from.crate.root
	case "": // ::name
		first, rest, more = strings.Cut(rest, "::")
		m = s.extern(from.crate, first)
	default:
		m = s.lookup(from, first)
		if m == nil {
			m = s.extern(from.crate, first)
		}
		if p := from.crate.project; m == nil && (p == nil || p.edition2015) {
			m = s.lookup(from.crate.root, first)
		}
	}
	for m != nil && more {
		first, rest, more = strings.Cut(rest, "::")
		switch first {
		case "self":
		case "super": // nothing is above the root
			m = m.parent
		default:
			next := s.lookup(m, first)
			if next == nil {
				return m, false
			}
			m = next
		}
	}
	return m, m != nil
}

// lookup finds a module by its name in another one: declared there, brought in
// by a use, or by a glob.
func (s *search) lookup(in *module, name string) *module {
	if s.steps--; s.steps < 0 {
		return nil
	}
	if m := in.children[name]; m != nil {
		return m
	}
	if slices.Contains(s.active, lookup{in, name}) {
		return nil
	}
	s.active = append(s.active, lookup{in, name})
	defer func() { s.active = s.active[:len(s.active)-1] }()
	for _, path := range in.uses[name] {
		if m, all := s.resolve(in, path); all {
			return m
		}
		if s.steps < 0 {
			return nil
		}
	}
	for _, path := range in.globs {
		if glob, all := s.resolve(in, path); all {
			if m := s.lookup(glob, name); m != nil {
				return m
			}
		}
		if s.steps--; s.steps < 0 {
			return nil
		}
	}
	return nil
}

// extern is the root of a library that a path starts with.
func (s *search) extern(from *crate, name string) *module {
	if name == "self" { // extern crate self as name;
		return from.root
	}
	if p := from.project; p != nil {
		if name == p.libName && s.library(p) != nil {
			return s.library(p)
		}
		if d, ok := p.dependencies[name]; ok {
			if m := s.library(s.projects[d.dir]); m != nil {
				return m
			}
			if m := s.packages[d.name]; m != nil {
				return m
			}
		}
	}
	return s.libraries[name]
}
