package bind

import "strconv"

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

func (s *session) inModule(it item, name string) membership {
	scope := it.unit.Decls[it.decl].Inner
	if decls := it.unit.named(scope, name); len(decls) > 0 {
		m := membership{how: has, value: s.ofDecls(it.unit, decls, nil), target: Target{Path: it.unit.Path, Decl: decls[0]}}
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
