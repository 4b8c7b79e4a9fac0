package bind

// indistinct reports whether nothing tells the possibilities of a value apart: the
// member they have in common for that is of types of another file, which a
// compiler has lost. Conditions on it then narrow nothing ([Rules.Every]).
func (s *session) indistinct(v value) bool {
	if v.unknown || len(v.items) < 2 {
		return false
	}
	broken := false
	for _, it := range v.items {
		if it.kind != isInstance || it.unit != s.home || it.unit.Decls[it.decl].Inner == 0 {
			return false
		}
	}
	first := v.items[0]
	for _, i := range first.unit.members[first.unit.Decls[first.decl].Inner] {
		d := &first.unit.Decls[i]
		if d.Kind != Member || !s.step() {
			continue
		}
		literals, lost := 0, false
		for _, it := range v.items {
			for _, d := range it.unit.named(it.unit.Decls[it.decl].Inner, d.Name) {
				switch typ := it.unit.Decls[d].Type; {
				case it.unit.isLiteral(typ):
					literals++
				case s.elsewhere(it.unit, typ):
					lost = true
				}
			}
		}
		if literals == len(v.items) {
			return false
		}
		broken = broken || lost
	}
	return broken
}

// elsewhere reports whether a type is a member that only another file explains: of
// an enum, of a namespace, of what a function of another file made.
func (s *session) elsewhere(u *unit, typ ExprID) bool {
	switch e := &u.Exprs[typ]; e.Op {
	case Of:
		return s.elsewhere(u, e.X)
	case Select:
		v := s.eval(u, e.X, nil)
		return v.lost || s.member(v, e.Name).missing
	}
	return false
}

// isLiteral reports whether a type is that of one literal, or of some.
func (u *unit) isLiteral(typ ExprID) bool {
	e := &u.Exprs[typ]
	if e.Op == Union {
		for _, a := range e.Args {
			if !u.isLiteral(a) {
				return false
			}
		}
		return true
	}
	return e.Op == Literal && e.Static || e.Op == Null
}
