package bind

import "cmp"

// Resolver answers which names of a repository's files need another file. It is
// safe for concurrent use.
type Resolver struct {
	units   map[string]*unit
	library *unit
	linker  Linker
	rules   *Rules
	mode    Mode
}

// unit is a file with its declarations by name.
type unit struct {
	*File
	names map[declKey][]DeclID // in source order
}

type declKey struct {
	scope ScopeID
	name  string
}

func newUnit(f *File) *unit {
	u := &unit{File: f, names: make(map[declKey][]DeclID, len(f.Decls))}
	for i := 1; i < len(f.Decls); i++ {
		k := declKey{u.owner(f.Decls[i].Scope), f.Decls[i].Name}
		u.names[k] = append(u.names[k], DeclID(i))
	}
	return u
}

// owner is the scope that what is declared in s belongs to.
func (u *unit) owner(s ScopeID) ScopeID {
	for u.Scopes[s].Kind == BranchScope {
		s = u.Scopes[s].Parent
	}
	return s
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
	s := &session{Resolver: r, home: home, memo: map[memoKey]value{}}
	var out []Use
	for _, ref := range home.Refs {
		e := &home.Exprs[ref]
		u, ok := s.use(e)
		if !ok || r.mode == Compat && r.rules.Compat != nil && !r.rules.Compat(home.File, &u) {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Start == u.Start {
			continue
		}
		out = append(out, u)
	}
	return out
}

func (s *session) use(e *Expr) (Use, bool) {
	u := Use{Start: int(e.Start), End: int(e.Start) + len(e.Name), Name: e.Name}
	s.spent, s.steps = s.spent+s.steps, 0
	switch e.Op {
	case Name:
		f := s.lookup(s.home, e.Scope, e.Name, e.Start, nil)
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
		}
	case Select:
		m := s.member(s.eval(s.home, e.X, nil), e.Name)
		u.Kind, u.Target, u.Via = KindMember, m.target, cmp.Or(m.via, ViaImport)
		return u, m.missing
	}
	return u, false
}
