package treesitter

import (
	"fmt"

	sitter "github.com/smacker/go-tree-sitter"
)

// Grammar is a tree-sitter grammar with its names looked up once.
// It is safe for concurrent use.
type Grammar struct {
	Name string
	// Costly reports text on which the parser costs out of proportion to its length,
	// past every limit, or ends the process: it is refused unparsed ([ErrCostly]). It
	// takes one pass, knows of the text only that it is no longer than the limit, and
	// refuses nothing that people write. Nil: no such text is known. Set it before the
	// first parse.
	Costly func(src []byte) bool

	language *sitter.Language
	kinds    []string            // by id
	ids      map[string][]uint16 // several ids share a name through aliases
	named    map[string][]uint16 // the same, named kinds only
	fields   map[string]uint16
	idle     idle
}

// NewGrammar wraps a grammar.
func NewGrammar(name string, language *sitter.Language) *Grammar {
	g := &Grammar{Name: name, language: language, ids: map[string][]uint16{}, named: map[string][]uint16{}, fields: map[string]uint16{}}
	for id := range language.SymbolCount() {
		kind := language.SymbolName(sitter.Symbol(id))
		g.kinds = append(g.kinds, kind)
		g.ids[kind] = append(g.ids[kind], uint16(id))
		if language.SymbolType(sitter.Symbol(id)) == sitter.SymbolTypeRegular {
			g.named[kind] = append(g.named[kind], uint16(id))
		}
	}
	for id := 1; ; id++ {
		field := language.FieldName(id)
		if field == "" {
			break
		}
		g.fields[field] = uint16(id)
	}
	return g
}

const kindError = 65535 // of ERROR nodes, in every grammar

// KindName is the name of a node kind.
func (g *Grammar) KindName(id uint16) string {
	if int(id) < len(g.kinds) {
		return g.kinds[id]
	}
	return "ERROR"
}

// Identity names the grammar and its shape, for keys: two builds of a grammar
// that differ in their kinds or fields differ here.
func (g *Grammar) Identity() string {
	return fmt.Sprintf("%s/%d-%d", g.Name, len(g.kinds), len(g.fields))
}

func (g *Grammar) field(name string) uint16 { return g.fields[name] }

// FieldName is the name of a field, "" for 0.
func (g *Grammar) FieldName(id uint16) string {
	if id == 0 {
		return ""
	}
	return g.language.FieldName(int(id))
}
