package csharp

import (
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// array is the class of the library that arrays are instances of.
const array = "Array`1"

// hidden is a name that is not reported: of a type, since a checker leaves those
// of the project in place.
func (b *binder) hidden(name string, at int32) bind.ExprID {
	return b.Expr(bind.Expr{Op: bind.Name, Name: name, Scope: b.Scope(), Space: bind.Types, Start: at})
}

// typ is a type expression. A qualified name is one name with dots in it, since
// which of its parts are namespaces only the repository knows.
func (b *binder) typ(i int32) bind.ExprID {
	if i == treesitter.NoNode {
		return 0
	}
	if b.depth++; b.depth > maxDepth {
		b.depth--
		return 0
	}
	defer func() { b.depth-- }()
	switch b.kind(i) {
	case "identifier":
		text, at := b.name(i)
		if text == "dynamic" || text == "var" {
			return 0
		}
		return b.hidden(text, at)
	case "generic_name":
		text, at := b.name(b.first(i, "identifier"))
		return b.applied(b.hidden(text+aritySuffix(b.t, i), at), i)
	case "qualified_name", "alias_qualified_name":
		text := plain(b.t.Text(i))
		last := b.child(i, "name")
		if strings.HasPrefix(text, "System.") { // the library has no namespaces
			text = text[strings.LastIndexByte(text, '.')+1:]
			x := b.Expr(bind.Expr{Op: bind.TypeOf, X: b.literal(text + aritySuffix(b.t, i))})
			return b.applied(x, last)
		}
		x := b.hidden(text+aritySuffix(b.t, i), b.start(i))
		if b.kind(last) == "generic_name" {
			x = b.applied(x, last)
		}
		return x
	case "array_type":
		return b.generic(array, b.typeValue(b.child(i, "type")))
	case "nullable_type":
		return b.typ(b.child(i, "type"))
	case "ref_type", "scoped_type", "pointer_type":
		return b.typ(b.child(i, "type"))
	case "predefined_type":
		return b.hidden(b.t.Text(i), -1)
	}
	return 0
}

// applied gives a generic type the arguments of a generic name.
func (b *binder) applied(x bind.ExprID, name int32) bind.ExprID {
	var args []bind.ExprID
	if list := b.first(name, "type_argument_list"); list != treesitter.NoNode {
		for c := range b.t.Children(list) {
			if b.t.Nodes[c].Named() {
				args = append(args, b.typeValue(c))
			}
		}
	}
	if len(args) == 0 {
		return x
	}
	return b.Expr(bind.Expr{Op: bind.Apply, X: x, Args: args})
}

// generic is a class of the library with arguments.
func (b *binder) generic(class string, args ...bind.ExprID) bind.ExprID {
	return b.Expr(bind.Expr{Op: bind.Apply, X: b.hidden(class, -1), Args: args})
}

// typeValue is a value of a type, 0 where the type is left to be inferred.
func (b *binder) typeValue(i int32) bind.ExprID {
	switch b.kind(i) {
	case "":
		return 0
	case "predefined_type":
		return b.literal(b.t.Text(i))
	case "identifier":
		if b.t.Text(i) == "dynamic" {
			return b.literal("dynamic") // anything
		}
	case "nullable_type":
		v := b.typeValue(b.child(i, "type"))
		return b.Expr(bind.Expr{Op: bind.Union, Args: []bind.ExprID{v, b.Of(b.generic("Nullable`1", v))}})
	case "tuple_type":
		e := bind.Expr{Op: bind.Tuple}
		for c := range b.t.Children(i) {
			if b.kind(c) == "tuple_element" {
				e.Args = append(e.Args, b.typeValue(b.child(c, "type")))
			}
		}
		return b.Expr(e)
	}
	return b.Of(b.typ(i))
}

func (b *binder) literal(name string) bind.ExprID {
	return b.Expr(bind.Expr{Op: bind.Literal, Name: name})
}

// attributeType is the class of an attribute, whose name may leave out its end.
func (b *binder) attributeType(i int32) bind.ExprID {
	if k := b.kind(i); k != "identifier" && k != "qualified_name" && k != "alias_qualified_name" {
		return b.typ(i)
	}
	text := plain(b.t.Text(i))
	if !strings.HasSuffix(text, "Attribute") {
		text += "Attribute"
	}
	return b.hidden(text, b.start(i))
}
