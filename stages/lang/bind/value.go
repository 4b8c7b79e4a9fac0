package bind

import "slices"

// maxItems bounds the possibilities of one value.
const maxItems = 12

// value is what an expression may be: one of its items, or something of which
// nothing is known. Without either it is null, and adds nothing.
type value struct {
	items   []item
	unknown bool
}

var unknown = value{unknown: true}

type itemKind uint8

const (
	isClass    itemKind = iota // class decl of unit itself
	isInstance                 // an instance of it
	isFunc                     // function decl of unit
	isModule                   // a namespace of unit (decl), or unit itself (0)
	isTuple                    // elems
	isStub                     // what an import of the project stands for, seen as a class
	isStubInstance
)

// item is one possibility.
type item struct {
	kind   itemKind
	unit   *unit
	decl   DeclID
	env    *env
	elems  []value
	target Target // of a stub
	via    string
	// real is what the stub's target is, in Extended mode.
	real *value
}

func (it item) same(o item) bool {
	return it.kind == o.kind && it.unit == o.unit && it.decl == o.decl && it.env == o.env && it.target == o.target && it.kind != isTuple
}

// of makes a value of one item.
func of(it item) value { return value{items: []item{it}} }

// or joins two values.
func (v value) or(w value) value {
	if len(v.items) == 0 {
		w.unknown = w.unknown || v.unknown
		return w
	}
	v.unknown = v.unknown || w.unknown
	for _, it := range w.items {
		if slices.ContainsFunc(v.items, it.same) {
			continue
		}
		if len(v.items) == maxItems {
			v.unknown = true
			break
		}
		v.items = append(slices.Clip(v.items), it)
	}
	return v
}

// each replaces every item by what f makes of it.
func (v value) each(f func(item) value) value {
	out := value{unknown: v.unknown}
	for _, it := range v.items {
		out = out.or(f(it))
	}
	return out
}

// through notes how a value was known.
func (v value) through(via string) value {
	out := value{unknown: v.unknown, items: slices.Clone(v.items)}
	for i := range out.items {
		out.items[i].via = via
	}
	return out
}

// instance is a value of the type that v names.
func (v value) instance(via string) value {
	return v.each(func(it item) value {
		switch it.kind {
		case isClass:
			it.kind, it.via = isInstance, via
		case isStub:
			it.kind, it.via = isStubInstance, via
			if it.real != nil {
				real := it.real.instance(via)
				it.real = &real
			}
		}
		return of(it)
	})
}

// class is the type of a value.
func (v value) class() value {
	return v.each(func(it item) value {
		switch it.kind {
		case isInstance:
			it.kind = isClass
		case isStubInstance:
			it.kind = isStub
		case isClass, isStub:
		default:
			return unknown
		}
		return of(it)
	})
}

// env binds type parameters, the innermost first.
type env struct {
	unit  *unit
	decl  DeclID
	value value
	next  *env
}

func (e *env) get(u *unit, d DeclID) (value, bool) {
	for ; e != nil; e = e.next {
		if e.unit == u && e.decl == d {
			return e.value, true
		}
	}
	return value{}, false
}
