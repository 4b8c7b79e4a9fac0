package bind

import "slices"

// Builder makes a [File] of a syntax tree, top down. Scopes are opened and closed
// in source order. All offsets are in bytes. "class A: x = B()" is
//
//	class := b.Declare(Decl{Name: "A", Kind: Class, Start: 6})
//	b.Open(ClassScope, class)
//	call := b.Expr(Expr{Op: Call, X: b.Name("B", 13)})
//	b.Declare(Decl{Name: "x", Kind: Member, Start: 9, Value: call})
//	b.Close()
type Builder struct {
	File  *File
	scope ScopeID
}

// NewBuilder starts the file of a path, with the scope of the file open.
func NewBuilder(path string) *Builder {
	return &Builder{File: &File{
		Path: path, Scopes: []Scope{{Parent: -1, Kind: FileScope}}, Decls: make([]Decl, 1), Exprs: make([]Expr, 1),
	}}
}

// Scope is the open scope.
func (b *Builder) Scope() ScopeID { return b.scope }

// Open opens a scope inside the open one; decl is what it is the body of, whose
// Inner scope it becomes, or 0, as for the block of an if.
func (b *Builder) Open(kind ScopeKind, decl DeclID) ScopeID {
	b.File.Scopes = append(b.File.Scopes, Scope{Parent: b.scope, Kind: kind, Decl: decl})
	b.scope = ScopeID(len(b.File.Scopes) - 1)
	if decl != 0 {
		b.File.Decls[decl].Inner = b.scope
	}
	return b.scope
}

// Enter makes a scope that was opened before the open one, for what belongs
// there though it stands elsewhere (self.x = ... in a method). It returns the one
// that was open, to go back to.
func (b *Builder) Enter(s ScopeID) ScopeID {
	was := b.scope
	b.scope = s
	return was
}

// Close closes the open scope.
func (b *Builder) Close() { b.scope = b.File.Scopes[b.scope].Parent }

// Declare adds a declaration to the open scope. From defaults to Start; in
// "x = x.next" it is the end of the assignment, so that the value sees the x before.
func (b *Builder) Declare(d Decl) DeclID {
	d.Scope = b.scope
	if d.From == 0 {
		d.From = d.Start
	}
	b.File.Decls = append(b.File.Decls, d)
	return DeclID(len(b.File.Decls) - 1)
}

// Decl is a declaration to complete, as with the Type that a function's own scope
// explains. The pointer is valid until the next Declare or Import: evaluate what is
// assigned through it first.
func (b *Builder) Decl(id DeclID) *Decl { return &b.File.Decls[id] }

// Import adds an import and declares the name it binds in the open scope: C for
// "import A as C". A name of "" declares none, as for imports of everything.
func (b *Builder) Import(im Import, name string, start int32) ImportID {
	b.File.Imports = append(b.File.Imports, im)
	id := ImportID(len(b.File.Imports))
	if name != "" {
		b.Declare(Decl{Name: name, Kind: Imported, Start: start, Import: id})
	}
	return id
}

// Expr adds an expression. One that is also among the refs comes from Name or
// Select.
func (b *Builder) Expr(e Expr) ExprID {
	b.File.Exprs = append(b.File.Exprs, e)
	return ExprID(len(b.File.Exprs) - 1)
}

// Name adds a name used in the open scope, x, and lists it among the refs.
func (b *Builder) Name(name string, start int32) ExprID {
	return b.Ref(b.Expr(Expr{Op: Name, Name: name, Scope: b.scope, Start: start}))
}

// Select adds member name of x, x.name, and lists it among the refs. start is that of
// name.
func (b *Builder) Select(x ExprID, name string, start int32) ExprID {
	return b.Ref(b.Expr(Expr{Op: Select, X: x, Name: name, Scope: b.scope, Start: start}))
}

// Ref lists a Name or Select made by Expr among the refs, and returns it.
func (b *Builder) Ref(e ExprID) ExprID {
	b.File.Refs = append(b.File.Refs, e)
	return e
}

// Of is a value of the type x, as the declaration "v: C" says of v. It is 0 where x
// is.
func (b *Builder) Of(x ExprID) ExprID {
	if x == 0 {
		return 0
	}
	return b.Expr(Expr{Op: Of, X: x})
}

// Expect is what call, whose argument arg is a function literal, expects as the
// literal's parameter: the type of a parameter without one. For e in
// "list.map(e => e.name)" it is Expect(call, 0, 0). Parameter may be [Itself] or
// [Result].
func (b *Builder) Expect(call ExprID, arg, parameter int) ExprID {
	return b.Expr(Expr{Op: Expected, X: call, Args: []ExprID{ExprID(arg)}, N: int32(parameter)})
}

// Split is compat where the checkers know no more of an expression, and extended in
// [Extended] mode: of the result of "sum(xs)" nothing, and an element.
func (b *Builder) Split(compat, extended ExprID) ExprID {
	return b.Expr(Expr{Op: Split, X: compat, Args: []ExprID{extended}})
}

// Whole is x, of which a compiler knows nothing where it misses a name from offset
// start up to end: "var x = f(Missing)" is an f, but not to it.
func (b *Builder) Whole(x ExprID, start, end int32) ExprID {
	if x == 0 {
		return 0
	}
	return b.Expr(Expr{Op: Whole, X: x, Start: start, N: end})
}

// Set notes that a member of x is given a value: x.member = value. Fields of the
// class around, self.member = value, are declared instead.
func (b *Builder) Set(x ExprID, member string, value ExprID) {
	b.File.Sets = append(b.File.Sets, Set{x, member, value})
}

// Guard notes that the checkers pass over the part of the open scope between two
// offsets where the condition test surely does not hold: what stands below
// "if not isinstance(x, C)" where x is a C.
func (b *Builder) Guard(test ExprID, start, end int32) {
	b.File.Guards = append(b.File.Guards, Guard{test, b.scope, start, end})
}

// Shade notes that a compiler does not look at the part hidden where it misses a
// name in cause, or where the value of, if not 0, has a class of another file: at
// the arguments in "missing(a.b, c.d)".
func (b *Builder) Shade(cause Span, of ExprID, hidden Span) {
	b.File.Shades = append(b.File.Shades, Shade{cause, of, hidden})
}

// Done returns the file with its refs in source order. It may not be changed after
// a [NewResolver] has it.
func (b *Builder) Done() *File {
	f := b.File
	slices.SortStableFunc(f.Refs, func(x, y ExprID) int { return int(f.Exprs[x].Start - f.Exprs[y].Start) })
	return f
}
