package bind

// Indexes into a [File]. 0 is none, but for scopes, where it is the file.
type (
	ScopeID int32
	DeclID  int32
	ExprID  int32
	// ImportID counts from 1; see [File.Import].
	ImportID int32
)

// File is what one file declares and names. Build it with a [Builder].
type File struct {
	Path    string
	Module  string   // the package or namespace it says it belongs to
	Scopes  []Scope  // 0 is the file itself
	Decls   []Decl   // [0] is no declaration
	Exprs   []Expr   // [0] is the expression of which nothing is known
	Imports []Import // in source order
	// Refs are the Name and Select expressions that stand in the source and may need
	// another file, in source order. What is not listed is never reported.
	Refs []ExprID
	// Shades are what a compiler passes over; only [Compat] knows them.
	Shades []Shade
	// Guards are what the checkers pass over where a condition does not hold.
	Guards []Guard
	// Sets are assignments to members, which values have by them.
	Sets []Set
}

// Import returns the import of an id.
func (f *File) Import(id ImportID) *Import { return &f.Imports[id-1] }

// ScopeKind is what a scope is the body of.
type ScopeKind uint8

const (
	FileScope ScopeKind = iota
	ClassScope
	FunctionScope
	// BlockScope has names of its own, as between braces.
	BlockScope
	// BranchScope has none: what is declared in it belongs to the scope around
	// it, but may not be assigned where it stands in another branch: "if c: x = 1".
	BranchScope
	// NamespaceScope is the inside of a namespace or module written in the file.
	NamespaceScope
)

// Scope is a region in which names are declared.
type Scope struct {
	Parent ScopeID
	Kind   ScopeKind
	Decl   DeclID // the class, function or namespace it is the body of
	// Group, if not 0, is the same of branches of which only one runs.
	Group int32
}

// DeclKind is what a name stands for.
type DeclKind uint8

const (
	_         DeclKind = iota
	Imported           // bound by an import
	Class              // class, interface, struct, record, enum, trait
	Func               // function, method, constructor, function literal
	Var                // variable, constant
	Param              // parameter
	Member             // field or property of a class
	TypeParam          // type parameter
	Alias              // another name of a type
	Namespace          // a namespace or module inside the file
)

// Space parts names that do not see each other.
type Space uint8

const (
	Anywhere Space = iota // found from every space, and finds in every space
	Values
	Types   // that are no values: an interface
	Members // found by selecting only
)

// sees reports whether names of two spaces may be the same.
func (a Space) sees(b Space) bool { return a == b || a == Anywhere || b == Anywhere }

// Decl gives a name a meaning. Several may have one name in one scope. Where
// functions and variables of one name are different things, the names of functions
// end in "()", here and in what calls them.
type Decl struct {
	Name  string
	Kind  DeclKind
	Space Space   // where it is found as a simple name
	Scope ScopeID // where the name is declared; for members the class's scope
	Inner ScopeID // the scope it opens, 0 none
	Start int32   // offset of the name in the file
	From  int32   // where it takes effect: a use before From in the same function does not see it (only with [Rules.Flow])

	Import ImportID // of an Imported one

	Type  ExprID // declared type; [Of] a type expression
	Value ExprID // what is assigned; counts where Type is 0

	Bases      []ExprID // of a Class: expressions of what it extends or implements; Static if it can only implement it
	TypeParams []DeclID // of a Class, Func or Alias, in order
	Params     []DeclID // of a Func, in order, without self
	Omitted    ExprID   // of a Param: what it is where a call does not give it
	Returns    []ExprID // of a Func without a declared Type: what it returns

	Static      bool // a member of the class itself, not of its instances
	Property    bool // a Func that is read like a field
	Global      bool // it belongs to the file, though it stands in a function
	Hides       bool // in its branch nothing from before is seen: a loop variable (only with [Rules.Flow])
	Rest        bool // a Param that takes all arguments from its place on
	Constructor bool // a Func that makes an instance
	Interface   bool // a Class that others implement
	Default     bool // a Func that classes need not implement
	// Opaque, of a Class: it may have members that cannot be seen (a metaclass,
	// __getattr__, a decorator), so that none is missing. Of a Func: what it
	// returns is not known whatever it says (a decorator, a generator).
	Opaque bool
}

// Import binds one name, or all names of a module. A language may give Kind and
// Level any meaning its [Linker] understands.
type Import struct {
	Kind  string
	Path  string // the module, package or namespace, as written
	Name  string // what is taken out of it; "" for the module itself
	Level int    // of a relative import
	All   bool   // every name of the module
}

// Set is an assignment to a member of the values X: x.name = value.
type Set struct {
	X     ExprID
	Name  string
	Value ExprID
}

// Span is a part of a file, from a byte offset up to another.
type Span struct{ Start, End int32 }

// Guard is a part of a file that the checkers pass over where a condition surely
// does not hold: what stands below "if False:".
type Guard struct {
	Test       ExprID
	Scope      ScopeID // functions inside it are not passed over
	Start, End int32
}

// Shade is a part of a file that a compiler does not look at where it does not
// know a name in another part (the arguments of a function that is missing), or
// where a value has a class of another file, which none will do in its place.
type Shade struct {
	Cause  Span
	Of     ExprID // 0: only Cause counts
	Hidden Span
}
