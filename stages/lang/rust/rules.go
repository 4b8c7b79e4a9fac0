package rust

import (
	_ "embed"
	"sync"

	grammar "github.com/smacker/go-tree-sitter/rust"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

//go:embed library.rs
var library string

// everywhere are methods that every value has, or that the standard library gives
// so many that no file of the project needs to say so: those of its common
// traits, and those of options and results, which projects give names of their own.
var everywhere = map[string]bool{
	"clone": true, "into": true, "try_into": true, "to_owned": true, "to_string": true, "borrow": true, "borrow_mut": true,
	"as_ref": true, "as_mut": true, "type_id": true, "eq": true, "ne": true, "cmp": true, "partial_cmp": true, "hash": true,
	"fmt": true, "default": true, "from": true, "drop": true, "unwrap": true, "expect": true,
	"unwrap_or": true, "unwrap_or_else": true, "unwrap_or_default": true, "unwrap_err": true, "expect_err": true, "map_err": true,
	"is_ok": true, "is_err": true, "is_some": true, "is_none": true, "ok": true, "err": true, "ok_or": true, "ok_or_else": true,
}

// libraryFile is what every file sees last.
var libraryFile = sync.OnceValue(func() *bind.File {
	t := treesitter.MustParse([]byte(library), treesitter.NewGrammar("rust", grammar.GetLanguage()))
	return bindFile("library.rs", t)
})

// rules are what a compiler says of a file whose imports are taken away, and then
// are empty structs.
func rules() *bind.Rules {
	return &bind.Rules{Names: true, List: "Vec", Library: libraryFile(), Implicit: func(name string) bool { return everywhere[name] }}
}

// statements end with the marks that completions are cut at.
var statements = lang.Statements{Marks: ";{}"}
