package golang

import (
	"path"
	"strconv"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// predeclared are the names of Go itself. A file that uses one means the
// language's, whatever other files of its package declare: compiled alone it
// compiles.
var predeclared = set("any", "bool", "byte", "comparable", "complex64", "complex128", "error", "float32", "float64",
	"int", "int8", "int16", "int32", "int64", "rune", "string", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr",
	"true", "false", "iota", "nil", "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make",
	"max", "min", "new", "panic", "print", "println", "real", "recover")

func set(names ...string) map[string]bool {
	s := map[string]bool{}
	for _, n := range names {
		s[n] = true
	}
	return s
}

// Classes of the library that the types without names are.
const (
	classSlice = "__slice__"
	classMap   = "__map__"
	classChan  = "__chan__"
)

// name is a use of a name, of a value or a type.
func (x *walker) name(at int32) bind.ExprID {
	name := x.t.Text(at)
	if name == "_" || name == "" {
		return 0
	}
	x.used[name] = true
	e := x.Expr(bind.Expr{Op: bind.Name, Name: name, Scope: x.Scope(), Start: x.start(at)})
	declared := x.kind(name) != 0
	if !x.silent && !declared && !predeclared[name] {
		x.Ref(e)
	}
	if x.split[name] && !declared {
		return x.hidden(name + restMark)
	}
	return e
}

// qualified is a member of a package.
func (x *walker) qualified(pkg, name int32) bind.ExprID {
	p, n := x.t.Text(pkg), x.t.Text(name)
	x.used[p] = true
	e := x.Expr(bind.Expr{Op: bind.Select, X: x.hidden(p), Name: n, Scope: x.Scope(), Start: x.start(name)})
	if !x.silent {
		x.Ref(e)
	}
	importPath, full := x.packages[p], p+"."+n
	if libraryPackages[importPath] {
		return x.hidden(path.Base(importPath) + "__" + n)
	}
	if importPath != "" && !x.members[full] {
		x.members[full] = true
		was := x.Enter(0)
		x.Import(bind.Import{Kind: importMember, Path: importPath, Name: n}, full, 0)
		x.Enter(was)
	}
	return x.hidden(full)
}

// isPackage reports whether a node is the name of an imported package.
func (x *walker) isPackage(at int32) bool {
	if at == treesitter.NoNode || x.t.Kind(at) != "identifier" && x.t.Kind(at) != "package_identifier" {
		return false
	}
	_, ok := x.packages[x.t.Text(at)]
	return ok && x.kind(x.t.Text(at)) == 0
}

// typ is a type expression. Pointers are what they point to.
func (x *walker) typ(at int32) bind.ExprID {
	if at == treesitter.NoNode || x.depth >= maxDepth {
		return 0
	}
	x.depth++
	defer func() { x.depth-- }()
	switch kind := x.t.Kind(at); kind {
	case "type_identifier", "identifier":
		return x.name(at)
	case "qualified_type":
		return x.selected(x.t.Child(at, "package"), x.t.Child(at, "name"))
	case "generic_type":
		return x.generic(at)
	case "pointer_type", "parenthesized_type":
		return x.typ(x.first(at))
	case "type_constraint", "type_elem", "negated_type":
		var only bind.ExprID
		n := 0
		for c := range x.named(at) {
			only = x.typ(c)
			n++
		}
		if n == 1 && kind != "negated_type" {
			return only
		}
		return 0
	case "slice_type", "array_type", "implicit_length_array_type":
		e := x.library(classSlice, x.t.Child(at, "element"))
		if length := x.t.Child(at, "length"); length != treesitter.NoNode {
			x.walk(length)
			e = x.Whole(e, x.start(length), x.span(length).End) // nothing is known of an array of no length
		}
		return e
	case "map_type":
		return x.library(classMap, x.t.Child(at, "key"), x.t.Child(at, "value"))
	case "channel_type":
		return x.library(classChan, x.t.Child(at, "value"))
	case "struct_type", "interface_type":
		class := x.Declare(bind.Decl{Name: kind + "@" + strconv.Itoa(int(x.start(at))), Kind: bind.Class, Start: x.start(at)})
		name := x.hidden(x.Decl(class).Name)
		x.fill(class, at)
		return name
	case "function_type":
		f := x.Declare(bind.Decl{Kind: bind.Func, Start: x.start(at)})
		x.open(bind.FunctionScope, f)
		x.signature(f, at)
		x.close()
		return x.Expr(bind.Expr{Op: bind.FuncLit, Decl: f})
	}
	return x.walk(at)
}

// library is a generic class of the library with types as its arguments.
func (x *walker) library(class string, types ...int32) bind.ExprID {
	e := bind.Expr{Op: bind.Apply, X: x.hidden(class)}
	for _, t := range types {
		e.Args = append(e.Args, x.Of(x.typ(t)))
	}
	return x.Expr(e)
}

// generic is a type with type arguments, or an element, which looks the same.
func (x *walker) generic(at int32) bind.ExprID {
	base, args := x.t.Child(at, "type"), x.t.Child(at, "type_arguments")
	e := bind.Expr{Op: bind.Apply, X: x.typ(base)}
	if args != treesitter.NoNode {
		for c := range x.named(args) {
			e.Args = append(e.Args, x.Of(x.typ(c)))
		}
	}
	return x.applied(base, e)
}

// applied is a type or function with type arguments, unless base is a variable.
func (x *walker) applied(base int32, e bind.Expr) bind.ExprID {
	if x.isVariable(base) {
		return x.Expr(bind.Expr{Op: bind.Index, X: e.X, N: -1})
	}
	return x.Expr(e)
}

// isVariable reports whether an expression, or what was taken for a type, starts
// with the name of a variable of the file.
func (x *walker) isVariable(at int32) bool {
	for at != treesitter.NoNode {
		if kind := x.t.Kind(at); strings.HasSuffix(kind, "identifier") {
			k := x.kind(x.t.Text(at))
			return k == bind.Var || k == bind.Param
		}
		at = x.first(at)
	}
	return false
}

// typeSpec declares a named type.
func (x *walker) typeSpec(at int32) {
	name, shape := x.t.Child(at, "name"), x.t.Child(at, "type")
	if name == treesitter.NoNode || shape == treesitter.NoNode {
		return
	}
	d := bind.Decl{Name: x.t.Text(name), Kind: bind.Class, Start: x.start(name)}
	if x.t.Kind(at) == "type_alias" {
		d.Kind = bind.Alias
	}
	top := len(x.blocks) == 1
	id := x.local(d)
	if top && d.Kind == bind.Class {
		x.classes[d.Name] = id
	}
	x.open(bind.BlockScope, 0) // of the type parameters: not that of the members
	params := x.typeParameters(at)
	x.Decl(id).TypeParams = params
	switch kind := x.t.Kind(shape); {
	case d.Kind == bind.Alias:
		e := x.typ(shape)
		x.Decl(id).Type = e
	case kind == "struct_type" || kind == "interface_type":
		x.fill(id, shape)
	case kind == "function_type":
		x.Open(bind.ClassScope, id)
		f := x.Declare(bind.Decl{Name: "__call__", Kind: bind.Func, Start: x.start(shape)})
		x.open(bind.FunctionScope, f)
		x.signature(f, shape)
		x.close()
		x.Close()
	default:
		x.Open(bind.ClassScope, id)
		x.Close()
		if base := x.typ(shape); !predeclared[x.t.Text(shape)] {
			x.base(id, base)
		}
	}
	if top && !x.alone && d.Kind == bind.Class && x.t.Kind(shape) != "interface_type" {
		rest := d.Name + restMark
		was := x.Enter(0)
		x.Import(bind.Import{Kind: importRest, Path: d.Name, Name: rest}, rest, d.Start)
		x.base(id, x.hidden(rest))
		x.Enter(was)
	}
	x.close()
}

func (x *walker) base(class bind.DeclID, base bind.ExprID) {
	d := x.Decl(class)
	d.Bases = append(d.Bases, base)
}
