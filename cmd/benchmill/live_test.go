package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"benchmill/internal/libclang"
	"benchmill/internal/testdeps"
	"benchmill/pipeline"
	"benchmill/pipeline/ledger"
	"benchmill/pipeline/lock"
	"benchmill/pipeline/stagetest"
	"benchmill/pipelines/sample"
	"benchmill/schemas"
	"benchmill/sources"
	"benchmill/sources/effects"
	"benchmill/sources/git"
	"benchmill/sources/runtime"
	"benchmill/sources/sandbox"
	"benchmill/sources/tool"
	"benchmill/stages/callgraph"
	"benchmill/stages/code"
	"benchmill/stages/coverage"
	languages "benchmill/stages/lang/all"
	"benchmill/stages/repos"
)

// TestLive: what programs say here of the sample's repositories makes the rows that
// the sample's ledger makes. With other versions of the programs that is so as far
// as versions decide nothing.
func TestLive(t *testing.T) {
	const recipes = "pipelines/sample/recipes.yaml"
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, recipes))
	if err != nil {
		t.Fatal(err)
	}
	locked, err := lock.Read(lock.Path(filepath.Join(root, "pipeline.yaml")))
	if err != nil {
		t.Fatal(err)
	}
	recorded := func(ref pipeline.Ref) (pipeline.Pin, error) { return locked.Pin(ref, "") }
	rt := liveRuntime(t)
	live := func(ref pipeline.Ref) (pipeline.Pin, error) { return rt.Resolve(t.Context(), ref) }
	world := sampleWorld(t)
	all, err := sample.Repositories()
	if err != nil {
		t.Fatal(err)
	}
	native := 0
	for _, r := range all {
		if r.Language != "c" && r.Language != "cpp" {
			continue
		}
		native++
		inputs := liveInputs(t, world, r)
		for _, test := range []struct {
			stage  *pipeline.Stage
			config any
			needs  string
			rows   func(r *stagetest.Result, same bool) []any
		}{
			{coverage.Run(), &coverage.RunConfig{Recipes: recipes, Without: "fail", Compat: "function"}, "", func(r *stagetest.Result, same bool) (out []any) {
				for _, h := range stagetest.Rows[schemas.FunctionHit](r, "hits") {
					if !same { // how often, the templates of a standard library decide
						h.Hits = min(h.Hits, 1)
					}
					out = append(out, h)
				}
				return out
			}},
			{callgraph.Clang(), &callgraph.ClangConfig{Recipes: recipes, Without: "fail"}, "libclang", func(r *stagetest.Result, same bool) (out []any) {
				for _, d := range stagetest.Rows[schemas.Definition](r, "definitions") {
					out = append(out, d)
				}
				for _, c := range stagetest.Rows[schemas.Call](r, "calls") {
					if same || c.Origin == schemas.OriginDefined { // others are in headers of the system
						out = append(out, c)
					}
				}
				return out
			}},
		} {
			t.Run(test.stage.Name+"/"+r.Language, func(t *testing.T) {
				if test.needs == "libclang" {
					if _, err := libclang.Find(); err != nil {
						testdeps.Missing(t, test.needs, err.Error())
					}
				}
				same := true
				job := stagetest.Job{
					Stage: test.stage, Config: test.config, Inputs: inputs(test.stage), Files: map[pipeline.FileName]string{recipes: string(text)},
					Partition: r.Language + "/" + r.Repo, Sandbox: runner{rt},
					Pins: func(ref pipeline.Ref) (pipeline.Pin, error) {
						pin, err := live(ref)
						if want, e := recorded(ref); err == nil && (e != nil || want.Version != pin.Version) {
							t.Logf("%s, where the sample has %s: %v", pin.Version, want.Version, e)
							same = false
						}
						return pin, err
					},
				}
				here, err := stagetest.Run(t.Context(), job)
				if err != nil {
					t.Fatal(err)
				}
				job.Sandbox, job.Pins = world, recorded
				there, err := stagetest.Run(t.Context(), job)
				if err != nil {
					t.Fatal(err)
				}
				got, want := test.rows(here, same), test.rows(there, same)
				if len(want) < 20 || len(got) != len(want) {
					t.Fatalf("%d rows here, %d there", len(got), len(want))
				}
				for i := range want {
					if !reflect.DeepEqual(got[i], want[i]) {
						t.Errorf("here  %+v\nthere %+v", got[i], want[i])
					}
				}
			})
		}
	}
	if native != 2 {
		t.Errorf("%d repositories", native)
	}
}

// liveRuntime runs jobs with the programs of this machine.
func liveRuntime(t *testing.T) *runtime.Source {
	t.Helper()
	for _, program := range []string{"gcc", "g++", "gcov", "make"} {
		if _, err := exec.LookPath(program); err != nil {
			testdeps.Missing(t, program, "the tests of the sample repositories cannot be run")
		}
	}
	box := sandbox.New(t.TempDir(), sandbox.Engines()...)
	if _, err := box.Engine(t.Context()); err != nil {
		testdeps.Missing(t, "a sandbox", err.Error())
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	return runtime.New(runtime.Options{Programs: tool.New(tool.Options{Box: box}), Box: box, Self: program(t)})
}

// sampleWorld knows the sample's repositories and the outcomes of its ledger, and
// runs nothing.
func sampleWorld(t *testing.T) *effects.World {
	t.Helper()
	dir := t.TempDir()
	if _, err := sample.Prepare(t.Context(), filepath.Join(dir, "sample")); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join("..", "..", "pipelines", "sample", "jobs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	l := ledger.Open(filepath.Join(dir, "ledger"), dir)
	if err := l.Ship("jobs.jsonl", data); err != nil {
		t.Fatal(err)
	}
	mirrors := []sources.Mirror{{Prefix: sample.Host, Replacement: filepath.Join(dir, "sample") + "/"}}
	return &effects.World{Ledger: l, Frozen: true, Sources: []sources.Source{git.New(git.Options{Mirrors: mirrors})}}
}

// fetches fetches without a store.
type fetches struct {
	pipeline.Effects
	source sources.Source
}

// Fetch implements [pipeline.Effects].
func (f fetches) Fetch(ctx context.Context, pin pipeline.Pin) (io.ReadCloser, error) {
	var out bytes.Buffer
	err := f.source.Fetch(ctx, pin, &out)
	return io.NopCloser(&out), err
}

// liveInputs are the inputs of the stages that run programs, by stage.
func liveInputs(t *testing.T, world *effects.World, r sample.Repository) func(*pipeline.Stage) map[string]any {
	t.Helper()
	set, err := languages.Languages()
	if err != nil {
		t.Fatal(err)
	}
	entries, err := repos.Entries(t.Context(), fetches{source: world.Sources[0]}, pipeline.Pin{Scheme: git.Scheme, Locator: r.URL, Version: r.Commit}, repos.DefaultMaxFileBytes)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]any{
		"repository": []schemas.Repository{{Repo: r.Repo, URL: r.URL, Commit: r.Commit, Language: r.Language, Entrypoint: r.Entrypoint}},
		"snapshot":   entries,
	}
	for _, stage := range []*pipeline.Stage{code.Files(set), callgraph.Native(set)} {
		made, err := stagetest.Run(t.Context(), stagetest.Job{Stage: stage, Inputs: rows})
		if err != nil {
			t.Fatal(err)
		}
		for _, port := range stage.Out {
			rows[port.Name] = made.Output(port.Name)
		}
	}
	rows["native"] = rows["definitions"]
	return func(stage *pipeline.Stage) map[string]any {
		out := map[string]any{}
		for _, port := range stage.In {
			out[port.Name] = rows[port.Name]
		}
		return out
	}
}
