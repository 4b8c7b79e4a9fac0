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

// Decl gives a name a meaning. Several may have one name in one scope.
type Decl struct {
	Name  string
	Kind  DeclKind
	Scope ScopeID // where the name is declared; for members the class's scope
	Inner ScopeID // the scope it opens, 0 none
	Start int32   // offset of the name in the file
	From  int32   // where it takes effect: a use before From in the same function does not see it (only with [Rules.Flow])

	Import ImportID // of an Imported one

	Type  ExprID // declared type; [Of] a type expression
	Value ExprID // what is assigned; counts where Type is 0

	Bases      []ExprID // of a Class: expressions of what it extends or implements
	TypeParams []DeclID // of a Class, Func or Alias, in order
	Params     []DeclID // of a Func, in order, without self
	Returns    []ExprID // of a Func without a declared Type: what it returns

	Static      bool // a member of the class itself, not of its instances
	Property    bool // a Func that is read like a field
	Rest        bool // a Param that takes all arguments from its place on
	Constructor bool // a Func that makes an instance
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
	Unknown  Op = iota
	Null        // no value: None, null, undefined; it adds nothing to a union
	Literal     // a value of a type without names of this repository: a number, a string
	Name        // Name, looked up from Scope
	Select      // member Name of X
	Call        // X called with Args
	New         // an instance made of class X with Args
	Of          // a value of type X: what a declared type means
	Apply       // generic type X with the types Args, each an Of
	Index       // an element of X by key; N is the place where it is a constant, else -1
	Elem        // what iterating over X yields
	Await       // what waiting for X yields
	Union       // one of Args
	FuncLit     // a function literal; Decl is its declaration
	Tuple       // Args by place
	List        // a sequence of any of Args
	Object      // an object literal; Decl is a Class declaration that has its members
	This        // the instance whose class surrounds Scope; Static: the class itself
	Super       // the same, seen as its bases
	Expected    // what the callee of call X expects of parameter N of its argument Args[0]; see [Builder.Expect]
	TypeOf      // the type of the value X, for decltype and typeof
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
	// Start is where Name stands in the file: of Name and Select.
	Start int32
}
