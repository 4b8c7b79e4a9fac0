// Package typescript knows TypeScript and JavaScript: every `function`
// declaration with a name is a function, nested ones included; generators,
// methods, arrow functions, function expressions and overload signatures are
// not. Imports are resolved to files the way bundlers and the compiler do:
// relative specifiers, `paths` and `baseUrl` of the nearest tsconfig.json or
// jsconfig.json, and packages of the same repository by name.
//
// Over-approximation: every package.json of the repository answers to its name,
// whether or not a workspace lists it; all conditions of `exports` count; imports
// of types count like others. Under-approximation: specifiers that are computed,
// or written with escapes, are not seen, nor are require.resolve, AMD modules
// and globals; configs that extend a package's config lose what they inherit.
//
// # What names mean across files
//
// Compat mode agrees with tsc without packages: names that an import binds are
// uses, and so are members of values whose type one is. Types pass through
// annotations, initial values, fields, generics, callbacks and what library.ts
// says of the standard library; instanceof, typeof, in and guards of the file
// narrow them. globals.txt lists what tsc knows without imports.
//
// Over-approximation: of overloads the first that may fit is taken, by classes
// alone; short array literals are taken for tuples. Under-approximation: types
// that are computed from others (mapped and conditional types, keyof, Exclude)
// are not known, apart from the usual ones; variables without a type are followed
// through assignments regardless of their order; narrowing of fields and of what
// switch tells apart is not seen.
package typescript

import (
	_ "embed"

	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	grammar "github.com/smacker/go-tree-sitter/typescript/typescript"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
)

//go:embed queries.scm
var queries string

// Version history:
//
//	1: first version
const version = 1

// Language describes TypeScript, with JavaScript.
func Language() *lang.Language {
	texts := []string{"//", "/*", "function", "import", "export", `"`, "'", "`"}
	l := &lang.Language{
		Name: "typescript", Title: "TypeScript", Version: version,
		Doc: "Functions are named function declarations, no methods or arrow functions; imports, exports from, " +
			"require and import() of literals are resolved by relative path, tsconfig paths and package name. JavaScript is included.",
		CommentPrefix: "//",
		Syntaxes: []*lang.Syntax{
			{Suffixes: []string{".ts"}, Grammar: treesitter.NewGrammar("typescript", grammar.GetLanguage()), Source: queries, Texts: texts},
			{Suffixes: []string{".tsx"}, Grammar: treesitter.NewGrammar("tsx", tsx.GetLanguage()), Source: queries, Texts: texts},
			{Suffixes: []string{".js"}, Grammar: treesitter.NewGrammar("javascript", javascript.GetLanguage()), Source: queries, Texts: texts},
		},
		ConfigFiles: []string{"tsconfig.json", "tsconfig.*.json", "jsconfig.json", "package.json"},
		Extract:     extract,
		NewResolver: newResolver,
		Names:       names,
	}
	l.Binding, l.Checker = newBinding(l), newChecker(l)
	l.CallGraph = callGraph(l.Binding)
	l.Statements = &lang.Statements{Marks: ";{}"}
	return l
}
