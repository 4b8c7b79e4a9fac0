package callgraph_test

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/clangindex"
	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/sources/sandbox/sandboxtest"
	"benchmill/stages/callgraph"
)

const recipes = `
recipes:
  - repo: o/n
    programs: [make, gcc]
    build: make
    test: make check
    compile_commands: bear -- make
  - repo: o/without
    programs: [make]
    build: make
    test: make check
`

const runtimePrograms = "programs=benchmill,gcc,make"

const source = "/* Doc. */\nint f(void) { return g(1); }\nint g(int x) { return made(x); }\n"

// indexed is what clang says of source: made is of a file that the build makes.
func indexed(t testing.TB) string {
	t.Helper()
	at := func(s string) int64 { return int64(strings.Index(source, s)) }
	g := &clangindex.Graph{
		Head: clangindex.Head{Clang: "clang version 0", Units: 3, Problems: []clangindex.Problem{{File: "x.c", What: "gone"}, {File: "a.c", What: "1 errors", Read: true}}},
		Functions: []clangindex.Function{
			{Path: "a.c", Start: at("int f"), Body: at("{ return g"), End: at("\nint g"), Line: 2, EndLine: 2, Name: "f", Qualified: "f", Calls: []clangindex.Call{
				{Callee: "g", Path: "a.c", Start: at("int g"), Line: 3, Origin: "defined", Evidence: "written", Sites: 1, First: at("g(1)")},
			}},
			{Path: "a.c", Start: at("int g"), Body: at("{ return made"), End: int64(len(source)) - 1, Line: 3, EndLine: 3, Name: "g", Qualified: "g", Local: true, Calls: []clangindex.Call{
				{Callee: "made", Path: "gen.c", Start: 0, Line: 1, Origin: "defined", Evidence: "macro", Via: "M", Sites: 2, First: at("made(x)"), Alternatives: 1},
			}},
			{Path: "a.c", Start: 5, Body: 2, End: 3},                          // no place
			{Path: "a.c", Start: 5, Body: 6, End: 1 << 40},                    // outside of the file
			{Path: "a.c", Start: at("int g"), Body: 60, End: 61, Name: "dup"}, // there already
			{Path: "gen.c", Start: 0, Body: 4, End: 9, Name: "made"},          // not in the snapshot
			{Path: "../../etc/passwd", Start: 0, Body: 0, End: 0, Name: "x"},
		},
	}
	var out bytes.Buffer
	if err := g.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// builds is a fake in which the build leaves a database and the index what it is told.
func builds(index string) *sandboxtest.Fake {
	return &sandboxtest.Fake{Programs: map[string]sandboxtest.Program{runtimePrograms: func(_ context.Context, p *sandboxtest.Process) int {
		switch script := p.Args[1]; {
		case strings.Contains(script, "bear"):
			p.Files["compile_commands.json"] = "[]"
		case strings.Contains(script, "clang-index") && p.Files["compile_commands.json"] != "" && p.Files["a.c"] == source:
			if index == "" {
				p.Stderr.Print("libclang was not found")
				return 1
			}
			if index != "nothing" {
				p.Files["benchmill-clang-index.jsonl"] = index
			}
		default:
			p.Stderr.Print("unexpected " + script)
			return 9
		}
		return 0
	}}}
}

func runClang(t testing.TB, sandbox pipeline.Sandbox, repo, without string) (*stagetest.Result, error) {
	t.Helper()
	return stagetest.Run(t.Context(), stagetest.Job{
		Stage: callgraph.Clang(), Config: &callgraph.ClangConfig{Recipes: "r.yaml", Without: without}, Sandbox: sandbox,
		Files: map[pipeline.FileName]string{"r.yaml": recipes},
		Pins: func(r pipeline.Ref) (pipeline.Pin, error) {
			return pipeline.Pin{Scheme: r.Scheme, Locator: r.Locator, Version: "1"}, nil
		},
		Inputs: map[string]any{
			"repository": []schemas.Repository{{Repo: repo, Commit: "c", Language: "x"}},
			"snapshot":   []schemas.Entry{{Path: "a.c", Kind: schemas.KindFile, Content: []byte(source)}, {Path: "sub", Kind: schemas.KindSubmodule}},
			"native":     []schemas.Definition{{Path: "a.c", Start: 10, Body: int64(strings.Index(source, "{ return g")), Doc: "/* Doc. */"}},
		},
	})
}

func TestClang(t *testing.T) {
	fake := builds(indexed(t))
	r, err := runClang(t, fake, "o/n", "fail")
	if err != nil {
		t.Fatal(err)
	}
	definitions := stagetest.Rows[schemas.Definition](r, "definitions")
	if len(definitions) != 2 || definitions[0].Signature != "int f(void)" || definitions[0].Doc != "/* Doc. */" || definitions[1].Doc != "" || !definitions[1].Local {
		t.Errorf("definitions: %+v", definitions)
	}
	calls := stagetest.Rows[schemas.Call](r, "calls")
	if len(calls) != 2 || calls[0].Callee != "g" || calls[0].Origin != schemas.OriginDefined || calls[0].CalleeLine != 3 ||
		calls[1].Callee != "made" || calls[1].Origin != schemas.OriginDeclared || calls[1].Via != "M" || calls[1].Alternatives != 1 ||
		calls[1].Engine != callgraph.EngineClang || calls[1].CallerStart != definitions[1].Start {
		t.Errorf("calls: %+v", calls)
	}
	want := map[string]int64{"units": 3, "units_with_errors": 1, "units_not_read": 1, "functions_not_in_snapshot": 5, "left_out_submodule": 1}
	if !reflect.DeepEqual(r.Notes, want) {
		t.Errorf("notes: %v, want %v", r.Notes, want)
	}
	job := fake.Jobs()[0]
	if !slices.Equal(job.Keep, []string{"benchmill-clang-index.jsonl"}) || len(job.Steps) != 2 || job.Tool.Locator != runtimePrograms {
		t.Errorf("job: %v, %d steps, keeps %v", job.Tool, len(job.Steps), job.Keep)
	}
}

func TestClangFails(t *testing.T) {
	for name, test := range map[string]struct{ index, want string }{
		"no library": {"", "libclang was not found"},
		"no file":    {"nothing", "left no file"},
		"broken":     {"{}", "format 0"},
	} {
		if _, err := runClang(t, builds(test.index), "o/n", "fail"); err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "o/n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := runClang(t, builds(""), "o/without", "fail"); err == nil || !strings.Contains(err.Error(), "compile_commands") {
		t.Errorf("no recipe: %v", err)
	}
	if r, err := runClang(t, builds(""), "o/without", "skip"); err != nil || r.Notes["no_recipe"] != 1 {
		t.Errorf("no recipe, skipped: %v, %v", r, err)
	}
}

type files map[pipeline.FileName]string

func (f files) ReadFile(name pipeline.FileName) ([]byte, error) { return []byte(f[name]), nil }

func TestClangMoving(t *testing.T) {
	refs, err := callgraph.Clang().Moving(&callgraph.ClangConfig{Recipes: "r.yaml"}, files{"r.yaml": recipes})
	if want := []pipeline.Ref{{Scheme: "runtime", Locator: runtimePrograms}}; err != nil || !slices.Equal(refs, want) {
		t.Errorf("%v, %v; want %v", refs, err, want)
	}
}
