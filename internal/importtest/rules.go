package importtest

import (
	"fmt"
	"slices"
	"strings"
)

// rule says what the packages below a prefix may import of the module and what
// they may not import of anything else. "x" is a package, "x/..." it and all
// below it. "self/..." is the package itself and what lies below it.
type rule struct {
	of    string
	may   []string
	never []string
}

var (
	contract  = []string{"pipeline", "internal/..."}
	world     = []string{"os/...", "net/...", "syscall", "plugin", "golang.org/x/sys/...", "math/rand"}
	executing = append([]string{"pipeline/planner", "pipeline/cache", "pipeline/executor/...", "artifacts"}, contract...)
)

// rules are asked in order; the first that fits a package counts. Packages main
// may import everything.
var rules = []rule{
	{of: "pipeline", may: []string{"internal/digest"}, never: world},
	{of: "pipeline/graph", may: contract},
	{of: "pipeline/lock", may: contract},
	{of: "pipeline/ledger", may: contract},
	{of: "pipeline/cache/...", may: append([]string{"pipeline/cache", "artifacts"}, contract...)},
	{of: "pipeline/planner/...", may: append([]string{"pipeline/graph", "pipeline/cache", "artifacts", "self/..."}, contract...)},
	{of: "pipeline/executor/executortest", may: append([]string{"pipeline/graph", "pipeline/stagetest"}, executing...)}, // builds small pipelines
	{of: "pipeline/executor/...", may: executing},
	{of: "pipeline/releaser", may: append([]string{"pipeline/graph", "pipeline/planner", "pipeline/cache", "artifacts/..."}, contract...)},
	{of: "pipeline/...", may: contract},

	{of: "stages/all", may: []string{"stages/...", "pipeline", "schemas"}, never: world},
	{of: "stages/lang", may: []string{"stages/lang/bind", "stages/lang/calls", "internal/..."}, never: world},
	{of: "stages/lang/bind", never: world},
	{of: "stages/lang/calls", may: []string{"stages/lang/bind", "internal/..."}, never: world},
	{of: "stages/lang/all", may: []string{"stages/lang/..."}, never: world},
	{of: "stages/lang/langtest", may: []string{"stages/lang", "stages/lang/bind", "stages/lang/calls", "internal/..."}}, // reads golden files
	{of: "stages/lang/...", may: []string{"stages/lang", "stages/lang/bind", "stages/lang/calls", "stages/lang/cfamily/...", "self/...", "internal/..."}, never: world},
	{of: "stages/ask", may: append([]string{"schemas"}, contract...), never: world},    // knows no stage
	{of: "stages/recipe", may: append([]string{"schemas"}, contract...), never: world}, // knows no stage
	// What all benchmarks share lies in stages/code, stages/ask and stages/recipe; one benchmark uses no other.
	{of: "stages/...", may: append([]string{"schemas", "stages/lang", "stages/lang/bind", "stages/lang/calls", "stages/code", "stages/ask", "stages/recipe", "self/..."}, contract...), never: world},

	// Registries know everything of their kind.
	{of: "sources/all", may: append([]string{"pipeline/graph", "sources/..."}, contract...)},
	{of: "sources/effects", may: append([]string{"pipeline/ledger", "schemas", "artifacts", "sources/..."}, contract...)},
	// The journal of batches knows requests by the ledger's key.
	{of: "sources/llm", may: append([]string{"pipeline/ledger", "schemas", "artifacts", "sources/..."}, contract...)},
	{of: "sources/...", may: append([]string{"schemas", "artifacts", "sources/..."}, contract...)},
	{of: "schemas", may: []string{"pipeline"}, never: world},
	// A manifest repeats the accounts of entries.
	{of: "artifacts/release/...", may: append([]string{"artifacts/...", "pipeline/cache"}, contract...)},
	{of: "artifacts/...", may: append([]string{"artifacts/..."}, contract...)},
	{of: "pipelines/...", may: []string{"pipelines/...", "internal/..."}},
	{of: "internal/...", may: []string{"internal/..."}},
	{of: "cmd/...", may: []string{"..."}},
}

// Imports lists the imports of a file that the rules forbid, and the calls of a
// clock where there must be none.
func Imports(f *File) []string {
	if f.Command {
		return nil
	}
	i := slices.IndexFunc(rules, func(r rule) bool { return within(f.Package(), r.of) })
	if i < 0 {
		return []string{fmt.Sprintf("%s: no rule says what %s may import", f.Name, f.Package())}
	}
	r := rules[i]
	var out []string
	for _, imported := range f.Imports {
		own := ours(imported)
		if own && !covers(r.may, f.Package(), imported) || !own && covers(r.never, f.Package(), imported) {
			out = append(out, fmt.Sprintf("%s: %s must not import %s", f.Name, f.Package(), imported))
		}
	}
	if within(f.Package(), "stages/...") && !within(f.Package(), "stages/lang/langtest") {
		for _, call := range f.Calls {
			if slices.Contains([]string{"time.Now", "time.Since", "time.Until"}, call) {
				out = append(out, fmt.Sprintf("%s: stages ask no clock, but it calls %s", f.Name, call))
			}
		}
	}
	return out
}

// ours reports whether an import is of the module, whose path was cut off.
func ours(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return slices.Contains([]string{"artifacts", "cmd", "internal", "pipeline", "pipelines", "schemas", "sources", "stages"}, first)
}

func covers(patterns []string, self, p string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if rest, ok := strings.CutPrefix(pattern, "self/"); ok {
			pattern = self + "/" + rest
		}
		return within(p, pattern)
	})
}

// within reports whether a package fits a pattern.
func within(p, pattern string) bool {
	if pattern == "..." {
		return true
	}
	if above, ok := strings.CutSuffix(pattern, "/..."); ok {
		return p == above || strings.HasPrefix(p, above+"/")
	}
	return p == pattern
}
