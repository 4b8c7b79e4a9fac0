package bind

import "strings"

// A compiler is silent about what depends on a name that it has reported: a
// member of what the name gives, a call with that as an argument. And it reports
// nothing new where a name is not known in the whole project either: a member
// that a class of the project has from a library. With [Rules.Absent], Compat mode
// does the same. Values that the compiler has lost sight of are marked so, unlike
// those that only the resolver does not know.

func (s *session) strict() bool { return s.mode == Compat && s.rules.Absent != nil }

// exact reports whether only what other files surely declare counts.
func (s *session) exact() bool { return s.rules.Absent != nil && !s.rules.Tolerant || s.strict() }

// lost is the value of what the compiler has reported or does not have.
func (s *session) lost() value {
	return value{unknown: true, lost: s.strict() || s.mode == Compat && s.rules.Extensions}
}

// external is what an import of something outside the project gives.
func (s *session) external(im *Import) value {
	if s.exact() && s.rules.Absent(im) {
		return value{unknown: true, lost: true, absent: true}
	}
	return unknown
}

// notFound is the value of a name that nothing declares. A library that is known
// to the compiler and imported whole may.
func (s *session) notFound(u *unit, name string) value {
	if !s.exact() || s.rules.Tolerant {
		return unknown
	}
	for i := range u.Imports {
		if im := u.Imports[i]; im.All && (im.Name == "" || im.Name == strings.TrimSuffix(name, "()")) {
			im.Name = name
			if !s.rules.Absent(&im) {
				return unknown
			}
		}
	}
	return value{unknown: true, lost: true, absent: true}
}

// lostArgument reports whether the compiler has lost an argument of a call. What
// has its type from the function that is called does not count, nor does the one
// at except.
func (s *session) lostArgument(u *unit, call *Expr, en *env, except int) bool {
	if s.rules.Tolerant {
		return false
	}
	for i, a := range call.Args {
		if op := u.Exprs[a].Op; op != FuncLit && op != Union && i != except && s.eval(u, a, en).lost {
			return true
		}
	}
	return false
}

// silenced reports whether a ref is called with an argument that is lost.
func (s *session) silenced(ref ExprID) bool {
	if !s.strict() {
		return false
	}
	if s.calls == nil {
		s.calls = make([]ExprID, len(s.home.Exprs))
		for i := range s.home.Exprs {
			if e := &s.home.Exprs[i]; e.Op == Call {
				s.calls[e.X] = ExprID(i)
			}
		}
	}
	call := s.calls[ref]
	return call != 0 && s.lostArgument(s.home, &s.home.Exprs[call], nil, -1)
}

func (s *session) inLibrary(t Target) bool {
	return s.library != nil && t.Path == s.library.Path && t.Decl != 0
}

// ofStub is a member of what an import stands for.
func (s *session) ofStub(t Target, name string) membership {
	m := membership{how: foreign, value: s.lost(), target: t}
	if s.rules.Declared {
		if nested, _ := s.declares(t, name, 0); nested.Path != "" {
			return membership{how: has, value: s.stub([]Target{nested}, name, name), target: nested}
		}
	}
	if !s.exact() {
		return m
	}
	switch nested, how := s.declares(t, name, 0); {
	case nested.Path != "":
		m = membership{how: has, value: s.stub([]Target{nested}, name, name), target: nested}
	case how == absent:
		m.how = absent
	case how == doubtful:
		m.maybe = true
	}
	return m
}

// declares reports whether a class of another file has a member, and where a
// class inside it is that member. What only an absent library may have is absent.
func (s *session) declares(t Target, name string, depth int) (nested Target, how having) {
	u := s.units[t.Path]
	if u == nil || t.Decl == 0 || u.Decls[t.Decl].Kind != Class || depth > maxBases {
		return Target{}, doubtful
	}
	c := &u.Decls[t.Decl]
	if decls := u.names[declKey{c.Inner, name}]; c.Inner != 0 && len(decls) > 0 {
		if u.Decls[decls[0]].Kind == Class {
			return Target{Path: t.Path, Decl: decls[0]}, has
		}
		return Target{}, has
	}
	how = absent
	if c.Opaque || c.Inner != 0 && len(u.names[declKey{c.Inner, AnyMember}]) > 0 {
		how = doubtful
	}
	o := s.of(u)
	for _, b := range c.Bases {
		bases := o.eval(u, b, nil)
		if bases.unknown && !bases.lost {
			how = doubtful
		}
		for _, base := range bases.items {
			var in Target
			found := doubtful
			switch {
			case base.kind == isStub || base.kind == isStubInstance:
				in, found = s.declares(base.target, name, depth+1)
			case base.unit == u:
				in, found = s.declares(Target{Path: u.Path, Decl: base.decl}, name, depth+1)
			case base.unit != nil:
				found = o.find(base, name, depth+1).how
			}
			if found == has {
				return in, has
			}
			if found == doubtful {
				how = doubtful
			}
		}
	}
	return Target{}, how
}

// of is a session that looks at another file.
func (s *session) of(u *unit) *session {
	if u == s.home {
		return s
	}
	if s.other == nil {
		s.other = map[*unit]*session{}
	}
	o := s.other[u]
	if o == nil {
		o = &session{Resolver: s.Resolver, home: u, memo: newMemo(u, false), uses: map[ExprID]bool{}, other: s.other}
		s.other[u] = o
	}
	o.spent, o.steps = o.spent+o.steps, 0
	return o
}

// overloads are those of several functions of one name and place that take so
// many arguments, or all of them if none does.
func overloads(v value, args int) value {
	fits := func(it item) bool {
		if it.kind != isFunc {
			return true
		}
		params := it.unit.Decls[it.decl].Params
		n := len(params)
		return n == args || n > 0 && args >= n-1 && it.unit.Decls[params[n-1]].Rest
	}
	if len(v.items) < 2 {
		return v
	}
	out := value{unknown: v.unknown, lost: v.lost}
	for _, it := range v.items {
		if fits(it) {
			out.items = append(out.items, it)
		}
	}
	if len(out.items) == 0 {
		return v
	}
	return out
}
