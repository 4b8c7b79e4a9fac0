package rust

import (
	"strconv"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// items describes what a file, a module or a block holds: types first, since
// their methods may stand before them.
func (x *walker) items(at int32) (value bind.ExprID) {
	for c := range x.named(at) {
		x.announce(c)
	}
	for c := range x.named(at) {
		if x.t.Kind(c) == "impl_item" {
			x.extended(c)
		}
	}
	for c := range x.named(at) {
		if declares[x.t.Kind(c)] {
			x.item(c)
		}
	}
	for c := range x.named(at) {
		value = 0
		if !declares[x.t.Kind(c)] {
			value = x.walk(c)
		}
	}
	return value
}

// declares are the kinds of items that others may need.
var declares = map[string]bool{
	"use_declaration": true, "extern_crate_declaration": true, "struct_item": true, "enum_item": true, "union_item": true,
	"trait_item": true, "type_item": true,
}

// announce notes the names of items, which are seen before they stand.
func (x *walker) announce(at int32) {
	name := x.text(at, "name")
	switch x.t.Kind(at) {
	case "struct_item", "enum_item", "union_item", "trait_item":
		x.note(name, bind.Class)
	case "type_item":
		x.note(name, bind.Alias)
	case "function_item", "function_signature_item":
		x.note(name, bind.Func)
	case "const_item", "static_item":
		x.note(name, bind.Member) // a variable that is not local
	case "mod_item":
		x.note(name, bind.Namespace)
	}
}

// item describes an item. It reports whether it is one.
func (x *walker) item(at int32) bool {
	switch x.t.Kind(at) {
	case "use_declaration", "extern_crate_declaration":
		x.use(at)
	case "mod_item":
		x.mod(at)
	case "struct_item", "union_item":
		x.structure(at)
	case "enum_item":
		x.enum(at)
	case "trait_item":
		x.trait(at)
	case "impl_item":
		x.impl(at)
	case "type_item", "associated_type":
		d := bind.Decl{Name: x.text(at, "name"), Kind: bind.Alias, Start: x.start(at)}
		id := x.Declare(d)
		x.open(bind.BlockScope, 0)
		params := x.typeParameters(at)
		typ := x.typ(x.t.Child(at, "type"))
		x.walk(x.t.Child(at, "bounds"))
		x.close()
		x.Decl(id).TypeParams, x.Decl(id).Type = params, typ
	case "const_item", "static_item":
		typ := x.Of(x.typ(x.t.Child(at, "type")))
		value := x.walk(x.t.Child(at, "value"))
		x.Declare(bind.Decl{Name: x.text(at, "name"), Kind: bind.Var, Start: x.start(at), Type: typ, Value: value, Static: true})
	case "function_item", "function_signature_item":
		f := x.Declare(bind.Decl{Name: x.text(at, "name"), Kind: bind.Func, Start: x.start(at)})
		x.function(f, at, nil)
	case "foreign_mod_item":
		if body := x.t.Child(at, "body"); body != treesitter.NoNode {
			x.items(body)
		}
	default:
		return false
	}
	return true
}

// use declares what a use declaration brings into its scope.
func (x *walker) use(at int32) {
	from := len(x.x.all)
	if x.t.Kind(at) == "extern_crate_declaration" {
		x.x.add(at, kindUse, "::"+x.x.text(at, "name"), x.x.text(at, "alias"))
	} else if argument := x.t.Child(at, "argument"); argument != treesitter.NoNode {
		x.x.use(argument, "", 0)
	}
	for _, f := range x.x.all[from:] {
		im := bind.Import{Kind: kindUse, Path: f.im.Path, Level: x.level}
		if _, glob := strings.CutSuffix(im.Path, "::*"); glob {
			im.All = true
			x.Import(im, "", 0)
			continue
		}
		local := im.Path[strings.LastIndexByte(im.Path, ':')+1:]
		if len(f.im.Names) > 0 {
			local = f.im.Names[0]
		}
		im.Name = local
		if local == "_" {
			local = ""
		}
		x.Import(im, local, int32(f.start))
		x.note(local, bind.Imported)
	}
}

// mod declares a module: a file, or a part of this one.
func (x *walker) mod(at int32) {
	name := x.text(at, "name")
	if name == "" {
		return
	}
	im := bind.Import{Kind: kindMod, Path: name, Level: x.level}
	files := x.x.pathAttributes(at, x.attrs)
	if len(files) > 0 {
		im.Name = files[0]
	}
	body := x.t.Child(at, "body")
	if body == treesitter.NoNode {
		x.Import(im, name, x.start(at))
		for _, file := range files[min(1, len(files)):] {
			im.Name = file
			x.Import(im, "", 0)
		}
		return
	}
	im.Kind = kindInline
	id := x.Import(im, "", 0)
	d := x.Declare(bind.Decl{Name: name, Kind: bind.Namespace, Start: x.start(at), Import: id})
	x.inlines++
	level, module := x.level, x.module
	x.level = x.inlines
	x.open(bind.NamespaceScope, d)
	x.module = x.Scope()
	x.items(body)
	x.close()
	x.level, x.module = level, module
}

// class declares a type with its type parameters in its scope, which is open then.
func (x *walker) class(at int32) bind.DeclID {
	name := x.text(at, "name")
	id := x.Declare(bind.Decl{Name: name, Kind: bind.Class, Start: x.start(at)})
	x.classes[pathKey{x.level, name}] = id
	x.open(bind.ClassScope, id)
	params := x.typeParameters(at)
	x.Decl(id).TypeParams = params
	return id
}

// finish closes a class. What the language derives for it it has as well, and
// what other files give it.
func (x *walker) finish(id bind.DeclID, at int32) {
	x.close()
	if x.t.Kind(at) == "trait_item" {
		return
	}
	for _, name := range x.derived(at) {
		x.base(id, x.hidden(name))
	}
	d := x.Decl(id)
	rest := d.Name + restMark
	was := x.Enter(x.module)
	x.Import(bind.Import{Kind: kindRest, Path: d.Name, Name: d.Name, Level: x.level}, rest, 0)
	x.Enter(was)
	x.base(id, x.hidden(rest))
}

func (x *walker) base(class bind.DeclID, base bind.ExprID) {
	d := x.Decl(class)
	d.Bases = append(d.Bases, base)
}

// derived are the traits that attributes before an item derive.
func (x *walker) derived(at int32) []string {
	var out []string
	parent := x.t.Nodes[at].Parent
	for i := at - 1; i > parent && i >= 0; i-- {
		if x.t.Nodes[i].Parent != parent {
			continue
		}
		if kind := x.t.Kind(i); kind != "attribute_item" && !strings.HasSuffix(kind, "comment") {
			break
		} else if kind != "attribute_item" {
			continue
		}
		text := x.t.Text(i)
		if _, list, ok := strings.Cut(text, "derive("); ok {
			list, _, _ = strings.Cut(list, ")")
			for _, name := range strings.Split(list, ",") {
				name = strings.TrimSpace(name)
				out = append(out, name[strings.LastIndexByte(name, ':')+1:])
			}
		}
	}
	return out
}

func (x *walker) structure(at int32) {
	id := x.class(at)
	x.fields(x.t.Child(at, "body"), "")
	x.finish(id, at)
}

// fields declares the fields of a struct or, with a prefix, of a variant. Those
// of tuples are called by their places.
func (x *walker) fields(body int32, prefix string) (types []bind.ExprID) {
	if body == treesitter.NoNode {
		return nil
	}
	for c := range x.named(body) {
		d := bind.Decl{Kind: bind.Member, Start: x.start(c)}
		if x.t.Kind(c) == "field_declaration" {
			d.Name = x.text(c, "name")
			d.Type = x.Of(x.typ(x.t.Child(c, "type")))
		} else {
			d.Name = strconv.Itoa(len(types))
			d.Type = x.Of(x.typ(c))
		}
		d.Name = prefix + d.Name
		types = append(types, d.Type)
		x.Declare(d)
	}
	return types
}

// enum declares an enum with its variants: values of it, or functions that make
// them. The fields of a variant are called by it and their name.
func (x *walker) enum(at int32) {
	id := x.class(at)
	if body := x.t.Child(at, "body"); body != treesitter.NoNode {
		for v := range x.named(body) {
			if x.t.Kind(v) != "enum_variant" {
				continue
			}
			name := x.text(v, "name")
			self := x.Of(x.Expr(bind.Expr{Op: bind.This, Scope: x.Scope(), Static: true}))
			fields := x.t.Child(v, "body")
			types := x.fields(fields, name+".")
			d := bind.Decl{Name: name, Kind: bind.Member, Start: x.start(v), Type: self, Static: true}
			if fields != treesitter.NoNode && x.t.Kind(fields) == "ordered_field_declaration_list" {
				for _, typ := range types {
					d.Params = append(d.Params, x.Declare(bind.Decl{Kind: bind.Param, Start: x.start(v), Type: typ}))
				}
				d.Kind = bind.Func
			}
			x.Declare(d)
			x.walk(x.t.Child(v, "value"))
		}
	}
	x.finish(id, at)
}

func (x *walker) trait(at int32) {
	id := x.class(at)
	if bounds := x.t.Child(at, "bounds"); bounds != treesitter.NoNode {
		for b := range x.named(bounds) {
			base := x.typ(b)
			x.base(id, base)
		}
	}
	x.members(x.t.Child(at, "body"), nil)
	x.finish(id, at)
}
