// Package golang knows Go: every function declaration is a function, those
// without a body, which assembly has, included; methods and function literals
// are not. A file depends on the files of the packages it imports: all files of
// a package's folder but tests, whatever their package clauses and build tags.
//
// Import paths are resolved below the path of the nearest go.mod above the file:
// to folders of its module, to folders of the repository that its replace
// directives name, and to other modules of the repository by their paths.
// Imports order files and nothing else does: files of one package do not depend
// on each other for lying side by side.
//
// Over-approximation: all build tags are seen, so a generator kept in the folder
// of a package counts as part of it; replacements apply to every version; a
// module of the repository answers to its path whether or not the importing
// one requires that version of it, if the path starts with a host and no other
// go.mod has it.
// Under-approximation: go.work and folders called vendor are passed over. A file
// with no go.mod above it may import relative paths and modules of the
// repository, but nothing of its own project, whose path is written nowhere. Of
// a go.mod with mistakes only the module path counts.
//
// What names mean: a compiler given one file of a package finds undefined what the
// others declare, and of imported packages of the module what they export. Here
// every such name stands for something without members, so that the members of
// values of other files' types are uses too. Methods that other files of the
// package give a local type are uses; keys in composite literals of a type of
// another file are, as if it were a struct.
//
// Over-approximation of uses: compilers stop looking at a type assertion, or the
// rest of a literal, once its operand is unknown; and constants as keys of a map
// type of another file count as fields. Under-approximation: what a function of
// another file or of an external package gives is not known, but for a few of the
// standard library; assembly and generated files that are not in the repository
// are not seen.
//
// Comments are all that the grammar calls so: directives (//go:build, //go:embed)
// and the C code above an import of "C" too.
package golang

import (
	_ "embed"

	grammar "github.com/smacker/go-tree-sitter/golang"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

//go:embed queries.scm
var queries string

// Version history:
//
//	1: first version
const version = 1

// Language describes Go.
func Language() *lang.Language {
	binding := &lang.Binding{Version: 1, Rules: rules(), Bind: bindFile, Link: link}
	return &lang.Language{
		Name: "go", Title: "Go", Version: version,
		Doc: "Functions are function declarations, not methods or literals; imports are resolved to all files but tests " +
			"of the package's folder, by the module paths and replace directives of go.mod files.",
		CommentPrefix: "//",
		Syntaxes: []*lang.Syntax{{
			Suffixes: []string{".go"},
			Grammar:  treesitter.NewGrammar("go", grammar.GetLanguage()),
			Source:   queries,
			// Declarations are at the top level, which is always seen.
			Texts: []string{"//", "/*"},
		}},
		ConfigFiles: []string{"go.mod"},
		Extract:     extract,
		NewResolver: newResolver,
		Names:       names,
		Binding:     binding,
		CallGraph:   callGraph(binding),
		Statements:  &statements,
	}
}
