// Package c knows C: a definition that declares a function is a function,
// whatever it returns; comments are comments; a file depends on the files of the
// repository that it includes.
//
// So functions that return pointers to data or to functions count, and those
// with parameters in the style of K&R do. RepoQA's rule for C++ takes fewer of
// the same file; a repository's language says which of the two packages reads it.
//
// Over-approximation: every branch of #if is seen; includes are looked up in
// more folders than a build would; a function of GNU C inside another counts.
// Under-approximation: functions without a type, or in the style of K&R that
// return a pointer, or with a macro for a head ("TEST(a) {}"); includes by macro,
// #include_next and digraphs are not seen. Macros are not expanded, and one in
// the place of syntax may hide or cut the functions around it.
package c

import (
	_ "embed"

	grammar "github.com/smacker/go-tree-sitter/c"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/cfamily"
	"benchmill/stages/lang/cfamily/callgraph"
)

//go:embed queries.scm
var queries string

// Version history:
//
//	1: first version
const version = 1

// Language describes C.
func Language() *lang.Language {
	return &lang.Language{
		Name: "c", Title: "C", Version: version,
		Doc:           "Functions are definitions that declare a function, those that return pointers included; #include is resolved from the folder of the file and from include roots.",
		CommentPrefix: "//",
		Syntaxes: []*lang.Syntax{{
			Suffixes: []string{".c", ".h"},
			Grammar:  treesitter.NewGrammar("c", grammar.GetLanguage()),
			Source:   queries,
			Texts:    []string{"#", "//", "/*", "{"},
		}},
		Extract: func(t *treesitter.Tree, m lang.Matches, f *lang.Facts) {
			cfamily.Extract(t, m, f, "for", "if", "switch", "while")
		},
		NewResolver: cfamily.NewResolver,
		Names:       names,
		Binding:     cfamily.Binding(cfamily.Pointers()),
		Statements:  &cfamily.Statements,
		CallGraph:   callgraph.C(),
	}
}
