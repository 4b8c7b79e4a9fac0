package golang

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// fill fills a class with what a struct or an interface holds. The types of
// fields do not see the fields.
func (x *walker) fill(class bind.DeclID, shape int32) {
	inner := x.Open(bind.ClassScope, class)
	x.Close()
	declare := func(d bind.Decl) bind.DeclID {
		was := x.Enter(inner)
		defer x.Enter(was)
		return x.Declare(d)
	}
	for at := range x.t.Inside(shape) {
		if p := x.t.Nodes[at].Parent; p != shape && x.t.Nodes[p].Parent != shape {
			continue
		}
		switch x.t.Kind(at) {
		case "field_declaration":
			typ := x.typ(x.t.Child(at, "type"))
			of, embedded := x.Of(typ), true
			for n := range x.fields(at, "name") {
				declare(bind.Decl{Name: x.t.Text(n), Kind: bind.Member, Start: x.start(n), Type: of})
				embedded = false
			}
			if n := x.lastName(x.t.Child(at, "type")); embedded && n != treesitter.NoNode {
				x.base(class, typ)
				declare(bind.Decl{Name: x.t.Text(n), Kind: bind.Member, Start: x.start(n), Type: of})
			}
		case "method_elem", "method_spec":
			if n := x.t.Child(at, "name"); n != treesitter.NoNode {
				f := declare(bind.Decl{Name: x.t.Text(n), Kind: bind.Func, Start: x.start(n)})
				x.open(bind.FunctionScope, f)
				x.signature(f, at)
				x.close()
			}
		case "type_elem", "constraint_elem":
			if x.t.Nodes[at].Parent == shape {
				if base := x.typ(at); base != 0 {
					x.base(class, base)
				}
			}
		}
	}
}

// lastName is the node of the name that an embedded type gives its field.
func (x *walker) lastName(at int32) int32 {
	for at != treesitter.NoNode {
		switch x.t.Kind(at) {
		case "type_identifier", "identifier":
			return at
		case "qualified_type":
			at = x.t.Child(at, "name")
		case "generic_type":
			at = x.t.Child(at, "type")
		default:
			at = x.first(at)
		}
	}
	return at
}

// typeParameters declares those of a type or function in the open scope.
func (x *walker) typeParameters(at int32) []bind.DeclID {
	list := x.t.Child(at, "type_parameters")
	if list == treesitter.NoNode {
		return nil
	}
	var ids []bind.DeclID
	var bounds []int32
	for p := range x.named(list) {
		for n := range x.fields(p, "name") {
			x.blocks[len(x.blocks)-1].names[x.t.Text(n)] = bind.TypeParam
			ids = append(ids, x.Declare(bind.Decl{Name: x.t.Text(n), Kind: bind.TypeParam, Start: x.start(n)}))
			bounds = append(bounds, x.t.Child(p, "type"))
		}
	}
	last := treesitter.NoNode
	var of bind.ExprID
	for i, id := range ids { // bounds may name any of the parameters
		if bounds[i] != last {
			last, of = bounds[i], x.Of(x.typ(bounds[i]))
		}
		x.Decl(id).Type = of
	}
	return ids
}

// signature declares parameters and results of a function in its scope. Their
// types do not see their names.
func (x *walker) signature(f bind.DeclID, at int32) {
	params := x.parameters(x.t.Child(at, "parameters"), bind.Param)
	result := x.t.Child(at, "result")
	var results []bind.Decl
	if result != treesitter.NoNode && x.t.Kind(result) != "parameter_list" {
		results = []bind.Decl{{Type: x.Of(x.typ(result))}}
	} else {
		results = x.parameters(result, bind.Var)
	}
	var ids []bind.DeclID
	for _, p := range params {
		ids = append(ids, x.local(p))
	}
	types := bind.Expr{Op: bind.Tuple}
	for _, r := range results {
		types.Args = append(types.Args, r.Type)
		if r.Name != "" {
			x.local(r)
		}
	}
	typ := bind.ExprID(0)
	switch len(types.Args) {
	case 0:
	case 1:
		typ = types.Args[0]
	default:
		typ = x.Expr(types)
	}
	d := x.Decl(f)
	d.Params, d.Type = ids, typ
}

// parameters are the declarations in a list of parameters or results, which may
// be none.
func (x *walker) parameters(list int32, kind bind.DeclKind) (out []bind.Decl) {
	if list == treesitter.NoNode {
		return nil
	}
	for p := range x.named(list) {
		d := bind.Decl{Kind: kind, Start: x.start(p)}
		switch x.t.Kind(p) {
		case "parameter_declaration":
			d.Type = x.Of(x.typ(x.t.Child(p, "type")))
		case "variadic_parameter_declaration":
			d.Type = x.Of(x.library(classSlice, x.t.Child(p, "type")))
			d.Rest = kind == bind.Param
		default:
			continue
		}
		named := false
		for n := range x.fields(p, "name") {
			d.Name, d.Start = x.t.Text(n), x.start(n)
			out = append(out, d)
			named = true
		}
		if !named {
			out = append(out, d)
		}
	}
	return out
}
