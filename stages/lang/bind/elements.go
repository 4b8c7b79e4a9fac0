package bind

import "strings"

// special selects what iterating, indexing and awaiting give. Only classes say.
func (s *session) special(v value, name, via string) value {
	return v.each(func(it item) value {
		switch it.kind {
		case isTuple:
			return it.any()
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

// any is any element of a tuple.
func (it item) any() value {
	var all value
	for _, e := range it.elems {
		all = all.or(e)
	}
	return all
}

// list is a tuple without its places.
func (s *session) list(it item) value {
	return s.ofLibrary(s.rules.List, []value{it.any()}).instance(ViaElement)
}

// literal is a literal as [Literal] has them.
func (s *session) literal(name string) value {
	class, text, _ := strings.Cut(name, " ")
	v := s.ofLibrary(class, nil).instance("")
	for i := range v.items {
		v.items[i].text = text
	}
	return v
}
