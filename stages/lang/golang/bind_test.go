package golang

import (
	"slices"
	"testing"

	"benchmill/stages/lang/langtest"
)

func TestBind(t *testing.T) { langtest.Bind(t, Language()) }

// TestPackageNames: a package is mostly called like the end of its path.
func TestPackageNames(t *testing.T) {
	for path, want := range map[string]string{
		"fmt": "fmt", "net/http": "http", "math/rand/v2": "rand", "gopkg.in/yaml.v3": "yaml", "github.com/x/go-yaml": "yaml",
		"github.com/x/yaml-go": "yaml", "github.com/x/yaml.go": "yaml", "x/a-b": "b", "x/go-a-b/v2": "a_b", "v2": "v2", "": "", "/": "",
	} {
		if got := packageNames(path); !slices.Contains(got, want) {
			t.Errorf("%q: %q, want %q among them", path, got, want)
		}
	}
	if got := packageNames("example.com/a/v2")[0]; got != "a" {
		t.Errorf("first guess %q, want a", got)
	}
}
