package bind

// call is what calling gives.
func (s *session) call(u *unit, e *Expr, en *env) value {
	callees := s.eval(u, e.X, en)
	if s.rules.Best && s.mode == Extended {
		callees = callees.real()
	}
	callees = s.firstFit(overloads(callees, len(e.Args)), u, e, en)
	callees = s.bestFit(callees, u, e.Args, en)
	return s.applicable(callees, u, e, en).each(func(it item) value { return s.called(it, u, e, en) })
}

func (s *session) called(it item, u *unit, e *Expr, en *env) value {
	switch it.kind {
	case isFunc:
		return s.result(it, u, e, en).through(ViaReturn)
	case isClass, isStub:
		if s.rules.CallConstructs || s.rules.Best && it.kind == isClass && s.mode == Extended {
			return s.construct(u, e, of(it), en)
		}
		if it.real != nil {
			return it.real.each(func(r item) value { return s.called(r, u, e, en) })
		}
	case isInstance:
		if m := s.find(it, "__call__", 0); m.how == has {
			return m.value.each(func(f item) value {
				if f.kind != isFunc {
					return unknown
				}
				return s.result(f, u, e, en).through(ViaReturn)
			})
		}
	}
	return unknown
}

// construct makes instances of classes.
func (s *session) construct(u *unit, e *Expr, classes value, en *env) value {
	return classes.each(func(it item) value {
		if it.kind == isStub && s.strictTypes() && (len(e.Args) > 0 || s.withArguments(u, e, en)) {
			return s.lost() // it has no such constructor
		}
		if it.kind == isClass {
			if !s.constructs(it, u, e, en) {
				return s.lost()
			}
			if c := &it.unit.Decls[it.decl]; len(c.TypeParams) > 0 {
				if f, ok := s.constructor(it); ok {
					it.env = s.inferred(f, c.TypeParams, u, e, en, -1)
				}
			}
		}
		return of(it)
	}).instance(ViaConstructor)
}

// constructor is the function that makes instances of a class, the first of them.
func (s *session) constructor(it item) (item, bool) {
	if all := s.constructors(it); len(all) > 0 {
		return all[0], true
	}
	return item{}, false
}

// constructors are the functions that make instances of a class.
func (s *session) constructors(it item) []item {
	c := &it.unit.Decls[it.decl]
	if c.Inner == 0 {
		return nil
	}
	var out []item
	for _, d := range it.unit.constructors[c.Inner] {
		out = append(out, item{kind: isFunc, unit: it.unit, decl: d, env: it.env})
	}
	return out
}

// result is what a function returns to a call, which may be nil.
func (s *session) result(it item, u *unit, call *Expr, en *env) value {
	d := &it.unit.Decls[it.decl]
	if d.Opaque {
		return unknown
	}
	inner := it.env
	if len(d.TypeParams) > 0 && call != nil {
		inner = s.inferred(it, d.TypeParams, u, call, en, -1)
		if !s.bounded(it, inner) {
			return s.lost()
		}
	}
	if d.Type != 0 {
		return s.eval(it.unit, d.Type, inner)
	}
	if s.rules.ByCall {
		return s.resultByCall(it, u, call, en)
	}
	if len(d.Returns) == 0 {
		return unknown
	}
	return s.union(it.unit, d.Returns, inner)
}
