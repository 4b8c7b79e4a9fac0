package bind

import (
	"cmp"
	"strings"
)

// Resolver answers which names of a repository's files need another file. It is
// safe for concurrent use if its [Linker] is: all that it learns about one file
// stays in the call of Uses.
type Resolver struct {
	units   map[string]*unit
	library *unit
	linker  Linker
	rules   *Rules
	mode    Mode
}

// NewResolver freezes the files of a repository.
func NewResolver(files []*File, linker Linker, rules *Rules, mode Mode) *Resolver {
	r := &Resolver{units: make(map[string]*unit, len(files)), linker: linker, rules: rules, mode: mode}
	for _, f := range files {
		r.units[f.Path] = newUnit(f)
	}
	if rules.Library != nil {
		r.library = newUnit(rules.Library)
	}
	return r
}

// Uses returns the names in a file that only another file explains, in source
// order, each place once.
func (r *Resolver) Uses(path string) []Use {
	home := r.units[path]
	if home == nil {
		return nil
	}
	s := &session{Resolver: r, home: home, memo: newMemo(home, true), uses: map[ExprID]bool{}}
	s.readSets()
	var out []Use
	for _, ref := range home.Refs {
		s.next()
		u, ok := s.use(ref)
		if !ok || s.passedOver(&home.Exprs[ref]) || r.mode == Compat && r.rules.Compat != nil && !r.rules.Compat(home.File, &u) {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Start == u.Start {
			continue
		}
		out = append(out, u)
	}
	if r.mode == Compat {
		return s.shaded(out)
	}
	return out
}

func (s *session) use(ref ExprID) (Use, bool) {
	e := &s.home.Exprs[ref]
	name := strings.TrimSuffix(e.Name, "()")
	u := Use{Start: int(e.Start), End: int(e.Start) + len(name), Name: name}
	if s.silenced(ref) {
		return u, false
	}
	if e.Op == Name && e.Context != 0 && s.strict() && s.eval(s.home, e.Context, nil).lost {
		return u, false
	}
	switch e.Op {
	case Name:
		f := s.lookup(s.home, e.Scope, e.Name, e.Space, e.Start, nil)
		u.Target, u.Via = f.target, ViaImport
		switch f.how {
		case byImport:
			u.Kind = KindName
			return u, s.rules.Names
		case byGlobal:
			u.Kind = KindName
			return u, s.rules.Globals
		case byStar:
			u.Kind = KindName
			return u, true
		case byBase:
			u.Kind, u.Via = KindInherited, ViaBase
			return u, true
		case nowhere:
			if e.Context != 0 && (!s.strict() || s.notFound(s.home, e.Name).lost) {
				m := s.member(s.eval(s.home, e.Context, nil), e.Name)
				u.Kind, u.Target, u.Via = KindMember, m.target, cmp.Or(m.via, ViaImport)
				return u, m.missing
			}
		}
	case Select:
		m := s.member(s.eval(s.home, e.X, nil), e.Name)
		s.extended(e, &m)
		u.Kind, u.Target, u.Via = KindMember, m.target, cmp.Or(m.via, ViaImport)
		return u, m.missing
	}
	return u, false
}

// Symbol is what a target is called: names with the classes and namespaces around
// them, parted by dots; "" for a file.
func (r *Resolver) Symbol(t Target) string {
	u := r.units[t.Path]
	if u == nil || t.Decl <= 0 || int(t.Decl) >= len(u.Decls) {
		return ""
	}
	d := &u.Decls[t.Decl]
	name := strings.TrimSuffix(d.Name, "()")
	for sc := u.owner(d.Scope); sc > 0; sc = u.Scopes[sc].Parent {
		if k := u.Scopes[sc].Kind; k == ClassScope || k == NamespaceScope {
			name = u.Decls[u.Scopes[sc].Decl].Name + "." + name
		}
	}
	return name
}
