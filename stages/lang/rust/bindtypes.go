package rust

import (
	"strconv"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// transparent are types of the standard library whose values are used like what
// they hold.
var transparent = map[string]bool{
	"Box": true, "Rc": true, "Arc": true, "Cow": true, "Ref": true, "RefMut": true, "MutexGuard": true,
	"RwLockReadGuard": true, "RwLockWriteGuard": true, "Pin": true, "ManuallyDrop": true, "Reverse": true, "Wrapping": true,
	"RefCell": true, "Lazy": true, "LazyLock": true,
}

// typ is a type expression. References are what they refer to.
func (x *walker) typ(at int32) bind.ExprID {
	if at == treesitter.NoNode || x.depth >= maxDepth {
		return 0
	}
	x.depth++
	defer func() { x.depth-- }()
	switch kind := x.t.Kind(at); kind {
	case "type_identifier", "identifier":
		if x.word(at) == "Self" {
			return x.Expr(bind.Expr{Op: bind.This, Scope: x.Scope(), Static: true})
		}
		return x.given(x.word(at), x.name(at))
	case "scoped_type_identifier", "scoped_identifier":
		return x.given(strings.Join(x.segments(at), "::"), x.path(at))
	case "generic_type", "generic_type_with_turbofish":
		return x.generic(at)
	case "reference_type", "pointer_type":
		return x.typ(x.t.Child(at, "type"))
	case "dynamic_type", "abstract_type":
		return x.typ(x.t.Child(at, "trait"))
	case "bounded_type", "trait_bounds", "higher_ranked_trait_bound", "bracketed_type":
		return x.all(at)
	case "qualified_type": // <T as Trait>
		e := x.typ(x.t.Child(at, "type"))
		x.typ(x.t.Child(at, "alias"))
		return e
	case "array_type":
		x.walk(x.t.Child(at, "length"))
		return x.library("Vec", x.Of(x.typ(x.t.Child(at, "element"))))
	case "tuple_type":
		e := bind.Expr{Op: bind.Tuple}
		for c := range x.named(at) {
			e.Args = append(e.Args, x.Of(x.typ(c)))
		}
		return x.Expr(e)
	case "function_type":
		return x.functionType(at)
	case "primitive_type", "unit_type", "never_type", "empty_type", "removed_trait_bound":
		return 0
	case "type_binding":
		return x.typ(x.t.Child(at, "type"))
	}
	return x.walk(at)
}

// given is the class of what this file gives a type of another one, if it does.
func (x *walker) given(name string, e bind.ExprID) bind.ExprID {
	id := x.classes[pathKey{x.level, name}]
	if id != 0 && e != 0 && x.Decl(id).Name == name+restMark {
		return x.hidden(x.Decl(id).Name)
	}
	return e
}

func (x *walker) library(class string, args ...bind.ExprID) bind.ExprID {
	return x.Expr(bind.Expr{Op: bind.Apply, X: x.hidden(class), Args: args})
}

// generic is a type with arguments. What iterators yield, and other types that
// stand with their names, are arguments like others.
func (x *walker) generic(at int32) bind.ExprID {
	base := x.t.Child(at, "type")
	e := bind.Expr{Op: bind.Apply, X: x.typ(base)}
	if list := x.t.Child(at, "type_arguments"); list != treesitter.NoNode {
		for c := range x.named(list) {
			if kind := x.t.Kind(c); kind == "block" || strings.HasSuffix(kind, "_literal") {
				continue
			}
			e.Args = append(e.Args, x.Of(x.typ(c)))
		}
	}
	name := ""
	if base != treesitter.NoNode {
		name = x.t.Text(base)
		name = name[strings.LastIndexByte(name, ':')+1:]
	}
	if transparent[name] && len(e.Args) > 0 && x.kind(name) != bind.Class {
		return x.File.Exprs[e.Args[len(e.Args)-1]].X
	}
	return x.Expr(e)
}

// all is what has the members of all types below a node.
func (x *walker) all(at int32) bind.ExprID {
	var types []bind.ExprID
	for c := range x.named(at) {
		types = append(types, x.typ(c))
	}
	if len(types) == 1 {
		return types[0]
	}
	d := bind.Decl{Name: "bounds@" + strconv.Itoa(int(x.start(at))), Kind: bind.Class, Start: x.start(at)}
	for _, t := range types {
		if t != 0 { // ?Sized and the like say nothing
			d.Bases = append(d.Bases, t)
		}
	}
	if len(d.Bases) == 0 {
		return 0
	}
	x.Declare(d)
	return x.hidden(d.Name)
}

// bounds is a value of a type parameter with bounds.
func (x *walker) bounds(at int32) bind.ExprID { return x.Of(x.all(at)) }

// functionType is the type of functions and closures.
func (x *walker) functionType(at int32) bind.ExprID {
	f := x.Declare(bind.Decl{Kind: bind.Func, Start: x.start(at)})
	x.open(bind.FunctionScope, f)
	var params []bind.DeclID
	if list := x.t.Child(at, "parameters"); list != treesitter.NoNode {
		for p := range x.named(list) {
			typ := p
			if x.t.Kind(p) == "parameter" {
				typ = x.t.Child(p, "type")
			}
			of := x.Of(x.typ(typ))
			params = append(params, x.Declare(bind.Decl{Kind: bind.Param, Start: x.start(p), Type: of}))
		}
	}
	result := x.Of(x.typ(x.t.Child(at, "return_type")))
	x.close()
	d := x.Decl(f)
	d.Params, d.Type = params, result
	return x.Expr(bind.Expr{Op: bind.FuncLit, Decl: f})
}

// typeParameters declares those of an item in the open scope.
func (x *walker) typeParameters(at int32) []bind.DeclID {
	var ids []bind.DeclID
	defer x.predicates(at, func(name string, bound bind.ExprID) {
		for _, id := range ids {
			if x.Decl(id).Name == name {
				x.bound(id, bound)
			}
		}
	})
	list := x.t.Child(at, "type_parameters")
	if list == treesitter.NoNode {
		return nil
	}
	for p := range x.named(list) {
		if name := x.parameterName(p); name != "" {
			x.note(name, bind.TypeParam)
			ids = append(ids, x.Declare(bind.Decl{Name: name, Kind: bind.TypeParam, Start: x.start(p)}))
		}
	}
	i := 0
	for p := range x.named(list) {
		if x.parameterName(p) == "" {
			continue
		}
		id := ids[i]
		i++
		if bounds := x.t.Child(p, "bounds"); bounds != treesitter.NoNode {
			of := x.bounds(bounds)
			x.Decl(id).Type = of
		} else if left := x.t.Child(p, "left"); left != treesitter.NoNode {
			if bounds := x.t.Child(left, "bounds"); bounds != treesitter.NoNode {
				of := x.bounds(bounds)
				x.Decl(id).Type = of
			}
		}
	}
	return ids
}

// predicates yields the bounds of a where clause, with the types they are of.
func (x *walker) predicates(at int32, yield func(name string, bound bind.ExprID)) {
	for where := range x.named(at) {
		if x.t.Kind(where) != "where_clause" {
			continue
		}
		for p := range x.named(where) {
			left, bounds := x.t.Child(p, "left"), x.t.Child(p, "bounds")
			if left == treesitter.NoNode || bounds == treesitter.NoNode {
				continue
			}
			if x.t.Kind(left) != "type_identifier" {
				x.typ(left)
			}
			yield(x.t.Text(left), x.bounds(bounds))
		}
	}
}

// parameterName is the name of a type parameter; lifetimes and constants are
// none.
func (x *walker) parameterName(at int32) string {
	switch x.t.Kind(at) {
	case "type_identifier":
		return x.word(at)
	case "constrained_type_parameter":
		if left := x.t.Child(at, "left"); left != treesitter.NoNode && x.t.Kind(left) == "type_identifier" {
			return x.word(left)
		}
	case "optional_type_parameter":
		if name := x.t.Child(at, "name"); name != treesitter.NoNode {
			return x.parameterName(name)
		}
	}
	return ""
}
