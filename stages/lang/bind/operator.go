package bind

import "slices"

// operator is what an operator gives.
func (s *session) operator(u *unit, e *Expr, en *env) value {
	x := s.eval(u, e.X, en)
	member, free := s.operators(u, e, x, en)
	args := e.Args
	if len(member.items) == 0 {
		member, args = free, append([]ExprID{e.X}, e.Args...)
	}
	switch {
	case len(member.items) > 0:
		call := &Expr{Op: Call, Args: args, Scope: e.Scope, Start: e.Start}
		return member.each(func(it item) value { return s.called(it, u, call, en) })
	case e.Name == "operator[]", e.Name == "operator*" && len(e.Args) == 0:
		return s.index(x, -1, "")
	case e.Name == "operator->":
		return x
	}
	return unknown
}

// operators are the functions of an operator: members of the class of its first
// operand, else functions that take all operands, one of which has a class of the
// repository. Only [Extended] mode knows them.
func (s *session) operators(u *unit, e *Expr, x value, en *env) (members, free value) {
	if s.mode != Extended || u == s.library {
		return value{}, value{}
	}
	own := s.ofRepository(x)
	if own {
		members = functions(s.member(x, e.Name).value)
		members = s.bestFit(overloads(members, len(e.Args)), u, e.Args, en)
	}
	if len(members.items) > 0 || len(e.Args) == 0 && (e.Name == "operator*" || e.Name == "operator->") || e.Name == "operator[]" || e.Name == "operator=" {
		return members, value{}
	}
	for _, a := range e.Args {
		own = own || s.ofRepository(s.eval(u, a, en))
	}
	if own {
		args := append([]ExprID{e.X}, e.Args...)
		free = functions(s.lookup(u, e.Scope, e.Name, Anywhere, e.Start, en).value)
		free = s.bestFit(overloads(free, len(args)), u, args, en)
	}
	return members, free
}

// ofRepository reports whether a value is of a class that a file of the repository
// declares.
func (s *session) ofRepository(v value) bool {
	for _, it := range v.items {
		if it.kind == isInstance && it.unit != s.library || it.real != nil && s.ofRepository(*it.real) {
			return true
		}
	}
	return false
}

// functions are the functions among what a value may be.
func functions(v value) value {
	var out value
	for _, it := range v.items {
		switch {
		case it.kind == isFunc:
			out.items = append(out.items, it)
		case it.real != nil:
			out.items = append(out.items, functions(*it.real).items...)
		}
	}
	return out
}

// bestFit leaves out functions that fit the arguments of a call less well than
// others; see [Rules.Best].
func (s *session) bestFit(v value, u *unit, args []ExprID, en *env) value {
	if s.mode != Extended || len(v.items) < 2 {
		return v
	}
	v, _ = s.best(v, u, args, en)
	return v
}

// best is bestFit, with how well they fit.
func (s *session) best(v value, u *unit, args []ExprID, en *env) (value, int) {
	if !s.rules.Best {
		return v, 0
	}
	given := s.evals(u, args, en)
	out, best := value{unknown: v.unknown, lost: v.lost}, 0
	for _, it := range v.items {
		fit := 0
		for i, x := range given {
			if it.kind != isFunc {
				return v, 0
			}
			p := it.unit.parameter(it.decl, i)
			switch {
			case p == nil:
			case p.Type == 0 && !p.Rest && s.ofRepository(x):
				fit -= 2
			default:
				fit += s.fit(x, s.eval(it.unit, p.Type, it.env), 0)
			}
		}
		if len(out.items) == 0 || fit > best {
			out.items, best = nil, fit
		}
		if fit == best {
			out.items = append(out.items, it)
		}
	}
	return out, best
}

// fit is how well an argument fits a parameter: 2 if it is of its class, 1 of one
// below that, or if neither has a class, 0 if that is not known, less if it would have
// to be converted.
func (s *session) fit(x, y value, depth int) int {
	a, b, ok := only(x.real(), y.real())
	a, b = s.declaredElsewhere(a), s.declaredElsewhere(b)
	switch {
	case len(x.items) == 0 && len(y.items) == 0:
		return 1
	case !ok || a.kind != isInstance || b.kind != isInstance:
		return 0
	case a.unit == b.unit && a.decl == b.decl:
		if params := a.unit.Decls[a.decl].TypeParams; a.unit == s.library && len(params) == 1 && depth < maxUnify {
			x, _ := a.env.get(a.unit, params[0])
			y, _ := b.env.get(b.unit, params[0])
			return s.fit(x, y, depth+1) // pointers to
		}
		return 2
	}
	switch s.below(a, b, 0) {
	case yes:
		return 1
	case maybe:
		return 0
	}
	return -2
}

// declaredElsewhere is the class that one without a body stands for, its only base.
func (s *session) declaredElsewhere(it item) item {
	if it.kind != isInstance || it.unit.Decls[it.decl].Inner != 0 || len(it.unit.Decls[it.decl].Bases) != 1 || !s.step() {
		return it
	}
	v := s.eval(it.unit, it.unit.Decls[it.decl].Bases[0], it.env).real()
	if len(v.items) != 1 || v.items[0].kind != isClass {
		return it
	}
	it = v.items[0]
	it.kind = isInstance
	return it
}

// below is whether a class has another among its bases.
func (s *session) below(a, b item, depth int) truth {
	if a.unit == b.unit && a.decl == b.decl {
		return yes
	}
	if depth > maxBases || !s.step() {
		return maybe
	}
	out := no
	for _, base := range a.unit.Decls[a.decl].Bases {
		v := s.eval(a.unit, base, a.env).real()
		if v.unknown || len(v.items) == 0 {
			out = maybe
		}
		for _, it := range v.items {
			if it.kind != isClass && it.kind != isInstance {
				out = maybe
				continue
			}
			switch s.below(it, b, depth+1) {
			case yes:
				return yes
			case maybe:
				out = maybe
			}
		}
	}
	return out
}

// real is a value with what stand-ins stand for in their place.
func (v value) real() value {
	if !slices.ContainsFunc(v.items, func(it item) bool { return it.real != nil }) {
		return v
	}
	return v.each(func(it item) value {
		if it.real != nil {
			return *it.real
		}
		return of(it)
	})
}

// callees are the functions that an expression calls, with what else it may.
func (s *session) callees(u *unit, e *Expr) []Target {
	var l targets
	args := e.Args
	switch e.Op {
	case Call, New:
		s.stands(&l, u, e.X, 0)
	case Operator:
		members, free := s.operators(u, e, s.eval(u, e.X, nil), nil)
		s.declarations(&l, members.or(free), isFunc, 0)
		return l.list
	}
	if len(l.list) < 2 || len(l.list) > maxItems*4 {
		return l.list
	}
	var v value
	for _, t := range l.list {
		it, ok := s.functionOf(t)
		if !ok {
			return l.list
		}
		v.items = append(v.items, it)
	}
	return targetsOf(s.bestFit(overloads(v, len(args)), u, args, nil))
}

// functionOf is the function that a target is.
func (s *session) functionOf(t Target) (item, bool) {
	u := s.unitOf(t.Path)
	if u == nil || t.Decl <= 0 || int(t.Decl) >= len(u.Decls) || u.Decls[t.Decl].Kind != Func {
		return item{}, false
	}
	return item{kind: isFunc, unit: u, decl: t.Decl}, true
}

// targetsOf are the declarations of a value's items.
func targetsOf(v value) []Target {
	var out []Target
	for _, it := range v.items {
		out = append(out, Target{Path: it.unit.Path, Decl: it.decl})
	}
	return out
}
