// Package cpp knows C++: a function is a definition whose declarator is nothing
// but a name and parameters, RepoQA's rule; comments are comments; a file depends
// on the files of the repository that it includes.
//
// So free functions, friends defined in a class and constructors inside their
// class count, defaulted and deleted ones too. Methods, Class::function,
// destructors, operators, specializations and functions that return a pointer or
// a reference do not.
//
// Over-approximation: a macro before a block ("TEST(a, b) {}") is a function of
// the macro's name, inside other functions too; every branch of #if is seen;
// includes are looked up in more folders than a build would.
// Under-approximation: includes by macro, #include_next, #import, modules and
// digraphs are not seen. Macros are not expanded, and one in the place of syntax
// (Q_OBJECT before "public:") may hide the functions around it.
package cpp

import (
	_ "embed"
	"sync"

	grammar "github.com/smacker/go-tree-sitter/cpp"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
	"benchmill/stages/lang/cfamily"
	"benchmill/stages/lang/cfamily/callgraph"
)

//go:embed queries.scm
var queries string

//go:embed library.hpp
var library string

// libraryFile is what every file sees last.
var libraryFile = sync.OnceValue(func() *bind.File {
	t := treesitter.MustParse([]byte(library), treesitter.NewGrammar("cpp", grammar.GetLanguage()))
	return cfamily.Bind("library.hpp", t)
})

// Version history:
//
//	1: first version
const version = 1

// Language describes C++. It claims .c and .h files too, as RepoQA does.
func Language() *lang.Language {
	binding := cfamily.Binding(libraryFile())
	return &lang.Language{
		Name: "cpp", Title: "C++", Version: version,
		Doc:           "Functions are definitions of a plain name with parameters, constructors inside their class included, other members not; #include is resolved from the folder of the file and from include roots.",
		CommentPrefix: "//",
		Syntaxes: []*lang.Syntax{{
			Suffixes: []string{".cpp", ".hpp", ".cc", ".hh", ".cxx", ".hxx", ".c", ".h"},
			Grammar:  treesitter.NewGrammar("cpp", grammar.GetLanguage()),
			Source:   queries,
			Texts:    []string{"#", "//", "/*", "{", "default", "delete"},
		}},
		Extract: func(t *treesitter.Tree, m lang.Matches, f *lang.Facts) {
			cfamily.Extract(t, m, f, "catch", "for", "if", "switch", "while")
		},
		NewResolver: cfamily.NewResolver,
		Names:       names,
		Binding:     binding,
		Statements:  &cfamily.Statements,
		CallGraph:   callgraph.CPP(binding),
	}
}
