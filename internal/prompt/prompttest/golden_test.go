package prompttest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchmill/internal/prompt"
)

func template(t *testing.T, name string, version int, body string) *prompt.Template {
	t.Helper()
	p, err := prompt.Parse(fmt.Appendf(nil, "---\nname: %s\nversion: %d\n---\n%s", name, version, body))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCompare(t *testing.T) {
	one, two := template(t, "a/b", 1, "one"), template(t, "a/b", 2, "two")
	recorded, errs := compare("", true, []*prompt.Template{template(t, "z", 1, "z"), one})
	if len(errs) > 0 || !strings.HasPrefix(recorded, "a/b/1 sha256:") || strings.Count(recorded, "\n") != 2 {
		t.Fatalf("%q, %v", recorded, errs)
	}
	both, _ := compare(recorded, true, []*prompt.Template{two})
	for _, test := range []struct {
		name, golden string
		t            *prompt.Template
		update       bool
		says         string // "": no error
	}{
		{"same", recorded, one, false, ""},
		{"changed", recorded, template(t, "a/b", 1, "uno"), false, "raise its version to 2"},
		{"changed, update", recorded, template(t, "a/b", 1, "uno"), true, "raise its version to 2"},
		{"new version", recorded, two, false, "run with -update"},
		{"new version, update", recorded, two, true, ""},
		{"old again", both, one, false, "versions only rise"},
		{"changed back", both, template(t, "a/b", 2, "one"), false, "raise its version to 3"},
		{"damaged", "a/b one\n", one, false, "line 1"},
	} {
		after, errs := compare(test.golden, test.update, []*prompt.Template{test.t})
		if text := fmt.Sprint(errs); test.says == "" && len(errs) > 0 || !strings.Contains(text, test.says) {
			t.Errorf("%s: %v, want %q", test.name, errs, test.says)
		}
		for _, line := range strings.Split(strings.TrimSpace(test.golden), "\n") {
			if !strings.Contains(after, line) {
				t.Errorf("%s: lost %q", test.name, line)
			}
		}
	}
}

func TestCheckGolden(t *testing.T) {
	file := filepath.Join(t.TempDir(), "prompts.golden")
	p := template(t, "p", 1, "x")
	CheckGolden(t, file, true, p)
	first, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	CheckGolden(t, file, false, p)
	CheckGolden(t, file, true, p, template(t, "p", 2, "y"))
	if second, _ := os.ReadFile(file); !strings.HasPrefix(string(second), string(first)) || len(second) != 2*len(first) {
		t.Errorf("%s after %s", second, first)
	}
}
