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
}

// maxBases bounds the way up through base classes.
const maxBases = 24

// find looks for a member in the class of an item and its bases.
func (s *session) find(it item, name string, depth int) membership {
	if depth > maxBases || !s.step() {
		return membership{how: doubtful, value: unknown}
	}
	c := &it.unit.Decls[it.decl]
	if c.Inner != 0 {
		if decls := it.unit.names[declKey{c.Inner, name}]; len(decls) > 0 {
			m := membership{how: has, value: s.evalDecls(it.unit, decls, it.env), target: Target{it.unit.Path, decls[0]}}
			if s.isForeign(it.unit) {
				m.how = foreign
			}
			return m
		}
	}
	worst := membership{how: absent}
	if c.Opaque {
		worst = membership{how: doubtful, value: unknown}
	}
	for _, b := range c.Bases {
		bases := s.eval(it.unit, b, it.env)
		if bases.unknown {
			worst = membership{how: doubtful, value: unknown}
		}
		for _, base := range bases.items {
			var m membership
			switch base.kind {
			case isStub, isStubInstance:
				m = membership{how: foreign, value: unknown, target: base.target, via: ViaBase}
				if base.real != nil {
					if r := s.member(*base.real, name); r.target.Path != "" {
						m.value, m.target = r.value, r.target
					}
				}
			case isClass, isInstance:
				m = s.find(base, name, depth+1)
			default:
				m = membership{how: doubtful, value: unknown}
			}
			if m.how == has || m.how == foreign && m.target.Decl != 0 && s.mode == Extended {
				return m
			}
			if worst.how == absent || worst.how == foreign && m.how == doubtful {
				worst = m
			}
		}
	}
	return worst
}

func (s *session) implicit(name string) bool {
	return s.rules.Implicit != nil && s.rules.Implicit(name)
}

// isForeign reports whether a unit is another file of the repository.
func (s *session) isForeign(u *unit) bool { return u != s.home && u != s.library }

// selected is what selecting a member gives.
type selected struct {
	value   value
	missing bool // only another file explains the member
	target  Target
	via     string
}

// member selects a member of a value. It is missing where at least one
// possibility is of another file, and none has it without that.
func (s *session) member(v value, name string) selected {
	out := selected{value: value{unknown: v.unknown}}
	known := v.unknown // a possibility has the member, or may have it
	for _, it := range v.items {
		var m membership
		switch it.kind {
		case isStub, isStubInstance:
			m = membership{how: foreign, value: unknown, target: it.target}
			if it.real != nil {
				if r := s.member(*it.real, name); r.target.Path != "" {
					m.value, m.target = r.value, r.target
				}
			}
		case isClass, isInstance:
			m = s.find(it, name, 0)
		case isModule:
			m = s.inModule(it, name)
		default:
			m = membership{how: doubtful, value: unknown}
		}
		if (m.how == absent || m.how == foreign) && s.implicit(name) {
			m = membership{how: doubtful, value: unknown}
		}
		out.value = out.value.or(m.value)
		switch m.how {
		case has:
			known = true
			out.target = m.target
		case doubtful:
			known = true
		case foreign:
			out.missing, out.target = true, m.target
			if out.via = m.via; out.via == "" {
				out.via = it.via
			}
		}
	}
	out.missing = out.missing && !known
	if len(out.value.items) == 0 {
		out.value.unknown = true
	}
	return out
}

func (s *session) inModule(it item, name string) membership {
	scope := it.unit.Decls[it.decl].Inner
	if decls := it.unit.names[declKey{scope, name}]; len(decls) > 0 {
		m := membership{how: has, value: s.evalDecls(it.unit, decls, nil), target: Target{it.unit.Path, decls[0]}}
		if s.isForeign(it.unit) {
			m.how = foreign
		}
		return m
	}
	return membership{how: doubtful, value: unknown}
}
