package rust

import (
	"strconv"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// made are the variants of the standard library that are known without a path,
// with the members that hold what is in them.
var made = map[string]string{"Some": "__some__", "Ok": "__ok__", "Err": "__err__"}

// pattern declares the names of a pattern that a value is matched with.
func (x *walker) pattern(at int32, value bind.ExprID) {
	if at == treesitter.NoNode || x.depth >= maxDepth {
		return
	}
	x.depth++
	defer func() { x.depth-- }()
	switch x.t.Kind(at) {
	case "identifier":
		if name := x.word(at); isType(name) {
			x.name(at)
		} else {
			x.local(bind.Decl{Name: name, Kind: bind.Var, Start: x.start(at), Value: value})
		}
	case "tuple_pattern":
		place, known := int32(0), true
		for c := range x.named(at) {
			if x.t.Kind(c) == "remaining_field_pattern" {
				known = false
				continue
			}
			part := bind.ExprID(0)
			if known {
				part = x.Expr(bind.Expr{Op: bind.Index, X: value, N: place})
			}
			x.pattern(c, part)
			place++
		}
	case "tuple_struct_pattern":
		x.tuplePattern(at, value)
	case "struct_pattern":
		x.structPattern(at)
	case "captured_pattern":
		for c := range x.named(at) {
			x.pattern(c, value)
		}
	case "or_pattern", "ref_pattern", "mut_pattern", "reference_pattern", "parenthesized_pattern", "tuple_expression":
		for c := range x.named(at) {
			x.pattern(c, value)
		}
	case "slice_pattern":
		part := x.Expr(bind.Expr{Op: bind.Elem, X: value})
		for c := range x.named(at) {
			x.pattern(c, part)
		}
	default:
		x.walk(at)
	}
}

// tuplePattern takes a tuple struct or a variant apart.
func (x *walker) tuplePattern(at int32, value bind.ExprID) {
	typ := x.t.Child(at, "type")
	if typ == treesitter.NoNode {
		return
	}
	owner, e, prefix := bind.ExprID(0), bind.ExprID(0), ""
	known := made[x.t.Text(typ)]
	switch {
	case known != "" && x.kind(x.t.Text(typ)) == 0:
		e = x.member(value, known)
	case x.t.Kind(typ) == "scoped_identifier":
		if owner, e = x.owned(typ); owner != 0 {
			e, prefix = owner, x.text(typ, "name")+"."
		}
		known = ""
	default:
		e = x.typ(typ)
		known = ""
	}
	place := 0
	for c := range x.named(at) {
		if c == typ {
			continue
		}
		if x.t.Kind(c) == "remaining_field_pattern" {
			e = 0
			continue
		}
		part := e
		if known == "" && e != 0 {
			part = x.member(e, prefix+strconv.Itoa(place))
		}
		x.pattern(c, part)
		place++
	}
}

func (x *walker) structPattern(at int32) {
	of, prefix := x.structured(x.t.Child(at, "type"))
	for c := range x.named(at) {
		if x.t.Kind(c) != "field_pattern" {
			continue
		}
		name := x.t.Child(c, "name")
		if name == treesitter.NoNode {
			continue
		}
		value := x.field(of, prefix, name)
		if p := x.t.Child(c, "pattern"); p != treesitter.NoNode {
			x.pattern(p, value)
		} else {
			x.local(bind.Decl{Name: x.word(name), Kind: bind.Var, Start: x.start(name), Value: value})
		}
	}
}

// structured is a value of the struct, or of the variant of an enum, that a node
// names, with what the names of its fields start with.
func (x *walker) structured(typ int32) (of bind.ExprID, prefix string) {
	if typ == treesitter.NoNode {
		return 0, ""
	}
	if kind := x.t.Kind(typ); kind == "scoped_type_identifier" || kind == "scoped_identifier" {
		if owner, _ := x.owned(typ); owner != 0 {
			return x.Of(owner), x.text(typ, "name") + "."
		}
	}
	return x.Of(x.typ(typ)), ""
}

// field is a field of a struct; those of variants stand in their enum.
func (x *walker) field(of bind.ExprID, prefix string, name int32) bind.ExprID {
	if prefix != "" {
		return x.member(of, prefix+x.word(name))
	}
	return x.sel(of, name)
}
