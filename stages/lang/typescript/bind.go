package typescript

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// maxNesting bounds how deep a file is followed; below, nothing is known.
const maxNesting = 400

// exportsScope has what a file exports, under the names others import it by.
const exportsScope bind.ScopeID = 1

// Kinds of imports, as [bind.Import.Kind] has them.
const (
	kindImport = "import"
	kindExport = "export"   // export ... from
	kindAll    = "export *" // binds no name
	kindNested = "nested"   // inside a declared module: nobody takes it away
)

// apart marks a Name or Select, in N, that the compiler reports in words that do
// not count: a property in shorthand, a namespace of a type.
const apart = 1

// binder makes a file of a tree.
type binder struct {
	*bind.Builder
	frame
	t       *treesitter.Tree
	nesting int
	// auto are variables and fields whose assignments say what they are.
	auto       map[place]bool
	members    map[place]bool        // of classes: whether the class itself has it
	overloaded map[place]bool        // functions and methods with signatures before them
	generics   map[place]bool        // type parameters
	arrows     map[bind.ScopeID]bool // function scopes without a this of their own
	guards     map[string]guard
}

type place struct {
	scope bind.ScopeID
	name  string
}

// frame is the innermost function.
type frame struct {
	hoisted  bind.ScopeID // where var declares
	this     thisKind
	thisType bind.ExprID // what this is declared to be, where it is unknown
	async    bool
	wanted   bind.ExprID // what it must return
	returned []bind.ExprID
	yielded  []bind.ExprID
}

type thisKind int

const (
	thisUnknown thisKind = iota
	thisInstance
	thisStatic
)

// bindFile describes a file.
func bindFile(path string, t *treesitter.Tree) *bind.File {
	b := &binder{
		Builder: bind.NewBuilder(path), t: t,
		auto: map[place]bool{}, members: map[place]bool{}, overloaded: map[place]bool{}, generics: map[place]bool{},
		arrows: map[bind.ScopeID]bool{},
	}
	b.findGuards()
	b.Open(bind.BlockScope, 0) // exportsScope
	b.Close()
	for i := range t.Roots() {
		b.statements(i)
	}
	f := b.Done()
	b.setApart()
	b.setIgnored()
	return f
}

// setApart marks the names that a class around has as a member: without an import
// the compiler asks whether the member was meant. Of instances it is, where this
// would be one.
func (b *binder) setApart() {
	f := b.File
	for _, ref := range f.Refs {
		e := &f.Exprs[ref]
		if e.Op != bind.Name || e.Space != bind.Values {
			continue
		}
		instance := true
		for s := e.Scope; s > 0; s = f.Scopes[s].Parent {
			switch scope := &f.Scopes[s]; scope.Kind {
			case bind.FunctionScope:
				ofClass := f.Scopes[scope.Parent].Kind == bind.ClassScope
				instance = instance && (b.arrows[s] || ofClass && !f.Decls[scope.Decl].Static)
			case bind.ClassScope:
				static, is := b.members[place{s, e.Name}]
				if is && (instance || static) && f.Decls[scope.Decl].Space != bind.Members {
					e.N = apart
				}
				instance = false
			}
		}
	}
}

// deeper reports whether to go on into a node; undo it by b.nesting--.
func (b *binder) deeper() bool {
	b.nesting++
	return b.nesting <= maxNesting
}

func (b *binder) named(at int32) bool { return at != treesitter.NoNode && b.t.Nodes[at].Named() }

func (b *binder) start(at int32) int32 { return int32(b.t.Nodes[at].Start) }

func (b *binder) child(at int32, field string) int32 {
	if at == treesitter.NoNode {
		return at
	}
	return b.t.Child(at, field)
}

// has reports whether a node has a child of a kind, such as a keyword.
func (b *binder) has(at int32, kind string) bool {
	for c := range b.t.Children(at) {
		if b.t.Kind(c) == kind {
			return true
		}
	}
	return false
}

// only is the first child that is no token or comment.
func (b *binder) only(at int32) int32 {
	for c := range b.t.Children(at) {
		if b.named(c) && b.t.Kind(c) != "comment" {
			return c
		}
	}
	return treesitter.NoNode
}

// within runs f with another scope open.
func (b *binder) within(scope bind.ScopeID, f func()) {
	was := b.Enter(scope)
	f()
	b.Enter(was)
}

// block runs f in a scope of its own.
func (b *binder) block(f func()) {
	b.Open(bind.BlockScope, 0)
	f()
	b.Close()
}

// library is a type of the standard library.
func (b *binder) library(name string) bind.ExprID {
	return b.Expr(bind.Expr{Op: bind.Name, Name: name, Space: bind.Types})
}

// literal is a value of a type of the library.
func (b *binder) literal(name string) bind.ExprID {
	return b.Expr(bind.Expr{Op: bind.Literal, Name: name})
}

// applied is an instance of a type of the library with one type argument.
func (b *binder) applied(name string, of bind.ExprID) bind.ExprID {
	return b.Of(b.Expr(bind.Expr{Op: bind.Apply, X: b.library(name), Args: []bind.ExprID{of}}))
}

// member selects a member that is not written as one.
func (b *binder) member(x bind.ExprID, name string) bind.ExprID {
	if x == 0 {
		return 0
	}
	return b.Expr(bind.Expr{Op: bind.Select, X: x, Name: name, Scope: b.Scope()})
}

// selects selects a member that stands at a node.
func (b *binder) selects(x bind.ExprID, at int32) bind.ExprID {
	if x == 0 {
		return 0 // has every member
	}
	return b.Select(x, b.t.Text(at), b.start(at))
}

// union is one of some values, 0 where nothing is known of any.
func (b *binder) union(args ...bind.ExprID) bind.ExprID {
	if len(args) == 1 {
		return args[0]
	}
	for _, a := range args {
		if a == 0 {
			return 0
		}
	}
	return b.Expr(bind.Expr{Op: bind.Union, Args: args})
}
