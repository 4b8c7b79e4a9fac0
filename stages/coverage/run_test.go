package coverage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

const recipes = `
recipes:
  - repo: o/n
    programs: [make, gcc]
    build: make
    test: make check
    coverage: {format: gcov, files: [coverage/*.json], build: make cov, report: gcov}
  - repo: o/without
    image: debian
    programs: [make]
    build: make
    test: make check
`

// answer is a sandbox with one answer.
type answer struct {
	out  pipeline.Outcome
	err  error
	jobs []pipeline.Job
}

func (s *answer) Execute(_ context.Context, _ string, job pipeline.Job) (pipeline.Outcome, error) {
	s.jobs = append(s.jobs, job)
	return s.out, s.err
}

func runJob(t testing.TB, a *archive, sandbox pipeline.Sandbox, repo, without string) (*stagetest.Result, error) {
	t.Helper()
	inputs := a.inputs()
	inputs["repository"] = []schemas.Repository{{Repo: repo}}
	return stagetest.Run(t.Context(), stagetest.Job{
		Stage: Run(), Config: &RunConfig{Recipes: "recipes.yaml", Without: without, Compat: "function"}, Sandbox: sandbox,
		Files: map[pipeline.FileName]string{"recipes.yaml": recipes}, Inputs: inputs,
		Pins: func(ref pipeline.Ref) (pipeline.Pin, error) {
			return pipeline.Pin{Scheme: ref.Scheme, Locator: ref.Locator, Version: "1"}, nil
		},
	})
}

func gcovObjects(t testing.TB) *archive {
	t.Helper()
	ar, err := txtar.ParseFile("testdata/gcov_objects.txtar")
	if err != nil {
		t.Fatal(err)
	}
	a := readArchive(t, ar)
	a.entries = append(a.entries, schemas.Entry{Path: "sub", Kind: schemas.KindSubmodule}, schemas.Entry{Path: "run", Kind: schemas.KindExecutable})
	return a
}

// What the tests leave is read like what is imported, whatever files it is in.
func TestRun(t *testing.T) {
	a := gcovObjects(t)
	want := a.render(a.run(t, "function"))
	out := pipeline.Outcome{Step: "report"}
	for i, object := range strings.SplitAfter(strings.TrimSpace(a.reports["reports/a.json"]), "\n") {
		out.Files = append(out.Files, pipeline.JobFile{Path: fmt.Sprintf("coverage/%d.json", i), Text: object})
	}
	s := &answer{out: out}
	r, err := runJob(t, a, s, "o/n", "fail")
	if err != nil {
		t.Fatal(err)
	}
	if got := a.render(r); got != want+"# left_out_submodule 1\n" {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	job := s.jobs[0]
	if job.Tool != (pipeline.Pin{Scheme: "runtime", Locator: "programs=gcc,make", Version: "1"}) || job.Steps[0].Script != "make cov" || !slices.Equal(job.Keep, []string{"coverage/*.json"}) || len(job.Files) != 4 {
		t.Errorf("%+v", job)
	}
}

func TestRunFails(t *testing.T) {
	broken := errors.New("out of order")
	good := pipeline.JobFile{Path: "coverage/a.json", Text: `{"files":[]}`}
	for _, test := range []struct {
		name, repo, without string
		s                   answer
		want                string
	}{
		{"no recipe", "o/other", "fail", answer{}, "o/other: no recipe with coverage in recipes.yaml"},
		{"no coverage", "o/without", "fail", answer{}, "o/without: no recipe with coverage in recipes.yaml"},
		{"skipped", "o/without", "skip", answer{}, ""},
		{"sandbox", "o/n", "fail", answer{err: broken}, "out of order"},
		{"build", "o/n", "skip", answer{out: pipeline.Outcome{Step: "build", Exit: 2, Stderr: "gcc: no"}}, "o/n: step build ended with exit code 2: gcc: no"},
		{"limit", "o/n", "fail", answer{out: pipeline.Outcome{Step: "test", Exit: -1, Stopped: "time", Files: []pipeline.JobFile{good}}}, "o/n: step test reached its limit of time: "},
		{"no report", "o/n", "fail", answer{out: pipeline.Outcome{Step: "report"}}, "o/n: its tests left no file coverage/*.json"},
		{"bad report", "o/n", "fail", answer{out: pipeline.Outcome{Step: "report", Files: []pipeline.JobFile{good, {Path: "coverage/b.json", Text: "{"}}}}, "o/n: coverage/b.json: byte 1: unexpected EOF"},
	} {
		r, err := runJob(t, gcovObjects(t), &test.s, test.repo, test.without)
		if test.want == "" {
			if err != nil || r.Notes["no_recipe"] != 1 || len(test.s.jobs) != 0 {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %v", test.name, err)
		}
		if test.s.err != nil && !errors.Is(err, broken) {
			t.Errorf("%s: the sandbox's error is lost", test.name)
		}
	}
}

// The lock holds the environments of recipes with coverage alone.
func TestMoving(t *testing.T) {
	files := stageFiles{"r.yaml": recipes, "bad.yaml": "recipe: 1"}
	refs, err := Run().Moving(&RunConfig{Recipes: "r.yaml"}, files)
	if err != nil || fmt.Sprint(refs) != "[runtime programs=gcc,make@]" {
		t.Error(refs, err)
	}
	for name, want := range map[pipeline.FileName]string{"bad.yaml": `bad.yaml:1: unknown key "recipe"`, "none": "no file none"} {
		if _, err := Run().Moving(&RunConfig{Recipes: name}, files); err == nil || err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type stageFiles map[pipeline.FileName]string

func (f stageFiles) ReadFile(name pipeline.FileName) ([]byte, error) {
	text, ok := f[name]
	if !ok {
		return nil, fmt.Errorf("no file %s", name)
	}
	return []byte(text), nil
}

// Both stages are well-formed.
func TestStages(t *testing.T) {
	if err := pipeline.Validate([]*pipeline.Stage{Import(), Run()}); err != nil {
		t.Error(err)
	}
}
