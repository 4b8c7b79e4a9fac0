package callgraph

import (
	"math"

	"benchmill/internal/treesitter"
)

// noBase is the base of a type of which nothing matters: a number.
const noBase = int32(math.MinInt32)

// maxDeclarators bounds the declarators around a name.
const maxDeclarators = 64

// declared is what a declarator says of a name.
type declared struct {
	name     int32 // the node of the name, or NoNode
	typ      typ
	function int32 // the declarator with the parameters of a function, or NoNode
	odd      bool  // something in it could not be read
	lost     bool  // its type is; see [lostNames]
}

// declarator reads a declarator of something that is a base.
func (x *reader) declarator(at int32, base typ) declared {
	d := declared{name: treesitter.NoNode, typ: base, function: treesitter.NoNode}
	var around [maxDeclarators]int32
	n := 0
	for at != treesitter.NoNode && n < maxDeclarators {
		k := x.kind(at)
		switch k {
		case identifierKind, typeNameKind, fieldNameKind, qualifiedKind, destructorKind, operatorKind, templateKind:
			d.name = at
		case pointerDeclaratorKind, arrayDeclaratorKind, functionDeclaratorKind, parenthesesDeclaratorKind, otherDeclaratorKind:
			around[n] = at
			n++
			at = x.inner(at)
			continue
		case errorKind:
			d.odd = true
		}
		break
	}
	for n--; n >= 0; n-- { // from the name outwards
		switch x.kind(around[n]) {
		case pointerDeclaratorKind, arrayDeclaratorKind:
			if d.typ.fn {
				d.typ.returns = add(d.typ.returns)
			} else {
				d.typ.pointer = add(d.typ.pointer)
			}
		case functionDeclaratorKind:
			if n > 0 && x.kind(around[n-1]) == functionDeclaratorKind {
				d.odd = true // f(x)(y): a macro stands before a name in parentheses
			}
			if !d.typ.fn {
				d.typ.fn = true
				d.typ.returns, d.typ.pointer = base.pointer, d.typ.pointer-base.pointer
				d.function = around[n]
			}
			for c := range x.t.Children(around[n]) {
				if k := x.kind(c); k == errorKind || k == callKind {
					d.odd = true
				}
			}
		}
	}
	return d
}

// add counts pointers up to a bound.
func add(n int8) int8 { return min(n+1, 100) }

// inner is the declarator or name in a declarator, or NoNode.
func (x *reader) inner(at int32) int32 {
	if d := x.t.Child(at, "declarator"); d != treesitter.NoNode {
		return d
	}
	for c := range x.t.Children(at) {
		switch x.kind(c) {
		case identifierKind, typeNameKind, fieldNameKind, qualifiedKind, destructorKind, operatorKind, templateKind,
			pointerDeclaratorKind, arrayDeclaratorKind, functionDeclaratorKind, parenthesesDeclaratorKind, otherDeclaratorKind:
			return c
		}
	}
	return treesitter.NoNode
}

// typeOf is the type in a declaration, without what declarators add.
func (x *reader) typeOf(at int32) typ {
	return x.typeNode(x.t.Child(at, "type"))
}

func (x *reader) typeNode(at int32) typ {
	if at == treesitter.NoNode {
		return typ{base: noBase}
	}
	switch x.kind(at) {
	case typeNameKind:
		return typ{base: x.id(at)}
	case recordKind:
		if x.t.Child(at, "body") != treesitter.NoNode {
			return typ{base: ^x.record(at)}
		}
		if name := x.t.Child(at, "name"); name != treesitter.NoNode && x.kind(name) == typeNameKind {
			return typ{base: x.id(name), tag: true}
		}
	}
	if x.t.Kind(at) == "type_descriptor" {
		return x.descriptor(at)
	}
	if last := x.lastName(at); last != treesitter.NoNode {
		return typ{base: x.id(last)}
	}
	return typ{base: noBase}
}

// descriptor is the type of a cast.
func (x *reader) descriptor(at int32) typ {
	t := x.typeOf(at)
	for d := x.t.Child(at, "declarator"); d != treesitter.NoNode; {
		switch x.t.Kind(d) {
		case "abstract_pointer_declarator", "abstract_array_declarator":
			t.pointer = add(t.pointer)
		case "abstract_function_declarator":
			t.fn, t.returns, t.pointer = true, t.pointer, 0
		}
		inner := x.t.Child(d, "declarator")
		if inner == treesitter.NoNode {
			for c := range x.t.Children(d) {
				if x.t.Nodes[c].Named() && x.t.Kind(c) != "parameter_list" {
					inner = c
				}
			}
		}
		d = inner
	}
	return t
}

// lastName is the last simple name of a qualified or generic one, or NoNode.
func (x *reader) lastName(at int32) int32 {
	for range maxDeclarators {
		switch x.kind(at) {
		case identifierKind, typeNameKind, fieldNameKind:
			return at
		}
		next := x.t.Child(at, "name")
		if next == treesitter.NoNode {
			break
		}
		at = next
	}
	return treesitter.NoNode
}

// declarators iterates over those of a declaration.
func (x *reader) declarators(at int32) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		first := x.t.Child(at, "declarator")
		if first == treesitter.NoNode {
			return
		}
		for c := range x.t.Children(at) {
			if x.t.Nodes[c].Field == x.t.Nodes[first].Field && !yield(c) {
				return
			}
		}
	}
}

// storage looks for static and extern in a declaration or definition.
func (x *reader) storage(at int32) (static, extern bool) {
	for c := range x.t.Children(at) {
		if x.kind(c) == storageKind {
			switch x.t.Text(c) {
			case "static":
				static = true
			case "extern":
				extern = true
			}
		}
	}
	return static, extern
}

// declaration describes variables and functions without a body.
func (x *reader) declaration(at int32) {
	base := x.typeOf(at)
	static, extern := x.storage(at)
	lost := x.lostType(at)
	for d := range x.declarators(at) {
		got := x.declarator(d, base)
		got.lost = lost
		if got.name == treesitter.NoNode || x.kind(got.name) != identifierKind {
			continue
		}
		function := got.typ.fn && got.typ.pointer == 0
		if x.caller != none && !(extern && !function) {
			x.local(got, function)
			if !function {
				continue
			}
		}
		x.decls = append(x.decls, decl{name: x.id(got.name), typ: x.typeID(got.typ), at: int32(x.t.Nodes[got.name].Start), static: static, extern: extern || function, lost: function && x.lostIn(at)})
	}
}

// lostType reports whether the type of a declaration is lost.
func (x *reader) lostType(at int32) bool {
	t := x.t.Child(at, "type")
	return t != treesitter.NoNode && x.t.Nodes[t].Next == t+1 && lostNames[x.t.Text(t)]
}

// lostIn reports whether a lost name stands in a node.
func (x *reader) lostIn(at int32) bool {
	n := &x.t.Nodes[at]
	return x.lostHead(x.scan.index(int32(n.Start)), x.scan.index(int32(n.End)))
}

// parameter describes a parameter of an open function, not one of a function that
// is only declared in it.
func (x *reader) parameter(at int32) {
	if x.caller == none || !x.own(at) {
		return
	}
	base := x.typeOf(at)
	lost := x.lostType(at)
	for d := range x.declarators(at) {
		if got := x.declarator(d, base); got.name != treesitter.NoNode && x.kind(got.name) == identifierKind {
			if got.typ.fn && got.typ.pointer == 0 {
				got.typ.pointer = 1 // a parameter that is a function is a pointer to it
			}
			got.lost = lost
			x.local(got, false)
		}
	}
}

// own reports whether a parameter stands in the list of the open function itself
// or in one of a function literal.
func (x *reader) own(at int32) bool {
	list := x.t.Nodes[at].Parent
	if list == treesitter.NoNode {
		return false
	}
	d := x.t.Nodes[list].Parent
	if d == treesitter.NoNode {
		return false
	}
	for p := x.t.Nodes[d].Parent; p != treesitter.NoNode; p = x.t.Nodes[p].Parent {
		switch x.kind(p) {
		case parameterKind, declarationKind, typedefKind, fieldDeclarationKind:
			return false
		case functionKind, lambdaKind:
			return true
		case compoundKind:
			return x.t.Kind(d) == "abstract_function_declarator"
		}
	}
	return false
}

// local declares a name in the open function.
func (x *reader) local(d declared, function bool) {
	n := &x.t.Nodes[d.name]
	l := local{name: x.id(d.name), typ: x.typeID(d.typ), at: int32(n.Start), end: x.file.Functions[x.caller].End, function: function}
	for i := len(x.frames) - 1; i >= 0 && x.frames[i].caller == x.caller; i-- {
		if f := x.frames[i]; f.record == none {
			l.end = f.end
			break
		}
	}
	l.before = x.lastLocal[l.name]
	x.locals = append(x.locals, l)
	if d.lost {
		x.loseLocal(l.name)
	}
	x.lastLocal[l.name] = int32(len(x.locals))
}

// maxShadows bounds the locals of one name that are looked through.
const maxShadows = 64

// find is the local that a name at a place means, or nil.
func (x *reader) find(name, at int32) *local {
	i := x.lastLocal[name]
	for range maxShadows {
		if i <= x.functions[x.caller].locals {
			return nil
		}
		if l := &x.locals[i-1]; at < l.end {
			return l
		}
		i = x.locals[i-1].before
	}
	return nil
}

func (x *reader) typedef(at int32) {
	base := x.typeOf(at)
	for d := range x.declarators(at) {
		got := x.declarator(d, base)
		if got.name == treesitter.NoNode {
			continue
		}
		name := x.id(got.name)
		x.typedefs = append(x.typedefs, decl{name: name, typ: x.typeID(got.typ), at: int32(x.t.Nodes[got.name].Start)})
		if base.base < 0 && base.base != noBase && got.typ == base {
			if r := &x.records[^base.base]; r.name == none && r.typedef == none {
				r.typedef = name
			}
		}
	}
}

// record is the index of a record with a body, made when it is first seen.
func (x *reader) record(at int32) int32 {
	if id, ok := x.recordOf[at]; ok {
		return id
	}
	id := int32(len(x.records))
	r := record{name: none, typedef: none, parent: none, at: int32(x.t.Nodes[at].Start)}
	if name := x.t.Child(at, "name"); name != treesitter.NoNode {
		if last := x.lastName(name); last != treesitter.NoNode {
			r.name, r.at = x.id(last), int32(x.t.Nodes[last].Start)
		}
	}
	r.parent, r.union = x.openRecord(), x.t.Kind(at) == "union_specifier"
	x.records = append(x.records, r)
	x.recordOf[at] = id
	return id
}

// openRecord is the record whose body is open, or none.
func (x *reader) openRecord() int32 {
	for i := len(x.frames) - 1; i >= 0; i-- {
		if r := x.frames[i].record; r != none {
			return r
		}
		if x.frames[i].caller != x.caller {
			break
		}
	}
	return none
}

func (x *reader) recordBody(at int32) {
	if x.t.Child(at, "body") == treesitter.NoNode {
		return
	}
	id := x.record(at)
	x.enter(at, id)
	name := "(anonymous)"
	if r := x.records[id]; r.name != none {
		name = x.names.String(r.name)
	}
	x.scopes = append(x.scopes, name)
}

// fieldDeclaration describes fields of the open record. What is declared in it as a
// function is a method.
func (x *reader) fieldDeclaration(at int32) {
	in := x.openRecord()
	if in == none {
		return
	}
	base := x.typeOf(at)
	plain := true
	for d := range x.declarators(at) {
		plain = false
		got := x.declarator(d, base)
		if got.name == treesitter.NoNode || got.typ.fn && got.typ.pointer == 0 {
			continue
		}
		x.fields = append(x.fields, field{record: in, name: x.id(got.name), typ: x.typeID(got.typ), at: int32(x.t.Nodes[got.name].Start)})
	}
	if plain && base.base < 0 && base.base != noBase {
		x.records[^base.base].embedded = true
	}
}
