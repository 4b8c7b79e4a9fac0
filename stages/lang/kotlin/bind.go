package kotlin

import (
	_ "embed"
	"sort"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

//go:embed library.kt
var library []byte

// Version history of the binding:
//
//	1: first version
const bindingVersion = 1

func binding(g *treesitter.Grammar) *lang.Binding {
	tree := treesitter.MustParse(library, g)
	return &lang.Binding{
		Version: bindingVersion,
		Bind:    describe,
		Link:    link,
		Rules: &bind.Rules{
			Names: true, Globals: true, MembersInScope: true, CallConstructs: true,
			Declared: true, Extensions: true, Aliases: true, Qualified: true,
			List: "List", Library: describe("library.kt", tree),
			Implicit: func(name string) bool { return strings.Contains(implicit, " "+name+" ") },
			Compat:   func(f *bind.File, u *bind.Use) bool { return u.Kind != bind.KindName || !isClass(f, u) },
		},
	}
}

// implicit are members and extensions that everything has.
const implicit = " toString equals hashCode let also apply run takeIf takeUnless to javaClass use "

// typeName reports whether a name is one of a type by convention: it begins with a
// capital and is no constant.
func typeName(name string) bool {
	return capital(name) && (len(name) == 1 || strings.ToUpper(name) != name)
}

// capital reports whether a name begins with one.
func capital(name string) bool { return name != "" && 'A' <= name[0] && name[0] <= 'Z' }

// isClass reports whether a name that is used is one of a class: a constant is
// written like that, but never called.
func isClass(f *bind.File, u *bind.Use) bool {
	if typeName(u.Name) || !capital(u.Name) {
		return typeName(u.Name)
	}
	i := sort.Search(len(f.Refs), func(i int) bool { return int(f.Exprs[f.Refs[i]].Start) >= u.Start })
	return i < len(f.Refs) && f.Exprs[f.Refs[i]].N == bind.Called
}

// maxDepth bounds the nesting of code that is looked at.
const maxDepth = 500

// binder describes one file. Its methods are named after what they read: a node
// of the tree comes in, and of an expression its value goes out.
type binder struct {
	*bind.Builder
	t        *treesitter.Tree
	depth    int
	returns  []bind.ExprID   // of the function around
	imported map[string]bool // names of imports
	declared map[string]bool // names that the file declares, so far
}

func describe(path string, t *treesitter.Tree) *bind.File {
	b := &binder{Builder: bind.NewBuilder(path), t: t, imported: map[string]bool{}, declared: map[string]bool{}}
	for r := range t.Roots() {
		b.visit(r)
	}
	return b.Done()
}

// Declare adds a declaration that is no import.
func (b *binder) Declare(d bind.Decl) bind.DeclID {
	b.declared[d.Name] = true
	return b.Builder.Declare(d)
}

func (b *binder) start(i int32) int32 { return int32(b.t.Nodes[i].Start) }

func (b *binder) kind(i int32) string {
	if i == treesitter.NoNode {
		return ""
	}
	return b.t.Kind(i)
}

// name is the text of an identifier, and where it starts.
func (b *binder) name(i int32) (string, int32) {
	if i == treesitter.NoNode {
		return "", 0
	}
	text := b.t.Text(i)
	if strings.HasPrefix(text, "`") {
		return name(text), b.start(i) + 1
	}
	return text, b.start(i)
}

// first is the first child of one of some kinds, or NoNode.
func (b *binder) first(i int32, kinds ...string) int32 {
	if i == treesitter.NoNode {
		return i
	}
	for c := range b.t.Children(i) {
		for _, k := range kinds {
			if b.t.Kind(c) == k {
				return c
			}
		}
	}
	return treesitter.NoNode
}

// named lists the named children, comments aside.
func (b *binder) named(i int32) (out []int32) {
	if i == treesitter.NoNode {
		return nil
	}
	for c := range b.t.Children(i) {
		if k := b.t.Kind(c); b.t.Nodes[c].Named() && k != "line_comment" && k != "multiline_comment" && k != "label" {
			out = append(out, c)
		}
	}
	return out
}

// children visits all children; the value is that of the last one.
func (b *binder) children(i int32) (last bind.ExprID) {
	for _, c := range b.named(i) {
		last = b.visit(c)
	}
	return last
}

// block visits children in a scope of their own.
func (b *binder) block(i int32) bind.ExprID {
	b.Open(bind.BlockScope, 0)
	defer b.Close()
	return b.children(i)
}

// visit reads a node of any kind. The value is that of an expression, or 0.
func (b *binder) visit(i int32) bind.ExprID {
	if i == treesitter.NoNode {
		return 0
	}
	if b.depth++; b.depth > maxDepth {
		b.depth--
		return 0
	}
	defer func() { b.depth-- }()
	switch b.kind(i) {
	case "package_header":
		b.File.Module = dotted(b.t, i)
	case "import_header":
		b.imports(i)
	case "class_declaration", "object_declaration":
		b.class(i)
	case "companion_object":
		b.visit(b.first(i, "class_body"))
	case "type_alias":
		b.alias(i)
	case "function_declaration":
		b.function(i)
	case "secondary_constructor":
		b.scopedFunction(i, bind.Decl{Name: "constructor", Start: b.start(i), Constructor: true}, 0)
	case "property_declaration":
		b.property(i)
	case "getter", "setter":
		b.Open(bind.FunctionScope, 0)
		if p := b.first(i, "parameter_with_optional_type"); p != treesitter.NoNode {
			text, at := b.name(b.first(p, "simple_identifier"))
			b.Declare(bind.Decl{Name: text, Kind: bind.Param, Start: at})
		}
		b.visit(b.first(i, "function_body"))
		b.Close()
	case "anonymous_initializer", "control_structure_body", "for_statement", "while_statement", "do_while_statement", "try_expression", "finally_block":
		return b.statement(i)
	case "catch_block":
		b.Open(bind.BlockScope, 0)
		text, at := b.name(b.first(i, "simple_identifier"))
		typ := b.typeValue(b.first(i, "user_type"))
		b.Declare(bind.Decl{Name: text, Kind: bind.Var, Start: at, Type: typ})
		last := b.visit(b.first(i, "statements"))
		b.Close()
		return last
	case "statements", "function_body":
		return b.children(i)
	case "line_comment", "multiline_comment", "modifiers", "type_parameters", "type_constraints", "user_type", "nullable_type", "function_type", "label":
	default:
		return b.expression(i)
	}
	return 0
}

func (b *binder) imports(i int32) {
	im := importOf(b.t, i)
	switch {
	case im.Path == "":
	case all(im):
		b.Import(bind.Import{Kind: "all", Path: im.Path}, "", b.start(i))
	default:
		local := im.Path[strings.LastIndexByte(im.Path, '.')+1:]
		if len(im.Names) == 1 {
			local = im.Names[0]
		}
		b.imported[local] = true
		b.Import(bind.Import{Path: im.Path, Name: local}, local, b.start(i))
	}
}

// statement reads what has a scope of its own.
func (b *binder) statement(i int32) bind.ExprID {
	if b.kind(i) != "for_statement" {
		return b.block(i)
	}
	b.Open(bind.BlockScope, 0)
	defer b.Close()
	parts := b.named(i)
	pattern := b.first(i, "variable_declaration", "multi_variable_declaration")
	var element bind.ExprID
	for _, c := range parts {
		switch k := b.kind(c); {
		case c == pattern || k == "modifiers":
		case k == "control_structure_body":
			b.variable(pattern, 0, element)
			b.visit(c)
		default:
			element = b.Expr(bind.Expr{Op: bind.Elem, X: b.visit(c)})
		}
	}
	return 0
}

// variable declares the names of a variable or of a destructuring declaration.
func (b *binder) variable(i int32, kind bind.DeclKind, value bind.ExprID) {
	if kind == 0 {
		kind = bind.Var
	}
	switch b.kind(i) {
	case "variable_declaration":
		text, at := b.name(b.first(i, "simple_identifier"))
		b.Declare(bind.Decl{Name: text, Kind: kind, Start: at, Type: b.typeOf(i), Value: value})
	case "multi_variable_declaration":
		n := int32(0)
		for _, c := range b.named(i) {
			if b.kind(c) == "variable_declaration" {
				component := b.Expr(bind.Expr{Op: bind.Select, X: value, Name: "component" + string('1'+rune(min(n, 8))), Scope: b.Scope()})
				b.variable(c, kind, component)
				n++
			}
		}
	}
}
