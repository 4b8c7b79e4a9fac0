package cfamily

import (
	"slices"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// kindPath is an import of what a qualified name stands for; includes have their
// own kinds.
const kindPath = "path"

// extension ends the name of the class that holds the members which a file defines
// of a class of another one.
const extension = "+"

// maxDepth bounds the nesting that is understood; code below it is not seen.
const maxDepth = 500

// walker describes one file.
type walker struct {
	*bind.Builder
	t       *treesitter.Tree
	depth   int
	scopes  []string               // names of the open namespaces and classes
	classes map[string]bind.DeclID // with a body, and namespaces, by path
	paths   map[string]bind.ScopeID
	bodies  map[string]bool // names of classes that have a body somewhere in the file
	cpp     bool
	sites   []Site
	defined []Definition
}

// Bind describes a file of C or C++.
func Bind(path string, t *treesitter.Tree) *bind.File { return Describe(path, t).File }

// Describe is Bind, with the calls and definitions of the file.
func Describe(path string, t *treesitter.Tree) *Description {
	x := &walker{
		Builder: bind.NewBuilder(path), t: t, cpp: t.Grammar.Name == "cpp", classes: map[string]bind.DeclID{}, paths: map[string]bind.ScopeID{}, bodies: map[string]bool{},
	}
	for i := range t.Nodes {
		if i := int32(i); specifiers[t.Kind(i)] && t.Child(i, "body") != treesitter.NoNode {
			x.bodies[x.text(i, "name")] = true
		}
	}
	for root := range t.Roots() {
		for c := range x.named(root) {
			x.walk(c)
		}
	}
	slices.SortStableFunc(x.sites, func(a, b Site) int { return int(a.At - b.At) })
	f := x.Done()
	f.Exprs, f.Decls, f.Scopes, f.Refs = tight(f.Exprs), tight(f.Decls), tight(f.Scopes), tight(f.Refs)
	return &Description{File: f, Sites: tight(x.sites), Definitions: tight(x.defined)}
}

// tight is a list without room to grow: many are kept at once.
func tight[T any](list []T) []T { return append(make([]T, 0, len(list)), list...) }

var specifiers = map[string]bool{"class_specifier": true, "struct_specifier": true, "union_specifier": true, "enum_specifier": true}

// path is the qualified name of a name declared here.
func (x *walker) path(name string) string {
	return strings.Join(append(x.scopes[:len(x.scopes):len(x.scopes)], name), "::")
}

// declaration describes a node that declares something. It reports whether it
// is one.
func (x *walker) declaration(at int32) bool {
	switch kind := x.t.Kind(at); kind {
	case "preproc_include":
		if im, ok := imported(x.t, x.t.Child(at, "path")); ok {
			x.Import(bind.Import{Kind: im.Kind, Path: im.Path}, "", 0)
		}
	case "preproc_def", "preproc_function_def":
		was := x.Enter(0)
		decl := bind.Decl{Name: x.text(at, "name"), Kind: bind.Func, Start: x.start(at), Opaque: true}
		if value := strings.TrimSpace(x.text(at, "value")); kind == "preproc_def" && x.cpp && isName(value) && value != decl.Name {
			decl.Kind, decl.Type = bind.Alias, x.hidden(value) // "#define A B"
		}
		x.Declare(decl)
		x.Enter(was)
	case "namespace_definition":
		x.namespace(at)
	case "namespace_alias_definition", "preproc_call", "preproc_line", "goto_statement":
	case "using_declaration":
		x.using(at)
	case "alias_declaration":
		x.alias(x.t.Child(at, "name"), x.Of(x.typ(x.t.Child(at, "type"))))
	case "type_definition":
		x.typedef(at)
	case "template_declaration":
		x.template(at)
	case "class_specifier", "struct_specifier", "union_specifier", "enum_specifier":
		x.specifier(at)
	case "declaration", "field_declaration":
		x.declare(at, bind.Var)
	case "parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration":
		x.declare(at, bind.Param)
	case "function_definition":
		x.function(at)
	case "friend_declaration":
		for c := range x.named(at) {
			if x.t.Kind(c) != "type_identifier" { // the name of a friend need not be known
				x.walk(c)
			}
		}
	case "for_range_loop":
		x.rangeLoop(at)
	case "compound_statement", "for_statement", "if_statement", "while_statement", "catch_clause", "switch_statement":
		x.Open(bind.BlockScope, 0)
		for c := range x.named(at) {
			x.walk(c)
		}
		x.Close()
	default:
		return false
	}
	return true
}

// isName reports whether a text is just a name.
func isName(text string) bool {
	for i := range len(text) {
		if !isWord(text[i]) {
			return false
		}
	}
	return text != "" && text[0] > '9'
}

// namespace describes what stands in a namespace; all parts of one in a file are
// one.
func (x *walker) namespace(at int32) {
	body := x.t.Child(at, "body")
	if body == treesitter.NoNode {
		return
	}
	names := strings.Split(strings.ReplaceAll(x.text(at, "name"), " ", ""), "::")
	was, depth := x.Scope(), len(x.scopes)
	for _, name := range names {
		if name == "" || name == "inline" {
			continue // of this file alone
		}
		key := x.path(name)
		id := x.classes[key]
		if id == 0 {
			id = x.Declare(bind.Decl{Name: name, Kind: bind.Namespace, Start: x.start(at)})
			x.classes[key] = id
			x.Open(bind.NamespaceScope, id)
		} else {
			x.Enter(x.Decl(id).Inner)
		}
		x.scopes = append(x.scopes, name)
	}
	for c := range x.named(body) {
		x.walk(c)
	}
	x.scopes = x.scopes[:depth]
	x.Enter(was)
}

// using makes a name of another scope one of this.
func (x *walker) using(at int32) {
	name := x.first(at)
	if name == treesitter.NoNode || strings.HasPrefix(x.t.Text(at), "using namespace") || x.t.Kind(name) != "qualified_identifier" {
		return
	}
	e := x.qualified(name)
	if last := x.last(name); last != treesitter.NoNode {
		x.Declare(bind.Decl{Name: x.t.Text(last), Kind: bind.Alias, Start: x.start(last), Type: e})
	}
}

// alias declares another name of a type, given as a value of it.
func (x *walker) alias(name int32, of bind.ExprID) {
	if name == treesitter.NoNode {
		return
	}
	e := bind.ExprID(0)
	if of != 0 {
		e = x.File.Exprs[of].X
	}
	x.Declare(bind.Decl{Name: x.t.Text(name), Kind: bind.Alias, Start: x.start(name), Type: e})
}

func (x *walker) typedef(at int32) {
	typ := x.t.Child(at, "type")
	if typ != treesitter.NoNode && specifiers[x.t.Kind(typ)] && x.t.Child(typ, "name") == treesitter.NoNode {
		for d := range x.fields(at, "declarator") { // a type without a name of its own
			if name := x.declared(d); name.node != treesitter.NoNode {
				x.body(typ, x.t.Text(name.node), name.node)
				return
			}
		}
	}
	e := x.typ(typ)
	for d := range x.fields(at, "declarator") {
		if name := x.declared(d); name.node != treesitter.NoNode {
			of := x.Of(e)
			if name.function != treesitter.NoNode {
				x.walk(x.t.Child(name.function, "parameters"))
				of = 0
			}
			x.alias(name.node, of)
		}
	}
}

// template declares type parameters around what they are parameters of.
func (x *walker) template(at int32) {
	scope := x.Open(bind.BlockScope, 0)
	var ids []bind.DeclID
	if list := x.t.Child(at, "parameters"); list != treesitter.NoNode {
		for p := range x.named(list) {
			switch x.t.Kind(p) {
			case "type_parameter_declaration", "variadic_type_parameter_declaration", "optional_type_parameter_declaration":
				name := x.t.Child(p, "name")
				if name == treesitter.NoNode {
					name = x.first(p)
				}
				if name != treesitter.NoNode && x.t.Kind(name) == "type_identifier" {
					ids = append(ids, x.Declare(bind.Decl{Name: x.t.Text(name), Kind: bind.TypeParam, Start: x.start(name)}))
				}
				if d := x.t.Child(p, "default_type"); d != treesitter.NoNode {
					x.typ(d)
				}
			default:
				x.walk(p)
			}
		}
	}
	from := len(x.File.Decls)
	for c := range x.named(at) {
		if x.t.Kind(c) != "template_parameter_list" {
			x.walk(c)
		}
	}
	x.Close()
	// What is declared stands outside of the parameters.
	for i := from; i < len(x.File.Decls); i++ {
		if d := &x.File.Decls[i]; d.Scope == scope {
			d.Scope = x.File.Scopes[scope].Parent
			if d.Kind == bind.Class || d.Kind == bind.Func || d.Kind == bind.Alias {
				d.TypeParams = ids
			}
		}
	}
}
