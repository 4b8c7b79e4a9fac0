package bind

import (
	"strconv"
	"strings"
)

// truth is whether a condition holds.
type truth int8

const (
	no    truth = -1
	maybe truth = 0
	yes   truth = 1
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// truth is whether an expression counts as true. Of literals of one class the
// first decides, as checkers have it. Instances are true, unless only constants
// count.
func (s *session) truth(u *unit, id ExprID, en *env, constants bool) truth {
	e := &u.Exprs[id]
	if e.Op == Test {
		if s.depth >= maxDepth || !s.step() {
			return maybe
		}
		s.depth++
		defer func() { s.depth-- }()
		return s.condition(u, e, en)
	}
	v := s.eval(u, id, en)
	switch {
	case v.unknown || v.null && len(v.items) > 0:
		return maybe
	case v.null:
		return no
	}
	out := maybe
	for i, it := range v.items {
		t := maybe
		switch {
		case it.kind == isInstance && it.text != "":
			t = truthOf(!empty(it.text))
		case !constants && it.elems != nil:
			t = truthOf(len(it.elems) > 0)
		case !constants && (it.kind == isStub || it.kind == isStubInstance || it.kind == isClass || it.kind == isFunc):
			t = yes
		case !constants && it.kind == isInstance && it.unit != s.library:
			for _, name := range []string{"__bool__", "__len__"} {
				if m := s.find(it, name, 0); m.how == has {
					return maybe
				}
			}
			t = yes
		}
		if i > 0 && t != out {
			return maybe
		}
		out = t
	}
	return out
}

// empty reports whether a literal is one that counts as false.
func empty(text string) bool {
	return text == "False" || text == `""` || text[0] == '0' && !strings.ContainsAny(text, "123456789abcdfABCDF")
}

// condition is whether a Test holds.
func (s *session) condition(u *unit, e *Expr, en *env) truth {
	switch e.Name {
	case "not":
		return -s.truth(u, e.X, en, false)
	case "and", "or":
		if len(e.Args) != 2 {
			return maybe
		}
		x, y := s.truth(u, e.Args[0], en, false), s.truth(u, e.Args[1], en, false)
		switch {
		case x == maybe || y == maybe:
			return maybe
		case e.Name == "and":
			return min(x, y)
		}
		return max(x, y)
	case "equal":
		if len(e.Args) == 1 {
			return equal(s.eval(u, e.X, en), s.eval(u, e.Args[0], en))
		}
	case "less":
		if len(e.Args) == 1 {
			return less(s.eval(u, e.X, en), s.eval(u, e.Args[0], en))
		}
	case "isinstance":
		return s.isInstance(s.eval(u, e.X, en), s.evals(u, e.Args, en))
	case "issubclass":
		return s.isInstance(s.eval(u, e.X, en).instance(""), s.evals(u, e.Args, en))
	case "callable":
		return s.callable(s.eval(u, e.X, en))
	case "hasattr":
		v := s.eval(u, e.X, en)
		if v.unknown || v.null || len(v.items) == 0 || len(e.Args) != 1 {
			return maybe
		}
		switch it := v.items[0]; it.kind {
		case isClass, isInstance:
			return truthOf(s.find(it, u.Exprs[e.Args[0]].Name, 0).how == has)
		case isStub, isStubInstance:
			_, given := s.given(it, u.Exprs[e.Args[0]].Name)
			return truthOf(given)
		}
	}
	return maybe
}

// literal is the class and text of a value that is just one literal.
func (v value) literal() (class DeclID, text string, ok bool) {
	switch {
	case v.unknown || v.null && len(v.items) > 0:
		return 0, "", false
	case v.null:
		return 0, "", true
	case len(v.items) != 1 || v.items[0].text == "" || v.items[0].many:
		return 0, "", false
	}
	return v.items[0].decl, v.items[0].text, true
}

// equal compares literals.
func equal(v, w value) truth {
	class, x, ok := v.literal()
	other, y, ok2 := w.literal()
	if !ok || !ok2 {
		return maybe
	}
	return truthOf(class == other && x == y)
}

// less compares whole numbers.
func less(v, w value) truth {
	class, x, ok := v.literal()
	other, y, ok2 := w.literal()
	a, err := strconv.ParseInt(x, 10, 64)
	b, err2 := strconv.ParseInt(y, 10, 64)
	if !ok || !ok2 || class != other || err != nil || err2 != nil {
		return maybe
	}
	return truthOf(a < b)
}

// callable is whether the first that a value may be can be called.
func (s *session) callable(v value) truth {
	if v.unknown || v.null || len(v.items) == 0 {
		return maybe
	}
	switch it := v.items[0]; it.kind {
	case isFunc, isClass, isStub:
		return yes
	case isStubInstance:
		return no
	case isInstance:
		switch s.find(it, "__call__", 0).how {
		case has:
			return yes
		case absent, foreign:
			return no
		}
	}
	return maybe
}

// isInstance is whether the only possibility of v is an instance of one of the
// classes.
func (s *session) isInstance(v value, classes []value) truth {
	if v.unknown || v.null || len(v.items) != 1 {
		return maybe
	}
	it := v.items[0]
	out := no
	for _, class := range classes {
		if class.unknown || class.null || len(class.items) != 1 {
			return maybe
		}
		switch c := class.items[0]; {
		case c.kind != isClass && c.kind != isStub:
			return maybe
		case it.kind == isStubInstance:
			if c.kind == isStub && c.target == it.target && c.name == it.name {
				return yes
			}
		case it.kind == isInstance:
			if s.descends(it, c, 0) {
				return yes
			}
		default:
			return maybe
		}
	}
	return out
}

// test is the value of a condition.
func (s *session) test(u *unit, e *Expr, en *env) value {
	if e.Name == "and" || e.Name == "or" {
		return s.union(u, e.Args, en)
	}
	switch s.condition(u, e, en) {
	case yes:
		return s.literal("bool True")
	case no:
		return s.literal("bool False")
	}
	return unknown
}

// choice is one of two values, both where the condition is not known.
func (s *session) choice(u *unit, e *Expr, en *env) value {
	if len(e.Args) != 2 {
		return unknown
	}
	switch s.truth(u, e.X, en, false) {
	case yes:
		return s.eval(u, e.Args[0], en)
	case no:
		return s.eval(u, e.Args[1], en)
	}
	return s.union(u, e.Args, en)
}
