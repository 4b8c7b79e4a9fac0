package crossfile_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/sources/sandbox/sandboxtest"
	"benchmill/stages/crossfile"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// toy is a language whose checker believes what the tool "lint" says: lines of
// path, start, end and name, or of a path alone for a file it cannot read.
func toy() *lang.Set {
	check := func(ctx context.Context, files []lang.SourceFile, run lang.Run) (map[string][]bind.Use, map[string]string, error) {
		out, err := run(ctx, []string{"--all"}, files)
		if err != nil {
			return nil, nil, err
		}
		uses, skipped := map[string][]bind.Use{}, map[string]string{}
		for line := range strings.Lines(out.Stdout) {
			var path string
			var u bind.Use
			if n, _ := fmt.Sscan(line, &path, &u.Start, &u.End, &u.Name); n == 4 {
				u.Kind = bind.KindMember
				uses[path] = append(uses[path], u)
			} else {
				skipped[path] = "syntax"
			}
		}
		return uses, skipped, nil
	}
	return &lang.Set{Languages: []*lang.Language{
		{Name: "toy", Title: "Toy", Checker: &lang.Checker{Version: 3, Tool: "lint", Check: check}},
		{Name: "mute", Title: "Mute"},
	}}
}

type checking struct {
	language string
	config   func(c *crossfile.CheckConfig)
	program  sandboxtest.Program
	files    []schemas.File
	configs  []schemas.File
}

func (c checking) run(t *testing.T) (*stagetest.Result, *sandboxtest.Fake, error) {
	t.Helper()
	fake := &sandboxtest.Fake{Programs: map[string]sandboxtest.Program{"lint": c.program}}
	config := crossfile.Check(toy()).NewConfig().(*crossfile.CheckConfig)
	config.Tools = []string{"lint", "other"}
	if c.config != nil {
		c.config(config)
	}
	if c.language == "" {
		c.language = "toy"
	}
	r, err := stagetest.Run(t.Context(), stagetest.Job{
		Stage: crossfile.Check(toy()), Config: config, Sandbox: fake, Partition: "toy/o/n@1",
		Pins: func(ref pipeline.Ref) (pipeline.Pin, error) {
			return pipeline.Pin{Scheme: ref.Scheme, Locator: ref.Locator, Version: "1.2"}, nil
		},
		Inputs: map[string]any{
			"repository": []schemas.Repository{{Repo: "o/n", Language: c.language}}, "files": c.files, "configs": c.configs,
		},
	})
	return r, fake, err
}

var twoFiles = []schemas.File{{Path: "a.toy", Text: "x\nyy.zz\n"}, {Path: "b.toy", Text: "bad"}}

func TestCheck(t *testing.T) {
	r, fake, err := checking{
		files: twoFiles, configs: []schemas.File{{Path: "toy.json", Text: "{}"}},
		program: func(_ context.Context, p *sandboxtest.Process) int {
			if got := slices.Sorted(maps.Keys(p.Files)); !slices.Equal(got, []string{"a.toy", "b.toy", "toy.json"}) || !slices.Equal(p.Args, []string{"--all"}) {
				t.Errorf("the tool is given %q with %q", got, p.Args)
			}
			p.Stdout.Print("a.toy 5 7 zz\na.toy 2 4 yy\na.toy 5 7 zz\nb.toy\nb.toy 0 1 b\n")
			return 5
		},
	}.run(t)
	if err != nil {
		t.Fatal(err)
	}
	use := func(start, column int64, name string) schemas.CrossFileUse {
		return schemas.CrossFileUse{Path: "a.toy", Start: start, End: start + 2, Line: 1, Column: column, Name: name, Kind: "member", Detector: "lint 1.2"}
	}
	if got, want := stagetest.Rows[schemas.CrossFileUse](r, "uses"), []schemas.CrossFileUse{use(2, 0, "yy"), use(5, 3, "zz")}; !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if got, want := stagetest.Rows[schemas.CheckedFile](r, "checked"), []schemas.CheckedFile{{Path: "a.toy"}, {Path: "b.toy", Reason: "syntax"}}; !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	job := fake.Jobs()[0]
	if l := job.Limits; l.Time != 20*time.Minute || l.Memory != 4<<30 || l.Disk == 0 || l.Output == 0 || l.Processes == 0 {
		t.Errorf("limits %+v", l)
	}
	if job.Tool != (pipeline.Pin{Scheme: "tool", Locator: "lint", Version: "1.2"}) {
		t.Errorf("tool %s", job.Tool)
	}
}

func TestCheckFails(t *testing.T) {
	says := func(text string) sandboxtest.Program {
		return func(_ context.Context, p *sandboxtest.Process) int { p.Stdout.Print(text); return 0 }
	}
	for name, test := range map[string]struct {
		c    checking
		want []string // in the error
	}{
		"no checker":      {checking{language: "mute"}, []string{"o/n", "Mute", "lint, other"}},
		"not listed":      {checking{config: func(c *crossfile.CheckConfig) { c.Tools = []string{"other"} }}, []string{"o/n", "Toy", "lint", "other"}},
		"no language":     {checking{language: "none"}, []string{"o/n", "none"}},
		"too long":        {checking{program: func(_ context.Context, p *sandboxtest.Process) int { p.Forever(); return 0 }}, []string{"o/n", "lint", "time", "20m"}},
		"too much memory": {checking{program: func(_ context.Context, p *sandboxtest.Process) int { p.Hold(1 << 40); return 0 }}, []string{"memory", "4096 MB"}},
		"crashed":         {checking{program: func(_ context.Context, p *sandboxtest.Process) int { p.Stderr.Print("oh"); return 139 }}, []string{"signal 11", "oh"}},
		"behind the end":  {checking{program: says("a.toy 5 70 zz\n")}, []string{"lint", "a.toy", "5 to 70", "8 bytes"}},
		"before the file": {checking{program: says("a.toy -5 7 zz\n")}, []string{"-5 to 7"}},
		"another name":    {checking{program: says("a.toy 5 7 yy\n")}, []string{"a.toy", "yy", `"zz"`, "5 to 7"}},
		"backwards":       {checking{program: says("a.toy 7 7 zz\n")}, []string{"7 to 7"}},
	} {
		test.c.files = twoFiles
		_, _, err := test.c.run(t)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", name, err, want)
			}
		}
	}
}

func TestCheckSkips(t *testing.T) {
	for name, c := range map[string]checking{
		"no checker": {language: "mute", config: func(c *crossfile.CheckConfig) { c.Without = "skip" }},
		"not listed": {config: func(c *crossfile.CheckConfig) { c.Without, c.Tools = "skip", nil }},
	} {
		c.files = twoFiles
		r, fake, err := c.run(t)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if n := r.Reasons()["no_checker"]; n != 2 || len(fake.Jobs()) > 0 {
			t.Errorf("%s: %d dropped, %d jobs", name, n, len(fake.Jobs()))
		}
	}
}

// A file the checker speaks of that is none of the partition's changes nothing.
func TestCheckForeignPath(t *testing.T) {
	r, _, err := checking{files: twoFiles, program: func(_ context.Context, p *sandboxtest.Process) int {
		p.Stdout.Print("../a.toy 0 1 x\n/etc/passwd 0 1 x\nc.toy\n")
		return 0
	}}.run(t)
	if err != nil {
		t.Fatal(err)
	}
	if uses, checked := stagetest.Rows[schemas.CrossFileUse](r, "uses"), stagetest.Rows[schemas.CheckedFile](r, "checked"); len(uses) != 0 || len(checked) != 2 {
		t.Errorf("%+v, %+v", uses, checked)
	}
}

func TestCheckConfig(t *testing.T) {
	for _, c := range []crossfile.CheckConfig{
		{Without: "fail", Time: time.Second}, {Tools: []string{"a", "a"}, Time: time.Second}, {Tools: []string{"a"}}, {Tools: []string{"a", ""}, Time: time.Second},
	} {
		if c.Validate() == nil {
			t.Errorf("%+v is fine", c)
		}
	}
	s := crossfile.Check(toy())
	fine := &crossfile.CheckConfig{Tools: []string{"lint", "other"}, Time: time.Second}
	refs, err := s.Moving(fine, nil)
	if err := errors.Join(err, fine.Validate()); err != nil {
		t.Fatal(err)
	}
	if want := []pipeline.Ref{{Scheme: "tool", Locator: "lint"}, {Scheme: "tool", Locator: "other"}}; !slices.Equal(refs, want) {
		t.Errorf("%v, want %v", refs, want)
	}
	if id := s.Identify(schemas.Repository{Language: "toy"}); len(id) != 1 || !strings.HasSuffix(id[0], "checker 3") {
		t.Errorf("%q", id)
	}
	if id := s.Identify(schemas.Repository{Language: "mute"}); id != nil {
		t.Errorf("%q", id)
	}
}
