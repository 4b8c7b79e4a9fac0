package callgraph

import (
	"slices"

	"benchmill/stages/lang/bind"
	"benchmill/stages/lang/calls"
	"benchmill/stages/lang/cfamily"
)

// typedFile resolves the calls of one file. It belongs to one goroutine.
type typedFile struct {
	*typed
	sight  *sight
	path   string
	file   *bind.File
	reader *bind.Reader
	// known are the calls by the places of their names, and others the constructors
	// and operators, with the callers.
	known  map[int32]resolved
	others []resolved
	paths  map[bind.ScopeID]string // what the scopes of qualified names stand for
}

// open resolves the calls of the file that is looked out of.
func (g *typed) open(s *sight) *typedFile {
	path := s.files[s.file].Path
	d := g.files[path]
	f := &typedFile{typed: g, sight: s, path: path, file: d.File, reader: g.resolver.Open(path), known: map[int32]resolved{}, paths: cfamily.Paths(d.File)}
	for i := range d.Sites {
		site := &d.Sites[i]
		r, ok := f.resolve(site)
		if !ok || site.Kind != cfamily.CallSite && r.evidence == "" {
			continue
		}
		r.at = site.At
		if site.Kind == cfamily.CallSite {
			f.known[r.at] = r
		} else {
			f.others = append(f.others, r)
		}
	}
	return f
}

// call answers for a call if its meaning is known by types.
func (g *typed) call(s *sight, c *site) bool {
	if c.name != none && casts[s.unit.name(c.name)] {
		return true
	}
	r, ok := s.typedFile().known[c.at]
	switch {
	case ok && r.evidence != "":
		s.collect.add(c.caller, r.target(), r.evidence, "", c.at)
	case !ok && c.form == memberForm && c.name != none:
		ok = true
		s.collect.add(c.caller, target{Callee: unresolved(s.unit.name(c.name))}, calls.Written, "", c.at)
	}
	return ok
}

func unresolved(name string) calls.Callee {
	return calls.Callee{Name: name, Origin: calls.Unresolved, Start: -1, Line: -1}
}

// rest adds the calls that are no sites: of constructors and operators.
func (g *typed) rest(s *sight) {
	functions := s.files[s.file].Functions
	open := []int{} // functions around the place that is looked at
	next := 0
	for _, r := range s.typedFile().others {
		for next < len(functions) && functions[next].Start <= r.at {
			open = append(open, next)
			next++
		}
		for len(open) > 0 && functions[open[len(open)-1]].End <= r.at {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			s.collect.add(int32(open[len(open)-1]), r.target(), r.evidence, "", r.at)
		}
	}
}

// casts are written like calls.
var casts = map[string]bool{"static_cast": true, "dynamic_cast": true, "reinterpret_cast": true, "const_cast": true}

func (r resolved) target() target {
	return target{Callee: r.callee, alternatives: r.alternatives, found: true}
}

// typedFile is what is known by types of the file that is looked out of.
func (s *sight) typedFile() *typedFile {
	if s.types == nil || s.types.path != s.files[s.file].Path {
		s.types = s.typed.open(s)
	}
	return s.types
}

// sees reports whether the file includes another one, or is it.
func (f *typedFile) sees(path string) bool {
	at, ok := f.sight.places[path]
	return ok && f.sight.sees(at)
}

func (f *typedFile) resolve(site *cfamily.Site) (resolved, bool) {
	switch site.Kind {
	case cfamily.ConstructSite:
		for _, t := range f.reader.Declared(site.Callee) {
			u := f.typed.file(t.Path)
			if u == nil || t.Decl == 0 {
				continue
			}
			if u.Decls[t.Decl].Kind == bind.Class {
				return f.constructor(f.real(t), site)
			}
			if class, ok := f.class(t); ok && f.decl(class).Name == u.Decls[t.Decl].Name { // a constructor, inherited
				return f.constructor(class, site)
			}
		}
		for _, t := range f.reader.Classes(site.Callee) {
			if f.typed.file(t.Path) != nil {
				return f.constructor(f.real(t), site)
			}
		}
	case cfamily.OperatorSite:
		targets := f.functions(f.reader.Called(site.Callee), -1)
		return f.function(targets, calls.Operator)
	case cfamily.CallSite:
		return f.call(site)
	}
	return resolved{}, false
}

func (f *typedFile) call(site *cfamily.Site) (resolved, bool) {
	targets := f.reader.Called(site.Call)
	for _, t := range targets {
		u := f.typed.file(t.Path)
		if u == nil || t.Decl == 0 {
			continue // of the library
		}
		switch d := &u.Decls[t.Decl]; d.Kind {
		case bind.Func:
			return f.function(f.functions(targets, site.Args), calls.Written)
		case bind.Class:
			return f.constructor(f.real(t), site)
		case bind.Alias:
			return resolved{}, !d.Opaque // a cast, or a macro
		case bind.Var, bind.Param, bind.Member:
			for _, class := range f.reader.Classes(site.Callee) {
				if f.typed.file(class.Path) != nil {
					return f.function(f.functions(f.reader.Members(f.real(class), "operator()"), site.Args), calls.Operator)
				}
			}
			name := d.Name
			if class, ok := f.class(t); ok {
				name = nameOf(f.decl(class).Name) + "::" + name
			}
			return resolved{evidence: calls.Indirect, callee: f.declared(name, t)}, true
		}
	}
	return f.byName(site)
}

// functions are those of some declarations that take so many arguments, or all of
// them if none does. Those a file defines of a class stand beside those that only the
// class declares.
func (f *typedFile) functions(targets []bind.Target, args int32) []bind.Target {
	var all []bind.Target
	for _, t := range targets {
		u := f.typed.file(t.Path)
		if u == nil || t.Decl == 0 || u.Decls[t.Decl].Kind != bind.Func || u.Decls[t.Decl].Opaque {
			continue
		}
		all = append(all, t)
	}
	if args < 0 {
		return all
	}
	var fit []bind.Target
	for _, t := range all {
		if f.takes(t, args) {
			fit = append(fit, t)
		}
	}
	if len(fit) == 0 {
		for _, t := range all {
			if class, ok := f.class(t); ok && len(all) < 8 {
				for _, m := range f.reader.Members(class, f.decl(t).Name) {
					if f.typed.file(m.Path) != nil && f.decl(m).Kind == bind.Func && f.takes(m, args) && !slices.Contains(fit, m) {
						fit = append(fit, m)
					}
				}
			}
		}
	}
	if len(fit) == 0 {
		return all
	}
	return fit
}

// constructor is the constructor of a class that a call takes. What a compiler makes
// is none.
func (f *typedFile) constructor(class bind.Target, site *cfamily.Site) (resolved, bool) {
	u := f.typed.file(class.Path)
	if u == nil {
		return resolved{}, true
	}
	r, ok := f.function(f.reader.Fitting(site.Call, f.own(class, u.Decls[class.Decl].Name)), calls.Written)
	if !ok {
		return resolved{}, true
	}
	return r, ok
}

// own are the members of one name that a class itself declares.
func (f *typedFile) own(class bind.Target, name string) []bind.Target {
	return slices.DeleteFunc(f.reader.Members(class, name), func(t bind.Target) bool {
		if f.typed.file(t.Path) == nil {
			return true
		}
		c, ok := f.class(t)
		return !ok || c != class
	})
}

// function is a call of one of several functions.
func (f *typedFile) function(targets []bind.Target, evidence calls.Evidence) (resolved, bool) {
	if len(targets) == 0 {
		return resolved{}, false
	}
	t := targets[0]
	name := f.qualified(t)
	defined := f.definitions(t, name)
	r := resolved{evidence: evidence, callee: f.declared(name, t)}
	if len(defined) > 0 {
		d := defined[0]
		r.callee.Origin, r.callee.Path, r.callee.Start, r.callee.Line = calls.Defined, d.target.Path, d.start, d.line
		r.alternatives = len(defined) - 1
	}
	return r, true
}

// declared is what the repository declares, and maybe does not define.
func (f *typedFile) declared(name string, t bind.Target) calls.Callee {
	c := calls.Callee{Name: name, Origin: calls.Declared, Path: t.Path, Start: f.decl(t).Start, Line: -1}
	if at, ok := f.sight.places[t.Path]; ok {
		c.Line = f.sight.units[at].lineOf(c.Start)
	}
	return c
}

// definitions are those that a declaration may have, the likeliest first.
func (f *typedFile) definitions(t bind.Target, name string) []definition {
	all := f.defined[name]
	for _, d := range all {
		if d.target == t {
			return []definition{d}
		}
	}
	_, most := f.arity(t)
	var out []definition
	for _, d := range all {
		if _, n := f.arity(d.target); n == most {
			out = append(out, d)
		}
	}
	if len(out) < 2 {
		return out
	}
	nearest := 0
	for i := range out {
		if f.nearer(out[i].target.Path, out[nearest].target.Path, t.Path) {
			nearest = i
		}
	}
	out[0], out[nearest] = out[nearest], out[0]
	return out
}

// nearer reports whether file a is likelier than b to define what another declares.
func (f *typedFile) nearer(a, b, declared string) bool {
	rank := func(p string) int {
		switch {
		case p == f.path:
			return 1 << 20
		case p == declared:
			return 1 << 19
		case folder(p) == folder(declared) && stem(p) == stem(declared):
			return 1 << 18
		case f.sees(p):
			return 1 << 17
		}
		return common(p, declared)
	}
	return rank(a) > rank(b)
}
