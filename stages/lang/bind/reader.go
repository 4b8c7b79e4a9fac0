package bind

// Reader answers what the expressions of one file stand for, always in [Extended]
// mode, whatever the mode of its [Resolver]. It belongs to one goroutine; any number
// may be open at a time. What it learns it keeps, so that all questions about a file
// together cost what [Resolver.Uses] does and have its bounds: beyond them nothing is
// known. Answers are in a stable order, each target once, and never depend on the
// questions before, as long as the bounds hold.
type Reader struct{ s *session }

// maxDeclared bounds the targets of one answer.
const maxDeclared = 256

// Open begins to read a file of the repository; it returns nil where there is none.
func (r *Resolver) Open(path string) *Reader {
	home := r.units[path]
	if home == nil {
		return nil
	}
	extended := *r
	extended.mode = Extended
	s := &session{Resolver: &extended, home: home, memo: newMemo(home, true), uses: map[ExprID]bool{}, reading: true}
	s.readSets()
	return &Reader{s}
}

// Declared returns the declarations that a Name or Select stands for: all of one
// name in the innermost scope that has any, so functions with all their overloads.
// They may be in the same file, in another or in [Rules.Library] (under its path).
// Imports, other names of types, namespaces, base classes, instances and bound type
// parameters are followed; a class inherits from its first base that has the name. A
// module is a Target without Decl. Of an Apply, Split, Whole, Union, FuncLit, Reference
// or Object it is what they are made of. Nothing is returned where nothing is known:
// a member of a value without a known type, a name of an external library.
func (r *Reader) Declared(ref ExprID) []Target {
	r.s.next()
	var l targets
	r.s.stands(&l, r.s.home, ref, 0)
	return l.list
}

// Called returns the functions that a Call, New or Operator expression may call: of
// what its X is Declared to be those that take so many arguments, and with
// [Rules.Best] those that fit them best, or all where none does. What is no function
// (a class, a variable) is returned too.
func (r *Reader) Called(call ExprID) []Target {
	if call <= 0 || int(call) >= len(r.s.home.Exprs) {
		return nil
	}
	r.s.next()
	return r.s.callees(r.s.home, &r.s.home.Exprs[call])
}

// Fitting returns those of some functions that take the arguments of a Call or New,
// and with [Rules.Best] of them those that fit best; none if all of them would have an
// argument converted to a class that it has not. So a constructor is chosen among the
// [Reader.Members] of a class.
func (r *Reader) Fitting(call ExprID, functions []Target) []Target {
	if call <= 0 || int(call) >= len(r.s.home.Exprs) {
		return nil
	}
	r.s.next()
	e := &r.s.home.Exprs[call]
	var v value
	for _, t := range functions {
		if it, ok := r.s.functionOf(t); ok && takesCount(it, len(e.Args)) {
			v.items = append(v.items, it)
		}
	}
	v, fit := r.s.best(v, r.s.home, e.Args, nil)
	if fit < 0 {
		return nil
	}
	return targetsOf(v)
}

// Classes returns the classes that the value of an expression is an instance of. Of a
// variable of type A that is A, of one assigned an A or a B both. Type arguments are
// not told: a list of A is an instance of the library's list.
func (r *Reader) Classes(x ExprID) []Target {
	return r.values(x, isInstance)
}

// Types returns the classes that an expression names: of A in "A()" or "new A()",
// and of a variable that holds the class.
func (r *Reader) Types(x ExprID) []Target {
	return r.values(x, isClass)
}

// Functions returns the functions that the value of an expression may be: those a
// variable or field was given, function literals (whose declarations have no name),
// and the same as Declared for what names one.
func (r *Reader) Functions(x ExprID) []Target {
	return r.values(x, isFunc)
}

// Members returns the members of one name that a class has, inherited ones where it
// declares none: the constructors "__init__" of an A in "A()". Of what is no class
// it is nothing.
func (r *Reader) Members(class Target, name string) []Target {
	u := r.s.unitOf(class.Path)
	if u == nil || class.Decl <= 0 || int(class.Decl) >= len(u.Decls) || u.Decls[class.Decl].Kind != Class {
		return nil
	}
	r.s.next()
	var l targets
	r.s.membersOf(&l, item{kind: isInstance, unit: u, decl: class.Decl}, name, 0)
	return l.list
}

// File returns a file of the repository or the library by its path, else nil: where
// the declarations of targets stand. It may not be changed.
func (r *Reader) File(path string) *File {
	if u := r.s.unitOf(path); u != nil {
		return u.File
	}
	return nil
}

// values are the declarations of one kind that an expression may be.
func (r *Reader) values(x ExprID, kind itemKind) []Target {
	if x <= 0 || int(x) >= len(r.s.home.Exprs) {
		return nil
	}
	r.s.next()
	var l targets
	r.s.declarations(&l, r.s.eval(r.s.home, x, nil), kind, 0)
	return l.list
}
