package bind

import "slices"

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
