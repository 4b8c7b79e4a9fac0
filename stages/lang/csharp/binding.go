package csharp

import (
	_ "embed"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

//go:embed library.cs
var library []byte

// Version history of the binding:
//
//	1: first version
const bindingVersion = 1

func binding(g *treesitter.Grammar) *lang.Binding {
	tree := treesitter.MustParse(library, g)
	return &lang.Binding{
		Version: bindingVersion,
		Bind:    describe,
		Link:    link,
		Rules: &bind.Rules{
			MembersInScope: true,
			Declared:       true,
			Extensions:     true,
			Aliases:        true,
			Qualified:      true,
			List:           array,
			Library:        describe("library.cs", tree),
			Implicit:       implicit,
		},
	}
}

// implicit are the members of System.Object, and what enums have beside them.
func implicit(name string) bool {
	switch name {
	case "ToString", "Equals", "GetHashCode", "GetType", "MemberwiseClone", "ReferenceEquals", "Finalize", "HasFlag":
		return true
	}
	return false
}
