package callgraph

import (
	"slices"

	"benchmill/stages/lang/cfamily"
)

// none is no index.
const none = int32(-1)

// unit is what is known of one file: plain data. Names are indexes into its table,
// places are offsets.
type unit struct {
	text  string // the names one after the other
	ends  []int32
	lines []int32 // where each begins, but for the first

	cpp       bool
	functions []function // of the file's calls.File, in its order
	sites     []site     // by caller, then in source order
	locals    []local
	mentions  []mention // by caller, then in source order, each name of a caller once
	paths     []int32   // steps to what sites call; see [path]
	tokens    []token   // arguments of sites and macros' bodies
	macros    []macro   // with what undefines them, in source order
	includes  []inclusion
	decls     []decl // of functions and variables of the file, in source order
	types     []typ
	records   []record
	fields    []field
	typedefs  []decl
	uses      []use  // of what may be macros, outside of functions
	elsewhere []span // what other systems than the [platform] read, ascending

	described *cfamily.Description // what names mean, in C++ only
}

// name is a name by its index.
func (u *unit) name(id int32) string {
	from := int32(0)
	if id > 0 {
		from = u.ends[id-1]
	}
	return u.text[from:u.ends[id]]
}

// lineOf is the line of a place, 0-based.
func (u *unit) lineOf(at int32) int32 {
	i, found := slices.BinarySearch(u.lines, at)
	if found {
		i++
	}
	return int32(i)
}

// function is what calls say nothing of.
type function struct {
	name     int32 // its last part
	typ      int32 // what it is: a function that returns something
	min, max int16 // how many arguments it takes; max -1 is any number
	static   bool
	inline   bool
	unsure   bool
	member   bool  // of a class
	lost     bool  // see [lostNames]
	locals   int32 // where its own begin among those of the file
}

// local is a variable or parameter of a function. Those of one function follow each
// other, unless another function stands inside it.
type local struct {
	name, typ, at, end int32
	before             int32 // the last one of that name before it, counted from 1
	function           bool  // a declaration of a function
}

// form is how a call is written.
type form uint8

const (
	plainForm     form = iota // f(x)
	memberForm                // x.f(y), x->f(y)
	qualifiedForm             // A::f(x)
	otherForm                 // (*f)(x), f[i](x), f(x)(y)
	tokenForm                 // f(x), in text that the grammar could not read
)

// site is a call as it stands in a function.
type site struct {
	caller     int32 // index of the function
	at         int32 // the place of the name, or of the expression that is called
	name       int32 // the last name of what is called, or none
	path       int32 // where it begins in paths, or none: a plain name that no local has
	from, to   int32 // the tokens between the parentheses
	args       int16 // how many arguments
	form       form
	functional bool // the name is in parentheses, so that no macro takes arguments
	std        bool // "std::" stands in front
	lost       bool // see [lostNames]
}

// mention is a name in a function, outside of declarators and members.
type mention struct{ caller, name, at int32 }

// macro is a definition of a macro, or the end of one.
type macro struct {
	name     int32
	at       int32
	params   int16 // how many; -1 for one without arguments
	variadic bool
	undef    bool
	unsure   bool  // it stands in a branch of #if that may be off
	from, to int32 // its body in tokens
}

// inclusion is an #include.
type inclusion struct {
	path   string
	at     int32
	angled bool
}

// decl declares a name of the file: a function without a body, a variable, or
// another name of a type.
type decl struct {
	name int32
	typ  int32
	at   int32
	// static: of this file only. extern: it may be defined elsewhere.
	static, extern bool
	lost           bool // a function with one of [lostNames] in its head
}

// typ is a type as far as it leads to fields and functions.
type typ struct {
	base    int32 // a name, or ^index of a record of the file
	tag     bool  // the name is behind struct, union or enum
	fn      bool  // a function that returns base; what follows is around it
	returns int8  // how many pointers it returns to base
	pointer int8  // pointers to and arrays of it
}

// record is a struct, union or class with a body.
type record struct {
	name     int32 // its tag, or none
	typedef  int32 // another name of it, or none
	parent   int32 // the record that it stands in, or none
	union    bool
	embedded bool  // it is a field without a name: its fields are those of parent
	from, to int32 // its fields
	at       int32
}

type field struct {
	record int32
	name   int32
	typ    int32
	at     int32
}

// use is a name with or without arguments outside of functions.
type use struct {
	name     int32
	at       int32
	from, to int32 // the tokens of its arguments
	bare     bool  // it has none, and stands alone in its line
}

// Steps of a path, after how it begins and what with. A step that is not negative is
// the name of a field.
const (
	stepEnd   = int32(-1) - iota
	stepDeref // *x, x[i]
	stepCall  // x(y)
	stepAddr  // &x
	stepCast  // (T)x; the index of the type follows
)

// How a path begins. A name follows; of a local its type and place follow the name.
const (
	pathGlobal = int32(iota) // a name: a global variable or a function
	pathLocal                // a name, a type and a place
	pathLost                 // not known
)
