package bind

// Mode says how far values are followed.
type Mode int

const (
	// Compat agrees with the checkers the paper uses: what is imported from the
	// project is empty, and nothing is known of what its members give.
	Compat Mode = iota
	// Extended follows names into the files that declare them.
	Extended
)

// Kinds of a [Use].
const (
	KindMember    = "member"    // a member of something another file declares
	KindName      = "name"      // a name that an import or another file of the package binds
	KindInherited = "inherited" // a name that a base class in another file declares
)

// Ways in which the owner of a used member was known, as [Use.Via] has them.
const (
	ViaImport      = "import"      // it is the imported name itself
	ViaConstructor = "constructor" // an instance was made in this file
	ViaAnnotation  = "annotation"  // its type is declared
	ViaField       = "field"       // it is a field of a class of this file
	ViaBase        = "base"        // a class of this file inherits from it
	ViaReturn      = "return"      // a function of this file returns it
	ViaElement     = "element"     // it is an element of a container
	ViaCallback    = "callback"    // a callee passes it to a function literal
)

// Use is a name in a file that only another file of the project explains.
type Use struct {
	Start, End int // of the name, in bytes
	Name       string
	Kind       string
	Via        string
	Target     Target // what is named, where it is known; for members in Compat mode what the owner's type was imported as
}

// Target is a declaration in a file of the repository.
type Target struct {
	Path string
	Decl DeclID // 0: the file as a module
	// Module: a file that is a module is meant, though a name was asked for.
	Module bool
}

// A Linker says which declarations of other files a name stands for, in a frozen
// repository. It belongs to a language.
type Linker interface {
	// Import returns what an import of a file binds: nothing where it is not of
	// the project, several targets where a module is many files. Decl is 0 where
	// the project surely has the module, but not visibly the name in it.
	Import(from *File, im *Import) []Target
	// Global returns what a name stands for that no scope of the file declares
	// and no import binds: in Java a class of the same package. Empty: not of the
	// project.
	Global(from *File, name string) []Target
}

// Submodules is a [Linker] of a language whose modules have modules inside them.
type Submodules interface {
	// Submodule returns the module of a name inside the module that a file is.
	Submodule(of *File, name string) []Target
}

// Rules are what languages differ in.
type Rules struct {
	// Names: an imported name is a use itself, since without its import it is
	// undefined (TypeScript's TS2304). Otherwise only members of it are.
	Names bool
	// Globals: so is a name that the [Linker] finds with Global (Go).
	Globals bool
	// MembersInScope: members, inherited ones too, are found by simple names inside
	// their class (Java, C#), not only through self (Python, TypeScript).
	MembersInScope bool
	// CallConstructs: calling a class makes an instance (Python, Kotlin).
	CallConstructs bool
	// ByCall: what a function returns depends on what a call gives its parameters.
	ByCall bool
	// Flow: a name has the values of the assignments that can reach it, not one
	// declared type (Python).
	Flow bool
	// List is the class of Library whose instances list literals are, and tuples
	// apart from their places; its first type parameter is the element.
	List string
	// Library declares what every file sees last: containers and the like, with
	// members __elem__, __index__ and __await__ for what iterating, indexing and
	// awaiting give. A class of it lacks a member only if not Opaque.
	Library *File
	// Every: a member is missing where one possibility of a value lacks it, not only
	// where all do (TypeScript).
	Every bool
	// PlainStubs: what is imported is no generic type, and with type arguments not a
	// type at all, so that nothing is known of it.
	PlainStubs bool
	// Implicit reports members that everything has, such as toString; nil: none.
	Implicit func(name string) bool
	// OfClasses reports those that every class itself has, such as prototype; nil: none.
	OfClasses func(name string) bool
	// Internal reports members that no class outside of the project gives to one
	// inside it, such as Go's unexported ones; nil: none.
	Internal func(name string) bool
	// Silent reports classes of which the checkers say nothing, by the name the file
	// has for them; nil: none.
	Silent func(class string) bool
	// Declared: a simple name is inherited from a class of another file only where
	// that declares it, since what nothing declares may be of a library (C#).
	Declared bool
	// Aliases: what another file declares as a name of a type is known too, as are
	// delegates, which have no members to be without (C#).
	Aliases bool
	// Qualified: a name with dots that begins with a namespace is one that Global
	// knows as a whole (C#).
	Qualified bool
	// Extensions: calls that look like those of members may be of functions that
	// Global finds by [ExtensionPrefix] and their name (C#, Kotlin).
	Extensions bool
	// Ordered: a variable of a block is not seen before it is declared (Java).
	Ordered bool
	// Absent makes [Compat] agree with a compiler that sees the whole project once
	// and stand-ins of its types once, never a library, and reports of both runs
	// what is new; see cascade.go. It reports imports of libraries which that
	// compiler does not have, or, for a name in what is imported whole, whether that
	// is not there. Nil: no such compiler.
	Absent func(im *Import) bool
	// Tolerant, of such a compiler: what a call gives does not depend on whether its
	// arguments fit, and names that nothing declares may be known to it (TypeScript).
	Tolerant bool
	// Compat decides, after all else, whether the compilers would report a use, so
	// that Compat mode does. Nil: they would.
	Compat func(f *File, u *Use) bool
}
