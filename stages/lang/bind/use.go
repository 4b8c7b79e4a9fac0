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
	// Flow: a name has the values of the assignments that can reach it, not one
	// declared type (Python).
	Flow bool
	// List is the class of Library whose instances list literals are; its first
	// type parameter is the element.
	List string
	// Library declares what every file sees last: containers and the like, with
	// members __elem__, __index__ and __await__ for what iterating, indexing and
	// awaiting give. A class of it lacks a member only if not Opaque.
	Library *File
	// Implicit reports members that everything has, such as toString; nil: none.
	Implicit func(name string) bool
	// Compat decides, after all else, whether the compilers would report a use, so
	// that Compat mode does. Nil: they would.
	Compat func(f *File, u *Use) bool
}
