package filter

import (
	"testing"

	"github.com/benchmill-samples/harborlog/parse"
)

func TestCompile(t *testing.T) {
	r, err := parse.Logfmt(`time=2024-03-01T10:00:00Z level=error source=crane message="Überlast" took=1500ms n=9`)
	if err != nil {
		t.Fatal(err)
	}
	for expression, want := range map[string]bool{
		"":                                   true,
		"level>=warn":                        true,
		"level<error or n=9":                 true,
		"took>1.2s and took<2":               true,
		"n<10 and not n<9":                   true,
		"message~über":                       true,
		"has took and not (has x or x=1)":    true,
		"x!=1":                               true,
		"time>2024-02-29 and source='crane'": true,
		"time<2024-03-01T10:00":              false,
		"not level=error or source=pier":     false,
	} {
		keep, err := Compile(expression)
		if err != nil {
			t.Errorf("%s: %v", expression, err)
		} else if keep(&r) != want {
			t.Errorf("%s: got %v", expression, !want)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, expression := range []string{"level", "a=", "(a=1", "a=1 b=2", "a ! b", "'a=1", "or", "has =", "a=1)", "a=;"} {
		if _, err := Compile(expression); err == nil {
			t.Errorf("%q was accepted", expression)
		}
	}
}
