package bind

import "slices"

// How a name was found.
type how uint8

const (
	nowhere  how = iota
	byScope      // declared in the file or the library
	byImport     // bound by an import of the project
	byGlobal     // of another file of the same package
	byStar       // by an import of everything
	byBase       // a base class of another file must have it
)

type found struct {
	value  value
	how    how
	target Target
}

// lookup finds what a name means at an offset of a scope.
func (s *session) lookup(u *unit, scope ScopeID, name string, at int32, en *env) found {
	crossed := false // a function between the use and the scope looked at
	var base found
	doubt := false // a base class that is not known may have it
	for sc := scope; sc >= 0; sc = u.Scopes[sc].Parent {
		kind := u.Scopes[sc].Kind
		if kind == ClassScope {
			if decls := s.declared(u, sc, name, TypeParam); len(decls) > 0 {
				return s.meaning(u, decls, en)
			}
		}
		switch {
		case kind == BranchScope:
			continue
		case kind == ClassScope && s.rules.MembersInScope:
			it := item{kind: isInstance, unit: u, decl: u.Scopes[sc].Decl, env: en}
			switch m := s.find(it, name, 0); {
			case m.how == has:
				return found{value: m.value, how: byScope}
			case m.how == foreign && base.how == nowhere:
				base = found{value: unknown, how: byBase, target: m.target}
				if m.value.items != nil {
					base.value = m.value
				}
			case m.how == doubtful:
				doubt = true
			}
		case kind == ClassScope && crossed: // members need self
		default:
			if decls := s.reaching(u, sc, name, scope, at, crossed); len(decls) > 0 {
				return s.meaning(u, decls, en)
			}
		}
		crossed = crossed || kind == FunctionScope
	}
	if u == s.library {
		return found{value: unknown}
	}
	if f := s.beyond(u, name); f.how != nowhere {
		return f
	}
	if doubt || base.how == byBase && s.implicit(name) {
		return found{value: unknown}
	}
	if base.how == nowhere {
		base.value = unknown
	}
	return base
}

// beyond looks outside the file: in its package, in what it imports whole, in the
// library.
func (s *session) beyond(u *unit, name string) found {
	if targets := s.linker.Global(u.File, name); len(targets) > 0 {
		return found{value: s.stub(targets, name), how: byGlobal, target: targets[0]}
	}
	for i := range u.Imports {
		im := &u.Imports[i]
		if !im.All {
			continue
		}
		for _, t := range s.linker.Import(u.File, im) {
			if o := s.units[t.Path]; o != nil {
				scope := o.Decls[t.Decl].Inner // of a class or namespace, else the file
				if decls := o.names[declKey{scope, name}]; len(decls) > 0 {
					target := Target{t.Path, decls[0]}
					return found{value: s.stub([]Target{target}, name), how: byStar, target: target}
				}
			}
		}
	}
	if s.library != nil {
		if decls := s.library.names[declKey{0, name}]; len(decls) > 0 {
			return found{value: s.evalDecls(s.library, decls, nil), how: byScope}
		}
	}
	return found{}
}

// declared are the declarations of one kind in a scope.
func (s *session) declared(u *unit, sc ScopeID, name string, kind DeclKind) []DeclID {
	var out []DeclID
	for _, d := range u.names[declKey{sc, name}] {
		if u.Decls[d].Kind == kind {
			out = append(out, d)
		}
	}
	return out
}

// reaching are the declarations of a scope that a use may mean: all of them, or
// with [Rules.Flow] those that no later one replaces. Of each branch the last one
// counts, and what stands before one in a branch around the use does not.
func (s *session) reaching(u *unit, sc ScopeID, name string, scope ScopeID, at int32, crossed bool) []DeclID {
	decls := u.names[declKey{sc, name}]
	if len(decls) == 0 {
		return nil
	}
	kept := make([]DeclID, 0, len(decls))
	for _, d := range decls {
		if u.Decls[d].Kind != Member {
			kept = append(kept, d)
		}
	}
	if !s.rules.Flow || len(kept) < 2 {
		return kept
	}
	slices.SortStableFunc(kept, func(a, b DeclID) int { return int(u.Decls[a].From - u.Decls[b].From) })
	if !crossed {
		if n := slices.IndexFunc(kept, func(d DeclID) bool { return u.Decls[d].From > at }); n > 0 {
			kept = kept[:n]
		}
	}
	var out []DeclID
	seen := map[ScopeID]bool{}
	for _, d := range slices.Backward(kept) {
		branch := u.Decls[d].Scope
		if seen[branch] {
			continue
		}
		seen[branch] = true
		out = append(out, d)
		if !crossed && u.within(scope, branch) {
			break
		}
	}
	slices.Reverse(out)
	return out
}

// within reports whether scope s lies in scope outer or is it.
func (u *unit) within(s, outer ScopeID) bool {
	for ; s >= 0; s = u.Scopes[s].Parent {
		if s == outer {
			return true
		}
	}
	return false
}

// meaning is the value of declarations of one name, and whether an import of the
// project binds it.
func (s *session) meaning(u *unit, decls []DeclID, en *env) found {
	f := found{how: byScope}
	for _, d := range decls {
		if d := &u.Decls[d]; d.Kind == Imported {
			if targets := s.linker.Import(u.File, u.Import(d.Import)); len(targets) > 0 {
				f.how, f.target = byImport, targets[0]
				continue
			}
		}
		f.how = byScope // one that needs no other file is enough
		break
	}
	f.value = s.evalDecls(u, decls, en)
	return f
}

// stub is what a name of other files stands for.
func (s *session) stub(targets []Target, name string) value {
	if t := targets[0]; t.Path == s.home.Path && t.Decl != 0 {
		return s.evalDecl(s.home, t.Decl, nil) // by way of another file, or of the package
	}
	it := item{kind: isStub, target: targets[0], via: ViaImport}
	if s.mode == Extended {
		real := value{}
		for _, t := range targets {
			u := s.units[t.Path]
			switch {
			case u == nil || t.Decl == 0 && name != "":
				real.unknown = true
			case t.Decl == 0:
				real = real.or(of(item{kind: isModule, unit: u}))
			default:
				real = real.or(s.evalDecls(u, []DeclID{t.Decl}, nil))
			}
		}
		it.real = &real
	}
	return of(it)
}
