package bind

// firstFit is the first of several functions of one name that may take the
// arguments of a call, where that is what counts ([Rules.Every]). An empty
// stand-in takes everything.
func (s *session) firstFit(v value, u *unit, call *Expr, en *env) value {
	if !s.rules.Every || len(v.items) < 2 {
		return v
	}
	for _, it := range v.items {
		if it.kind != isFunc {
			return v
		}
	}
	for _, it := range v.items {
		if s.mayTake(it, u, call, en) {
			return value{items: []item{it}, unknown: v.unknown, lost: v.lost}
		}
	}
	return v
}

// withParameters leaves out functions that have no type parameters for n
// arguments, unless none has.
func withParameters(v value, n int) value {
	if len(v.items) < 2 {
		return v
	}
	out := value{unknown: v.unknown, lost: v.lost}
	for _, it := range v.items {
		if it.kind != isFunc || len(it.unit.Decls[it.decl].TypeParams) >= n {
			out.items = append(out.items, it)
		}
	}
	if len(out.items) == 0 {
		return v
	}
	return out
}

func (s *session) mayTake(f item, u *unit, call *Expr, en *env) bool {
	for i, a := range call.Args {
		p := f.unit.parameter(f.decl, i)
		if p == nil || p.Type == 0 || p.Rest || u.Exprs[a].Op == FuncLit {
			continue
		}
		if x, y, ok := only(s.eval(u, a, en), s.eval(f.unit, p.Type, f.env)); ok && !s.mayBe(x, y) {
			return false
		}
	}
	return true
}

// mayBe reports whether a value may be given where another is expected. Only
// classes that say what they inherit are apart.
func (s *session) mayBe(x, y item) bool {
	if s.mode == Compat && y.kind == isStubInstance {
		return true
	}
	if y.kind != isInstance || x.kind == isInstance && x.unit == y.unit && x.decl == y.decl {
		return true
	}
	switch x.kind {
	case isStubInstance:
		return y.unit != s.library
	case isTuple, isInstance:
		if x.kind == isTuple {
			list := s.list(x)
			if len(list.items) != 1 {
				return true
			}
			x = list.items[0]
		}
		b := &binding{session: s}
		_, is := b.asBase(x, y, 0)
		return is || x.unit != s.library && y.unit != s.library
	}
	return true
}
