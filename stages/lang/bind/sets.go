package bind

import "strings"

// setKey is a member of a class of this file, or of what an import stands for.
type setKey struct {
	unit   *unit
	decl   DeclID
	target Target
	class  string
	member string
}

func keyOf(it item, member string) (setKey, bool) {
	switch it.kind {
	case isClass, isInstance, isFunc:
		return setKey{unit: it.unit, decl: it.decl, member: member}, true
	case isStub, isStubInstance:
		return setKey{target: it.target, class: it.name, member: member}, true
	}
	return setKey{}, false
}

// readSets finds the members that assignments of the file give to classes.
func (s *session) readSets() {
	sets := map[setKey][]ExprID{}
	for _, set := range s.home.Sets {
		s.next()
		for _, it := range s.eval(s.home, set.X, nil).items {
			if k, ok := keyOf(it, set.Name); ok {
				sets[k] = append(sets[k], set.Value)
			}
		}
	}
	if len(sets) > 0 {
		s.sets = sets
		s.memo.forget() // was inferred without them
	}
}

// given is the value of a member that the file gives to a class.
func (s *session) given(it item, member string) (value, bool) {
	if s.sets == nil {
		return value{}, false
	}
	k, _ := keyOf(it, member)
	values, ok := s.sets[k]
	if !ok {
		return value{}, false
	}
	return s.union(s.home, values, nil), true
}

// ofFunction looks for a member of a function: what the file gives it.
func (s *session) ofFunction(it item, name string) membership {
	if v, ok := s.given(it, name); ok {
		return membership{how: has, value: v}
	}
	if s.rules.ByCall && !strings.HasPrefix(name, "__") {
		return membership{how: absent}
	}
	return membership{how: doubtful, value: unknown}
}
