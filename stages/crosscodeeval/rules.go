package crosscodeeval

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"benchmill/schemas"
	"benchmill/stages/code"
	"benchmill/stages/lang"
)

//go:embed rules.yaml
var rulesFile []byte

// Where a cursor may stand; see rules.yaml.
const (
	cursorToken  = "token"
	cursorName   = "name"
	cursorBefore = "before"
	cursorLine   = "line"
)

const upstream = "upstream" // the value of settings called compat

// rule is what differs between languages.
type rule struct {
	MinLines int    `yaml:"min_lines"`
	Cursor   string `yaml:"cursor"`
	All      bool   `yaml:"all"`
	Comment  bool   `yaml:"comment"`
}

var rules = mustRules(rulesFile)

// ruleOf is the rule for a language. Only compat upstream has other cuts than the
// paper's.
func ruleOf(language, compat string) rule {
	r, ok := rules[language]
	if !ok {
		r = rules["default"]
	}
	if compat != upstream {
		return rule{MinLines: r.MinLines, Cursor: cursorToken}
	}
	return r
}

// identify puts what is known of a language's syntax and statements, and its line
// of the rules, into the keys of its partitions.
func identify(languages *lang.Set) func(row any) []string {
	return func(row any) []string {
		name := row.(schemas.Repository).Language
		out := append(code.Identify(languages)(row), fmt.Sprintf("rule %+v", ruleOf(name, upstream)))
		if l := languages.Get(name); l != nil && l.Statements != nil {
			out = append(out, fmt.Sprintf("statements %q", *l.Statements))
		}
		return out
	}
}

func mustRules(data []byte) map[string]rule {
	out := map[string]rule{}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&out); err != nil {
		panic(err)
	}
	for name, r := range out {
		if r.MinLines < 1 || !slices.Contains([]string{cursorToken, cursorName, cursorBefore, cursorLine}, r.Cursor) {
			panic(fmt.Sprintf("rules.yaml: %s: %+v", name, r))
		}
	}
	if _, ok := out["default"]; !ok {
		panic("rules.yaml: no default")
	}
	return out
}
