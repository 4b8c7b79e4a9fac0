package bind

// overloads are those of several functions of one name and place that take so
// many arguments, or all of them if none does.
func overloads(v value, args int) value {
	return v.preferring(func(it item) bool { return it.kind != isFunc || takesCount(it, args) })
}

// takesCount reports whether a function takes so many arguments.
func takesCount(it item, args int) bool {
	params := it.unit.Decls[it.decl].Params
	n := len(params)
	return n == args || n > 0 && args >= n-1 && it.unit.Decls[params[n-1]].Rest ||
		n > args && it.unit.Decls[params[args]].Omitted != 0
}

// preferring is a value without the items that are not preferred, unless none is.
func (v value) preferring(preferred func(item) bool) value {
	if len(v.items) < 2 {
		return v
	}
	out := value{unknown: v.unknown, lost: v.lost}
	for _, it := range v.items {
		if preferred(it) {
			out.items = append(out.items, it)
		}
	}
	if len(out.items) == 0 {
		return v
	}
	return out
}

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
		if s.takes(it, u, call, en, s.assignable) {
			return value{items: []item{it}, unknown: v.unknown, lost: v.lost}
		}
	}
	return v
}

// assignable reports whether a value may be given where another is expected. Only
// classes that say what they inherit are apart.
func (s *session) assignable(x, y item) bool {
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

// applicable leaves out functions that cannot take the arguments of a call. Where
// none can, the compiler does not know what the call gives.
func (s *session) applicable(v value, u *unit, call *Expr, en *env) value {
	if !s.strictTypes() || len(v.items) == 0 || len(call.Args) == 0 {
		return v
	}
	out := v.doubt()
	for _, it := range v.items {
		if it.kind != isFunc || s.takes(it, u, call, en, s.fits) {
			out.items = append(out.items, it)
		}
	}
	if len(out.items) == 0 {
		return s.lost()
	}
	return out
}

// takes reports whether the parameters of a function fit the arguments of a call,
// where both are known to be just one thing. Function literals fit everything.
func (s *session) takes(f item, u *unit, call *Expr, en *env, fits func(arg, param item) bool) bool {
	for i, a := range call.Args {
		p := f.unit.parameter(f.decl, i)
		if p == nil || p.Type == 0 || p.Rest || u.Exprs[a].Op == FuncLit {
			continue
		}
		if x, y, ok := only(s.eval(u, a, en), s.eval(f.unit, p.Type, f.env)); ok && !fits(x, y) {
			return false
		}
	}
	return true
}
