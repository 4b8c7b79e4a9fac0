package bind

import (
	"slices"
	"strings"
)

// What a compiler says of types that do not fit: stand-ins have no bases, so that
// an instance of one is none of another. It then loses sight of the value, or of
// what the call gives.

// cast is a value asserted to be of another type.
func (s *session) cast(u *unit, e *Expr, en *env) value {
	to := s.eval(u, e.X, en)
	if len(e.Args) == 1 && s.strictTypes() {
		if from := s.eval(u, e.Args[0], en); !from.lost && s.disjoint(from, to) {
			return s.lost()
		}
	}
	return to
}

// disjoint reports whether no value can be of two types, one of which is of
// another file.
func (s *session) disjoint(a, b value) bool {
	x, y, ok := only(a, b)
	if !ok {
		return false
	}
	if x.kind == isStubInstance && y.kind == isStubInstance {
		return x.target != y.target
	}
	if y.kind != isStubInstance {
		x, y = y, x
	}
	if y.kind != isStubInstance || x.kind != isInstance {
		return false
	}
	c := &x.unit.Decls[x.decl]
	return !c.Interface && c.Name != object && !s.inherits(x, y.target, 0)
}

// object is the class in a library that all others inherit from.
const object = "Object"

// only are the single possibilities of two values.
func only(a, b value) (x, y item, ok bool) {
	if a.unknown || b.unknown || len(a.items) != 1 || len(b.items) != 1 {
		return x, y, false
	}
	return a.items[0], b.items[0], true
}

// fits reports whether an instance may be one of another class.
func (s *session) fits(x, y item) bool {
	switch {
	case x.kind == isStubInstance && x.target == Target{}: // an object
		return true
	case x.kind == isStubInstance && y.kind == isInstance:
		return y.unit.Decls[y.decl].Name == object
	case x.kind == isStubInstance && y.kind == isStubInstance:
		return x.target == y.target
	case x.kind == isInstance && y.kind == isStubInstance:
		return s.inherits(x, y.target, 0)
	}
	return true
}

// inherits reports whether a class has what an import stands for among its bases,
// or one that is not known.
func (s *session) inherits(it item, target Target, depth int) bool {
	if depth > maxBases || !s.step() {
		return true
	}
	for _, b := range it.unit.Decls[it.decl].Bases {
		bases := s.eval(it.unit, b, it.env)
		if bases.unknown && !bases.lost {
			return true
		}
		for _, base := range bases.items {
			switch {
			case base.kind == isStub || base.kind == isStubInstance:
				if base.target == target && !it.unit.Exprs[b].Static {
					return true
				}
			case base.unit == nil || s.inherits(base, target, depth+1):
				return true
			}
		}
	}
	return false
}

// descends reports whether the class of it is c or has it among its bases.
func (s *session) descends(it, c item, depth int) bool {
	if it.kind == isStub || it.kind == isStubInstance {
		return c.kind == isStub && c.target == it.target && c.name == it.name
	}
	if it.kind != isClass && it.kind != isInstance || depth > maxBases || !s.step() {
		return false
	}
	if c.kind == isClass && it.unit == c.unit && it.decl == c.decl {
		return true
	}
	for _, b := range it.unit.Decls[it.decl].Bases {
		for _, base := range s.eval(it.unit, b, it.env).items {
			if s.descends(base, c, depth+1) {
				return true
			}
		}
	}
	return false
}

// constructs reports whether a class has a constructor for the arguments of e, as
// far as they are known.
func (s *session) constructs(it item, u *unit, e *Expr, en *env) bool {
	c := &it.unit.Decls[it.decl]
	if !s.strictTypes() || c.Inner == 0 {
		return true
	}
	for _, a := range e.Args {
		if x := &u.Exprs[a]; (x.Op == Reference || x.Op == Select && strings.HasSuffix(x.Name, "()")) && s.eval(u, a, en).lost {
			return false // a reference to a function that is missing
		}
	}
	return !s.applicable(overloads(value{items: s.constructors(it)}, len(e.Args)), u, e, en).lost
}

// withArguments reports whether a reference to a constructor is called with something.
func (s *session) withArguments(u *unit, e *Expr, en *env) bool {
	if e.Context == 0 {
		return false
	}
	return slices.ContainsFunc(s.eval(u, e.Context, en).items, func(it item) bool {
		f, ok := s.function(it)
		return ok && len(f.unit.Decls[f.decl].Params) > 0
	})
}

// bounded reports whether type parameters may have the values they were given.
func (s *session) bounded(f item, en *env) bool {
	if !s.strictTypes() {
		return true
	}
	for _, p := range f.unit.Decls[f.decl].TypeParams {
		d := &f.unit.Decls[p]
		v, ok := en.get(f.unit, p)
		if !ok || d.Type == 0 {
			continue
		}
		x, y, ok := only(v, s.eval(f.unit, d.Type, en))
		if ok && x.kind == isStubInstance && !s.fits(x, y) {
			return false
		}
	}
	return true
}

// common is the type that several have in common: stand-ins have none.
func (s *session) common(v value) value {
	if s.strictTypes() && slices.ContainsFunc(v.items, func(it item) bool { return it.kind == isStubInstance }) {
		return s.lost()
	}
	return v
}

// erased is a value as a compiler sees it that goes on without knowing it: as an
// object without members.
func (s *session) erased(v value) value {
	if !v.lost || v.absent || !s.strictTypes() {
		return v
	}
	return of(item{kind: isStubInstance})
}
