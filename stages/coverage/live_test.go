package coverage_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/testdeps"
	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/sources/runtime"
	"benchmill/sources/sandbox"
	"benchmill/sources/tool"
	"benchmill/stages/callgraph"
	"benchmill/stages/code"
	"benchmill/stages/coverage"
	languages "benchmill/stages/lang/all"
	"benchmill/stages/recipe"
)

const samples = "../../pipelines/sample/"

// machine runs jobs with the programs of this machine.
type machine struct {
	source *runtime.Source
	temp   string // where jobs lie
}

func (m machine) Execute(ctx context.Context, _ string, job pipeline.Job) (pipeline.Outcome, error) {
	return m.source.Run(ctx, job)
}

func (m machine) pin(ref pipeline.Ref) (pipeline.Pin, error) {
	return m.source.Resolve(context.Background(), ref)
}

// newMachine needs the programs that the sample's recipes name.
func newMachine(t *testing.T, recipes []recipe.Recipe) machine {
	t.Helper()
	for _, r := range recipes {
		for _, program := range r.Programs {
			if _, err := exec.LookPath(program); err != nil {
				testdeps.Missing(t, program, "the tests of the sample repositories cannot be run")
			}
		}
	}
	temp := t.TempDir()
	box := sandbox.New(temp, sandbox.Engines()...)
	if _, err := box.Engine(t.Context()); err != nil {
		testdeps.Missing(t, "bubblewrap", err.Error())
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	return machine{runtime.New(runtime.Options{Programs: tool.New(tool.Options{Box: box}), Box: box}), temp}
}

func sampleRecipes(t *testing.T) (text string, recipes []recipe.Recipe) {
	t.Helper()
	data, err := os.ReadFile(samples + "recipes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if recipes, err = recipe.Parse("recipes.yaml", data); err != nil {
		t.Fatal(err)
	}
	return string(data), recipes
}

// sample is the tree of a sample repository.
func sample(t *testing.T, repo string) (out []schemas.Entry) {
	t.Helper()
	root := samples + "_repos/" + filepath.Base(repo)
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		path, err := filepath.Rel(root, name)
		out = append(out, schemas.Entry{Path: filepath.ToSlash(path), Kind: schemas.KindFile, Content: text})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// definitions are the functions of a tree.
func definitions(t *testing.T, language string, entries []schemas.Entry) []schemas.Definition {
	t.Helper()
	set, err := languages.Languages()
	if err != nil {
		t.Fatal(err)
	}
	inputs := map[string]any{"repository": []schemas.Repository{{Repo: "o/n", Language: language, Entrypoint: "."}}, "snapshot": entries}
	for _, stage := range []*pipeline.Stage{code.Files(set), callgraph.Native(set)} {
		r, err := stagetest.Run(t.Context(), stagetest.Job{Stage: stage, Inputs: inputs})
		if err != nil {
			t.Fatal(err)
		}
		for _, port := range stage.Out {
			inputs[port.Name] = r.Output(port.Name)
		}
	}
	return inputs["definitions"].([]schemas.Definition)
}

// The tests of the sample repositories run for real, in the sandbox.
func TestSample(t *testing.T) {
	text, recipes := sampleRecipes(t)
	m := newMachine(t, recipes)
	var b strings.Builder
	for _, test := range []struct{ repo, language string }{{"benchmill-samples/tinywire", "c"}, {"benchmill-samples/kelpdb", "cpp"}} {
		entries := sample(t, test.repo)
		defs := definitions(t, test.language, entries)
		names := map[string]schemas.Definition{}
		for _, d := range defs {
			names[fmt.Sprint(d.Path, d.Start)] = d
		}
		r, err := stagetest.Run(t.Context(), stagetest.Job{
			Stage: coverage.Run(), Config: &coverage.RunConfig{Recipes: "recipes.yaml", Without: "fail", Compat: "function"}, Sandbox: m,
			Files:  map[pipeline.FileName]string{"recipes.yaml": text},
			Inputs: map[string]any{"repository": []schemas.Repository{{Repo: test.repo}}, "snapshot": entries, "definitions": defs},
			Pins:   m.pin,
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range stagetest.Rows[schemas.FunctionHit](r, "hits") {
			d := names[fmt.Sprint(h.Path, h.Start)]
			hits := fmt.Sprint(h.Hits)
			if test.language == "cpp" && h.Hits > 0 {
				hits = "some" // how many, the standard library's templates decide
			}
			fmt.Fprintf(&b, "%s/%s:%d %s %s\n", filepath.Base(test.repo), h.Path, d.Line, d.Name, hits)
		}
	}
	golden := filepath.Join("testdata", "sample.txt")
	if coverage.Update() {
		if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// Reports that are packed are handed back and read like others.
func TestPacked(t *testing.T) {
	_, recipes := sampleRecipes(t)
	m := newMachine(t, recipes)
	r, ok := recipe.Find(recipes, "benchmill-samples/tinywire")
	if !ok {
		t.Fatal("no recipe")
	}
	pin, err := m.pin(r.Ref())
	if err != nil {
		t.Fatal(err)
	}
	hits := map[string]int64{}
	for _, packed := range []bool{false, true} {
		if packed {
			r.Coverage.Report, r.Coverage.Files = "gcov --json-format --relative-only *.gcno", []string{"*.gcov.json.gz"}
		}
		job, err := r.CoverageJob(pin, recipe.NewTree(sample(t, r.Repo)))
		if err != nil {
			t.Fatal(err)
		}
		out, err := m.Execute(t.Context(), r.Repo, job)
		if err != nil || recipe.Failure(r.Repo, out) != nil || len(out.Files) == 0 {
			t.Fatalf("%+v, %v", out, err)
		}
		for _, f := range out.Files {
			report, err := coverage.Read(f.Path, r.Coverage.Format, strings.NewReader(f.Text))
			if err != nil || strings.HasPrefix(f.Text, "\x1f\x8b") != packed {
				t.Fatalf("%s, %d bytes: %v", f.Path, len(f.Text), err)
			}
			for _, row := range report.Functions {
				if packed {
					row.Hits = -row.Hits
				}
				hits[row.File+" "+row.Name] += row.Hits
			}
		}
	}
	if len(hits) < 20 {
		t.Errorf("%d functions", len(hits))
	}
	for name, left := range hits {
		if left != 0 {
			t.Errorf("%s: %d calls more without packing", name, left)
		}
	}
}

// The compile databases name files of the tree, with what compiles them.
func TestCompileCommands(t *testing.T) {
	_, recipes := sampleRecipes(t)
	m := newMachine(t, recipes)
	for _, r := range recipes {
		entries := sample(t, r.Repo)
		pin, err := m.pin(r.Ref())
		if err != nil {
			t.Fatal(err)
		}
		job, err := r.CompileCommandsJob(pin, recipe.NewTree(entries))
		if err != nil {
			t.Fatal(err)
		}
		out, err := m.Execute(t.Context(), r.Repo, job)
		if err != nil || recipe.Failure(r.Repo, out) != nil || len(out.Files) != 1 || out.Files[0].Path != recipe.CompileCommands {
			t.Fatalf("%+v, %v", out, err)
		}
		var commands []struct {
			Directory, File string
			Arguments       []string
		}
		if err := json.Unmarshal([]byte(out.Files[0].Text), &commands); err != nil || len(commands) < 5 {
			t.Errorf("%s: %d commands, %v", r.Repo, len(commands), err)
		}
		for _, c := range commands {
			there := slices.ContainsFunc(entries, func(e schemas.Entry) bool { return e.Path == c.File })
			if !there || c.Directory != sandbox.Folder || c.Arguments[0] != r.Programs[0] {
				t.Errorf("%s: %+v", r.Repo, c)
			}
		}
	}
}

// A change is told to pass, to fail, where, and to strike limits; and the
// unchanged code passes again and again.
func TestChanges(t *testing.T) {
	_, recipes := sampleRecipes(t)
	m := newMachine(t, recipes)
	p := newPatient(t, m, recipes, "benchmill-samples/tinywire", "src/check/sums.c", "uint32_t tw_fletcher16(struct tw_span bytes)\n{")
	stability, err := recipe.Check(t.Context(), m, "check", p.recipe, p.pin, p.tree, 3)
	if err != nil || !stability.Stable() || stability.Runs != 3 {
		t.Fatalf("%+v, %v", stability, err)
	}
	for name, test := range map[string]struct{ insert, reason string }{
		"same":        {"", ""},
		"other words": {"{ ; }", ""},
		"wrong":       {" return 1;", "test_failed"},
		"no code":     {" return ;;( }", "compile_failed"},
		"crash":       {" *(volatile char *)0 = 0;", "test_failed"},
	} {
		if v, out := p.run(t, "", test.insert); v.Reason() != test.reason {
			t.Errorf("%s: %+v\n%s\n%s", name, v, out.Stdout, out.Stderr)
		}
	}
	p.recipe.Build = "exit 3"
	if stability, err := recipe.Check(t.Context(), m, "check", p.recipe, p.pin, p.tree, 3); err == nil || !strings.Contains(err.Error(), "step build ended with exit code 3") {
		t.Errorf("%+v, %v", stability, err)
	}
}
