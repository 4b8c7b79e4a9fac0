package bind

import "slices"

// value is what an expression may be: one of its items, or something of which
// nothing is known. Without either it is null, and adds nothing.
type value struct {
	items   []item
	unknown bool
	// lost: the compiler does not know it either, or not all of its type, and has
	// said why; absent: in both of its runs. See cascade.go.
	lost, absent bool
	null         bool // or no value; nothing else is known of that
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
	isParam // type parameter decl of unit, standing for itself
)

// item is one possibility.
type item struct {
	kind   itemKind
	unit   *unit
	decl   DeclID
	env    *env
	elems  []value
	target Target // of a stub
	name   string // what the file calls the class of a stub
	text   string // of a literal
	many   bool   // it is one of several literals, text the first
	via    string
	// real is what the stub's target is, in Extended mode.
	real *value
}

func (it item) same(o item) bool {
	return it.kind == o.kind && it.unit == o.unit && it.decl == o.decl && it.env == o.env && it.target == o.target && it.kind != isTuple && it.elems == nil && o.elems == nil
}

// of makes a value of one item.
func of(it item) value { return value{items: []item{it}} }

// or joins two values.
func (v value) or(w value) value {
	out, _ := v.join(w, false)
	return out
}

// join is or, for a value whose items are its own if own is set: they are added to in
// place then. It reports whether the items of the result are its own.
func (v value) join(w value, own bool) (value, bool) {
	if len(v.items) == 0 {
		w.unknown, w.lost, w.absent, w.null = w.unknown || v.unknown, w.lost || v.lost, w.absent || v.absent, w.null || v.null
		return w, false
	}
	v.unknown, v.lost, v.absent, v.null = v.unknown || w.unknown, v.lost || w.lost, v.absent || w.absent, v.null || w.null
	for _, it := range w.items {
		if i := slices.IndexFunc(v.items, it.same); i >= 0 {
			if v.items[i].text != it.text && !v.items[i].many {
				if !own {
					v.items, own = slices.Clone(v.items), true
				}
				v.items[i].many = true
			}
			continue
		}
		if len(v.items) == maxItems {
			v.unknown = true
			break
		}
		if !own {
			v.items, own = slices.Clip(v.items), true // to add to it copies it
		}
		v.items = append(v.items, it)
	}
	return v, own
}

// doubt is a value without its items.
func (v value) doubt() value {
	v.items = nil
	return v
}

// each replaces every item by what f makes of it.
func (v value) each(f func(item) value) value {
	out := v.doubt()
	out.null = false
	own := false
	for _, it := range v.items {
		out, own = out.join(f(it), own)
	}
	return out
}

// through notes how a value was known.
func (v value) through(via string) value {
	out := v.doubt()
	out.items = slices.Clone(v.items)
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
