package calls

import (
	"benchmill/internal/treesitter"
	"benchmill/stages/lang/bind"
)

// Bound makes call graphs of a language whose names a binding explains; see package
// bind. Its Read and Link are those of the language.
//
// A function is what [Syntax.Functions] gives a name to. Function literals without
// one are part of the function they stand in, as are the bodies of classes inside
// it. Calls outside of all functions (of a file, of a class body, of a field's
// initializer) are left out: nothing calls them.
//
// A call leads to the function that its name is bound to. A class that is called or
// made leads to its constructor, or where none is written to the class itself, as
// [Declared]. So does a method without a body: of an interface, an abstract class.
// A variable, parameter or field that is called is [Indirect]. What is called
// without a name, as in f()(), is left out. Of overloads those count that take as
// many arguments; where several do and the language tells them apart by types, those
// whose parameters fit best what is known of the arguments.
//
// It over-approximates nothing but that: where several declarations are left, the
// first is the callee, and [Edge.Alternatives] counts the others. It
// under-approximates: a method that is called is that of the receiver's declared or
// inferred type, not one that overrides it; functions passed on are not called; what
// runs without being called in the text (initializers, property accessors, operators,
// implicit constructors) is not seen; and what is called on a value of
// which the binding knows nothing is [Unresolved].
type Bound struct {
	Syntax Syntax
	// The language's binding.
	Bind   func(path string, t *treesitter.Tree) *bind.File
	Linker func(files []*bind.File, config map[string]string) bind.Linker
	Rules  *bind.Rules
	Names  Names
}

// Syntax is how definitions and calls are written. Functions are asked for nodes of
// the kinds they stand under, and look no further than a few levels down, but for
// what they return.
type Syntax struct {
	Separator string // of the parts of a qualified name: "."
	// Prepare is the tree to read instead of a file's. Nil: the file's.
	Prepare func(t *treesitter.Tree) *treesitter.Tree
	// Scopes give the name of a class or namespace, "" for none.
	Scopes map[string]func(t *treesitter.Tree, i int32) string
	// Opening are scopes that go on to the end of what they stand in.
	Opening map[string]bool
	// Functions describe a definition; false: it has no name or no body.
	Functions map[string]func(t *treesitter.Tree, i int32) (Definition, bool)
	// Heads give the node of the name of a declaration without a body, which stands for
	// the next function of the same qualified name.
	Heads map[string]func(t *treesitter.Tree, i int32) int32
	// Calls describe a call; false: it is none.
	Calls map[string]func(t *treesitter.Tree, i int32) (Call, bool)
	// Callee says where the name of what is called stands: by kind of node the field of
	// the child to go on with, ".kind" for the first child of a kind, "" for the first
	// named child, "<" for the last. A kind with "=" is a name.
	Callee map[string]string
	// Outer are kinds of nodes in a function whose calls belong to who defines it:
	// defaults of parameters.
	Outer map[string]bool
	// Words say of arguments what types they have, by kind of node, for overloads of as
	// many parameters: of a literal "string", "int", "double", "char", "bool" or "null",
	// of a function literal "()", and "=field" where the type stands in a field. Nil:
	// types do not tell overloads apart.
	Words map[string]string
	// Comments are kinds of nodes that may be comments above a function.
	Comments map[string]bool
}

// Definition is a function in a tree.
type Definition struct {
	Node   int32 // with decorators and modifiers: where people see it begin
	Name   int32
	Own    int32 // another node of its name, for itself alone: 0 for none
	Body   int32
	Called string // where it is not the text of Name
	Within string // stands in front of the name, beside what is around it
	Doc    Span   // where it is not the comment above
	Local  bool   // beside being inside another
	Inline bool
}

// Call is a call in a tree.
type Call struct {
	Callee int32 // the node of what is called
	Args   int32 // how many arguments
	Of     Of
	List   int32 // the node of the arguments; 0 for none
}

// Of is what a call calls.
type Of uint8

const (
	Plain     Of = iota // a function, or a class where classes are called
	Making              // a class: new C()
	ThisClass           // a constructor of the class around: this(...)
	BaseClass           // one of its base class: super(...)
)

// Names are how a language calls what a binding knows.
type Names struct {
	Constructor string // members that make instances, as in [bind.Decl.Name]
	Call        string // members that calling an instance calls; "": none
	Inherited   bool   // constructors are inherited
	Conversions bool   // calling a type converts: it is no call
	// Folders: the files of a folder are one module, and methods of a type stand in
	// any of them.
	Folders bool
	// Elsewhere reports files that are built for other systems only: what they define
	// is called where nothing else is meant. Nil: none.
	Elsewhere func(path string) bool
	// Imported says where a name comes from that an import binds which is not of the
	// repository. rest is what is selected of it, "" for nothing.
	Imported func(f *bind.File, im *bind.Import, rest string) Outside
	// Known says where names come from, as written, the first of which nothing in a
	// file declares: builtins, and what stands in modules that need no import.
	Known func(f *bind.File, written string) Outside
	// Library is the module of a class or function of [bind.Rules.Library], as a file
	// sees it.
	Library func(f *bind.File, name string) (module string)
}

// Outside is something that the repository does not have. One without a Module is
// not known.
type Outside struct {
	Module string
	Name   string // in the module
	System bool   // the module is of the language's own library
	None   bool   // it is nothing that is called: a type that converts

	imported bool // by its name
}

// facts are the Facts of a bound [File].
type facts struct {
	bound *bind.File
	// anchors are the offsets that declarations of functions may have: of the name
	// and of the definition. Their values are indexes of functions.
	anchors map[int32]int
	params  map[int][]string // types of the parameters of functions, with [Syntax.Words]
	sites   []site
	lines   []int32 // offsets of the beginnings of lines
}

// site is a call that stands in a function.
type site struct {
	caller  int32 // index of the function
	at      int32 // offset of the name called
	args    int32
	of      Of
	words   []string // types of the arguments, "" where not known; nil where none is
	name    string
	written string // the whole of what is called, "" where that is more than names
}

// Read describes a file; see [lang.CallGraph].
func (b *Bound) Read(path string, t *treesitter.Tree) *File {
	if b.Syntax.Prepare != nil {
		t = b.Syntax.Prepare(t)
	}
	r := reader{Syntax: &b.Syntax, t: t, file: &File{Path: path}}
	r.facts = &facts{anchors: map[int32]int{}, params: map[int][]string{}, lines: []int32{0}}
	r.read()
	r.facts.bound = b.Bind(path, t)
	r.file.Facts = r.facts
	return r.file
}

// Link freezes a repository; see [lang.CallGraph].
func (b *Bound) Link(files []*File, config map[string]string) Graph {
	g := &boundGraph{Bound: b, files: make(map[string]*File, len(files))}
	bound := make([]*bind.File, 0, len(files))
	for _, f := range files {
		if facts, ok := f.Facts.(*facts); ok {
			g.files[f.Path] = f
			bound = append(bound, facts.bound)
		}
	}
	g.places = g.byName(files)
	g.linker = b.Linker(bound, config)
	g.resolver = bind.NewResolver(bound, g.linker, b.Rules, bind.Extended)
	return g
}
