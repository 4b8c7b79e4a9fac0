package bind

// targets gathers declarations, each once.
type targets struct {
	list []Target
	seen map[Target]bool
}

func (l *targets) add(t Target) {
	if len(l.list) >= maxDeclared || l.seen[t] {
		return
	}
	if l.seen == nil {
		l.seen = map[Target]bool{}
	}
	l.seen[t] = true
	l.list = append(l.list, t)
}

// unitOf is a file of the repository, or the library.
func (s *session) unitOf(path string) *unit {
	if u := s.units[path]; u != nil {
		return u
	}
	if s.library != nil && s.library.Path == path {
		return s.library
	}
	return nil
}

// stands adds what an expression of a file stands for.
func (s *session) stands(l *targets, u *unit, id ExprID, depth int) {
	if id <= 0 || int(id) >= len(u.Exprs) || depth > maxBases || !s.step() {
		return
	}
	e := &u.Exprs[id]
	switch e.Op {
	case Name:
		f := s.lookup(u, e.Scope, e.Name, e.Space, e.Start, nil)
		if f.how == nowhere && e.Context != 0 {
			s.ofValue(l, s.eval(u, e.Context, nil), e.Name, depth)
		}
		s.ofFound(l, u, f, e.Name, depth)
	case Select:
		x := s.eval(u, e.X, nil)
		if targets := s.qualifiedTargets(u, id, x); len(targets) > 0 {
			s.followed(l, targets, false, depth)
			return
		}
		before := len(l.list)
		s.ofValue(l, x, e.Name, depth)
		if len(l.list) == before && s.rules.Extensions && e.N == Called && u == s.home && s.extends(e) {
			s.followed(l, s.linker.Global(u.File, ExtensionPrefix+e.Name), false, depth)
		}
	case Apply, Whole, Named, Erased:
		s.stands(l, u, e.X, depth+1)
	case Split:
		before := len(l.list)
		if len(e.Args) == 1 {
			s.stands(l, u, e.Args[0], depth+1)
		}
		if len(l.list) == before {
			s.stands(l, u, e.X, depth+1)
		}
	case Union, Common:
		for _, a := range e.Args {
			s.stands(l, u, a, depth+1)
		}
	case FuncLit, Reference, Object:
		l.add(Target{Path: u.Path, Decl: e.Decl})
	}
}

// ofFound adds what a name was found to mean.
func (s *session) ofFound(l *targets, u *unit, f found, name string, depth int) {
	switch {
	case f.class != 0:
		s.membersOf(l, item{kind: isInstance, unit: f.unit, decl: f.class}, name, depth)
	case f.decls != nil:
		s.follow(l, f.unit, f.decls, depth)
	case f.how == byGlobal:
		s.followed(l, s.linker.Global(u.File, name), true, depth)
	}
}

// follow adds declarations of a file, or what they are other names of.
func (s *session) follow(l *targets, u *unit, decls []DeclID, depth int) {
	for _, id := range decls {
		if depth > maxBases || !s.look(1) || len(l.list) >= maxDeclared {
			return
		}
		switch d := &u.Decls[id]; d.Kind {
		case Imported:
			im := u.Import(d.Import)
			s.followed(l, s.linker.Import(u.File, im), im.Name == "", depth)
		case Alias:
			before := len(l.list)
			s.stands(l, u, d.Type, depth+1)
			if len(l.list) == before {
				l.add(Target{Path: u.Path, Decl: id})
			}
		default:
			l.add(Target{Path: u.Path, Decl: id})
		}
	}
}

// followed adds what a linker named, with the other declarations of the name in its
// scope. A file in answer to a name counts if it is a module.
func (s *session) followed(l *targets, list []Target, modules bool, depth int) {
	for _, t := range list {
		u := s.unitOf(t.Path)
		switch {
		case u == nil || depth > maxBases || !s.step():
		case t.Decl == 0:
			if modules || t.Module {
				l.add(Target{Path: t.Path, Module: t.Module})
			}
		default:
			d := &u.Decls[t.Decl]
			if decls := u.named(u.owner(d.Scope), d.Name); d.Name != "" && !d.Global && len(decls) > 0 {
				s.follow(l, u, decls, depth+1)
			} else {
				s.follow(l, u, []DeclID{t.Decl}, depth+1)
			}
		}
	}
}

// ofValue adds the members of one name that a value has.
func (s *session) ofValue(l *targets, v value, name string, depth int) {
	for _, it := range v.items {
		switch {
		case depth > maxBases || !s.step():
			return
		case it.kind == isModule:
			s.ofModule(l, it, name, depth)
		case it.kind == isTuple:
			s.ofValue(l, s.list(it), name, depth+1)
		case it.real != nil:
			s.ofValue(l, *it.real, name, depth+1)
		default:
			s.membersOf(l, it, name, depth)
		}
	}
}

// ofModule adds what a namespace or module has under a name, by its own imports too.
func (s *session) ofModule(l *targets, it item, name string, depth int) {
	before := len(l.list)
	s.follow(l, it.unit, it.unit.named(it.unit.Decls[it.decl].Inner, name), depth+1)
	if len(l.list) > before || it.decl != 0 {
		return
	}
	if subs, ok := s.linker.(Submodules); ok {
		s.followed(l, subs.Submodule(it.unit.File, name), true, depth+1)
	}
	for _, star := range s.stars(it.unit) {
		if len(l.list) > before || !s.look(1) {
			return
		}
		if star.only == "" || star.only == name {
			s.follow(l, star.unit, star.unit.named(star.scope, name), depth+1)
		}
	}
}

// membersOf adds the members of one name of a class, or of its first base that has
// any.
func (s *session) membersOf(l *targets, it item, name string, depth int) {
	s.inherit(l, it, name, map[Target]bool{}, depth)
}

// declaresMember reports whether a class or a base of it is seen to declare a member.
func (s *session) declaresMember(it item, name string) bool {
	var l targets
	s.membersOf(&l, it, name, 0)
	return len(l.list) > 0
}

func (s *session) inherit(l *targets, it item, name string, seen map[Target]bool, depth int) {
	if it.kind != isClass && it.kind != isInstance || depth > maxBases || !s.step() {
		return
	}
	class := Target{Path: it.unit.Path, Decl: it.decl}
	if seen[class] {
		return
	}
	seen[class] = true
	c := &it.unit.Decls[it.decl]
	before := len(l.list)
	if c.Inner != 0 {
		s.follow(l, it.unit, it.unit.named(c.Inner, name), depth)
	}
	if c.Kind == Alias { // of a generic type
		s.inheritAny(l, s.eval(it.unit, c.Type, it.env), name, seen, depth)
	}
	for _, b := range c.Bases {
		if len(l.list) > before {
			return
		}
		s.inheritAny(l, s.eval(it.unit, b, it.env), name, seen, depth)
	}
}

// inheritAny adds the members that a base class has, by all that it may be.
func (s *session) inheritAny(l *targets, v value, name string, seen map[Target]bool, depth int) {
	for _, it := range v.items {
		if it.real != nil {
			if depth <= maxBases && s.step() {
				s.inheritAny(l, *it.real, name, seen, depth+1)
			}
			continue
		}
		s.inherit(l, it, name, seen, depth+1)
	}
}

// declarations adds what a value may be of one kind.
func (s *session) declarations(l *targets, v value, kind itemKind, depth int) {
	if depth > maxBases || !s.step() {
		return
	}
	for _, it := range v.items {
		switch {
		case it.real != nil:
			s.declarations(l, *it.real, kind, depth+1)
		case it.kind != kind:
		case it.unit.Decls[it.decl].Kind == Alias: // of a generic type
			aliased := s.eval(it.unit, it.unit.Decls[it.decl].Type, it.env)
			if kind == isInstance {
				aliased = aliased.instance("")
			}
			s.declarations(l, aliased, kind, depth+1)
		default:
			l.add(Target{Path: it.unit.Path, Decl: it.decl})
		}
	}
}
