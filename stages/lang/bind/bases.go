package bind

// Whether a class has a member.
type having uint8

const (
	absent   having = iota // neither it nor its bases do
	has                    // declared in this file or in the library
	foreign                // declared in another file, or there is a base of another file
	doubtful               // a base is not known, or it may have any member
)

type membership struct {
	how    having
	value  value
	target Target
	via    string
	maybe  bool // foreign, but a class that is not known decides
	sure   bool // foreign, and seen there (only in Extended mode)
}

// climbKey is a member looked for in the bases of a class. Files of a package that
// share a class are each other's bases, and hostile classes their own.
type climbKey struct {
	unit *unit
	decl DeclID
	name string
}

// find looks for a member in the class of an item and its bases.
func (s *session) find(it item, name string, depth int) membership {
	if depth > maxBases || !s.step() {
		return membership{how: doubtful, value: unknown}
	}
	c := &it.unit.Decls[it.decl]
	if c.Inner != 0 {
		if decls := it.unit.named(c.Inner, name); len(decls) > 0 {
			value := s.apart(func() value { return s.ofDecls(it.unit, decls, it.env) })
			if d := &it.unit.Decls[decls[0]]; it.kind == isClass && d.Property && !d.Static && s.rules.ByCall {
				value = unknown // the property itself
			}
			if v, ok := s.given(it, name); ok {
				value = value.or(v)
			}
			m := membership{how: has, value: value, target: Target{Path: it.unit.Path, Decl: decls[0]}}
			if s.isForeign(it.unit) {
				m.how, m.sure = foreign, true
			}
			return m
		}
	}
	if v, ok := s.given(it, name); ok {
		return membership{how: has, value: v}
	}
	worst := membership{how: absent}
	if c.Opaque {
		worst = membership{how: doubtful, value: unknown}
	}
	climb := climbKey{it.unit, it.decl, name}
	if s.climbed[climb] { // what its bases have is known to who asks
		return worst
	}
	if s.climbed == nil {
		s.climbed = map[climbKey]bool{}
		defer func() { s.climbed = nil }()
	}
	s.climbed[climb] = true
	for _, b := range c.Bases {
		bases := s.apart(func() value { return s.eval(it.unit, b, it.env) })
		if bases.unknown && !s.internal(name) {
			worst = membership{how: doubtful, value: unknown}
		}
		for _, base := range bases.items {
			var m membership
			switch base.kind {
			case isStub, isStubInstance:
				m = s.ofStub(base.target, name)
				m.via = ViaBase
				if m.how == has && it.unit.Exprs[b].Static { // a class that is implemented hands nothing down
					m.how = absent
				}
				if base.real != nil {
					if r := s.member(*base.real, name); r.target.Path != "" {
						m.value, m.target, m.sure = r.value, r.target, true
					}
				}
			case isClass, isInstance:
				base.kind = it.kind
				m = s.find(base, name, depth+1)
			default:
				m = membership{how: doubtful, value: unknown}
			}
			if m.how == has || m.how == foreign && m.sure && s.mode == Extended {
				return m
			}
			if m.how == foreign && !m.maybe && s.exact() && !s.rules.Tolerant {
				return m
			}
			if worst.how == absent || worst.how == foreign && m.how == doubtful {
				worst = m
			}
		}
	}
	if worst.how != doubtful && c.Inner != 0 {
		if decls := it.unit.named(c.Inner, AnyMember); len(decls) > 0 {
			return membership{how: has, value: s.ofDecls(it.unit, decls, it.env)}
		}
	}
	return worst
}

// apart infers a value that has nothing to do with the search under way.
func (s *session) apart(infer func() value) value {
	climbed := s.climbed
	s.climbed = nil
	v := infer()
	s.climbed = climbed
	return v
}

// ofStub is a member of what an import stands for.
func (s *session) ofStub(t Target, name string) membership {
	m := membership{how: foreign, value: s.lost(), target: t}
	if s.rules.Declared {
		if nested, _ := s.declares(t, name); nested.Path != "" {
			return membership{how: has, value: s.stub([]Target{nested}, name, name), target: nested}
		}
	}
	if !s.exact() {
		return m
	}
	switch nested, how := s.declares(t, name); {
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
func (s *session) declares(t Target, name string) (nested Target, how having) {
	return s.declaredBy(t, name, map[Target]bool{}, 0)
}

// declaredBy is declares of one class. What was seen on another way up adds nothing.
func (s *session) declaredBy(t Target, name string, seen map[Target]bool, depth int) (nested Target, how having) {
	u := s.units[t.Path]
	if u == nil || t.Decl == 0 || u.Decls[t.Decl].Kind != Class || depth > maxBases || !s.look(1) {
		return Target{}, doubtful
	}
	if seen[t] {
		return Target{}, absent
	}
	seen[t] = true
	c := &u.Decls[t.Decl]
	if decls := u.named(c.Inner, name); c.Inner != 0 && len(decls) > 0 {
		if u.Decls[decls[0]].Kind == Class {
			return Target{Path: t.Path, Decl: decls[0]}, has
		}
		return Target{}, has
	}
	how = absent
	if c.Opaque || c.Inner != 0 && len(u.named(c.Inner, AnyMember)) > 0 {
		how = doubtful
	}
	o := s.at(u)
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
				in, found = s.declaredBy(base.target, name, seen, depth+1)
			case base.unit == u:
				in, found = s.declaredBy(Target{Path: u.Path, Decl: base.decl}, name, seen, depth+1)
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
