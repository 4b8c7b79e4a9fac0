package bind

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
	home  *unit
	memo  map[memoKey]value
	depth int
	steps int // of this question
	spent int // of those before
}

type memoKey struct {
	unit *unit
	expr ExprID
}

// eval is the value of an expression of a file. Type parameters have the values
// of en.
func (s *session) eval(u *unit, e ExprID, en *env) value {
	if e == 0 {
		return unknown
	}
	key := memoKey{u, e}
	if en == nil {
		if v, ok := s.memo[key]; ok {
			return v
		}
	}
	if s.depth >= maxDepth || !s.step() {
		return unknown
	}
	s.depth++
	if en == nil {
		s.memo[key] = unknown // what refers to itself is not known
	}
	v := s.infer(u, e, en)
	if en == nil {
		s.memo[key] = v
	}
	s.depth--
	return v
}

func (s *session) infer(u *unit, id ExprID, en *env) value {
	e := &u.Exprs[id]
	switch e.Op {
	case Null:
		return value{}
	case Literal:
		return s.ofLibrary(e.Name, nil).instance("")
	case Name:
		return s.lookup(u, e.Scope, e.Name, e.Start, en).value
	case Select:
		return s.member(s.eval(u, e.X, en), e.Name).value
	case Call:
		return s.call(u, e, en)
	case New:
		return s.construct(u, e, s.eval(u, e.X, en), en)
	case Of:
		return s.eval(u, e.X, en).instance(ViaAnnotation)
	case Apply:
		return s.apply(u, e, en)
	case Index:
		return s.index(s.eval(u, e.X, en), int(e.N))
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
		for _, a := range e.Args {
			it.elems = append(it.elems, s.eval(u, a, en))
		}
		return of(it)
	case List:
		return s.ofLibrary(s.rules.List, []value{s.union(u, e.Args, en)}).instance(ViaElement)
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
			return s.union(u, u.Decls[c].Bases, en).instance(ViaBase).through(ViaBase)
		}
	case Expected:
		return s.expected(u, e, en)
	case TypeOf:
		return s.eval(u, e.X, en).class()
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
		v = v.or(s.evalDecl(u, d, en))
	}
	return v
}

func (s *session) evalDecl(u *unit, id DeclID, en *env) value {
	d := &u.Decls[id]
	switch d.Kind {
	case Imported:
		if targets := s.linker.Import(u.File, u.Import(d.Import)); len(targets) > 0 {
			return s.stub(targets, u.Import(d.Import).Name)
		}
		return unknown
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
	case TypeParam:
		if v, ok := en.get(u, id); ok {
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
	for _, a := range e.Args {
		args = append(args, s.eval(u, a, en))
	}
	return s.eval(u, e.X, en).each(func(it item) value {
		if it.kind != isClass && it.kind != isFunc {
			return of(it)
		}
		it = s.bound(it, args)
		if d := &it.unit.Decls[it.decl]; d.Kind == Alias {
			return s.eval(it.unit, d.Type, it.env)
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
		}
		return unknown
	})
}

func (s *session) index(v value, n int) value {
	return v.each(func(it item) value {
		if it.kind == isTuple {
			if n >= 0 && n < len(it.elems) {
				return it.elems[n]
			}
		}
		return s.special(of(it), "__index__", ViaElement)
	})
}
