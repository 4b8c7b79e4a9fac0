package cfamily

import (
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// parameters walks the parameters of a function nobody can call by name.
func (x *walker) parameters(function int32) {
	x.Open(bind.FunctionScope, 0)
	x.walk(x.t.Child(function, "parameters"))
	x.Close()
}

// signature declares the parameters of a function in a scope of its own.
func (x *walker) signature(f bind.DeclID, function int32, result bind.ExprID) {
	x.Open(bind.FunctionScope, f)
	x.parametersOf(f, function, result)
	x.Close()
}

func (x *walker) parametersOf(f bind.DeclID, function int32, result bind.ExprID) {
	var ids []bind.DeclID
	list := x.t.Child(function, "parameters")
	for p := range x.named(list) {
		if strings.HasSuffix(x.t.Kind(p), "parameter_declaration") {
			if x.t.Text(p) != "void" {
				ids = append(ids, x.declare(p, bind.Param))
			}
		} else {
			x.walk(p)
		}
	}
	if list != treesitter.NoNode && strings.HasSuffix(strings.TrimRight(x.t.Text(list), ") \t\n"), "...") {
		ids = append(ids, x.Declare(bind.Decl{Kind: bind.Param, Rest: true, Start: x.start(list)}))
	}
	for c := range x.named(function) {
		if x.t.Kind(c) == "trailing_return_type" {
			if typ := x.first(c); typ != treesitter.NoNode {
				result = x.Of(x.typ(typ))
			}
		}
	}
	d := x.Decl(f)
	d.Params, d.Type = ids, result
}

// function describes a definition. Of a member of a class of another file, its
// body sees what the class has.
func (x *walker) function(at int32) {
	e := x.typ(x.t.Child(at, "type"))
	d := x.t.Child(at, "declarator")
	name := x.declared(d)
	was, scopes := x.Scope(), x.scopes
	if name.outer != treesitter.NoNode {
		x.enterClass(name.outer)
	}
	result := x.Of(x.wrapped(e, name.pointer))
	decl := bind.Decl{Kind: bind.Func, Start: x.start(at)}
	if name.node != treesitter.NoNode {
		decl.Name, decl.Start = x.called(name.node), x.start(name.node)
	}
	if name.function == treesitter.NoNode && name.node != treesitter.NoNode { // a field with "= 0;", or a macro
		decl.Kind = bind.Var
		if x.File.Scopes[x.Scope()].Kind == bind.ClassScope {
			decl.Kind = bind.Member
		}
		decl.Type = result
	}
	f := x.Declare(decl)
	x.Open(bind.FunctionScope, f)
	if name.function != treesitter.NoNode {
		x.parametersOf(f, name.function, result)
		x.defined = append(x.defined, Definition{Decl: f, Start: x.start(at), End: int32(x.t.Nodes[at].End)})
	}
	for c := range x.named(at) {
		switch x.t.Kind(c) {
		case "field_initializer_list":
			x.initializers(c)
		case "compound_statement", "try_statement":
			x.walk(c)
		}
	}
	x.Enter(was)
	x.scopes = scopes
}

// enterClass enters the class that a qualified name is a member of: one of this
// file, or one that holds what this file defines of one of another.
func (x *walker) enterClass(at int32) {
	var names []string
	parts := x.parts(at)
	for _, p := range parts[:len(parts)-1] {
		if n := x.bare(p); n != treesitter.NoNode {
			names = append(names, x.t.Text(n))
		}
	}
	if len(names) == 0 {
		return
	}
	path := strings.Join(names, "::")
	x.scoped(parts[:len(parts)-1])
	for i := len(x.scopes); i >= 0; i-- {
		if id := x.classes[strings.Join(append(x.scopes[:i:i], names...), "::")]; id != 0 {
			if x.Decl(id).Inner != 0 {
				x.Enter(x.Decl(id).Inner)
			}
			return
		}
	}
	key := x.path(path + extension)
	id := x.classes[key]
	if id == 0 {
		base := x.hiddenPath(path)
		if len(names) == 1 {
			base = x.hidden(path)
		}
		id = x.Declare(bind.Decl{Name: path + extension, Kind: bind.Class, Bases: []bind.ExprID{base}})
		x.classes[key] = id
		x.Open(bind.ClassScope, id)
		x.Close()
	}
	x.Enter(x.Decl(id).Inner)
}

// scoped lists the names of the classes and namespaces in front of a name.
func (x *walker) scoped(parts []int32) {
	path := ""
	for _, p := range parts {
		name := x.bare(p)
		if name == treesitter.NoNode {
			continue
		}
		if path == "" {
			x.name(name)
			path = x.t.Text(name)
		} else {
			path += "::" + x.t.Text(name)
			x.pathName(path, name)
		}
		if name != p && strings.HasPrefix(x.t.Kind(p), "template_") {
			x.applied(0, p)
		}
	}
}

// initializers are those of a constructor: of members and bases.
func (x *walker) initializers(at int32) {
	for c := range x.named(at) {
		class := bind.ExprID(0)
		for part := range x.named(c) {
			switch x.t.Kind(part) {
			case "field_identifier", "template_method", "qualified_identifier":
				class = x.typ(part)
			case "argument_list", "initializer_list":
				x.construct(class, x.start(c), part)
			default:
				x.walk(part)
			}
		}
	}
}
