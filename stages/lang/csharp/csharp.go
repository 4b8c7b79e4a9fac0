// Package csharp knows C#: methods and local functions are functions, abstract
// and partial ones included; constructors, finalizers, operators, conversions,
// properties, indexers, events and lambdas are not. A file depends on the files
// that declare the types it names, among those its namespaces, its using
// directives and the global ones of its project let it see. A partial type is
// in all files that declare a part of it, so parts depend on each other.
//
// A project is the folder of a .csproj file with what is below it. Where several
// projects declare a type of one full name, the own project counts first, then
// those it refers to, then the others; among equals the one that shares most
// folders with the user.
//
// Over-approximation: a simple name counts as a use of the type so called
// wherever it stands, a property or a variable of that name too; a using
// directive inside a namespace counts for the whole file; all branches of #if
// are seen. Under-approximation: extension methods, members of a type that
// another file's global using opens, and types reached only through the result
// of a call or through a base class, are not seen; generic
// types that differ only in the number of their parameters are one; of a file
// with several namespaces the innermost fit decides.
//
// What names mean across files: types of other files are there and empty, as
// compilers see them beside stand-ins, so types themselves are no uses; members of
// them and of their values are, and simple names that a base class, another part
// of a partial type or a static using declares. Delegates are known. A call x.F()
// of an extension method of another file that the file sees is a use unless x is
// known to have F, also where nothing is known of x; an extension method of the
// file itself, or of System.Linq, stands in for a missing member, as compilers take
// it. What depends on a missing name is passed over as mcs does (package bind,
// Shade and Whole); the extended mode has it all. Conditional compilation is
// decided as with no symbols defined.
//
// Over-approximation of uses: of overloads that take as many arguments all count;
// a library's method of the name of an extension counts as that. Under-approximation:
// what methods of libraries give is known for those of library.cs alone, a value of
// two possible types has the members of both, interfaces are told by their names,
// and where a using directive stands does not matter.
package csharp

import (
	_ "embed"

	grammar "github.com/smacker/go-tree-sitter/csharp"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

//go:embed queries.scm
var queries string

// Version history:
//
//	1: first version
const version = 1

// Language describes C#.
func Language() *lang.Language {
	g := treesitter.NewGrammar("csharp", grammar.GetLanguage())
	b := binding(g)
	l := &lang.Language{
		Name: "csharp", Title: "C#", Version: version,
		Doc:           "Functions are methods and local functions, not constructors, operators or properties; a file depends on the files that declare the types it names, as namespaces, using directives and project references let it see them.",
		CommentPrefix: "//",
		ConfigFiles:   []string{"*.csproj"},
		Syntaxes: []*lang.Syntax{{
			Suffixes: []string{".cs"},
			Grammar:  g,
			Source:   queries,
			// A local function has a block, an arrow, or is extern.
			Texts: []string{"{", "//", "/*", "#", "=>", "extern"},
		}},
		Extract:     extract,
		NewResolver: newResolver,
		Names:       names,
		Binding:     b,
		CallGraph:   callGraph(b),
		Statements:  &lang.Statements{Marks: ";{}"},
	}
	l.Checker = newChecker(l)
	return l
}
