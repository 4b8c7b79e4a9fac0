// Package java knows Java: every method declaration is a function, abstract
// ones and those of nested and anonymous classes included, constructors and
// lambdas not. A file depends on the files that declare the types it names: by
// import, as neighbours in its package, or by their full names.
//
// Types are found by the packages and classes that files declare, so any number
// of source roots works. Where several files declare one type, the one that
// shares most folders with the user counts.
//
// Over-approximation: a simple name counts as a use of the type so called in
// the package wherever it stands, a variable or an enum constant of that name
// too. Under-approximation: types reached only through the result of a call or
// through a superclass's members, and names made by reflection, are not seen.
//
// # What names mean
//
// Types are never uses themselves; members of those of other files are, by
// whatever way the type is known, and names that a base class of another file
// declares. Compat mode agrees with javac, which sees the whole project once and
// empty classes in place of its other types once, and never a library: it counts
// what is new in the second run. So it is silent where javac is: about what a
// missing member gives, about a call with an argument that javac does not know,
// about casts between two empty classes. Extended mode follows members into the
// files that declare them.
//
// Over-approximation: overloads are told apart by the number of their arguments
// and by types of other files only; accessibility is not looked at, nor whether an
// exception is one. Under-approximation: of the JDK only what library.java says is
// known, so that a value of another of its types may have any member; nested types
// that a class inherits from a library, members that generated code adds, and
// patterns bound in a loop's condition for what follows are not seen.
package java

import (
	_ "embed"

	grammar "github.com/smacker/go-tree-sitter/java"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

//go:embed queries.scm
var queries string

// Version history:
//
//	1: first version
const version = 1

// Language describes Java.
func Language() *lang.Language {
	return &lang.Language{
		Name: "java", Title: "Java", Version: version,
		Doc:           "Functions are method declarations, not constructors; a file depends on the files whose types it imports, names in full, or uses from its own package and from packages imported whole.",
		CommentPrefix: "//",
		Syntaxes: []*lang.Syntax{{
			Suffixes: []string{".java"},
			Grammar:  treesitter.NewGrammar("java", grammar.GetLanguage()),
			Source:   queries,
			Texts:    []string{"{", "//", "/*"},
		}},
		Extract:     extract,
		NewResolver: newResolver,
		Names:       names,
		Binding:     bindings(),
		CallGraph:   callGraph(bindings()),
		Checker:     checker(),
		Statements:  &lang.Statements{Marks: ";{}"},
	}
}
