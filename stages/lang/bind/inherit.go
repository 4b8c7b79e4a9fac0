package bind

// inherited is what a simple name means where a base class of another file
// declares it; it is not found where none does. With [Rules.Declared] only.
func (s *session) inherited(m membership, name string) found {
	t := m.target
	if u := s.units[t.Path]; u != nil && t.Decl != 0 && u.Decls[t.Decl].Kind != Class {
		return found{value: m.value, how: byBase, target: t} // it is the member itself
	}
	switch nested, how := s.declares(t, name, 0); {
	case nested.Path != "": // a class inside the base
		return found{value: s.stub([]Target{nested}, name, name), how: byGlobal, target: nested}
	case how == has:
		return found{value: s.lost(), how: byBase, target: t}
	}
	return found{}
}

// ExtensionPrefix is put in front of a name to ask a [Linker] for the functions of
// the project that are called like members of anything; those of the file itself
// come first. For one of a library it answers with the file.
const ExtensionPrefix = "."

// extended corrects what selecting a member gives where a function may be called
// like one. A compiler takes such a function of the file itself, or of a library,
// for a member that it misses. One of another file is a use where no class of the
// value has the member.
func (s *session) extended(e *Expr, m *selected) {
	if !s.rules.Extensions || m.missing && s.mode == Extended {
		return
	}
	targets := s.linker.Global(s.home.File, ExtensionPrefix+e.Name)
	switch {
	case len(targets) == 0:
	case targets[0].Path == s.home.Path:
		m.missing = m.missing && !s.eval(s.home, e.X, nil).instances()
	case !m.missing && e.N == Called && s.extends(e):
		m.missing, m.target = true, targets[0]
	}
}

// extends reports whether a member that is called is none of a class.
func (s *session) extends(e *Expr) bool {
	if x := &s.home.Exprs[e.X]; x.Op == Name && s.lookup(s.home, x.Scope, x.Name, x.Space, x.Start, nil).how == nowhere {
		return false // a class of a library
	}
	v := s.eval(s.home, e.X, nil)
	for _, it := range v.items {
		switch it.kind {
		case isModule:
			return false
		case isClass, isInstance:
			if s.find(it, e.Name, 0).how == has {
				return false
			}
		}
	}
	return !v.lost
}

// instances reports whether a value is surely of objects, not a class itself.
func (v value) instances() bool {
	for _, it := range v.items {
		if it.kind == isClass || it.kind == isStub {
			return false
		}
	}
	return true
}

// maxQualified bounds the parts of a name with namespaces in front.
const maxQualified = 12

// qualified is what a name with dots means that begins with a namespace: the
// [Linker] knows it as a whole.
func (s *session) qualified(u *unit, id ExprID, x value) (value, bool) {
	if !s.rules.Qualified || len(x.items) > 0 && x.items[0].kind != isModule || x.lost || !x.unknown && len(x.items) == 0 {
		return value{}, false
	}
	name := ""
	for range maxQualified {
		e := &u.Exprs[id]
		switch {
		case e.Op == Select:
			name = "." + e.Name + name
			id = e.X
			continue
		case e.Op == Name:
			if targets := s.linker.Global(u.File, e.Name+name); len(targets) > 0 {
				return s.stub(targets, "", ""), true
			}
		}
		break
	}
	return value{}, false
}
