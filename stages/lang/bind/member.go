package bind

import "strconv"

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

// AnyMember is the name of a member that says what all others are.
const AnyMember = "__any__"

// maxBases bounds the way up through base classes.
const maxBases = 24

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
		if decls := it.unit.names[declKey{c.Inner, name}]; len(decls) > 0 {
			value := s.apart(func() value { return s.evalDecls(it.unit, decls, it.env) })
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
		if decls := it.unit.names[declKey{c.Inner, AnyMember}]; len(decls) > 0 {
			return membership{how: has, value: s.evalDecls(it.unit, decls, it.env)}
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

// silent reports whether the checkers say nothing of a value's class.
func (s *session) silent(it item) bool {
	name := it.name
	if it.kind == isClass || it.kind == isInstance {
		name = it.unit.Decls[it.decl].Name
	}
	return s.mode == Compat && s.rules.Silent != nil && s.rules.Silent(name)
}

func (s *session) internal(name string) bool {
	return s.rules.Internal != nil && s.rules.Internal(name)
}

// implicit reports whether a value has a member that nothing declares.
func (s *session) implicit(it item, name string) bool {
	if (it.kind == isClass || it.kind == isStub) && s.rules.OfClasses != nil && s.rules.OfClasses(name) {
		return true
	}
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
	out := selected{value: v.doubt()}
	out.value.null = false
	out.value.lost = v.lost && v.unknown
	known := v.unknown || v.lost // a possibility has the member, or may have it
	lacking := false
	for _, it := range v.items {
		var m membership
		switch it.kind {
		case isStub, isStubInstance:
			m = s.ofStub(it.target, name)
			if v, ok := s.given(it, name); ok && s.mode == Compat {
				m.how, m.value = has, v
			}
			if it.real != nil {
				if r := s.member(*it.real, name); r.target.Path != "" {
					m.value, m.target = r.value, r.target
				} else if s.rules.Every && s.lacks(*it.real, name) {
					m.how = absent
				}
			}
		case isClass, isInstance:
			m = s.find(it, name, 0)
		case isModule:
			m = s.inModule(it, name)
		case isFunc:
			m = s.ofFunction(it, name)
		case isTuple:
			m = membership{how: doubtful, value: unknown}
			if place, err := strconv.Atoi(name); err == nil && place >= 0 && place < len(it.elems) {
				m.value = it.elems[place] // x.0
				break
			}
			for _, list := range s.list(it).items {
				m = s.find(list, name, 0)
			}
		default:
			m = membership{how: doubtful, value: unknown}
		}
		if (m.how == absent || m.how == foreign) && s.implicit(it, name) {
			m = membership{how: doubtful, value: unknown}
		}
		if m.how == foreign && s.silent(it) {
			m.how = absent
		}
		out.value = out.value.or(m.value)
		switch m.how {
		case has:
			known = true
			out.target = m.target
		case doubtful:
			known = true
		case absent:
			lacking = true
		case foreign:
			out.missing, out.target = true, m.target
			if out.via = m.via; out.via == "" {
				out.via = it.via
			}
		}
	}
	if s.rules.Every {
		out.missing = out.missing || out.target.Path != "" && lacking && s.indistinct(v)
		if known = v.unknown || v.lost; out.missing && !known {
			out.value = unknown // whatever the others have
		}
	}
	if out.missing = out.missing && !known; out.missing && s.strict() {
		out.value.lost = true
	}
	if len(out.value.items) == 0 && !out.value.null {
		out.value.unknown = true
	}
	return out
}

// lacks reports whether none of a value's classes has a member.
func (s *session) lacks(v value, name string) bool {
	for _, it := range v.items {
		if it.kind != isClass && it.kind != isInstance || s.find(it, name, 0).how != absent {
			return false
		}
	}
	return !v.unknown && len(v.items) > 0
}

// list is a tuple without its places.
func (s *session) list(it item) value {
	var all value
	for _, e := range it.elems {
		all = all.or(e)
	}
	return s.ofLibrary(s.rules.List, []value{all}).instance(ViaElement)
}

func (s *session) inModule(it item, name string) membership {
	scope := it.unit.Decls[it.decl].Inner
	if decls := it.unit.names[declKey{scope, name}]; len(decls) > 0 {
		m := membership{how: has, value: s.evalDecls(it.unit, decls, nil), target: Target{Path: it.unit.Path, Decl: decls[0]}}
		if s.isForeign(it.unit) {
			m.how = foreign
		}
		return m
	}
	if subs, ok := s.linker.(Submodules); ok && it.decl == 0 {
		if targets := subs.Submodule(it.unit.File, name); len(targets) > 0 {
			return membership{how: foreign, value: s.stub(targets, name, name), target: targets[0]}
		}
	}
	return membership{how: doubtful, value: unknown}
}
