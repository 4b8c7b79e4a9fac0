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
	// Refs are the Name, Member and Field expressions that stand in the source and
	// may need another file, in source order. What is not listed is never reported.
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
	// BlockScope has names of its own (TypeScript, Java, C#).
	BlockScope
	// BranchScope has none: what is declared in it belongs to the scope around
	// it, but may not be assigned where it stands in another branch (Python).
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
	Types   // that are no values: an interface (TypeScript)
	Members // found by selecting only
)

// Decl gives a name a meaning. Several may have one name in one scope. Where
// functions and variables of one name are different things (Java), the names of
// functions end in "()", here and in what calls them.
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

// Op is the form of an expression.
type Op uint8

const (
	Unknown   Op = iota
	Null         // no value: None, null, undefined; it adds nothing to a union
	Literal      // a value of a type without names of this repository: a number, a string; Name is its class in Library, after a blank its text
	Name         // Name, looked up from Scope
	Select       // member Name of X
	Call         // X called with Args
	New          // an instance made of class X with Args
	Of           // a value of type X: what a declared type means; Static: or of one that X bounds, in Apply
	Apply        // generic type X with the types Args, each an Of
	Index        // an element of X by key; N is the place where it is a constant (-2 is the last), else -1; Name a constant key, or ":" for a part of X
	Elem         // what iterating over X yields
	Await        // what waiting for X yields
	Union        // one of Args
	FuncLit      // a function literal; Decl is its declaration
	Tuple        // Args by place
	List         // a sequence of any of Args
	Object       // an object literal; Decl is a Class declaration that has its members
	This         // the instance whose class surrounds Scope; Static: the class itself
	Super        // the same, seen as its bases
	Expected     // what the callee of call X expects of parameter N of its argument Args[0]; see [Builder.Expect]
	TypeOf       // the type of the value X, for decltype and typeof
	Test         // a condition: Name is not, and, or, equal, less, isinstance, issubclass, callable or hasattr; of X and Args; see truth.go
	Choice       // Args[0] where the condition X holds, Args[1] where not
	Named        // X as the argument that a call gives parameter Name
	Split        // X, of which checkers know no more; in Extended mode Args[0], or X where that is not known
	Cast         // Args[0], asserted to be X, which is what it is then
	Erased       // X, or an object without members where [Compat] has lost X by a name of the project
	Reference    // a function that Decl stands for, where the compiler knows what it returns
	Common       // of all types Args at once; [Compat] has lost it where one of them is of another file
	Computed     // what an operator makes of Args: of a type without names of this repository
	Whole        // X, of which [Compat] knows nothing where a name from Start up to offset N is a use
)

// Expr is an expression. Which fields count, depends on Op.
type Expr struct {
	Op     Op
	Name   string
	X      ExprID
	Args   []ExprID
	Scope  ScopeID
	Decl   DeclID
	N      int32
	Static bool
	Space  Space // of a Name
	// Context is what is expected of a Call or New, where that decides what type
	// parameters are; of a New in a Reference what is expected of that. Of a Name it is a value that has it as a member, where nothing
	// declares it (the label of a switch).
	Context ExprID
	// Start is where Name stands in the file, of Name and Select; of Whole where it starts.
	Start int32
}
