package sandboxtest

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"benchmill/pipeline"
)

// Scripts of steps.
const (
	stepBuild  = `cat a.txt >built; echo once >>count; echo built`
	stepRun    = `cat built a.txt count`
	stepFails  = `false; echo unreachable`
	stepTouch  = `[ -x bin/run ] && [ ! -x a.txt ] && ./bin/run && cat link`
	stepKeep   = `mkdir -p out/deep/er; echo 1 >out/a.info; printf 'x\377y' >out/deep/er/b.info; echo no >out/c.txt; ln -s a.info out/l.info; ln -s /etc/passwd out/p.info; mkfifo out/f.info; mkdir out/d.info; echo odd >"$(printf 'out/\377.info')"`
	stepPrison = `ln -s /tmp out; ln -s / up; echo made`
	stepInside = `cat out/given; [ ! -e /tmp/given ] && [ -d out ] && [ ! -L out ] && echo inside`
	stepTemp   = `echo x >/tmp/left; : >here`
	stepNoTemp = `ls /tmp; ls; echo end`
	stepLock   = `mkdir -p locked/in; : >locked/in/f; : >mine; chmod 0 locked/in/f locked/in locked mine`
	stepMake   = `ln a.txt hard; stat -c "%n %y %a" built a.txt >times; [ a.txt -ef hard ] || exit 4; echo prepared`
	stepMade   = `stat -c "%n %y %a" built a.txt | cmp - times && [ a.txt -ef hard ] && echo same`
)

func files(pairs ...string) []pipeline.JobFile {
	var out []pipeline.JobFile
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, pipeline.JobFile{Path: pairs[i], Text: pairs[i+1]})
	}
	return out
}

func (s Subject) steps(t *testing.T) {
	execute := func(t *testing.T, box pipeline.Sandbox, job pipeline.Job) pipeline.Outcome {
		t.Helper()
		job.Tool = s.Steps
		if job.Limits.Time == 0 {
			job.Limits = limits()
		}
		out, err := box.Execute(t.Context(), "steps", job)
		if err != nil {
			t.Fatal(err)
		}
		if out.Used == nil {
			t.Error("it does not say what it used")
		}
		out.Used = nil
		return out
	}
	is := func(t *testing.T, got, want pipeline.Outcome) {
		t.Helper()
		if got.Stderr = ""; !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	build := pipeline.JobStep{Name: "build", Script: stepBuild}
	run := pipeline.JobStep{Name: "run", Script: stepRun, Files: files("a.txt", "second\n")}
	t.Run("one after the other", func(t *testing.T) {
		out := execute(t, s.New(t), pipeline.Job{Files: files("a.txt", "first\n"), Steps: []pipeline.JobStep{build, run}})
		is(t, out, pipeline.Outcome{Step: "run", Stdout: "first\nsecond\nonce\n"})
	})
	t.Run("up to the first that fails", func(t *testing.T) {
		out := execute(t, s.New(t), pipeline.Job{Files: files("a.txt", ""), Steps: []pipeline.JobStep{build, {Name: "break", Script: stepFails}, run}, Keep: []string{"**"}})
		is(t, out, pipeline.Outcome{Step: "break", Exit: 1})
	})
	t.Run("shared", func(t *testing.T) {
		box := s.New(t)
		shared := build
		shared.Shared = true
		job := pipeline.Job{Files: files("a.txt", "first\n"), Steps: []pipeline.JobStep{shared, run}}
		want := pipeline.Outcome{Step: "run", Stdout: "first\nsecond\nonce\n"}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() { is(t, execute(t, box, job), want) })
		}
		all.Wait()
		// A job that begins otherwise, and one that ends with what is shared.
		other := job
		other.Files = files("a.txt", "other\n")
		is(t, execute(t, box, other), pipeline.Outcome{Step: "run", Stdout: "other\nsecond\nonce\n"})
		job.Steps, job.Keep = job.Steps[:1], []string{"count"}
		is(t, execute(t, box, job), pipeline.Outcome{Step: "build", Stdout: "built\n", Files: files("count", "once\n")})
	})
	t.Run("shared and failing", func(t *testing.T) {
		box := s.New(t)
		job := pipeline.Job{Steps: []pipeline.JobStep{{Name: "break", Script: stepFails, Shared: true}, run}}
		for range 2 {
			is(t, execute(t, box, job), pipeline.Outcome{Step: "break", Exit: 1})
		}
	})
	t.Run("refused", func(t *testing.T) { s.refusedSteps(t) })
	if s.Left == nil {
		return // the rest is about real files
	}
	t.Run("times and links of what is shared", func(t *testing.T) {
		box := s.New(t)
		job := pipeline.Job{Files: files("a.txt", "first\n"), Steps: []pipeline.JobStep{
			{Name: "build", Script: stepBuild, Shared: true}, {Name: "times", Script: stepMake, Shared: true}, {Name: "compare", Script: stepMade},
		}}
		for range 3 {
			is(t, execute(t, box, job), pipeline.Outcome{Step: "compare", Stdout: "same\n"})
		}
		job.Limits = limits()
		job.Limits.Total = 8 << 20
		for range 2 {
			is(t, execute(t, box, job), pipeline.Outcome{Step: "compare", Stdout: "same\n"})
		}
	})
	t.Run("what cannot be shared", func(t *testing.T) {
		box := s.New(t)
		job := pipeline.Job{Steps: []pipeline.JobStep{{Name: "x", Script: `mkfifo pipe; echo once >>count`, Shared: true}, {Name: "y", Script: `cat count; [ -p pipe ]`}}}
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() { is(t, execute(t, box, job), pipeline.Outcome{Step: "y", Stdout: "once\n"}) })
		}
		all.Wait()
	})
	t.Run("few are kept", func(t *testing.T) {
		box := s.New(t)
		for i := range 12 {
			text := fmt.Sprint(i)
			job := pipeline.Job{Files: files("a.txt", text), Steps: []pipeline.JobStep{{Name: "x", Script: `cat a.txt`, Shared: true}}}
			is(t, execute(t, box, job), pipeline.Outcome{Step: "x", Stdout: text})
		}
		for _, left := range s.Left(t) {
			if kept, err := filepath.Glob(filepath.Join(left, "*")); err != nil || len(kept) == 0 || len(kept) > 10 {
				t.Errorf("%d folders are kept, %v", len(kept), err)
			}
		}
	})
	t.Run("programs and links", func(t *testing.T) {
		job := pipeline.Job{Files: append(files("a.txt", "text\n"),
			pipeline.JobFile{Path: "bin/run", Text: "#!/bin/sh\necho runs\n", Executable: true}, pipeline.JobFile{Path: "link", Link: "bin/../a.txt"}),
			Steps: []pipeline.JobStep{{Name: "x", Script: stepTouch}}}
		is(t, execute(t, s.New(t), job), pipeline.Outcome{Step: "x", Stdout: "runs\ntext\n"})
	})
	t.Run("kept", func(t *testing.T) {
		job := pipeline.Job{Steps: []pipeline.JobStep{{Name: "x", Script: stepKeep}}, Keep: []string{"**/*.info", "nothing/*"}}
		want := files("out/a.info", "1\n", "out/deep/er/b.info", "x\xffy")
		is(t, execute(t, s.New(t), job), pipeline.Outcome{Step: "x", Files: want})
		job.Limits = limits()
		job.Limits.Total = 1 << 20
		is(t, execute(t, s.New(t), job), pipeline.Outcome{Step: "x", Files: want})
		job.Limits.Output = 10
		is(t, execute(t, s.New(t), job), pipeline.Outcome{Step: "x", Exit: -1, Stopped: pipeline.StoppedOutput})
	})
	t.Run("no link is followed", func(t *testing.T) {
		job := pipeline.Job{Steps: []pipeline.JobStep{{Name: "x", Script: stepPrison},
			{Name: "y", Script: stepInside, Files: files("out/given", "text\n", "up/etc/benchmill-was-here", "")}}, Keep: []string{"up/**"}}
		is(t, execute(t, s.New(t), job), pipeline.Outcome{Step: "y", Stdout: "text\ninside\n", Files: files("up/etc/benchmill-was-here", "")})
	})
	t.Run("a fresh /tmp", func(t *testing.T) {
		for _, total := range []int64{0, 1 << 20} {
			job := pipeline.Job{Steps: []pipeline.JobStep{{Name: "x", Script: stepTemp}, {Name: "y", Script: stepNoTemp}}, Limits: limits()}
			job.Limits.Total = total
			is(t, execute(t, s.New(t), job), pipeline.Outcome{Step: "y", Stdout: "here\nend\n"})
		}
	})
	t.Run("locked", func(t *testing.T) {
		box := s.New(t)
		job := pipeline.Job{Steps: []pipeline.JobStep{{Name: "x", Script: stepLock, Shared: true},
			{Name: "y", Script: `cat locked/in/f`, Files: files("locked/in/f", "open", "mine", "")}}, Keep: []string{"**"}}
		for range 2 {
			is(t, execute(t, box, job), pipeline.Outcome{Step: "y", Stdout: "open", Files: files("locked/in/f", "open", "mine", "")})
		}
	})
}

// refusedSteps are jobs that never start.
func (s Subject) refusedSteps(t *testing.T) {
	box := s.New(t)
	for name, change := range map[string]func(*pipeline.Job){
		"arguments":      func(j *pipeline.Job) { j.Args = []string{"x"} },
		"no name":        func(j *pipeline.Job) { j.Steps[0].Name = "" },
		"long":           func(j *pipeline.Job) { j.Steps[0].Script = strings.Repeat("#", 1<<20) },
		"NUL":            func(j *pipeline.Job) { j.Steps[0].Script = "\x00" },
		"file outside":   func(j *pipeline.Job) { j.Steps[0].Files = files("../x", "") },
		"link upwards":   func(j *pipeline.Job) { j.Files = []pipeline.JobFile{{Path: "a/l", Link: "../../x"}} },
		"link out":       func(j *pipeline.Job) { j.Files = []pipeline.JobFile{{Path: "l", Link: "/etc/passwd"}} },
		"through a link": func(j *pipeline.Job) { j.Files = []pipeline.JobFile{{Path: "l", Link: "x"}, {Path: "l/y"}} },
		"text of a link": func(j *pipeline.Job) { j.Files = []pipeline.JobFile{{Path: "l", Link: "x", Text: "y"}} },
		"pattern":        func(j *pipeline.Job) { j.Keep = []string{"["} },
		"pattern up":     func(j *pipeline.Job) { j.Keep = []string{"../*"} },
		"total":          func(j *pipeline.Job) { j.Limits.Total = -1 },
	} {
		job := pipeline.Job{Tool: s.Steps, Steps: []pipeline.JobStep{{Name: "x", Script: stepRun}}, Limits: limits()}
		change(&job)
		if out, err := box.Execute(t.Context(), name, job); err == nil || pipeline.ClassOf(err) != pipeline.Permanent {
			t.Errorf("%s: %+v, %v", name, out, err)
		}
	}
}
