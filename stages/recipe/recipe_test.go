package recipe_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/sources/runtime"
	"benchmill/stages/recipe"
)

const whole = `
recipes:
  - repo: o/whole
    image: registry/gcc:13
    programs: [make, gcc, make]
    limits: {time: 90s, memory: 1_000_000}
    build: make
    test: |
      ./run tests
    rebuild: make one
    compile_commands: make db
    coverage:
      format: gcov
      files: ["out/**/*.json.gz"]
      build: make cov
      report: gcov
  - repo: o/small
    programs: [cc]
    build: cc a.c
    test: ./a.out
`

func parse(t *testing.T, text string) []recipe.Recipe {
	t.Helper()
	r, err := recipe.Parse("recipes.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestParse(t *testing.T) {
	r := parse(t, whole)
	want := recipe.Recipe{
		Repo: "o/whole", Image: "registry/gcc:13", Programs: []string{"make", "gcc", "make"},
		Limits: recipe.Limits{Time: 90 * time.Second, Memory: 1_000_000, Disk: 1 << 30, Total: 8 << 30, Output: 64 << 20, Processes: 512},
		Build:  "make", Test: "./run tests\n", Rebuild: "make one", CompileCommands: "make db",
		Coverage: recipe.Coverage{Format: "gcov", Files: []string{"out/**/*.json.gz"}, Build: "make cov", Report: "gcov"},
	}
	if len(r) != 2 || !reflect.DeepEqual(r[0], want) {
		t.Errorf("%+v\nwant %+v", r, want)
	}
	if l := r[1].Limits; l.Time != 30*time.Minute || l.Memory != 4<<30 {
		t.Errorf("defaults %+v", l)
	}
	if recipe.Scheme != runtime.Scheme {
		t.Error(runtime.Scheme)
	}
	if got := fmt.Sprint(recipe.Refs(append(r, r...))); got != "[runtime image=registry/gcc:13 programs=gcc,make@ runtime programs=cc@]" {
		t.Error(got)
	}
	if got, ok := recipe.Find(r, "o/small"); !ok || got.Test != "./a.out" {
		t.Error(got, ok)
	}
	if _, ok := recipe.Find(r, "o/none"); ok {
		t.Error("found what is not there")
	}
}

func TestParseErrors(t *testing.T) {
	entry := func(lines ...string) string {
		return "recipes:\n  - repo: o/n\n    programs: [cc]\n    build: b\n    test: t\n    " + strings.Join(lines, "\n    ") + "\n"
	}
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"empty":              {"", []string{`r.yaml is empty; it needs a list "recipes"`}},
		"no yaml":            {"recipes:\n  - repo: [", []string{"r.yaml:2: "}},
		"unknown key":        {"recipes: []\nrecipe: 1\n", []string{`r.yaml:2: unknown key "recipe"`}},
		"unknown keys":       {entry("env: {}", "limits: {cpu: 2}", "coverage: {tool: x}"), []string{`r.yaml:6: unknown key "env"`, `r.yaml:7: unknown key "cpu"`, `r.yaml:8: unknown key "tool"`}},
		"wrong type":         {entry("limits: {time: long}"), []string{"r.yaml:6: "}},
		"two documents":      {entry() + "---\nrecipes: []\n", []string{"r.yaml: more than one document"}},
		"no repo":            {"recipes:\n- {programs: [cc], build: b, test: t}\n- {repo: a, programs: [cc], build: b, test: t}\n", []string{"r.yaml:2: : repo is not", "r.yaml:3: a: repo is not"}},
		"no runtime":         {"recipes:\n- {repo: o/n, image: i, build: b, test: t}\n", []string{"r.yaml:2: o/n: no programs"}},
		"no scripts":         {"recipes:\n- {repo: o/n, programs: [cc]}\n", []string{"o/n: no script build", "o/n: no script test"}},
		"twice":              {entry() + "  - {repo: o/n, programs: [cc], build: b, test: t}\n", []string{"r.yaml:7: o/n: a second recipe for it"}},
		"program of a path":  {"recipes:\n- {repo: o/n, programs: [/bin/cc, 'a,b', ''], build: b, test: t}\n", []string{`"/bin/cc" is no name`, `"a,b" is no name`, `"" is no name`}},
		"image":              {"recipes:\n- {repo: o/n, image: 'a programs=b', programs: [cc], build: b, test: t}\n", []string{`"a programs=b" is no name of an image`}},
		"NUL":                {entry(`rebuild: "a\0"`), []string{"rebuild: NUL in a script"}},
		"negative":           {entry("limits: {memory: -1}"), []string{"limits: a negative one"}},
		"coverage no format": {entry("coverage: {files: [a]}"), []string{"coverage: no format"}},
		"coverage format":    {entry("coverage: {format: xml, files: [a]}"), []string{`coverage: format "xml" is none of lcov, gcov, llvm-cov`}},
		"coverage no files":  {entry("coverage: {format: lcov}"), []string{"coverage: no files"}},
		"coverage patterns":  {entry("coverage: {format: lcov, files: [/etc/a, a/../../b, '[', '']}"), []string{`"/etc/a" is no pattern`, `"a/../../b" is no pattern`, `"[" is no pattern`, `"" is no pattern`}},
	} {
		_, err := recipe.Parse("r.yaml", []byte(test.text))
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, w := range test.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q does not say %q", name, err, w)
			}
		}
		if strings.Count(err.Error(), "\n")+1 != len(test.want) {
			t.Errorf("%s: %q has more to say", name, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("recipes: [{repo: o/n, <<: *a}]"))
	f.Add([]byte("a: &a [*a]\nrecipes:\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		recipes, err := recipe.Parse("f", data)
		if err != nil {
			return
		}
		for _, r := range recipes {
			job := r.CheckJobs(pipeline.Pin{}, recipe.Tree{}, 1)[0]
			if l := job.Limits; l.Time <= 0 || l.Memory <= 0 || l.Disk <= 0 || l.Output <= 0 || l.Processes <= 0 || l.Total <= 0 {
				t.Errorf("%+v", r)
			}
			if _, err := runtime.Parse(r.Ref().Locator); err != nil {
				t.Error(err)
			}
		}
	})
}

// The files of recipes that come with the program are right.
func TestFiles(t *testing.T) {
	names, err := filepath.Glob("../../pipelines/*/recipes.yaml")
	if err != nil || len(names) == 0 {
		t.Fatal("no files of recipes", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		recipes, err := recipe.Parse(name, data)
		if err != nil {
			t.Error(err)
		}
		for _, r := range recipes {
			if _, err := runtime.Parse(r.Ref().Locator); err != nil {
				t.Error(err)
			}
		}
	}
}

var (
	pin     = pipeline.Pin{Scheme: "runtime", Locator: "programs=cc", Version: "1"}
	entries = []schemas.Entry{
		{Path: "run", Kind: schemas.KindExecutable, Content: []byte("#!/bin/sh\n")},
		{Path: "a.c", Kind: schemas.KindFile, Content: []byte("a")},
		{Path: "big", Kind: schemas.KindOversized, Size: 1 << 40},
		{Path: "data", Kind: schemas.KindLFS, Content: []byte("pointer")},
		{Path: "link", Kind: schemas.KindLink, Target: "a.c"},
		{Path: "odd", Kind: schemas.KindSkipped},
		{Path: "sub", Kind: schemas.KindSubmodule, Target: "00"},
		{Path: "sub2", Kind: schemas.KindSubmodule, Target: "00"},
	}
)

func TestTree(t *testing.T) {
	tree := recipe.NewTree(entries)
	want := []pipeline.JobFile{{Path: "a.c", Text: "a"}, {Path: "data", Text: "pointer"}, {Path: "link", Link: "a.c"}, {Path: "run", Text: "#!/bin/sh\n", Executable: true}}
	if !reflect.DeepEqual(tree.Files, want) {
		t.Errorf("%+v", tree.Files)
	}
	if fmt.Sprint(tree.Left) != "map[oversized:1 skipped:1 submodule:2]" {
		t.Error(tree.Left)
	}
}

// steps renders the steps of a job.
func steps(job pipeline.Job) string {
	var b strings.Builder
	for _, s := range job.Steps {
		fmt.Fprintf(&b, "%s %q", s.Name, s.Script)
		for _, f := range s.Files {
			fmt.Fprintf(&b, " %s=%s", f.Path, f.Text)
			if f.Executable {
				b.WriteString("*")
			}
		}
		if s.Shared {
			b.WriteString(" shared")
		}
		b.WriteString("; ")
	}
	return b.String() + strings.Join(job.Keep, " ")
}

func TestJobs(t *testing.T) {
	r := parse(t, whole)
	tree := recipe.NewTree(entries)
	is := func(name string, job pipeline.Job, err error, want string) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := steps(job); got != want {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		} else if job.Tool != pin || len(job.Files) != 4 {
			t.Errorf("%s: %+v", name, job)
		}
	}
	job, err := r[0].CoverageJob(pin, tree)
	is("coverage", job, err, `build "make cov" shared; test "./run tests\n"; report "gcov"; out/**/*.json.gz`)
	if want := (pipeline.Limits{Time: 90 * time.Second, Memory: 1_000_000, Disk: 1 << 30, Output: 64 << 20, Processes: 512, Total: 8 << 30}); job.Limits != want {
		t.Errorf("%+v", job.Limits)
	}
	job, err = r[0].CompileCommandsJob(pin, tree)
	is("compile commands", job, err, `compile_commands "make db"; compile_commands.json`)
	job, err = r[0].TestJob(pin, tree, recipe.Change{Path: "run", Text: "new"})
	is("test", job, err, `build "make" shared; compile "make one" run=new*; test "./run tests\n"; `)
	job, err = r[1].TestJob(pin, tree, recipe.Change{Path: "a.c", Text: "new"})
	is("defaults", job, err, `build "cc a.c" shared; compile "cc a.c" a.c=new; test "./a.out"; `)
	jobs := r[1].CheckJobs(pin, tree, 2)
	is("check", jobs[0], nil, `build "cc a.c" shared; compile "cc a.c"; test "# run 1\n./a.out"; `)
	is("check", jobs[1], nil, `build "cc a.c" shared; compile "cc a.c"; test "# run 2\n./a.out"; `)

	if _, err := r[1].CoverageJob(pin, tree); err == nil || !strings.HasPrefix(err.Error(), "o/small: ") {
		t.Error(err)
	}
	if _, err := r[1].CompileCommandsJob(pin, tree); err == nil || !strings.HasPrefix(err.Error(), "o/small: ") {
		t.Error(err)
	}
	for _, path := range []string{"b.c", "link", "big", "../a.c", ""} {
		if _, err := r[1].TestJob(pin, tree, recipe.Change{Path: path}); err == nil {
			t.Errorf("%q can be changed", path)
		}
	}
}
