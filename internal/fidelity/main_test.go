package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchmill/pipeline"
)

func TestChoose(t *testing.T) {
	all := []part{{name: "a", needs: []string{"x"}}, {name: "b", needs: []string{"x", "y"}}, {name: "long", long: true, needs: []string{"x"}}}
	given := func(flag string) bool { return flag == "x" }
	for only, want := range map[string]string{"": "a", "long": "long", "long,a": "a, long"} {
		got, err := choose(all, only, given)
		if err != nil || names(got) != want {
			t.Errorf("%q: %s, %v", only, names(got), err)
		}
	}
	for only, want := range map[string]string{"b": "b needs -y", "a,c": `no part "c"`} {
		if _, err := choose(all, only, given); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", only, err)
		}
	}
}

// counted answers every job and counts them.
type counted struct {
	exit, runs int
}

func (c *counted) Run(context.Context, pipeline.Job) (pipeline.Outcome, error) {
	c.runs++
	return pipeline.Outcome{Exit: c.exit, Stdout: "made"}, nil
}

// What a job came to is kept under all that it is; failures are not.
func TestKeptSandbox(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	job := func(script string) pipeline.Job {
		return pipeline.Job{Tool: pipeline.Pin{Scheme: "runtime", Locator: "sh", Version: "1"}, Steps: []pipeline.JobStep{{Name: "s", Script: script}}}
	}
	machine := &counted{}
	kept := &keptSandbox{machine, folder}
	for _, step := range []struct {
		script string
		exit   int
		runs   int
	}{{"x", 0, 1}, {"x", 0, 1}, {"y", 1, 2}, {"y", 0, 3}, {"y", 0, 3}} {
		machine.exit = step.exit
		out, err := kept.Execute(t.Context(), "o/n clang", job(step.script))
		if err != nil || out.Stdout != "made" || out.Exit != step.exit || machine.runs != step.runs {
			t.Errorf("%+v: %+v, %d runs, %v", step, out, machine.runs, err)
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "o-n-clang-*.json"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%q, %v", files, err)
	}
	if err := os.WriteFile(files[0], []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, first := kept.Execute(t.Context(), "o/n clang", job("x"))
	_, second := kept.Execute(t.Context(), "o/n clang", job("y"))
	if (first == nil) == (second == nil) {
		t.Errorf("one of two files is damaged: %v, %v", first, second)
	}
	kept.folder = ""
	if _, err := kept.Execute(t.Context(), "o/n clang", job("x")); err != nil || machine.runs != 4 {
		t.Errorf("nothing is kept: %d runs, %v", machine.runs, err)
	}
}
