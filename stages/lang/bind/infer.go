package bind

import "slices"

// session infers values for the names of one file.
type session struct {
	*Resolver
	home *unit
	memo *memo
	uses map[ExprID]bool // see isUse
	// reading: for a [Reader], to which a base class of another file is as near as one
	// of the file.
	reading bool
	sets    map[setKey][]ExprID
	// byCall counts the calls whose arguments stand for parameters.
	byCall  int
	calls   []ExprID // by what is called; see silenced
	other   map[*unit]*session
	starred map[*unit][]star
	guards  []guarded // of the home's [Guard]s
	// climbed are the classes whose bases the search under way has looked at.
	climbed map[climbKey]bool
	depth   int
	steps   int // of this question
	spent   int // of those before
	looks   int // of all
}

// at is a session that looks at another file.
func (s *session) at(u *unit) *session {
	if u == s.home {
		return s
	}
	if s.other == nil {
		s.other = map[*unit]*session{}
	}
	o := s.other[u]
	if o == nil {
		o = &session{Resolver: s.Resolver, home: u, memo: newMemo(u, false), uses: map[ExprID]bool{}, other: s.other}
		s.other[u] = o
	}
	o.next()
	return o
}

// eval is the value of an expression of a file. Type parameters have the values
// of en.
func (s *session) eval(u *unit, e ExprID, en *env) value {
	if e == 0 {
		return unknown
	}
	if en == nil {
		if v, ok := s.memo.get(u, e); ok {
			if !s.look(1) {
				return unknown
			}
			return v
		}
	}
	if s.depth >= maxDepth || !s.step() {
		return unknown
	}
	s.depth++
	if en == nil {
		s.memo.put(u, e, unknown) // what refers to itself is not known
	}
	v := s.infer(u, e, en)
	if en == nil {
		s.memo.put(u, e, v)
	}
	s.depth--
	return v
}

func (s *session) infer(u *unit, id ExprID, en *env) value {
	e := &u.Exprs[id]
	switch e.Op {
	case Null:
		return value{null: true}
	case Literal:
		return s.literal(e.Name)
	case Test:
		return s.test(u, e, en)
	case Choice:
		return s.choice(u, e, en)
	case Named:
		return s.eval(u, e.X, en)
	case Name:
		return s.lookup(u, e.Scope, e.Name, e.Space, e.Start, en).value
	case Select:
		x := s.eval(u, e.X, en)
		if v, ok := s.qualified(u, id, x); ok {
			return v
		}
		return s.member(x, e.Name).value
	case Call:
		if s.strict() && s.lostArgument(u, e, en, -1) {
			return s.lost()
		}
		return s.call(u, e, en)
	case Operator:
		return s.operator(u, e, en)
	case Computed:
		if v := s.union(u, e.Args, en); v.lost {
			v.items, v.unknown = nil, true
			return v
		}
	case Reference:
		f := item{kind: isFunc, unit: u, decl: e.Decl, env: en}
		if s.strict() && s.result(f, nil, nil, nil).lost {
			return s.lost()
		}
		return of(f)
	case Common:
		return s.common(s.union(u, e.Args, en))
	case Cast:
		return s.cast(u, e, en)
	case Erased:
		return s.erased(s.eval(u, e.X, en))
	case New:
		return s.construct(u, e, s.eval(u, e.X, en), en)
	case Of:
		return s.asType(u, e, en).instance(ViaAnnotation)
	case Apply:
		return s.apply(u, e, en)
	case Index:
		return s.index(s.eval(u, e.X, en), int(e.N), e.Name)
	case Elem:
		return s.special(s.eval(u, e.X, en), "__elem__", ViaElement)
	case Await:
		return s.eval(u, e.X, en).each(func(it item) value {
			if v := s.special(of(it), "__await__", it.via); !v.unknown {
				return v
			}
			return of(it)
		})
	case Union:
		return s.union(u, e.Args, en)
	case FuncLit:
		return of(item{kind: isFunc, unit: u, decl: e.Decl, env: en})
	case Tuple:
		it := item{kind: isTuple}
		it.elems = s.evals(u, e.Args, en)
		return of(it)
	case List:
		v := s.ofLibrary(s.rules.List, []value{s.union(u, e.Args, en)}).instance(ViaElement)
		if s.rules.Flow {
			for i := range v.items {
				v.items[i].elems = s.evals(u, e.Args, en)
			}
		}
		return v
	case Object:
		return of(item{kind: isInstance, unit: u, decl: e.Decl, env: en})
	case This:
		if c := u.classAround(e.Scope); c != 0 {
			it := item{kind: isInstance, unit: u, decl: c, env: en}
			if e.Static {
				it.kind = isClass
			}
			return of(it)
		}
	case Super:
		if c := u.classAround(e.Scope); c != 0 {
			bases := s.union(u, slices.DeleteFunc(slices.Clone(u.Decls[c].Bases), func(b ExprID) bool { return u.Exprs[b].Static }), en)
			if !e.Static {
				bases = bases.instance(ViaBase)
			}
			return bases.through(ViaBase)
		}
	case Expected:
		return s.expected(u, e, en)
	case Whole:
		return s.whole(u, e, en)
	case TypeOf:
		return s.eval(u, e.X, en).class()
	case Split:
		if s.mode == Extended && len(e.Args) == 1 {
			if v := s.eval(u, e.Args[0], en); !v.unknown {
				return v
			}
		}
		return s.eval(u, e.X, en)
	}
	return unknown
}

func (s *session) union(u *unit, args []ExprID, en *env) value {
	var v value
	for _, a := range args {
		s.look(len(v.items))
		v = v.or(s.eval(u, a, en))
	}
	return v
}

func (s *session) evals(u *unit, args []ExprID, en *env) []value {
	out := make([]value, len(args))
	for i, a := range args {
		out[i] = s.eval(u, a, en)
	}
	return out
}
