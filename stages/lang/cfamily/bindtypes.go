package cfamily

import (
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// classPointer is the class of the library that pointers and arrays are.
const classPointer = "__ptr__"

// typ is a type expression, without the pointers that declarators add.
func (x *walker) typ(at int32) bind.ExprID {
	if at == treesitter.NoNode || x.depth >= maxDepth {
		return 0
	}
	x.depth++
	defer func() { x.depth-- }()
	switch kind := x.t.Kind(at); kind {
	case "type_identifier", "identifier", "namespace_identifier", "field_identifier":
		return x.name(at)
	case "qualified_identifier":
		return x.qualified(at)
	case "template_type", "template_function", "template_method":
		return x.applied(x.typ(x.t.Child(at, "name")), at)
	case "class_specifier", "struct_specifier", "union_specifier", "enum_specifier":
		return x.specifier(at)
	case "type_descriptor":
		e := x.typ(x.t.Child(at, "type"))
		if d := x.t.Child(at, "declarator"); d != treesitter.NoNode && strings.Contains(x.t.Kind(d), "pointer") {
			return x.pointer(e)
		}
		return e
	case "dependent_type", "dependent_name":
		return x.typ(x.first(at))
	case "decltype":
		return x.Expr(bind.Expr{Op: bind.TypeOf, X: x.walk(x.first(at))})
	case "placeholder_type_specifier", "primitive_type", "sized_type_specifier", "auto":
		return 0
	}
	return x.walk(at)
}

// pointer is the type of pointers to a type.
func (x *walker) pointer(e bind.ExprID) bind.ExprID {
	if e == 0 {
		return 0
	}
	return x.Expr(bind.Expr{Op: bind.Apply, X: x.hidden(classPointer), Args: []bind.ExprID{x.Of(e)}})
}

// applied gives a template the arguments of a node.
func (x *walker) applied(e bind.ExprID, at int32) bind.ExprID {
	a := bind.Expr{Op: bind.Apply, X: e}
	for c := range x.named(x.t.Child(at, "arguments")) {
		if x.t.Kind(c) == "type_descriptor" {
			a.Args = append(a.Args, x.Of(x.typ(c)))
		} else {
			x.walk(c)
			a.Args = append(a.Args, 0)
		}
	}
	return x.Expr(a)
}

// parts are the nodes of the segments of a qualified name, NoNode first where it
// starts with "::".
func (x *walker) parts(at int32) []int32 {
	var out []int32
	for at != treesitter.NoNode && x.t.Kind(at) == "qualified_identifier" && len(out) < maxDepth {
		out = append(out, x.t.Child(at, "scope"))
		at = x.t.Child(at, "name")
	}
	return append(out, at)
}

// last is the node of the last name of a qualified name, without template
// arguments.
func (x *walker) last(at int32) int32 {
	parts := x.parts(at)
	return x.bare(parts[len(parts)-1])
}

// bare is the node of a name without template arguments.
func (x *walker) bare(at int32) int32 {
	for at != treesitter.NoNode {
		switch x.t.Kind(at) {
		case "template_type", "template_function", "template_method":
			at = x.t.Child(at, "name")
		case "dependent_name":
			at = x.first(at)
		case "identifier", "type_identifier", "namespace_identifier", "field_identifier":
			return at
		default:
			return treesitter.NoNode
		}
	}
	return at
}

// qualified is what a qualified name stands for. Only the repository knows what
// of it is a namespace and what a class: each of its names is looked up with
// those before it, and as a member of what they are.
func (x *walker) qualified(at int32) bind.ExprID {
	parts := x.parts(at)
	e, path := bind.ExprID(0), ""
	for i, p := range parts {
		name := x.bare(p)
		switch {
		case p == treesitter.NoNode:
			continue
		case name == treesitter.NoNode:
			e, path = x.walk(p), ""
			continue
		case path == "" && i+1 == len(parts):
			e = x.name(name) // of the global namespace
		case path == "":
			e = x.name(name)
			path = x.t.Text(name)
		case path == "std" || strings.HasPrefix(path, "std::"):
			path += "::" + x.t.Text(name)
			e = x.hiddenPath(path)
		default:
			member := x.Expr(bind.Expr{Op: bind.Select, X: e, Name: x.t.Text(name), Scope: x.Scope(), Start: x.start(name)})
			path += "::" + x.t.Text(name)
			e = x.pathName(path, name)
			x.Ref(member)
		}
		if name != p && strings.HasPrefix(x.t.Kind(p), "template_") {
			e = x.applied(e, p)
		}
	}
	return e
}

// maxPath bounds the length of qualified names.
const maxPath = 512

// pathScope is a scope of its own in which the last name of a path is bound to
// what the path stands for.
func (x *walker) pathScope(path string) bind.ScopeID {
	if s, ok := x.paths[path]; ok || len(path) > maxPath {
		return s
	}
	was := x.Enter(0)
	s := x.Open(bind.BlockScope, 0)
	name := path[strings.LastIndexByte(path, ':')+1:]
	x.Import(bind.Import{Kind: kindPath, Path: path, Name: name}, name, 0)
	x.Enter(was)
	x.paths[path] = s
	return s
}

// pathName is the last name of a path, where it stands in the source.
func (x *walker) pathName(path string, at int32) bind.ExprID {
	return x.Ref(x.Expr(bind.Expr{Op: bind.Name, Name: x.t.Text(at), Scope: x.pathScope(path), Start: x.start(at)}))
}

// hiddenPath is what a path stands for.
func (x *walker) hiddenPath(path string) bind.ExprID {
	name := path[strings.LastIndexByte(path, ':')+1:]
	return x.Expr(bind.Expr{Op: bind.Name, Name: name, Scope: x.pathScope(path)})
}

// declarator is what a declarator says.
type declarator struct {
	node     int32 // of the name, NoNode for none
	pointer  bool  // of what it names, or of what the function returns
	function int32 // the innermost function declarator, or NoNode
	outer    int32 // the qualified name around the name, or NoNode
}

// declaredAs is a declarator that ends with a name that is no identifier.
func (x *walker) declaredAs(at int32, d declarator) declarator {
	d.node = at
	if x.t.Kind(at) == "operator_cast" {
		d.function = x.within(at, "abstract_function_declarator")
	}
	return d
}

// within is the innermost declarator of a kind in a declarator, or NoNode.
func (x *walker) within(at int32, kind string) int32 {
	for range maxDepth {
		if at = x.t.Child(at, "declarator"); at == treesitter.NoNode || x.t.Kind(at) == kind {
			return at
		}
	}
	return treesitter.NoNode
}

// called is the name that a declarator declares.
func (x *walker) called(name int32) string {
	if s := x.special(name); s != "" {
		return s
	}
	return x.t.Text(name)
}

// declared reads a declarator.
func (x *walker) declared(at int32) declarator {
	d := declarator{node: treesitter.NoNode, function: treesitter.NoNode, outer: treesitter.NoNode}
	for range maxDepth {
		if at == treesitter.NoNode {
			return d
		}
		switch kind := x.t.Kind(at); kind {
		case "identifier", "type_identifier", "field_identifier":
			d.node = at
			return d
		case "operator_name", "destructor_name", "operator_cast":
			return x.declaredAs(at, d)
		case "qualified_identifier":
			outer, parts := at, x.parts(at)
			if last := parts[len(parts)-1]; last != treesitter.NoNode && x.special(last) != "" {
				d = x.declaredAs(last, d)
			} else {
				d.node = x.bare(last)
			}
			d.outer = outer
			return d
		case "function_declarator":
			d.function = at
		case "pointer_declarator", "array_declarator":
			d.pointer = true
			x.walk(x.t.Child(at, "size"))
		case "template_function", "template_method":
			d.node = x.t.Child(at, "name")
			return d
		case "init_declarator", "reference_declarator", "parenthesized_declarator", "attributed_declarator", "variadic_declarator":
		default:
			return d
		}
		at = inner(x.t, at)
	}
	return d
}
