package metrics

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed languages.yaml
var languagesFile []byte

// Language is what the metrics need to know of a language.
type Language struct {
	Name     string
	Keywords map[string]bool // no identifiers
	// Parse cuts predictions with [CutAtLine], which needs a parser; else
	// [CutAtMark] does.
	Parse bool
	// Own leaves the cut to the language's own rule for statements: the published
	// evaluator does not know the language. [Language.Judge] is not for it.
	Own bool
}

// Languages are those of the published evaluator, and those with Own, by name.
var Languages = mustLanguages(languagesFile)

// Names lists Languages, ascending.
func Names() []string {
	var out []string
	for name := range Languages {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func mustLanguages(data []byte) map[string]*Language {
	var file map[string]struct{ Statement, Keywords string }
	if err := yaml.Unmarshal(data, &file); err != nil {
		panic(err)
	}
	out := map[string]*Language{}
	for name, l := range file {
		if !slices.Contains([]string{"parse", "mark", "own"}, l.Statement) || l.Keywords == "" {
			panic(fmt.Sprintf("metrics: language %s: statement %q, keywords %q", name, l.Statement, l.Keywords))
		}
		keywords := map[string]bool{}
		for word := range strings.FieldsSeq(l.Keywords) {
			keywords[word] = true
		}
		out[name] = &Language{Name: name, Keywords: keywords, Parse: l.Statement == "parse", Own: l.Statement == "own"}
	}
	return out
}
