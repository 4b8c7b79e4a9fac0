package bind

import (
	"maps"
	"slices"
)

// ofLibrary is a class of the library with its type parameters bound.
func (s *session) ofLibrary(name string, args []value) value {
	if s.library == nil {
		return unknown
	}
	for _, d := range s.library.named(0, name) {
		if s.library.Decls[d].Kind == Class {
			return of(s.bound(item{kind: isClass, unit: s.library, decl: d}, args))
		}
	}
	return unknown
}

// bound binds the type parameters of a class or function.
func (s *session) bound(it item, args []value) item {
	params := it.unit.Decls[it.decl].TypeParams
	for i, v := range args {
		if i < len(params) {
			it.env = &env{it.unit, params[i], v, it.env}
		}
	}
	return it
}

// apply gives a generic type its arguments.
func (s *session) apply(u *unit, e *Expr, en *env) value {
	var args []value
	lost := false
	for _, a := range e.Args {
		v := s.eval(u, a, en)
		lost = lost || v.lost && !u.Exprs[a].Static
		args = append(args, v)
	}
	var give func(it item) value
	give = func(it item) value {
		if it.real != nil {
			real := it.real.each(give)
			it.real = &real
		}
		if it.kind != isClass && it.kind != isFunc {
			return of(it)
		}
		it = s.bound(it, args)
		if d := &it.unit.Decls[it.decl]; d.Kind == Alias {
			return s.eval(it.unit, d.Type, it.env)
		}
		return of(it)
	}
	generic := s.eval(u, e.X, en)
	generic.lost = generic.lost || s.strictTypes() && lost
	return withParameters(generic, len(args)).each(give)
}

// withParameters leaves out functions that have no type parameters for n
// arguments, unless none has.
func withParameters(v value, n int) value {
	return v.preferring(func(it item) bool {
		return it.kind != isFunc || len(it.unit.Decls[it.decl].TypeParams) >= n
	})
}

// asType is the type that a declared type names.
func (s *session) asType(u *unit, e *Expr, en *env) value {
	if x := &u.Exprs[e.X]; x.Op == Apply && s.rules.PlainStubs && s.mode == Compat {
		if slices.ContainsFunc(s.eval(u, x.X, en).items, func(it item) bool { return it.kind == isStub }) {
			return unknown
		}
	}
	return s.eval(u, e.X, en).each(func(it item) value {
		if it.kind == isClass && it.unit.Decls[it.decl].Kind == Alias { // without arguments
			return s.eval(it.unit, it.unit.Decls[it.decl].Type, it.env)
		}
		return of(it)
	})
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
