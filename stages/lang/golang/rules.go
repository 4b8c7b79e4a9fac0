package golang

import (
	_ "embed"
	"go/token"
	"sync"

	grammar "github.com/smacker/go-tree-sitter/golang"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

//go:embed library.txt
var library string

// libraryPackages are the packages that library.txt knows.
var libraryPackages = set("cmp", "iter", "maps", "slices", "sync", "sync/atomic")

// libraryFile is what every file sees last.
var libraryFile = sync.OnceValue(func() *bind.File {
	t := treesitter.MustParse([]byte(library), treesitter.NewGrammar("go", grammar.GetLanguage()))
	return describe("library.go", t, true)
})

// rules are what a compiler says of one file alone: names that other files of
// the package declare are undefined, members of what is imported too. The name
// of an imported package is not. What is not exported comes from no other module.
func rules() *bind.Rules {
	return &bind.Rules{Globals: true, Library: libraryFile(), Internal: func(name string) bool { return !token.IsExported(name) }}
}

// statements end with their lines, but for what stands in braces behind them. The
// head of a case ends at its colon.
var statements = lang.Statements{
	Nodes: []string{
		"assignment_statement", "break_statement", "communication_case", "const_spec", "continue_statement", "dec_statement",
		"default_case", "defer_statement", "expression_case", "expression_statement", "expression_switch_statement",
		"fallthrough_statement", "field_declaration", "for_statement", "function_declaration", "go_statement",
		"goto_statement", "if_statement", "inc_statement", "method_declaration", "method_elem", "return_statement",
		"select_statement", "send_statement", "short_var_declaration", "type_alias", "type_case", "type_spec",
		"type_switch_statement", "var_spec",
	},
	Bodies: []string{
		"block", "communication_case", "default_case", "expression_case", "field_declaration_list", "interface_type", "type_case",
	},
}
