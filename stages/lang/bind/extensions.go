package bind

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
