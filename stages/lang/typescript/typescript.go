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
package typescript

import (
	_ "embed"

	"github.com/smacker/go-tree-sitter/javascript"
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
	return &lang.Language{
		Name: "typescript", Title: "TypeScript", Version: version,
		Doc: "Functions are named function declarations, no methods or arrow functions; imports, exports from, " +
			"require and import() of literals are resolved by relative path, tsconfig paths and package name. JavaScript is included.",
		CommentPrefix: "//",
		Syntaxes: []*lang.Syntax{
			{Suffixes: []string{".ts"}, Grammar: treesitter.NewGrammar("typescript", grammar.GetLanguage()), Source: queries, Texts: texts},
			{Suffixes: []string{".js"}, Grammar: treesitter.NewGrammar("javascript", javascript.GetLanguage()), Source: queries, Texts: texts},
		},
		ConfigFiles: []string{"tsconfig.json", "tsconfig.*.json", "jsconfig.json", "package.json"},
		Extract:     extract,
		NewResolver: newResolver,
		Names:       names,
	}
}
