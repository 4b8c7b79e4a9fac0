package bind

import (
	"maps"
	"slices"
)

// call is what calling gives.
func (s *session) call(u *unit, e *Expr, en *env) value {
	callees := s.firstFit(overloads(s.eval(u, e.X, en), len(e.Args)), u, e, en)
	return s.applicable(callees, u, e, en).each(func(it item) value { return s.called(it, u, e, en) })
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
		if it.kind == isStub && s.strict() && !s.rules.Tolerant && (len(e.Args) > 0 || s.withArguments(u, e, en)) {
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
	for _, name := range []string{"constructor", "__init__", c.Name} {
		for _, d := range it.unit.names[declKey{c.Inner, name}] {
			if it.unit.Decls[d].Constructor {
				out = append(out, item{kind: isFunc, unit: it.unit, decl: d, env: it.env})
			}
		}
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

// inferred binds type parameters of a called function by its arguments, and by
// what is expected of the call. Where an argument is being asked about, it is
// left out, and so are all function literals.
func (s *session) inferred(it item, params []DeclID, u *unit, call *Expr, en *env, asked int) *env {
	b := &binding{session: s, unit: it.unit, params: params, values: map[DeclID]value{}, env: it.env}
	for i, a := range call.Args {
		p := it.unit.parameter(it.decl, i)
		if p == nil || p.Type == 0 || asked >= 0 && (i == asked || u.Exprs[a].Op == FuncLit) {
			continue
		}
		b.unify(p.Type, s.eval(u, a, en), 0)
	}
	if d := &it.unit.Decls[it.decl]; call.Context != 0 && len(b.values) < len(params) {
		known := maps.Clone(b.values)
		b.unifyContext(d, s.eval(u, call.Context, en))
		maps.Copy(b.values, known)
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
	if s.strict() && s.lostArgument(u, call, en, at) {
		return s.lost()
	}
	return s.firstFit(overloads(s.eval(u, call.X, en), len(call.Args)), u, call, en).each(func(it item) value {
		if it.kind == isFunc && call.Op == New && at == 0 {
			return s.parameterValue(it, int(e.N)) // a delegate made of a function literal
		}
		if it.kind != isClass {
			return s.expectedBy(it, nil, u, e, en)
		}
		out := unknown
		for _, f := range overloads(value{items: s.constructors(it)}, len(call.Args)).items {
			v := s.expectedBy(f, it.unit.Decls[it.decl].TypeParams, u, e, en)
			if out.items == nil {
				out = v
			} else if v.items != nil { // those that take something else tell nothing
				out = out.or(v)
			}
		}
		return out
	}).through(ViaCallback)
}

// expectedBy is what a function expects of a call; params are the type parameters
// of the class it makes an instance of.
func (s *session) expectedBy(it item, params []DeclID, u *unit, e *Expr, en *env) value {
	call, at := &u.Exprs[e.X], int(e.Args[0])
	if it.kind != isFunc {
		return unknown
	}
	p := it.unit.parameter(it.decl, at)
	if p == nil || p.Type == 0 {
		return unknown
	}
	inner := s.inferred(it, append(slices.Clone(params), it.unit.Decls[it.decl].TypeParams...), u, call, en, at)
	v := s.eval(it.unit, p.Type, inner)
	if e.N == Itself {
		return v
	}
	return v.each(func(f item) value { return s.parameterValue(f, int(e.N)) })
}

// parameterValue is what a value that is called takes as parameter i.
func (s *session) parameterValue(f item, i int) value {
	if f.kind == isStubInstance {
		return s.lost() // no interface with one method
	}
	f, ok := s.function(f)
	if !ok {
		return unknown
	}
	if i == Result {
		return s.result(f, nil, nil, nil)
	}
	p := f.unit.parameter(f.decl, i)
	if p == nil || p.Type == 0 {
		return unknown
	}
	return s.eval(f.unit, p.Type, f.env)
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
	only := DeclID(0)
	for _, i := range it.unit.members[it.unit.Decls[it.decl].Inner] {
		d := &it.unit.Decls[i]
		if d.Kind != Func || d.Static || d.Default {
			continue
		}
		if only != 0 {
			return item{}, false
		}
		only = i
	}
	return item{kind: isFunc, unit: it.unit, decl: only, env: it.env}, only != 0
}
