package langtest

import (
	"path/filepath"
	"strings"
	"testing"

	"benchmill/stages/lang"
)

// eachRule runs a test on every testdata/<folder>/*.txtar, of which there must be
// one at least.
func eachRule(t *testing.T, l *lang.Language, folder string, run func(t *testing.T, l *lang.Language, name string)) {
	t.Helper()
	if err := l.Compile(); err != nil {
		t.Fatal(err)
	}
	cases, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("no testdata/%s/*.txtar (%v): each rule needs a case", folder, err)
	}
	for _, c := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(c), ".txtar"), func(t *testing.T) { run(t, l, c) })
	}
}
