package bind

// resultByCall is what a function without declared types returns to a call. Where
// that is not known in general, it is asked with the arguments in place of the
// parameters. What a function returns by calling itself adds nothing.
func (s *session) resultByCall(it item, u *unit, call *Expr, en *env) value {
	d := &it.unit.Decls[it.decl]
	if len(d.Returns) == 0 {
		return unknown
	}
	v := s.union(it.unit, d.Returns, it.env)
	if !v.unknown || call == nil || len(d.Params) == 0 || s.isForeign(it.unit) || s.byCall >= maxByCall || s.steps > maxByCallSteps {
		return v
	}
	inner := it.env
	for i, p := range d.Params {
		if arg, ok := s.argument(it.unit, p, i, u, call, en); ok {
			inner = &env{it.unit, p, arg, inner}
		}
	}
	if inner == it.env {
		return v
	}
	s.byCall++
	defer func() { s.byCall-- }()
	return s.union(it.unit, d.Returns, inner)
}

// argument is what a call gives parameter p, the i-th.
func (s *session) argument(of *unit, p DeclID, i int, u *unit, call *Expr, en *env) (value, bool) {
	d := &of.Decls[p]
	if d.Rest {
		return value{}, false
	}
	for _, a := range call.Args {
		if e := &u.Exprs[a]; e.Op == Named && e.Name == d.Name {
			return s.eval(u, e.X, en), true
		}
	}
	if i < len(call.Args) {
		a := call.Args[i]
		return s.eval(u, a, en), u.Exprs[a].Op != Named
	}
	if d.Omitted != 0 {
		return s.eval(of, d.Omitted, nil), true
	}
	return value{}, false
}
