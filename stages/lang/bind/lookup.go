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
	// Where it is declared, if a [Reader] is to know: declarations of a unit, or a
	// class of it that has the name, by itself or a base.
	unit  *unit
	decls []DeclID
	class DeclID
}

// lookup finds what a name means at an offset of a scope.
func (s *session) lookup(u *unit, scope ScopeID, name string, space Space, at int32, en *env) found {
	crossed := false // a function between the use and the scope looked at
	var base found
	doubt := false // a base class that is not known may have it
	maybe := false // so may one of another file, which base says
	for sc := scope; sc >= 0; sc = u.Scopes[sc].Parent {
		if !s.look(1) {
			return found{value: unknown}
		}
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
				return found{value: m.value, how: byScope, unit: u, class: it.decl}
			case m.how == foreign && m.sure && s.reading && s.declaresMember(it, name):
				return found{value: m.value, how: byBase, target: m.target, unit: u, class: it.decl}
			case m.how == foreign && s.rules.Declared:
				if base.how == nowhere {
					base = s.inherited(m, name)
					base.unit, base.class = u, it.decl
				}
			case m.how == foreign && (base.how == nowhere || maybe && !m.maybe):
				maybe = m.maybe
				base = found{value: s.lost(), how: byBase, target: m.target, unit: u, class: it.decl}
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

// inherited is what a simple name means where a base class of another file
// declares it; it is not found where none does. With [Rules.Declared] only.
func (s *session) inherited(m membership, name string) found {
	t := m.target
	if u := s.units[t.Path]; u != nil && t.Decl != 0 && u.Decls[t.Decl].Kind != Class {
		return found{value: m.value, how: byBase, target: t} // it is the member itself
	}
	switch nested, how := s.declares(t, name); {
	case nested.Path != "": // a class inside the base
		return found{value: s.stub([]Target{nested}, name, name), how: byGlobal, target: nested}
	case how == has:
		return found{value: s.lost(), how: byBase, target: t}
	}
	return found{}
}

// declared are the declarations of one kind in a scope.
func (s *session) declared(u *unit, sc ScopeID, name string, kind DeclKind) []DeclID {
	var out []DeclID
	for _, d := range u.named(sc, name) {
		if u.Decls[d].Kind == kind {
			out = append(out, d)
		}
	}
	return out
}

// reaching are the declarations of a scope that a use may mean: all of them, or
// with [Rules.Flow] those that no later one replaces.
func (s *session) reaching(u *unit, sc ScopeID, name string, space Space, scope ScopeID, at int32, crossed bool) []DeclID {
	decls := u.named(sc, name)
	if len(decls) == 0 {
		return nil
	}
	s.look(len(decls))
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

// beyond looks outside the file: in its package, in what it imports whole, in the
// library.
func (s *session) beyond(u *unit, name string, space Space) found {
	if targets := s.linker.Global(u.File, name); len(targets) > 0 {
		return found{value: s.stub(targets, name, name), how: byGlobal, target: targets[0]}
	}
	for _, star := range s.stars(u) {
		if !s.look(1) {
			break
		}
		if star.only != "" && star.only != strings.TrimSuffix(name, "()") {
			continue
		}
		decls := star.unit.named(star.scope, name)
		if len(decls) == 0 {
			continue
		}
		target := Target{Path: star.unit.Path, Decl: decls[0]}
		if star.unit == s.home {
			return found{value: s.ofDecls(s.home, decls, nil), how: byScope, unit: s.home, decls: decls}
		}
		v := s.stub([]Target{target}, name, name)
		switch {
		case s.strict():
			v = s.lost()
		case s.mode == Compat && !s.rules.Names && !s.rules.Globals:
			v = unknown
		}
		return found{value: v, how: byStar, target: target, unit: star.unit, decls: decls}
	}
	if s.library != nil {
		if decls := s.reaching(s.library, 0, name, space, 0, 0, true); len(decls) > 0 {
			return found{value: s.ofDecls(s.library, decls, nil), how: byScope, unit: s.library, decls: decls}
		}
	}
	return found{}
}

// star is a scope of another file that a file imports whole, or one name of it.
type star struct {
	unit  *unit
	scope ScopeID // of a class or namespace, else the file
	only  string
}

// stars are what a file imports whole, each once.
func (s *session) stars(u *unit) []star {
	if out, ok := s.starred[u]; ok || len(u.stars) == 0 {
		return out
	}
	var out []star
	seen := map[star]bool{}
	for _, id := range u.stars {
		im := u.Import(id)
		for _, t := range s.linker.Import(u.File, im) {
			if o := s.units[t.Path]; o != nil {
				if st := (star{o, o.Decls[t.Decl].Inner, im.Name}); !seen[st] {
					seen[st] = true
					out = append(out, st)
				}
			}
		}
	}
	if s.starred == nil {
		s.starred = map[*unit][]star{}
	}
	s.starred[u] = out
	return out
}

// qualified is what a name with dots means that begins with a namespace: the
// [Linker] knows it as a whole.
func (s *session) qualified(u *unit, id ExprID, x value) (value, bool) {
	targets := s.qualifiedTargets(u, id, x)
	if len(targets) == 0 {
		return value{}, false
	}
	return s.stub(targets, "", ""), true
}

// qualifiedTargets is what the linker says of such a name.
func (s *session) qualifiedTargets(u *unit, id ExprID, x value) []Target {
	if !s.rules.Qualified || len(x.items) > 0 && x.items[0].kind != isModule || x.lost || !x.unknown && len(x.items) == 0 {
		return nil
	}
	name := ""
	for range maxQualified {
		e := &u.Exprs[id]
		switch {
		case e.Op == Select:
			name = "." + e.Name + name
			id = e.X
			continue
		case e.Op == Name:
			return s.linker.Global(u.File, e.Name+name)
		}
		break
	}
	return nil
}
