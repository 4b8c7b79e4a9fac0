package golang

import (
	"path"
	"slices"
	"strings"
	"testing"

	"benchmill/stages/lang"
	"benchmill/stages/lang/langtest"
)

func TestLanguage(t *testing.T) { langtest.Run(t, Language()) }

func BenchmarkAnalyze(b *testing.B) { langtest.Bench(b, Language()) }

func BenchmarkParseOnly(b *testing.B) { langtest.BenchParseOnly(b, Language()) }

// FuzzProject reads any go.mod: replacements stay in the repository.
func FuzzProject(f *testing.F) {
	f.Add("a/b", "module example.com/m\nreplace example.com/x => ../../../x\nreplace (\n\texample.com/y v1.2.3 => ./y\n)\n")
	f.Add(".", "module \"m\"\nreplace x => /etc\nreplace y => example.com/z v1.0.0\n")
	f.Add("a", `replace x => ..\y`)
	f.Add(".", "module (")
	f.Fuzz(func(t *testing.T, dir, content string) {
		dir = path.Clean("/" + dir)[1:]
		if dir == "" {
			dir = "."
		}
		p := newProject(dir, content)
		for old, to := range p.replaced {
			if to != "" && (path.IsAbs(to) || to != path.Clean(to) || slices.Contains(strings.Split(to, "/"), "..")) {
				t.Errorf("%q in %q is replaced by %q", old, dir, to)
			}
		}
		ix := lang.NewIndex("", []*lang.Facts{{Path: "a.go", Imports: []lang.Import{{Path: p.path}, {Path: p.path + "/b"}}}, {Path: "b/b.go"}}, map[string]string{path.Join(dir, "go.mod"): content})
		for _, d := range newResolver(ix).Dependencies(ix.Files["a.go"]) {
			if d != "b/b.go" {
				t.Errorf("depends on %q", d)
			}
		}
	})
}
