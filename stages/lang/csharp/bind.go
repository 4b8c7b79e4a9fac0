package csharp

import (
	"strconv"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// maxDepth bounds the nesting of code that is looked at.
const maxDepth = 500

// part is the kind of the import that a partial type makes of its other parts.
const part = "part"

// binder describes one file. Its methods are named after what they read: a node
// of the tree comes in, and of an expression its value goes out.
type binder struct {
	*bind.Builder
	t     *treesitter.Tree
	depth int
	// full is the full name of the type or namespace around, as in metadata.
	full     string
	inType   bool
	receiver bind.ExprID   // of the conditional access around
	result   bind.ExprID   // what the function around is declared to give
	returns  []bind.ExprID // of the function around
	subject  bind.ExprID   // of the patterns around
}

// describe is the Bind of the language. It sees a file as compilers do.
func describe(path string, t *treesitter.Tree) *bind.File {
	t = asCompiled(t)
	b := &binder{Builder: bind.NewBuilder(path), t: t}
	for r := range t.Roots() {
		b.visit(r)
	}
	return b.Done()
}

// asCompiled is the tree of what a compiler reads of a file, or the tree itself
// where that is all of it.
func asCompiled(t *treesitter.Tree) *treesitter.Tree {
	src := compiled(t.Source)
	if src == nil {
		return t
	}
	again, err := treesitter.Parse(src, t.Grammar, nil, treesitter.DefaultLimits)
	if err != nil {
		return t
	}
	return again
}

func (b *binder) start(i int32) int32 { return int32(b.t.Nodes[i].Start) }
func (b *binder) end(i int32) int32   { return int32(b.t.Nodes[i].End) }

func (b *binder) span(i int32) bind.Span { return bind.Span{Start: b.start(i), End: b.end(i)} }

// child is a child by field; visits of it, where there is none, do nothing.
func (b *binder) child(i int32, field string) int32 {
	if i == treesitter.NoNode {
		return i
	}
	return b.t.Child(i, field)
}

func (b *binder) kind(i int32) string {
	if i == treesitter.NoNode {
		return ""
	}
	return b.t.Kind(i)
}

// name is the text of an identifier without the sign that makes keywords names,
// and where it starts.
func (b *binder) name(i int32) (string, int32) {
	if i == treesitter.NoNode {
		return "", 0
	}
	text := b.t.Text(i)
	if strings.HasPrefix(text, "@") {
		return text[1:], b.start(i) + 1
	}
	return text, b.start(i)
}

// has reports whether a child is of a kind.
func (b *binder) has(i int32, kind string) bool { return b.first(i, kind) != treesitter.NoNode }

// first is the first child of a kind, or NoNode.
func (b *binder) first(i int32, kind string) int32 {
	if i == treesitter.NoNode {
		return i
	}
	for c := range b.t.Children(i) {
		if b.t.Kind(c) == kind {
			return c
		}
	}
	return treesitter.NoNode
}

// modified reports whether a declaration has one of some modifiers.
func (b *binder) modified(i int32, modifiers ...string) bool {
	for c := range b.t.Children(i) {
		if b.t.Kind(c) == "modifier" {
			for _, m := range modifiers {
				if b.t.Text(c) == m {
					return true
				}
			}
		}
	}
	return false
}

// children visits all children; the value is that of the last one.
func (b *binder) children(i int32) (last bind.ExprID) {
	for c := range b.t.Children(i) {
		if b.t.Nodes[c].Named() || c+1 < b.t.Nodes[c].Next || b.t.Kind(c) == "this" || b.t.Kind(c) == "base" {
			last = b.visit(c)
		}
	}
	return last
}

// scoped visits children in a scope of their own.
func (b *binder) scoped(i int32) {
	b.Open(bind.BlockScope, 0)
	b.children(i)
	b.Close()
}

// hide says that the compiler does not look at one node where it does not know a
// name in another.
func (b *binder) hide(cause, hidden int32) { b.hideFrom(cause, 0, hidden) }

// hideFrom does that too where a value has a class of another file.
func (b *binder) hideFrom(cause int32, of bind.ExprID, hidden int32) {
	if hidden == treesitter.NoNode || cause == treesitter.NoNode && of == 0 {
		return
	}
	var span bind.Span
	if cause != treesitter.NoNode {
		span = b.span(cause)
	}
	b.Shade(span, of, b.span(hidden))
}

// namespace opens the scopes of a namespace, one for each part of its name. One
// that the whole file is in stays open.
func (b *binder) namespace(i int32) {
	was := b.full
	full, opened := "", 0
	if n := b.child(i, "name"); n != treesitter.NoNode {
		full = plain(b.t.Text(n))
	}
	if parts := strings.Split(full, "."); full != "" && len(parts) <= maxNesting {
		for _, p := range parts {
			id := b.Declare(bind.Decl{Name: p, Kind: bind.Namespace, Start: b.start(i)})
			b.Open(bind.NamespaceScope, id)
			b.full = join(b.full, ".", p)
			opened++
		}
		b.Import(bind.Import{Kind: namespace, Path: b.full}, "", b.start(i))
		if b.File.Module == "" {
			b.File.Module = b.full
		}
	}
	b.children(i)
	if b.kind(i) == "file_scoped_namespace_declaration" {
		return
	}
	for range opened {
		b.Close()
	}
	b.full = was
}

func join(a, separator, b string) string {
	if a == "" {
		return b
	}
	return a + separator + b
}

// using reads a using directive.
func (b *binder) using(i int32) {
	im := directive(b.t, i)
	if im.Path == "" {
		return
	}
	name := ""
	if len(im.Names) == 1 {
		name = im.Names[0]
	}
	b.Import(bind.Import{Kind: im.Kind, Path: im.Path + aritySuffix(b.t, i), All: strings.HasSuffix(im.Kind, static)}, name, b.start(i))
}

// class declares a class, struct, interface, record or enum.
func (b *binder) class(i int32) {
	text, at := b.name(b.child(i, "name"))
	kind := b.kind(i)
	id := b.Declare(bind.Decl{Name: text + aritySuffix(b.t, i), Kind: bind.Class, Start: at})
	wasFull, wasType, wasResult, wasReturns := b.full, b.inType, b.result, b.returns
	if b.inType {
		b.full = join(b.full, "+", b.Decl(id).Name)
	} else {
		b.full = join(b.full, ".", b.Decl(id).Name)
	}
	b.inType = true
	if len(b.full) > maxName {
		b.full = ""
	}
	b.Open(bind.BlockScope, 0) // bases see the type parameters, and not the members
	params := b.typeParameters(i)
	var bases []bind.ExprID
	if b.modified(i, "partial") && b.full != "" {
		hidden := "partial " + b.full
		b.Import(bind.Import{Kind: part, Path: b.full}, hidden, at)
		bases = append(bases, b.Expr(bind.Expr{Op: bind.Name, Name: hidden, Scope: b.Scope(), Start: at}))
	}
	bases = append(bases, b.bases(i, kind)...)
	d := b.Decl(id)
	d.TypeParams, d.Bases = params, bases
	b.Open(bind.ClassScope, id)
	for c := range b.t.Children(i) {
		switch b.kind(c) {
		case "attribute_list", "declaration_list", "enum_member_declaration_list":
			b.visit(c)
		case "parameter_list":
			for _, p := range b.parameters(c) {
				b.Decl(p).Kind = bind.Member
			}
		}
	}
	b.Close()
	b.Close()
	b.full, b.inType, b.result, b.returns = wasFull, wasType, wasResult, wasReturns
}

// bases are the types that one inherits members from. The interfaces of a class,
// all but the first or by their name that too, give it none: it has to declare
// them itself. Generic ones say what it is a sequence of.
func (b *binder) bases(i int32, kind string) (out []bind.ExprID) {
	list := b.first(i, "base_list")
	if list == treesitter.NoNode {
		return nil
	}
	first := true
	for c := range b.t.Children(list) {
		switch k := b.kind(c); {
		case k == "argument_list":
			b.arguments(c, 0)
		case k == "primary_constructor_base_type":
			out = append(out, b.typ(b.child(c, "type")))
			b.arguments(b.first(c, "argument_list"), 0)
		case !b.t.Nodes[c].Named() || k == "comment":
		case kind != "interface_declaration" && k != "generic_name" && (!first || interfaceName(b.t.Text(c))):
			first = false
		default:
			out = append(out, b.typ(c))
			first = false
		}
	}
	return out
}

// interfaceName reports whether a name is that of an interface by convention.
func interfaceName(name string) bool {
	name = name[strings.LastIndexByte(name, '.')+1:]
	return len(name) > 2 && name[0] == 'I' && upper(name[1]) && 'a' <= name[2] && name[2] <= 'z'
}

// typeParameters declares the type parameters of a declaration. What a constraint
// says one is, it is where nothing is known of it.
func (b *binder) typeParameters(i int32) (out []bind.DeclID) {
	byName := map[string]bind.DeclID{}
	if list := b.first(i, "type_parameter_list"); list != treesitter.NoNode {
		for c := range b.t.Children(list) {
			if b.kind(c) == "type_parameter" {
				text, at := b.name(b.child(c, "name"))
				byName[text] = b.Declare(bind.Decl{Name: text, Kind: bind.TypeParam, Start: at})
				out = append(out, byName[text])
			}
		}
	}
	for c := range b.t.Children(i) {
		if b.kind(c) != "type_parameter_constraints_clause" {
			continue
		}
		text, _ := b.name(b.first(c, "identifier"))
		for k := range b.t.Children(c) {
			if typ := b.child(k, "type"); typ != treesitter.NoNode && byName[text] != 0 {
				if x := b.typ(typ); b.Decl(byName[text]).Type == 0 {
					b.Decl(byName[text]).Type = x
				}
			}
		}
	}
	return out
}

// aritySuffix sets types of one name apart by the number of their parameters, as
// metadata does: "`2".
func aritySuffix(t *treesitter.Tree, i int32) string {
	for c := range t.Children(i) {
		n := 0
		switch t.Kind(c) {
		case "type_parameter_list":
			for p := range t.Children(c) {
				if t.Kind(p) == "type_parameter" {
					n++
				}
			}
		case "type_argument_list":
			n = 1
			for p := range t.Children(c) {
				if t.Kind(p) == "," {
					n++
				}
			}
		case "generic_name":
			return aritySuffix(t, c)
		case "qualified_name":
			if s := aritySuffix(t, c); s != "" {
				return s
			}
		}
		if n > 0 {
			return "`" + strconv.Itoa(n)
		}
	}
	return ""
}
