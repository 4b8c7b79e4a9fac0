package rust

import (
	"slices"
	"strings"

	"benchmill/stages/lang/bind"
)

// walk is the resolution of one path to an item.
type walk struct {
	*linker
	steps int
}

// item is what a path names, seen from a module: a module, an item, or a member
// of one. Where the module is of the repository and nothing in it is seen that
// has the name, it is one of the module's file.
func (w *walk) item(from *module, p string) []bind.Target {
	if w.steps--; w.steps < 0 || from == nil {
		return nil
	}
	s := search{resolver: w.resolver, steps: maxSteps}
	if m, all := s.resolve(from, p); all && len(w.inside[m]) > 0 {
		var out []bind.Target
		for _, r := range w.inside[m] {
			out = append(out, bind.Target{Path: r.file.Path, Decl: r.decl, Module: r.decl == 0})
		}
		return append(out, w.named(from, p)...)
	}
	return w.named(from, p)
}

// named is an item that is no module.
func (w *walk) named(from *module, p string) []bind.Target {
	at := strings.LastIndex(p, "::")
	if at < 0 {
		return w.in(from, p)
	}
	prefix, name := p[:at], p[at+2:]
	if prefix == "" { // ::name is a crate
		return nil
	}
	s := search{resolver: w.resolver, steps: maxSteps}
	if m, all := s.resolve(from, prefix); all {
		if out := w.in(m, name); out != nil {
			return out
		}
		if regions := w.inside[m]; len(regions) > 0 {
			return []bind.Target{{Path: regions[0].file.Path}}
		}
		return nil
	}
	var out []bind.Target
	for _, t := range w.item(from, prefix) { // a variant of an enum, an associated item
		f := w.files[t.Path]
		if t.Decl == 0 || f == nil || f.Decls[t.Decl].Inner == 0 {
			continue
		}
		for _, d := range w.decls[itemKey{t.Path, f.Decls[t.Decl].Inner, name}] {
			out = append(out, bind.Target{Path: t.Path, Decl: d})
		}
	}
	return out
}

// in is an item by its name in a module: declared there, brought in by a use, or
// by a glob.
func (w *walk) in(m *module, name string) []bind.Target {
	if w.steps--; w.steps < 0 || m == nil {
		return nil
	}
	var out []bind.Target
	for _, r := range w.inside[m] {
		for _, d := range w.decls[itemKey{r.file.Path, r.file.Decls[r.decl].Inner, name}] {
			out = append(out, bind.Target{Path: r.file.Path, Decl: d})
		}
	}
	if out != nil {
		return out
	}
	for _, p := range m.uses[name] {
		if p != name {
			if out := w.item(m, p); out != nil {
				return out
			}
		}
	}
	for _, p := range m.globs {
		if out := w.named(m, p+"::"+name); len(out) > 0 && out[0].Decl != 0 {
			return out
		}
	}
	return nil
}

// globs are the modules and enums that a glob of a path brings names from, those
// of the globs in them too.
func (w *walk) globs(from *module, p string) []bind.Target {
	out := w.item(from, p)
	s := search{resolver: w.resolver, steps: maxSteps}
	if m, all := s.resolve(from, p); all && m != from {
		for _, g := range m.globs {
			if w.steps--; w.steps < 0 {
				break
			}
			out = append(out, w.globs(m, g)...)
		}
	}
	slices.SortFunc(out, func(a, b bind.Target) int {
		if a.Path != b.Path {
			return strings.Compare(a.Path, b.Path)
		}
		return int(a.Decl - b.Decl)
	})
	return slices.Compact(out)
}
