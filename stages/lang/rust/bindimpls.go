package rust

import (
	"strconv"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// impl gives a type members: to the class of a type of this module, or to one
// that holds what this file gives a type of another.
func (x *walker) impl(at int32) {
	typ := x.t.Child(at, "type")
	class := x.implemented(typ)
	trait := x.t.Child(at, "trait")
	args := x.arguments(typ)
	was := x.Enter(x.Decl(class).Inner)
	x.blocks = append(x.blocks, newBlock(was))
	if trait != treesitter.NoNode {
		x.base(class, x.typ(trait))
	}
	own := x.implParameters(at, class, args)
	x.members(x.t.Child(at, "body"), own)
	x.close()
}

// implemented is the class that an impl of a type adds to.
func (x *walker) implemented(typ int32) bind.DeclID {
	x.typ(typ)
	key := pathKey{x.level, x.typeName(typ)}
	if id := x.classes[key]; id != 0 && key.path != "" {
		return id
	}
	return x.extension("impl@"+strconv.Itoa(len(x.File.Decls)), 0)
}

// extension makes a class for what this file gives a type of another one.
func (x *walker) extension(name string, base bind.ExprID) bind.DeclID {
	was := x.Enter(x.module)
	defer x.Enter(was)
	id := x.Declare(bind.Decl{Name: name, Kind: bind.Class})
	x.Open(bind.ClassScope, id)
	x.Close()
	x.base(id, base)
	return id
}

// extended makes the extensions that the impls of a module need, before their
// types are named.
func (x *walker) extended(at int32) {
	typ := x.t.Child(at, "type")
	name := x.typeName(typ)
	key := pathKey{x.level, name}
	if name == "" || name == "Self" || x.classes[key] != 0 || x.blocks[len(x.blocks)-1].names[name] == bind.Class {
		return
	}
	base := x.hidden(name)
	if strings.Contains(name, "::") {
		base = x.hiddenPath(name)
	}
	x.classes[key] = x.extension(name+restMark, base)
}

// typeName is the name or path of a type, without its arguments; "" for types
// that have none.
func (x *walker) typeName(at int32) string {
	for at != treesitter.NoNode {
		switch x.t.Kind(at) {
		case "type_identifier":
			return x.word(at)
		case "scoped_type_identifier":
			return strings.Join(x.segments(at), "::")
		case "generic_type":
			at = x.t.Child(at, "type")
		default:
			return ""
		}
	}
	return ""
}

// arguments are the nodes of the type arguments of a type.
func (x *walker) arguments(typ int32) []int32 {
	var out []int32
	if typ != treesitter.NoNode && x.t.Kind(typ) == "generic_type" {
		if list := x.t.Child(typ, "type_arguments"); list != treesitter.NoNode {
			for c := range x.named(list) {
				out = append(out, c)
			}
		}
	}
	return out
}

// implParameters are the declarations that every member of an impl sees: its type
// parameters, which stand for those of the class where they are its arguments.
func (x *walker) implParameters(at int32, class bind.DeclID, args []int32) []bind.Decl {
	list := x.t.Child(at, "type_parameters")
	if list == treesitter.NoNode {
		x.predicates(at, func(string, bind.ExprID) {})
		return nil
	}
	var out []bind.Decl
	of := map[string]bind.DeclID{} // parameters of the class
	for p := range x.named(list) {
		name := x.parameterName(p)
		if name == "" {
			continue
		}
		d := bind.Decl{Name: name, Kind: bind.TypeParam, Start: x.start(p)}
		if bounds := x.t.Child(p, "bounds"); bounds != treesitter.NoNode {
			d.Type = x.bounds(bounds)
		}
		for i, a := range args {
			if params := x.Decl(class).TypeParams; x.word(a) == name && i < len(params) {
				of[name] = params[i]
				x.bound(params[i], d.Type)
				d.Kind = bind.Alias
				d.Type = x.Expr(bind.Expr{Op: bind.Name, Name: x.Decl(params[i]).Name, Scope: x.Decl(class).Inner})
				if name == x.Decl(params[i]).Name {
					d.Name = ""
				}
			}
		}
		if d.Name != "" {
			out = append(out, d)
		}
	}
	x.predicates(at, func(name string, bound bind.ExprID) {
		x.bound(of[name], bound)
		for i := range out {
			if out[i].Name == name && out[i].Kind == bind.TypeParam && out[i].Type == 0 {
				out[i].Type = bound
			}
		}
	})
	return out
}

// bound gives a type parameter a bound, if it has none.
func (x *walker) bound(id bind.DeclID, of bind.ExprID) {
	if d := x.Decl(id); id != 0 && d.Type == 0 {
		d.Type = of
	}
}

// members declares what stands in the body of a trait or impl, in its class.
func (x *walker) members(body int32, own []bind.Decl) {
	if body == treesitter.NoNode {
		return
	}
	for c := range x.named(body) {
		switch x.t.Kind(c) {
		case "function_item", "function_signature_item":
			f := x.Declare(bind.Decl{Name: x.text(c, "name"), Kind: bind.Func, Start: x.start(c)})
			x.function(f, c, own)
		case "const_item":
			typ := x.Of(x.typ(x.t.Child(c, "type")))
			x.walk(x.t.Child(c, "value"))
			x.Declare(bind.Decl{Name: x.text(c, "name"), Kind: bind.Member, Start: x.start(c), Type: typ, Static: true})
		default:
			x.walk(c)
		}
	}
}
