package bind

// call is what calling gives.
func (s *session) call(u *unit, e *Expr, en *env) value {
	return s.eval(u, e.X, en).each(func(it item) value { return s.called(it, u, e, en) })
}

func (s *session) called(it item, u *unit, e *Expr, en *env) value {
	switch it.kind {
	case isFunc:
		return s.result(it, u, e, en).through(ViaReturn)
	case isClass, isStub:
		if s.rules.CallConstructs {
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
		if it.kind == isClass {
			if c := &it.unit.Decls[it.decl]; len(c.TypeParams) > 0 {
				if f, ok := s.constructor(it); ok {
					it.env = s.inferred(f, c.TypeParams, u, e, en, true)
				}
			}
		}
		return of(it)
	}).instance(ViaConstructor)
}

// constructor is the function that makes instances of a class.
func (s *session) constructor(it item) (item, bool) {
	c := &it.unit.Decls[it.decl]
	if c.Inner == 0 {
		return item{}, false
	}
	for _, name := range []string{"constructor", "__init__", c.Name} {
		for _, d := range it.unit.names[declKey{c.Inner, name}] {
			if it.unit.Decls[d].Constructor {
				return item{kind: isFunc, unit: it.unit, decl: d, env: it.env}, true
			}
		}
	}
	return item{}, false
}

// result is what a function returns to a call, which may be nil.
func (s *session) result(it item, u *unit, call *Expr, en *env) value {
	d := &it.unit.Decls[it.decl]
	if d.Opaque {
		return unknown
	}
	inner := it.env
	if len(d.TypeParams) > 0 && call != nil {
		inner = s.inferred(it, d.TypeParams, u, call, en, true)
	}
	if d.Type != 0 {
		return s.eval(it.unit, d.Type, inner)
	}
	if len(d.Returns) == 0 {
		return unknown
	}
	return s.union(it.unit, d.Returns, inner)
}

// parameter is the declaration that takes argument i of a function.
func (u *unit) parameter(f DeclID, i int) *Decl {
	params := u.Decls[f].Params
	if n := len(params); i >= n && n > 0 && u.Decls[params[n-1]].Rest {
		i = n - 1
	}
	if i < 0 || i >= len(params) {
		return nil
	}
	return &u.Decls[params[i]]
}

// inferred binds type parameters of a called function by its arguments. Without
// literals, function literals among them are left out: what their parameters are
// is being asked.
func (s *session) inferred(it item, params []DeclID, u *unit, call *Expr, en *env, literals bool) *env {
	b := &binding{session: s, unit: it.unit, params: params, values: map[DeclID]value{}}
	for i, a := range call.Args {
		p := it.unit.parameter(it.decl, i)
		if p == nil || p.Type == 0 || !literals && u.Exprs[a].Op == FuncLit {
			continue
		}
		b.unify(p.Type, s.eval(u, a, en), 0)
	}
	out := it.env
	for _, p := range params {
		if _, ok := out.get(it.unit, p); ok {
			continue
		}
		if v, ok := b.values[p]; ok {
			out = &env{it.unit, p, v, out}
		}
	}
	return out
}

// expected is what the callee of a call expects as a parameter of a function
// literal among its arguments.
func (s *session) expected(u *unit, e *Expr, en *env) value {
	if e.X == 0 || len(e.Args) != 1 {
		return unknown
	}
	call := &u.Exprs[e.X]
	at := int(e.Args[0])
	return s.eval(u, call.X, en).each(func(it item) value {
		if it.kind == isClass {
			f, ok := s.constructor(it)
			if !ok {
				return unknown
			}
			it = f
		}
		if it.kind != isFunc {
			return unknown
		}
		p := it.unit.parameter(it.decl, at)
		if p == nil || p.Type == 0 {
			return unknown
		}
		inner := s.inferred(it, it.unit.Decls[it.decl].TypeParams, u, call, en, false)
		return s.eval(it.unit, p.Type, inner).each(func(f item) value {
			f, ok := s.function(f)
			if !ok {
				return unknown
			}
			p := f.unit.parameter(f.decl, int(e.N))
			if p == nil || p.Type == 0 {
				return unknown
			}
			return s.eval(f.unit, p.Type, f.env)
		})
	}).through(ViaCallback)
}

// function is what a value is called as: a function, or the only method of an
// interface.
func (s *session) function(it item) (item, bool) {
	if it.kind == isFunc {
		return it, true
	}
	if it.kind != isInstance || it.unit.Decls[it.decl].Inner == 0 {
		return item{}, false
	}
	inner := it.unit.Decls[it.decl].Inner
	only := DeclID(0)
	for i := range it.unit.Decls {
		d := &it.unit.Decls[i]
		if d.Scope != inner || d.Kind != Func || d.Static {
			continue
		}
		if only != 0 {
			return item{}, false
		}
		only = DeclID(i)
	}
	return item{kind: isFunc, unit: it.unit, decl: only, env: it.env}, only != 0
}
