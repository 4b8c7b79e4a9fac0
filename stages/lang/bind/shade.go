package bind

import (
	"cmp"
	"slices"
	"sort"
)

// shaded drops the uses of a file that stand in the shade of others.
func (s *session) shaded(uses []Use) []Use {
	var hidden []Span
	for _, shade := range s.home.Shades {
		s.next()
		if s.missing(shade.Cause.Start, shade.Cause.End) || shade.Of != 0 && s.eval(s.home, shade.Of, nil).foreign() {
			hidden = append(hidden, shade.Hidden)
		}
	}
	slices.SortFunc(hidden, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	out := uses[:0]
	end := 0
	for _, u := range uses {
		for len(hidden) > 0 && int(hidden[0].Start) <= u.Start {
			end = max(end, int(hidden[0].End))
			hidden = hidden[1:]
		}
		if u.Start >= end {
			out = append(out, u)
		}
	}
	return out
}

// foreign reports whether a value surely has a class of another file.
func (v value) foreign() bool {
	for _, it := range v.items {
		if it.kind != isStub && it.kind != isStubInstance {
			return false
		}
	}
	return len(v.items) > 0 && !v.unknown
}

// whole is the value of a Whole expression: not known to a compiler that misses a
// name in it.
func (s *session) whole(u *unit, e *Expr, en *env) value {
	if s.mode == Compat && u == s.home && s.missing(e.Start, e.N) {
		return s.lost()
	}
	return s.eval(u, e.X, en)
}

// missing reports whether a name between two offsets of the file asked about is
// a use, or has a value that is lost by one.
func (s *session) missing(start, end int32) bool {
	refs := s.home.Refs
	n := sort.Search(len(refs), func(i int) bool { return s.home.Exprs[refs[i]].Start >= start })
	for ; n < len(refs) && s.home.Exprs[refs[n]].Start < end && s.step(); n++ {
		if s.isUse(refs[n]) || s.home.Exprs[refs[n]].Op == Name && s.eval(s.home, refs[n], nil).lost {
			return true
		}
	}
	return false
}

// isUse remembers which refs are uses. One that depends on itself is none.
func (s *session) isUse(ref ExprID) bool {
	if is, ok := s.uses[ref]; ok {
		return is
	}
	if !s.step() {
		return false
	}
	s.uses[ref] = false
	_, is := s.use(ref)
	s.uses[ref] = is
	return is
}
