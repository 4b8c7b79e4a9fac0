package bind

// Target is a declaration in a file of the repository, or in the library.
type Target struct {
	Path string
	Decl DeclID // 0: the file as a module
	// Module: a file that is a module is meant, though a name was asked for:
	// "from package import module". Without it, Decl 0 in answer to a name says that
	// the file is known, and its declaration of the name is not.
	Module bool
}

// A Linker says which declarations of other files a name stands for, in a frozen
// repository. It belongs to a language. It must be safe for concurrent use and give
// the same answers always.
type Linker interface {
	// Import returns what an import of a file binds: nothing where it is not of
	// the project, several targets where a module is many files. Decl is 0 where
	// the project surely has the module, but not visibly the name in it.
	Import(from *File, im *Import) []Target
	// Global returns what a name stands for that no scope of the file declares
	// and no import binds: a class of the same package. Empty: not of the
	// project.
	Global(from *File, name string) []Target
}

// Submodules is a [Linker] of a language whose modules have modules inside them.
type Submodules interface {
	// Submodule returns the module of a name inside the module that a file is.
	Submodule(of *File, name string) []Target
}

// ExtensionPrefix is put in front of a name to ask a [Linker] for the functions of
// the project that are called like members of anything; those of the file itself
// come first. For one of a library it answers with the file.
const ExtensionPrefix = "."
