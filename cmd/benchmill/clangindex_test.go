package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/libclang"
	"benchmill/internal/testdeps"
	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/sources/runtime"
	"benchmill/sources/sandbox"
	"benchmill/sources/tool"
	"benchmill/stages/callgraph"
)

// clangRecipe writes a database with the folder that the build ran in.
const clangRecipe = `
recipes:
  - repo: o/n
    programs: [make]
    limits: {processes: 64} # threads count
    build: make
    test: make
    compile_commands: |
      test ! -e /etc/shadow || ! cat /etc/shadow
      printf '[{"directory": "%s", "file": "a.cc", "command": "c++ -Iinclude -c a.cc"}, ' "$PWD" >compile_commands.json
      printf '{"directory": "src", "file": "%s/src/b.cc", "arguments": ["c++", "-I../include", "-c", "b.cc"]}]' "$PWD" >>compile_commands.json
      printf 'int made();' >include/made.h
`

// A repository is built and read by libclang inside of the sandbox, by this program.
func TestClangInSandbox(t *testing.T) {
	box := sandbox.New(t.TempDir(), sandbox.Engines()...)
	if _, err := box.Engine(t.Context()); err != nil {
		testdeps.Missing(t, "a sandbox", err.Error())
	}
	defer box.Close()
	if _, err := libclang.Find(); errors.Is(err, libclang.ErrNoLibrary) || errors.Is(err, libclang.ErrNoHeaders) {
		testdeps.Missing(t, "libclang", err.Error())
	}
	rt := runtime.New(runtime.Options{Programs: tool.New(tool.Options{Box: box}), Box: box, Self: program(t)})
	resolve := func(ref pipeline.Ref) (pipeline.Pin, error) { return rt.Resolve(t.Context(), ref) }
	pin, err := resolve(pipeline.Ref{Scheme: runtime.Scheme, Locator: "programs=benchmill,make"})
	if err != nil {
		t.Fatal(err)
	}
	again, err := resolve(pipeline.Ref{Scheme: runtime.Scheme, Locator: "programs=benchmill,make"})
	if err != nil || again != pin {
		t.Errorf("%v, %v; want %v", again, err, pin)
	}
	file := func(path, text string) schemas.Entry {
		return schemas.Entry{Path: path, Kind: schemas.KindFile, Content: []byte(text)}
	}
	r, err := stagetest.Run(t.Context(), stagetest.Job{
		Stage: callgraph.Clang(), Config: &callgraph.ClangConfig{Recipes: "r.yaml", Without: "fail"}, Sandbox: runner{rt}, Pins: resolve,
		Files: map[pipeline.FileName]string{"r.yaml": clangRecipe},
		Inputs: map[string]any{
			"repository": []schemas.Repository{{Repo: "o/n", Commit: "c"}},
			"snapshot": []schemas.Entry{
				file("a.cc", "#include <cstring>\n#include \"h.h\"\n#include \"made.h\"\nint a() { return n::b() + made() + (int)std::strlen(\"x\"); }\n"),
				file("include/h.h", "namespace n { int b(); }\n"),
				file("src/b.cc", "#include \"h.h\"\nint n::b() { return 1; }\n"),
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range stagetest.Rows[schemas.Call](r, "calls") {
		got = append(got, strings.Join([]string{c.Caller, c.Callee, c.Origin, c.CalleePath}, " "))
	}
	slices.Sort(got)
	want := []string{"a made declared include/made.h", "a n::b defined src/b.cc", "a strlen system string.h"}
	if !slices.Equal(got, want) || len(stagetest.Rows[schemas.Definition](r, "definitions")) != 2 || r.Notes["units"] != 2 {
		t.Errorf("%q, %v\nwant %q", got, r.Notes, want)
	}
}

// program is a copy of the test's binary, which under that name is the program.
func program(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "benchmill")
	if err := os.WriteFile(path, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// runner runs jobs without a ledger.
type runner struct{ *runtime.Source }

func (r runner) Execute(ctx context.Context, what string, job pipeline.Job) (pipeline.Outcome, error) {
	return r.Run(ctx, job)
}
