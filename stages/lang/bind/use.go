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
