// Package python knows Python: every `def` is a function, methods and nested
// ones included; comments are `#` lines and docstrings; imports are resolved to
// modules and packages below the roots that the repository's layout suggests.
//
// Over-approximation: `from package import name` depends on the package and,
// where one exists, on its submodule name; a string that is a statement counts
// as a docstring wherever it stands; a module found below no root of the
// importing file is looked for below those of all others. Under-approximation:
// imports by computed names (importlib) are not seen.
//
// What names mean ([lang.Language.Binding]) is written down as pylint 3.2 infers
// it, quirks included, and, in [bind.Split], as it is: declared types count, and
// so do generators, coroutines and what the standard library gives on. Not
// followed: operators, rest arguments, what is put into containers, attributes
// made at run time.
package python

import (
	_ "embed"

	grammar "github.com/smacker/go-tree-sitter/python"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

//go:embed queries.scm
var queries string

// Version history:
//
//	1: first version
const version = 1

// Language describes Python.
func Language() *lang.Language {
	syntax := &lang.Syntax{
		Suffixes: []string{".py"},
		Grammar:  treesitter.NewGrammar("python", grammar.GetLanguage()),
		Source:   queries,
		Texts:    []string{"#", "def", "import", `"""`, `'''`},
		Starts:   stringStarts(),
	}
	b := binding(syntax)
	return &lang.Language{
		Name: "python", Title: "Python", Version: version,
		Doc:           "Functions are def statements, methods included; imports are resolved to modules and packages, absolute and relative.",
		CommentPrefix: "#",
		Syntaxes:      []*lang.Syntax{syntax},
		Extract:       extract,
		NewResolver:   newResolver,
		Names:         names,
		Binding:       b,
		CallGraph:     callGraph(b),
		Checker:       checker(),
		Statements:    &statements,
	}
}

// stringStarts are the ways a string on one line can start.
func stringStarts() []string {
	var out []string
	for _, prefix := range []string{"", "r", "u", "b", "f", "br", "rb", "fr", "rf"} {
		for upper := range 1 << len(prefix) { // every mix of cases
			mixed := []byte(prefix)
			for i := range mixed {
				if upper>>i&1 == 1 {
					mixed[i] -= 'a' - 'A'
				}
			}
			out = append(out, string(mixed)+`"`, string(mixed)+`'`)
		}
	}
	return out
}

// statements are cut before the block that they head: the reference of `if x:`
// ends with the colon. A decorator is a statement of its own.
var statements = lang.Statements{
	Nodes: []string{
		"import_statement", "import_from_statement", "future_import_statement", "print_statement", "assert_statement",
		"expression_statement", "return_statement", "delete_statement", "raise_statement", "pass_statement",
		"break_statement", "continue_statement", "global_statement", "nonlocal_statement", "exec_statement",
		"type_alias_statement", "decorator", "class_definition", "function_definition", "if_statement", "elif_clause",
		"else_clause", "for_statement", "while_statement", "with_statement", "try_statement", "except_clause",
		"except_group_clause", "finally_clause", "match_statement", "case_clause",
	},
	Bodies: []string{"block"},
}
