package bind

import "slices"

// Bounds of one question and of all about one file. Beyond them a value is not
// known.
const (
	maxDepth     = 200
	maxSteps     = 20_000
	maxFileSteps = 2_000_000
)

// session infers values for the names of one file.
type session struct {
	*Resolver
	home *unit
	memo *memo
	uses map[ExprID]bool // see isUse
	sets map[setKey][]ExprID
	// byCall counts the calls whose arguments stand for parameters.
	byCall int
	calls  []ExprID // by what is called; see silenced
	other  map[*unit]*session
	// climbed are the classes whose bases the search under way has looked at.
	climbed map[climbKey]bool
	depth   int
	steps   int // of this question
	spent   int // of those before
}

// eval is the value of an expression of a file. Type parameters have the values
// of en.
func (s *session) eval(u *unit, e ExprID, en *env) value {
	if e == 0 {
		return unknown
	}
	if en == nil {
		if v, ok := s.memo.get(u, e); ok {
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

// step reports whether the bounds allow one more.
func (s *session) step() bool {
	s.steps++
	return s.steps <= maxSteps && s.spent <= maxFileSteps
}

func (s *session) union(u *unit, args []ExprID, en *env) value {
	var v value
	for _, a := range args {
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

// classAround is the class whose body surrounds a scope.
func (u *unit) classAround(sc ScopeID) DeclID {
	for ; sc >= 0; sc = u.Scopes[sc].Parent {
		if u.Scopes[sc].Kind == ClassScope {
			return u.Scopes[sc].Decl
		}
	}
	return 0
}

// evalDecls is the value of all declarations of one name.
func (s *session) evalDecls(u *unit, decls []DeclID, en *env) value {
	var v value
	for _, d := range decls {
		if !s.step() {
			return unknown
		}
		v = v.or(s.evalDecl(u, d, en))
	}
	return v
}

func (s *session) evalDecl(u *unit, id DeclID, en *env) value {
	d := &u.Decls[id]
	switch d.Kind {
	case Imported:
		if targets := s.linker.Import(u.File, u.Import(d.Import)); len(targets) > 0 {
			return s.stub(targets, u.Import(d.Import).Name, d.Name)
		}
		return s.external(u.Import(d.Import))
	case Class:
		return of(item{kind: isClass, unit: u, decl: id, env: en})
	case Namespace:
		return of(item{kind: isModule, unit: u, decl: id})
	case Func:
		it := item{kind: isFunc, unit: u, decl: id, env: en}
		if d.Property {
			return s.result(it, nil, nil, nil).through(ViaField)
		}
		return of(it)
	case TypeParam, Param:
		if v, ok := en.get(u, id); ok && (d.Kind == TypeParam || !v.unknown) {
			return v
		}
	case Alias:
		if d.TypeParams != nil {
			return of(item{kind: isClass, unit: u, decl: id, env: en}) // waits for its arguments; see apply
		}
	}
	e := d.Type
	if e == 0 {
		e = d.Value
	}
	v := s.eval(u, e, en)
	if d.Kind == Member {
		return v.through(ViaField)
	}
	return v
}

// ofLibrary is a class of the library with its type parameters bound.
func (s *session) ofLibrary(name string, args []value) value {
	if s.library == nil {
		return unknown
	}
	for _, d := range s.library.names[declKey{0, name}] {
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
	generic.lost = generic.lost || s.strict() && !s.rules.Tolerant && lost
	return withParameters(generic, len(args)).each(give)
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

// special selects what iterating, indexing and awaiting give. Only classes say.
func (s *session) special(v value, name, via string) value {
	return v.each(func(it item) value {
		switch it.kind {
		case isTuple:
			var all value
			for _, e := range it.elems {
				all = all.or(e)
			}
			return all
		case isInstance:
			if m := s.find(it, name, 0); m.how == has || m.how == foreign && m.value.items != nil {
				return m.value.through(via)
			}
		case isStub, isStubInstance:
			if it.real != nil {
				return s.special(*it.real, name, via)
			}
			return s.lost()
		}
		return unknown
	})
}

// index is an element by place, which counts from the end below -1, or by key.
func (s *session) index(v value, n int, key string) value {
	return v.each(func(it item) value {
		if key == ":" {
			if it.elems != nil || it.kind == isInstance && it.unit == s.library {
				it.text = ""
				return of(it)
			}
			return unknown
		}
		at := n
		if n < -1 {
			at = len(it.elems) + n + 1
		}
		if at >= 0 && at < len(it.elems) {
			return it.elems[at]
		}
		if it.real != nil {
			return s.index(*it.real, n, key)
		}
		if key != "" && it.kind == isInstance {
			switch m := s.find(it, "["+key+"]", 0); {
			case m.how == has:
				return m.value.through(ViaElement)
			case s.mode == Compat && it.unit.Decls[it.decl].Name == "":
				return unknown // an object literal without the key
			}
		}
		if s.rules.ByCall && it.kind == isInstance && it.unit != s.library {
			if m := s.find(it, "__getitem__", 0); m.how == has {
				return m.value.each(func(f item) value { return s.called(f, it.unit, &Expr{}, nil) })
			}
		}
		return s.special(of(it), "__index__", ViaElement)
	})
}
