package bind

// passedOver reports whether the checkers pass over an expression.
func (s *session) passedOver(e *Expr) bool {
	if s.mode != Compat {
		return false
	}
	if s.guards == nil {
		s.guards = make([]guarded, len(s.home.Guards))
	}
	for i := range s.home.Guards {
		g := &s.home.Guards[i]
		if !s.look(1) {
			break
		}
		if e.Start < g.Start || e.Start >= g.End || s.home.owner(e.Scope) != s.home.owner(g.Scope) {
			continue
		}
		if s.guards[i] == notAsked {
			s.guards[i] = looksAt
			if s.truth(s.home, g.Test, nil, true) == no {
				s.guards[i] = passesOver
			}
		}
		if s.guards[i] == passesOver {
			return true
		}
	}
	return false
}

// guarded is what the checkers do with the part of a [Guard].
type guarded uint8

const (
	notAsked guarded = iota
	looksAt
	passesOver
)
