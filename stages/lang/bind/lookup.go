package bind

import (
	"slices"
	"strings"
)

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
func (s *session) lookup(u *unit, scope ScopeID, name string, space Space, at int32, en *env) found {
	crossed := false // a function between the use and the scope looked at
	var base found
	doubt := false // a base class that is not known may have it
	maybe := false // so may one of another file, which base says
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
		case kind == ClassScope && s.rules.MembersInScope && space == Types:
			if decls := slices.Concat(s.declared(u, sc, name, Class), s.declared(u, sc, name, Alias)); len(decls) > 0 {
				return s.meaning(u, decls, en)
			}
		case kind == ClassScope && s.rules.MembersInScope:
			it := item{kind: isInstance, unit: u, decl: u.Scopes[sc].Decl, env: en}
			switch m := s.find(it, name, 0); {
			case m.how == has:
				return found{value: m.value, how: byScope}
			case m.how == foreign && s.rules.Declared:
				if base.how == nowhere {
					base = s.inherited(m, name)
				}
			case m.how == foreign && (base.how == nowhere || maybe && !m.maybe):
				maybe = m.maybe
				base = found{value: s.lost(), how: byBase, target: m.target}
				if m.value.items != nil {
					base.value = m.value
				}
			case m.how == doubtful:
				doubt = true
			}
		case kind == ClassScope && crossed: // members need self
		default:
			if decls := s.reaching(u, sc, name, space, scope, at, crossed); len(decls) > 0 {
				return s.meaning(u, decls, en)
			}
		}
		crossed = crossed || kind == FunctionScope
	}
	if u == s.library {
		return found{value: unknown}
	}
	if f := s.beyond(u, name, space); f.how != nowhere {
		return f
	}
	if doubt && (base.how == nowhere || maybe || !s.exact() && !s.rules.Declared) || s.implicit(item{kind: isInstance}, name) {
		return found{value: unknown}
	}
	if base.how == nowhere {
		base.value = s.notFound(u, name)
	}
	return base
}

// beyond looks outside the file: in its package, in what it imports whole, in the
// library.
func (s *session) beyond(u *unit, name string, space Space) found {
	if targets := s.linker.Global(u.File, name); len(targets) > 0 {
		return found{value: s.stub(targets, name, name), how: byGlobal, target: targets[0]}
	}
	for i := range u.Imports {
		im := &u.Imports[i]
		if !im.All || im.Name != "" && im.Name != strings.TrimSuffix(name, "()") {
			continue
		}
		for _, t := range s.linker.Import(u.File, im) {
			if o := s.units[t.Path]; o != nil {
				scope := o.Decls[t.Decl].Inner // of a class or namespace, else the file
				if decls := o.names[declKey{scope, name}]; len(decls) > 0 {
					target := Target{Path: t.Path, Decl: decls[0]}
					if t.Path == s.home.Path {
						return found{value: s.evalDecls(o, decls, nil), how: byScope}
					}
					v := s.stub([]Target{target}, name, name)
					switch {
					case s.strict():
						v = s.lost()
					case s.mode == Compat && !s.rules.Names && !s.rules.Globals:
						v = unknown
					}
					return found{value: v, how: byStar, target: target}
				}
			}
		}
	}
	if s.library != nil {
		if decls := s.reaching(s.library, 0, name, space, 0, 0, true); len(decls) > 0 {
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
// with [Rules.Flow] those that no later one replaces.
func (s *session) reaching(u *unit, sc ScopeID, name string, space Space, scope ScopeID, at int32, crossed bool) []DeclID {
	decls := u.names[declKey{sc, name}]
	if len(decls) == 0 {
		return nil
	}
	ordered := s.rules.Ordered && (u.Scopes[sc].Kind == BlockScope || u.Scopes[sc].Kind == FunctionScope)
	hidden := func(id DeclID) bool {
		d := &u.Decls[id]
		return d.Kind == Member || !d.Space.sees(space) || ordered && d.Kind == Var && d.From > at
	}
	if !s.rules.Flow && !slices.ContainsFunc(decls, hidden) {
		return decls
	}
	kept := slices.DeleteFunc(slices.Clone(decls), hidden)
	if !s.rules.Flow {
		return kept
	}
	return s.flowing(u, kept, scope, at, crossed)
}

// sees reports whether names of two spaces may be the same.
func (a Space) sees(b Space) bool { return a == b || a == Anywhere || b == Anywhere }

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
			if targets := s.linker.Import(u.File, u.Import(d.Import)); len(targets) > 0 && !s.inLibrary(targets[0]) && !s.own(targets[0]) {
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

// own reports whether a target is of the file asked about.
func (s *session) own(t Target) bool {
	return t.Path == s.home.Path && (t.Decl != 0 || t.Module)
}

// stub is what a name of other files stands for, which this file calls local.
func (s *session) stub(targets []Target, name, local string) value {
	if s.inLibrary(targets[0]) {
		return s.evalDecl(s.library, targets[0].Decl, nil)
	}
	if t := targets[0]; s.own(t) { // by way of another file, or of the package
		if t.Decl == 0 {
			return of(item{kind: isModule, unit: s.home})
		}
		return s.evalDecl(s.home, t.Decl, nil)
	}
	if t := targets[0]; s.rules.Aliases && s.units[t.Path] != nil && s.units[t.Path].Decls[t.Decl].Kind == Alias {
		return s.evalDecl(s.units[t.Path], t.Decl, nil)
	}
	it := item{kind: isStub, target: targets[0], name: local, via: ViaImport}
	if s.mode == Extended && s.depth < maxDepth && s.step() { // imports may go in circles
		s.depth++
		defer func() { s.depth-- }()
		real := value{}
		for _, t := range targets {
			u := s.units[t.Path]
			switch {
			case u == nil || t.Decl == 0 && name != "" && !t.Module:
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
