package calls

import "iter"

// File is what a file defines and calls: plain data that depends on its path, its
// bytes and the language's identity. Facts are its language's own.
type File struct {
	Path      string
	Functions []Function // in source order; one may lie in another
	Facts     any
}

// Function is a definition with a body. Offsets are in bytes, lines 0-based.
type Function struct {
	Name      string // the last part
	Qualified string // with namespaces and classes, as the language writes them
	Start     int32  // of its first token: return type, specifiers, decorators
	Body      int32  // where the body begins
	End       int32  // after its last token
	Line      int32  // of Start
	EndLine   int32  // of the last token
	Doc       Span   // the comment that belongs to it; empty if none does
	Local     bool   // seen in its file only
	Inline    bool
	Unsure    bool // it stands in a branch of #if that may be off
}

// Span is a range of bytes, end exclusive.
type Span struct{ Start, End int32 }

// Evidence is how an edge is known. Its values are those of rows.
type Evidence string

// Evidence of an [Edge].
const (
	Written  Evidence = "written"  // it stands in the caller's text
	Macro    Evidence = "macro"    // it stands in the body of a macro that the caller uses
	Indirect Evidence = "indirect" // through a pointer to a function
	Operator Evidence = "operator" // an operator or conversion that a type defines
)

// Origin is where what is called comes from. Its values are those of rows.
type Origin string

// Origins of a [Callee].
const (
	Defined    Origin = "defined"    // Path and Start are those of a [Function]
	Declared   Origin = "declared"   // declared in the repository only, or a pointer
	System     Origin = "system"     // of the standard library or the system; Path is its header or module
	External   Origin = "external"   // of an installed library; Path is its header or module
	Unresolved Origin = "unresolved" // only its name is known
)

// Callee is what is called.
type Callee struct {
	Name   string // qualified; of a pointer the variable, or "Struct::field"
	Origin Origin
	Path   string
	Start  int32 // -1 where no place in the repository is known
	Line   int32 // 0-based, of Start; -1 likewise
}

// Edge is all calls of one function to another with one kind of evidence.
type Edge struct {
	Caller       int // index of the function in its file
	Callee       Callee
	Evidence     Evidence
	Via          string // the outermost macro whose body holds the call
	First        int32  // offset of the first call, or of the macro's use
	Sites        int
	Alternatives int // other definitions that may be meant as well
}

// A Graph answers for a frozen repository. It is safe for concurrent use, and gives
// the same answers always.
type Graph interface {
	// Edges are the calls of the functions in a file, ordered by caller, First, callee
	// and evidence. What stands in a function inside another belongs to the inner one.
	Edges(path string) iter.Seq[Edge]
}
