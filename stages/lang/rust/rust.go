// Package rust knows Rust: every `fn` with a body is a function, methods and
// nested ones included; dependencies follow the module tree.
//
// The tree starts at crate roots: the targets of every Cargo.toml, those that
// Cargo finds by itself included, and, where no Cargo.toml covers the entry
// directory, its lib.rs, main.rs and mod.rs. `mod x;` makes the parent depend on
// the file of x. A `use`, and a path of at least two segments anywhere in the
// code, depends on the file of the deepest module it names.
//
// Over-approximation: all configurations count, so a module may have several
// files; a file that no `mod` reaches stands where its path suggests; paths in
// the bodies of macros count where the macro is defined; a crate of the
// repository answers to its name even where Cargo.toml does not list it; where
// an item is called like a module, its path leads to the module.
// Under-approximation: modules declared inside macros or read by include! are
// not seen; items re-exported from another module lead to the module that
// re-exports; macros in textual scope have no path; paths with blanks in them
// end there, and ones that start with an upper-case letter start at a type.
//
// What names mean: without its imports a file does not know the names they bind,
// and with empty structs in their place not the members of those. A path is
// followed to its item; modules in front of it are none by themselves, told from
// types by their case. Impls give a type members in every file of its crate;
// traits of the project have them, and those that are derived or implemented
// from the standard library are known by name.
//
// Over-approximation of uses: the bounds of one impl hold for all of a type; what
// macros are given is read as if it were expressions.
// Under-approximation: what macros make, and what is declared in what they are
// given, is not seen; methods that everything has (clone, into, unwrap) are none;
// a type that is known only from what is done with a value later is not.
package rust

import (
	_ "embed"

	grammar "github.com/smacker/go-tree-sitter/rust"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

//go:embed queries.scm
var queries string

// Version history:
//
//	1: first version
const version = 1

// Language describes Rust.
func Language() *lang.Language {
	binding := &lang.Binding{Version: 1, Rules: rules(), Bind: bindFile, Link: link}
	return &lang.Language{
		Name: "rust", Title: "Rust", Version: version,
		Doc: "Functions are fn items with a body, methods included; mod, use and plain paths are resolved through the " +
			"module trees of the repository's crates.",
		CommentPrefix: "//",
		Syntaxes: []*lang.Syntax{{
			Suffixes: []string{".rs"},
			Grammar:  treesitter.NewGrammar("rust", grammar.GetLanguage()),
			Source:   queries,
			Texts:    []string{"//", "/*", "fn", "mod", "use", "crate", "#", `"`},
		}},
		ConfigFiles: []string{"Cargo.toml"},
		Extract:     extract,
		NewResolver: newResolver,
		Names:       names,
		Binding:     binding,
		CallGraph:   callGraph(binding),
		Statements:  &statements,
	}
}
