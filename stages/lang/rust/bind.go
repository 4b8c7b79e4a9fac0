package rust

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// kindRest is an import of the methods that other files give a type of this one;
// Path is the type's name. The other kinds are those of the facts.
const kindRest = "rest"

// restMark ends the name of the class that holds what this file gives a type of
// another one, and of the import that means all of those.
const restMark = "+"

// nothing is the name of a class without members, which a type gets where no
// other file gives it any.
const nothing = "+"

// nothingDecl is its declaration, the first of every file.
const nothingDecl = bind.DeclID(1)

// maxDepth bounds the nesting that is understood; code below it is not seen.
const maxDepth = 500

// walker describes one file.
type walker struct {
	*bind.Builder
	t       *treesitter.Tree
	x       *extractor
	attrs   []int32
	depth   int
	blocks  []block
	level   int                     // of the inline module, as [lang.Import.Level] counts them
	inlines int                     // inline modules so far
	module  bind.ScopeID            // of the inline module, or the file
	paths   map[pathKey]bool        // kindPath imports made so far
	classes map[pathKey]bind.DeclID // of types by module and name, and of what is given to others
}

// pathKey is a path in an inline module.
type pathKey struct {
	level int
	path  string
}

// block is a scope with its names. Every name that is declared again, or was used
// before, opens one more scope, so that what stands before does not see it.
type block struct {
	names map[string]bind.DeclKind
	used  map[string]bool
	scope bind.ScopeID // to go back to
	more  int
}

// maxMore bounds the scopes that repeated declarations of one block open.
const maxMore = 200

func bindFile(path string, t *treesitter.Tree) *bind.File {
	x := &walker{Builder: bind.NewBuilder(path), t: t, paths: map[pathKey]bool{}, classes: map[pathKey]bind.DeclID{}}
	facts := &lang.Facts{Path: path}
	for i := range t.Nodes {
		switch i := int32(i); t.Kind(i) {
		case "attribute_item":
			x.attrs = append(x.attrs, i)
		case "line_comment", "block_comment":
			n := &t.Nodes[i]
			facts.Comments = append(facts.Comments, lang.Span{Start: int(n.Start), End: int(n.End)})
		}
	}
	x.x = &extractor{tree: t, facts: facts}
	x.blocks = []block{newBlock(0)}
	x.Declare(bind.Decl{Name: nothing, Kind: bind.Class})
	for root := range t.Roots() {
		x.items(root)
	}
	return x.Done()
}

func newBlock(was bind.ScopeID) block {
	return block{names: map[string]bind.DeclKind{}, used: map[string]bool{}, scope: was}
}

// open opens a scope with names of its own.
func (x *walker) open(kind bind.ScopeKind, decl bind.DeclID) {
	was := x.Scope()
	x.Open(kind, decl)
	x.blocks = append(x.blocks, newBlock(was))
}

// close closes it, with those that declarations opened inside it.
func (x *walker) close() {
	last := len(x.blocks) - 1
	for name := range x.blocks[last].used {
		if last > 0 {
			x.blocks[last-1].used[name] = true
		}
	}
	x.Enter(x.blocks[last].scope)
	x.blocks = x.blocks[:last]
}

// local declares a variable or parameter in the innermost block.
func (x *walker) local(d bind.Decl) bind.DeclID {
	b := &x.blocks[len(x.blocks)-1]
	_, again := b.names[d.Name]
	if (again || b.used[d.Name]) && b.more < maxMore {
		b.more++
		x.Open(bind.BlockScope, 0)
	}
	b.names[d.Name] = d.Kind
	return x.Declare(d)
}

// note notes the kind of an item that is declared.
func (x *walker) note(name string, kind bind.DeclKind) {
	x.blocks[len(x.blocks)-1].names[name] = kind
}

// kind is what a name was declared as so far, 0 for nothing.
func (x *walker) kind(name string) bind.DeclKind {
	for _, b := range slices.Backward(x.blocks) {
		if k := b.names[name]; k != 0 {
			return k
		}
	}
	return 0
}

// hidden is a name that stands nowhere in the source, or stands there for
// something else.
func (x *walker) hidden(name string) bind.ExprID {
	return x.Expr(bind.Expr{Op: bind.Name, Name: name, Scope: x.Scope()})
}

// member is a member that stands nowhere in the source.
func (x *walker) member(of bind.ExprID, name string) bind.ExprID {
	return x.Expr(bind.Expr{Op: bind.Select, X: of, Name: name, Scope: x.Scope()})
}

// name is a use of a name.
func (x *walker) name(at int32) bind.ExprID {
	name := x.word(at)
	if name == "" || name == "_" {
		return 0
	}
	x.blocks[len(x.blocks)-1].used[name] = true
	e := x.Expr(bind.Expr{Op: bind.Name, Name: name, Scope: x.Scope(), Start: x.start(at)})
	if x.kind(name) != bind.Var && x.kind(name) != bind.Param && name == x.t.Text(at) {
		x.Ref(e)
	}
	return e
}

// sel is a use of a member.
func (x *walker) sel(of bind.ExprID, at int32) bind.ExprID {
	e := x.Expr(bind.Expr{Op: bind.Select, X: of, Name: x.word(at), Scope: x.Scope(), Start: x.start(at)})
	if x.word(at) == x.t.Text(at) {
		x.Ref(e)
	}
	return e
}

// word is the text of a name; raw ones lose their mark.
func (x *walker) word(at int32) string { return plain(x.t.Text(at)) }

// isType reports whether a name is written as those of types and variants are.
func isType(name string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(name, "_"))
	return unicode.IsUpper(r)
}

// isConstant reports whether a name is written as those of constants are.
func isConstant(name string) bool {
	return isType(name) && strings.ToUpper(name) == name && len(name) > 1
}

// start is the offset of a node.
func (x *walker) start(at int32) int32 { return int32(x.t.Nodes[at].Start) }

// text is that of the child in a field, or "".
func (x *walker) text(at int32, field string) string {
	if c := x.t.Child(at, field); c != treesitter.NoNode {
		return x.word(c)
	}
	return ""
}

// named iterates over the children that are code and no tokens.
func (x *walker) named(at int32) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		for c := range x.t.Children(at) {
			if x.t.Nodes[c].Named() && !ignored[x.t.Kind(c)] && !yield(c) {
				return
			}
		}
	}
}

// ignored are kinds of nodes that hold no names to look at, or none as they stand.
var ignored = map[string]bool{
	"line_comment": true, "block_comment": true, "attribute_item": true, "inner_attribute_item": true, "token_tree": true,
	"lifetime": true, "label": true, "mutable_specifier": true, "visibility_modifier": true, "function_modifiers": true,
	"macro_definition": true, "for_lifetimes": true, "loop_label": true,
}

// first is the first child that is no token, or NoNode.
func (x *walker) first(at int32) int32 {
	if at != treesitter.NoNode {
		for c := range x.named(at) {
			return c
		}
	}
	return treesitter.NoNode
}

// last is the last of them, or NoNode.
func (x *walker) last(at int32) int32 {
	last := treesitter.NoNode
	for c := range x.named(at) {
		last = c
	}
	return last
}
