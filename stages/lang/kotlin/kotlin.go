// Package kotlin knows Kotlin. Functions are function declarations, those in
// classes and in functions included; constructors, accessors, lambdas and
// anonymous functions are not. A file depends on the files that declare what it
// imports by name, and those names of its own package and of packages imported
// whole that stand in its code.
//
// Over-approximation: a name counts as one of the package wherever it stands, a
// member's or a local's too; all files that declare functions of one name count.
// Under-approximation: the grammar is of 2023 and does not know functional
// interfaces, nor bodies of classes after a delegation; files with more than a
// thousand templates in strings are refused, since its parser may not survive them.
//
// What names mean: as with Java, types of other files stand for classes without
// members, and the members of their values are uses; so are functions and
// properties outside classes, and extensions. That a capital begins the names of
// types, and of constants that are all capitals, is taken for granted.
// Over-approximation: a value that is not known has every extension the file sees,
// but for operators on bits; what stands in a class after a syntax error may count
// as the package's. Under-approximation: what imported functions and properties
// give is not known, a smart cast holds in its branch only, and destructuring
// declarations give nothing but for pairs.
package kotlin

import (
	_ "embed"

	grammar "github.com/smacker/go-tree-sitter/kotlin"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

//go:embed queries.scm
var queries string

// Version history:
//
//	1: first version
const version = 1

// Language describes Kotlin.
func Language() *lang.Language {
	g := treesitter.NewGrammar("kotlin", grammar.GetLanguage())
	g.Costly = costly
	return &lang.Language{
		Name: "kotlin", Title: "Kotlin", Version: version,
		Doc:           "Functions are function declarations, not accessors or lambdas; a file depends on the files that declare what it imports or names of its package.",
		CommentPrefix: "//",
		Syntaxes: []*lang.Syntax{{
			Suffixes: []string{".kt"},
			Grammar:  g,
			Source:   queries,
		}},
		Extract:     extract,
		NewResolver: newResolver,
		Names:       names,
		Binding:     binding(g),
		Statements:  &statements,
	}
}

// statements end with their lines, but for what stands in braces behind them. There
// is no node around an expression that stands alone.
var statements = lang.Statements{
	Nodes: []string{
		"import_header", "package_header", "property_declaration", "assignment", "jump_expression", "class_declaration", "object_declaration",
		"function_declaration", "companion_object", "secondary_constructor", "class_parameter", "enum_entry", "type_alias", "getter", "setter",
		"if_expression", "when_entry", "for_statement", "while_statement", "do_while_statement", "try_expression", "catch_block",
	},
	Lists:  []string{"source_file", "statements", "function_body", "control_structure_body"},
	Bodies: []string{"class_body", "enum_class_body", "statements", "function_body", "control_structure_body", "lambda_literal", "when_entry"},
}
