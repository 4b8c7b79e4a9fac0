package importtest

import (
	"os"
	"slices"
	"strings"
	"testing"

	languages "benchmill/stages/lang/all"
)

const root = "../.."

func load(t *testing.T) []*File {
	t.Helper()
	files, err := Load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 100 {
		t.Fatalf("only %d files were found", len(files))
	}
	return files
}

func languageNames(t *testing.T) []string {
	t.Helper()
	set, err := languages.Languages()
	if err != nil {
		t.Fatal(err)
	}
	out := []string{"go", "golang"}
	for _, l := range set.Languages {
		out = append(out, l.Name)
		if !strings.EqualFold(l.Title, l.Name) {
			out = append(out, l.Title)
		}
	}
	if len(out) < 8 {
		t.Fatalf("only %v", out)
	}
	return out
}

func TestModule(t *testing.T) {
	data, err := os.ReadFile(root + "/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(data), "module "+Module+"\n") {
		t.Errorf("the module is not called %s", Module)
	}
}

// TestPromise6Imports holds every package to the directions of imports.
func TestPromise6Imports(t *testing.T) {
	for _, f := range load(t) {
		for _, v := range Imports(f) {
			t.Error(v)
		}
	}
}

// TestPromise6Names: the core knows no language and no benchmark, a language no
// benchmark, a benchmark no language.
func TestPromise6Names(t *testing.T) {
	names := languageNames(t)
	for _, f := range load(t) {
		for _, v := range Names(f, names) {
			t.Error(v)
		}
	}
}

// Violations that are planted are found, and what is allowed is not.
func TestPlantedImports(t *testing.T) {
	for _, test := range []struct {
		file, source string
		want         []string // what must not be imported or called
	}{
		{"pipeline/x.go", `import _ "benchmill/internal/digest"`, nil},
		{"pipeline/x.go", `import _ "benchmill/stages/repoqa"`, []string{"stages/repoqa"}},
		{"pipeline/x.go", `import _ "benchmill/sources"`, []string{"sources"}},
		{"pipeline/x.go", `import _ "benchmill/pipeline/graph"`, []string{"pipeline/graph"}},
		{"pipeline/x.go", `import _ "os"`, []string{"os"}},
		{"pipeline/graph/x.go", `import ("os"; _ "benchmill/pipeline"); var _ = os.Args`, nil},
		{"pipeline/graph/x.go", `import _ "benchmill/stages/lang"`, []string{"stages/lang"}},
		{"pipeline/planner/x.go", `import (_ "benchmill/pipeline/graph"; _ "benchmill/pipeline/cache"; _ "benchmill/artifacts")`, nil},
		{"pipeline/planner/x.go", `import _ "benchmill/pipeline/executor"`, []string{"pipeline/executor"}},
		{"pipeline/executor/x.go", `import (_ "benchmill/pipeline/planner"; _ "benchmill/pipeline/cache"; _ "benchmill/artifacts")`, nil},
		{"pipeline/executor/x.go", `import _ "benchmill/sources/llm"`, []string{"sources/llm"}},
		{"pipeline/executor/local/x.go", `import _ "benchmill/stages/all"`, []string{"stages/all"}},
		{"pipeline/new/x.go", `import _ "benchmill/stages/code"`, []string{"stages/code"}},
		{"stages/repoqa/x.go", `import (_ "benchmill/pipeline"; _ "benchmill/schemas"; _ "benchmill/stages/lang"; _ "benchmill/internal/bleu")`, nil},
		{"stages/repoqa/x.go", `import _ "benchmill/pipeline/executor"`, []string{"pipeline/executor"}},
		{"stages/repoqa/x.go", `import _ "benchmill/pipeline/planner"`, []string{"pipeline/planner"}},
		{"stages/repoqa/x.go", `import _ "benchmill/pipeline/cache"`, []string{"pipeline/cache"}},
		{"stages/repoqa/x.go", `import _ "benchmill/stages/lang/python"`, []string{"stages/lang/python"}},
		{"stages/repoqa/x.go", `import _ "benchmill/artifacts"`, []string{"artifacts"}},
		{"stages/repoqa/x.go", `import (_ "net/http"; _ "net"; _ "os/exec"; _ "os"; _ "math/rand")`, []string{"math/rand", "net", "net/http", "os", "os/exec"}},
		{"stages/repoqa/x.go", `import clock "time"; var _ = clock.Now`, []string{"time.Now"}},
		{"stages/repoqa/x.go", `import "time"; var _ time.Duration`, nil},
		{"stages/swebench/x.go", `import _ "benchmill/stages/repoqa"`, []string{"stages/repoqa"}},
		{"stages/lang/python/x.go", `import (_ "benchmill/stages/lang"; _ "benchmill/internal/treesitter")`, nil},
		{"stages/lang/python/x.go", `import _ "benchmill/stages/lang/java"`, []string{"stages/lang/java"}},
		{"stages/lang/python/x.go", `import _ "benchmill/pipeline"`, []string{"pipeline"}},
		{"stages/lang/python/x.go", `import _ "benchmill/schemas"`, []string{"schemas"}},
		{"stages/lang/x.go", `import _ "benchmill/stages/repoqa"`, []string{"stages/repoqa"}},
		{"stages/lang/x.go", `import _ "os"`, []string{"os"}},
		{"sources/git/x.go", `import (_ "os"; _ "net/http"; _ "benchmill/schemas"; _ "benchmill/artifacts")`, nil},
		{"sources/git/x.go", `import _ "benchmill/artifacts/release"`, []string{"artifacts/release"}},
		{"sources/git/x.go", `import _ "benchmill/stages/code"`, []string{"stages/code"}},
		{"sources/llm/x.go", `import _ "benchmill/pipeline/executor"`, []string{"pipeline/executor"}},
		{"schemas/x.go", `import _ "benchmill/artifacts"`, []string{"artifacts"}},
		{"artifacts/x.go", `import _ "benchmill/pipeline/graph"`, []string{"pipeline/graph"}},
		{"internal/bleu/x.go", `import _ "benchmill/pipeline"`, []string{"pipeline"}},
		{"elsewhere/x.go", ``, []string{"elsewhere"}},
	} {
		f, err := Parse(test.file, []byte("package x\n"+test.source))
		if err != nil {
			t.Fatalf("%s: %v", test.source, err)
		}
		got := Imports(f)
		if len(got) != len(test.want) {
			t.Errorf("%s: %s: %q, want %q", test.file, test.source, got, test.want)
			continue
		}
		for i, w := range test.want {
			if !strings.HasPrefix(got[i], test.file+": ") || !strings.HasSuffix(got[i], " "+w) && !strings.Contains(got[i], w+" may import") {
				t.Errorf("%s: %q does not name %s", test.file, got[i], w)
			}
		}
	}
	command, err := Parse("internal/tool/main.go", []byte("package main\nimport _ \"benchmill/stages/all\"\n"))
	if err != nil || len(Imports(command)) > 0 {
		t.Errorf("a command: %v, %v", Imports(command), err)
	}
}

func TestPlantedNames(t *testing.T) {
	languages := []string{"go", "c", "python", "java", "cpp", "C++"}
	for _, test := range []struct {
		file, source string
		want         int
	}{
		{"pipeline/x.go", `var _ = "python"`, 1},
		{"pipeline/x.go", `var _ = "a Python file"`, 1},
		{"pipeline/x.go", `// Python, in a comment`, 0},
		{"pipeline/x.go", `var _ = "javascripts"`, 0},
		{"pipeline/x.go", `var _ = "go on"`, 0},
		{"pipeline/x.go", `var _ = "go"`, 1},
		{"pipeline/x.go", `func isPythonFile() {}`, 1},
		{"pipeline/x.go", `func cppThing() {}`, 1},
		{"stages/repoqa/x.go", `var _ = l.Name == "java"`, 1},
		{"stages/repoqa/x.go", `var _ = "C++ only"`, 1},
		{"stages/repoqa/x.go", `var _ = "repoqa.needles"`, 0},
		{"stages/code/x.go", "type t struct { A int `doc:\"as Java does\"` }", 1},
		{"schemas/x.go", `const L = "cpp"`, 1},
		{"artifacts/x.go", `const L = "c"`, 1},
		{"artifacts/x.go", `const L = "repoqa_tasks"`, 1},
		{"stages/lang/python/x.go", `var _ = "python"`, 0},
		{"stages/lang/python/x.go", `var _ = "as RepoQA counts"`, 1},
		{"stages/lang/python/x.go", `func forRepoQA() {}`, 1},
		{"stages/lang/python/x.go", `// as RepoQA counts`, 0},
		{"pipeline/x.go", `var _ = "SWE-bench"`, 1},
		{"sources/git/x.go", `var _ = "python"`, 0},
	} {
		f, err := Parse(test.file, []byte("package x\n"+test.source+"\n"))
		if err != nil {
			t.Fatalf("%s: %v", test.source, err)
		}
		if got := Names(f, languages); len(got) != test.want {
			t.Errorf("%s: %s: %q, want %d", test.file, test.source, got, test.want)
		}
	}
}

// Load leaves tests and what the go tool passes over alone, and nothing else.
func TestLoad(t *testing.T) {
	files, err := Load(os.DirFS("testdata"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, f.Name)
	}
	if want := []string{"a/a.go", "b.go"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
