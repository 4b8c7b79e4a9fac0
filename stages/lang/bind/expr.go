package bind

// Op is the form of an expression.
type Op uint8

// In the examples x, y are X and Args, n is Name.
const (
	Unknown Op = iota // nothing is known of it; so is all of expression 0

	// Values without names.

	Null     // None, null, undefined: it adds no possibility to a union
	Literal  // 1, "a", True: an instance of the class Name of [Rules.Library]. Name may go on after a blank with the text that tests compare: "int 1", `str "a"`, "bool True". Static: a type of only that literal
	FuncLit  // x => y, and a type of functions: the function that Decl declares
	Object   // {n: x}, and a type written out: an instance of the Class that Decl declares
	Tuple    // (x, y): Args by their places
	List     // [x, y]: an instance of [Rules.List] of any of Args
	Computed // x + y: of a type without names of this repository, whatever Args are

	// Names.

	Name     // n: looked up from Scope. Context: for a label of a switch, the value that has n as a member if nothing declares it
	Select   // x.n. N: [Called] in x.n()
	This     // this, self: the instance of the class around Scope. Static: the class itself (cls, Self)
	Super    // super: the same as an instance of its bases. Static: the bases themselves
	Index    // x[i]. N: the constant i, the last element being -2, and -1 for what is no constant. Name: a constant key, or ":" for a part of x (x[1:])
	Elem     // for e in x: what iterating gives
	Await    // await x: what waiting gives; x where that is nothing
	Expected // of a parameter of a function literal: what it is called with; see [Builder.Expect]

	// Calls.

	Call      // x(y): what calling X gives. Context: what is expected of that (a declared type), which may decide type parameters
	New       // new x(y): an instance of the class X. Context as of a Call; in a Reference what is expected of the function
	Named     // f(n=x): an argument that stands for the parameter Name
	Operator  // x + y, x[y], *x, x->n: what the operator gives that the class of X or a function called Name ("operator+") declares for X and Args. Without one "operator[]" and a "operator*" without Args are an Index, "operator->" is X, and all else has a type without names
	Reference // C::m: the function Decl, lost to a compiler that has lost what it returns ([Rules.Absent])

	// Types.

	Of     // x: X, n: List<X>: a value of the type X, as every declared type and type argument is. Static, in Apply: of a type that X only bounds (? extends X)
	Apply  // X<Y>: the generic X with the types Args, each an Of
	TypeOf // typeof x, decltype(x): the type of the value X
	Cast   // (X) y, y as X: Args[0] asserted to be X

	// Alternatives.

	Union  // x | y, c ? x : y: any of Args
	Common // c ? x : y where the compiler looks for one type of all Args: as Union, lost where one is of another file ([Rules.Absent])
	Choice // y[0] if x else y[1], where the test X may be known: Args[0], Args[1] or both
	Test   // a condition; Name is not (of X), and, or (of two Args), equal, less (X and Args[0]), isinstance, issubclass (X, of any of Args), callable (X) or hasattr (X; Args[0] has the name)

	// What checkers see less of than [Extended] mode.

	Split  // X in [Compat] mode; in [Extended] mode Args[0], or X where that is not known
	Erased // X, but an object without members where the compiler has lost X by a name of the project
	Whole  // X, of which the compiler knows nothing where a name from offset Start up to N is a use
)

// Expr is an expression. [Op] says which fields count.
type Expr struct {
	Name    string
	Args    []ExprID
	X       ExprID
	Scope   ScopeID // the scope it stands in, of Name, Select, This and Super
	Decl    DeclID
	N       int32
	Context ExprID // what surrounds it says of it
	// Start is the offset of Name in the file, of a Name or Select.
	Start  int32
	Op     Op
	Static bool
	Space  Space // in which a Name is looked for
}

// Called, as N of a Select, says that what is selected is called.
const Called = 1

// What [Builder.Expect] asks about beside parameters of the argument.
const (
	Itself = -1 // the argument: f in map(f)
	Result = -2 // what the argument returns
)

// AnyMember is the name of a member that says what all others are, as in a type
// {[key: string]: T}.
const AnyMember = "__any__"
