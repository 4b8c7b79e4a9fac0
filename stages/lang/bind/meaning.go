package bind

// meaning is the value of declarations of one name, and whether an import of the
// project binds it.
func (s *session) meaning(u *unit, decls []DeclID, en *env) found {
	f := found{how: byScope, unit: u, decls: decls}
	for _, d := range decls {
		if d := &u.Decls[d]; d.Kind == Imported {
			if targets := s.linker.Import(u.File, u.Import(d.Import)); len(targets) > 0 && !s.inLibrary(targets[0]) && !s.own(targets[0]) {
				f.how, f.target = byImport, targets[0]
				continue
			}
		}
		f.how = byScope // one that needs no other file is enough
		break
	}
	f.value = s.ofDecls(u, decls, en)
	return f
}

// ofDecls is the value of all declarations of one name.
func (s *session) ofDecls(u *unit, decls []DeclID, en *env) value {
	var v value
	for _, d := range decls {
		if !s.step() {
			return unknown
		}
		v = v.or(s.ofDecl(u, d, en))
	}
	return v
}

func (s *session) ofDecl(u *unit, id DeclID, en *env) value {
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

// own reports whether a target is of the file asked about.
func (s *session) own(t Target) bool {
	return t.Path == s.home.Path && (t.Decl != 0 || t.Module)
}

func (s *session) inLibrary(t Target) bool {
	return s.library != nil && t.Path == s.library.Path && t.Decl != 0
}

// isForeign reports whether a unit is another file of the repository.
func (s *session) isForeign(u *unit) bool { return u != s.home && u != s.library }

// stub is what a name of other files stands for, which this file calls local.
func (s *session) stub(targets []Target, name, local string) value {
	deep := s.depth >= maxDepth // imports may go in circles
	s.depth++
	defer func() { s.depth-- }()
	t := targets[0]
	switch u := s.near(t); {
	case u == nil:
	case deep:
		return unknown
	case t.Decl == 0:
		return of(item{kind: isModule, unit: u})
	default:
		return s.ofDecl(u, t.Decl, nil)
	}
	it := item{kind: isStub, target: t, name: local, via: ViaImport}
	if s.mode == Extended && !deep && s.step() {
		real := value{}
		for _, t := range targets {
			u := s.units[t.Path]
			switch {
			case u == nil || t.Decl == 0 && name != "" && !t.Module:
				real.unknown = true
			case t.Decl == 0:
				real = real.or(of(item{kind: isModule, unit: u}))
			default:
				real = real.or(s.ofDecls(u, []DeclID{t.Decl}, nil))
			}
		}
		it.real = &real
	}
	return of(it)
}

// near is the file of a target that needs no stand-in: of the library, of the file
// asked about (by way of another file, or of the package), or another name of a
// type. It is nil for others.
func (s *session) near(t Target) *unit {
	u := s.units[t.Path]
	switch {
	case s.inLibrary(t):
		return s.library
	case s.own(t):
		return s.home
	case s.rules.Aliases && u != nil && u.Decls[t.Decl].Kind == Alias:
		return u
	}
	return nil
}
