package bind

import "strings"

// A compiler is silent about what depends on a name that it has reported: a
// member of what the name gives, a call with that as an argument. And it reports
// nothing new where a name is not known in the whole project either: a member
// that a class of the project has from a library. With [Rules.Absent], Compat mode
// does the same. Values that the compiler has lost sight of are marked so, unlike
// those that only the resolver does not know.

func (s *session) strict() bool { return s.mode == Compat && s.rules.Absent != nil }

// strictTypes reports whether that compiler loses what types that do not fit give.
func (s *session) strictTypes() bool { return s.strict() && !s.rules.Tolerant }

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
	for _, id := range u.stars {
		if !s.look(4) {
			return unknown
		}
		if im := *u.Import(id); im.Name == "" || im.Name == strings.TrimSuffix(name, "()") {
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
