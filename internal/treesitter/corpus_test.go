package treesitter

import (
	"context"
	"path"
	"sync"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/cpp"
	"github.com/smacker/go-tree-sitter/csharp"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/java"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/rust"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"
	"golang.org/x/tools/txtar"
)

var limits = DefaultLimits

// grammars are those of the files in testdata, by suffix.
var grammars = sync.OnceValue(func() map[string]*Grammar {
	out := map[string]*Grammar{}
	for suffix, language := range map[string]*sitter.Language{
		".py": python.GetLanguage(), ".java": java.GetLanguage(), ".cs": csharp.GetLanguage(), ".c": c.GetLanguage(), ".cpp": cpp.GetLanguage(),
		".ts": typescript.GetLanguage(), ".tsx": tsx.GetLanguage(), ".rs": rust.GetLanguage(), ".go": golang.GetLanguage(),
	} {
		out[suffix] = NewGrammar(suffix[1:], language)
	}
	return out
})

type source struct {
	name    string
	grammar *Grammar
	text    []byte
}

// corpus is testdata/sources.txtar, and each of its files cut in the middle.
func corpus(t testing.TB) []source {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/sources.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var out []source
	for _, f := range archive.Files {
		g := grammars()[path.Ext(f.Name)]
		if g == nil {
			t.Fatalf("no grammar for %s", f.Name)
		}
		out = append(out, source{f.Name, g, f.Data}, source{f.Name + " cut", g, f.Data[:len(f.Data)/2]})
	}
	return out
}

// library parses with the library alone. The tree is closed with the test.
func library(t testing.TB, g *Grammar, src []byte) *sitter.Node {
	t.Helper()
	parser := sitter.NewParser()
	parser.SetLanguage(g.language)
	tree, err := parser.ParseCtx(context.Background(), nil, src)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close(); parser.Close() })
	return tree.RootNode()
}

func parse(t testing.TB, s source, keep *Keep) *Tree {
	t.Helper()
	tree, err := Parse(s.text, s.grammar, keep, limits)
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	return tree
}
