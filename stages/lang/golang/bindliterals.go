package golang

import (
	"go/token"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// literal describes the inside of a composite literal of a type, whose value
// is of.
func (x *walker) literal(body, typ int32, of bind.ExprID) {
	if body == treesitter.NoNode || x.depth >= maxDepth {
		return
	}
	x.depth++
	defer func() { x.depth-- }()
	key, element, isStruct := x.parts(typ)
	for c := range x.named(body) {
		switch x.t.Kind(c) {
		case "keyed_element":
			first := true
			for part := range x.named(c) {
				switch name := x.first(part); {
				case first && isStruct && name != treesitter.NoNode && x.t.Kind(name) == "identifier" && x.isField(typ, x.t.Text(name)):
					s := x.Expr(bind.Expr{Op: bind.Select, X: of, Name: x.t.Text(name), Scope: x.Scope(), Start: x.start(name)})
					if !x.silent {
						x.Ref(s)
					}
				case first:
					x.element(part, key)
				default:
					x.element(part, element)
				}
				first = false
			}
		default:
			x.element(c, element)
		}
	}
}

// isField reports whether a key may be a field: those of types of other packages
// are exported.
func (x *walker) isField(typ int32, key string) bool {
	return typ == treesitter.NoNode || x.t.Kind(typ) != "qualified_type" || token.IsExported(key)
}

// element is a part of a literal: one without a type of its own is of the type
// of the elements.
func (x *walker) element(at, typ int32) {
	inner := at
	if x.t.Kind(at) == "literal_element" {
		inner = x.first(at)
	}
	if inner == treesitter.NoNode || x.t.Kind(inner) != "literal_value" {
		x.walk(inner)
		return
	}
	x.literal(inner, typ, x.elided(typ))
}

// elided is a value of a type that is written elsewhere.
func (x *walker) elided(typ int32) bind.ExprID {
	if typ == treesitter.NoNode {
		return 0
	}
	if e, ok := x.composed[typ]; ok {
		return e
	}
	was := x.silent
	x.silent = true
	e := x.Of(x.typ(typ))
	x.silent = was
	x.composed[typ] = e
	return e
}

// maxShapes bounds the way from one named type to the next.
const maxShapes = 8

// parts are the types of keys and elements of a type, and whether it has fields
// instead, as one whose definition is in another file most likely has.
func (x *walker) parts(typ int32) (key, element int32, isStruct bool) {
	for range maxShapes {
		if typ == treesitter.NoNode {
			break
		}
		switch x.t.Kind(typ) {
		case "slice_type", "array_type", "implicit_length_array_type":
			return treesitter.NoNode, x.t.Child(typ, "element"), false
		case "map_type":
			return x.t.Child(typ, "key"), x.t.Child(typ, "value"), false
		case "pointer_type", "parenthesized_type":
			typ = x.first(typ)
		case "generic_type":
			typ = x.t.Child(typ, "type")
		case "type_identifier":
			shape, ok := x.shapes[x.t.Text(typ)]
			if !ok {
				return treesitter.NoNode, treesitter.NoNode, true
			}
			typ = shape
		default:
			return treesitter.NoNode, treesitter.NoNode, true
		}
	}
	return treesitter.NoNode, treesitter.NoNode, false
}
