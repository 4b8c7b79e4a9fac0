package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"benchmill/artifacts/release"
	"benchmill/internal/testdeps"
	"benchmill/schemas"
	"benchmill/sources/sandbox"
	"benchmill/stages/yabloco"
)

// bodies checks the tasks of the sample, and returns the first of each language.
func bodies(t *testing.T, store string) []schemas.BodyTask {
	t.Helper()
	m, path := readSample(t, store, "yabloco-sample")
	var first []schemas.BodyTask
	levels := map[string]int{}
	err := release.EachRow(t.Context(), path, m, schemas.BodyTasks, func(row reflect.Value) error {
		b := row.Interface().(schemas.BodyTask)
		levels[b.Level]++
		if !slices.ContainsFunc(first, func(f schemas.BodyTask) bool { return f.Language == b.Language }) {
			first = append(first, b)
		}
		filled := strings.Contains(b.Prompt, b.Signature) && strings.Contains(b.Prompt, b.Docstring) && strings.Contains(b.Prompt, b.Context)
		tested := b.Hits != nil && *b.Hits > 0
		if !filled || !tested || b.LastCommit == "" || strings.Contains(b.Prompt, b.Reference) || len(b.Shown) > int(b.DepNum) {
			t.Errorf("%s: %+v", b.TaskID, b)
		}
		return nil
	})
	if err != nil || len(first) != 2 || len(levels) != 5 {
		t.Fatalf("%d languages, levels %v, %v", len(first), levels, err)
	}
	return first
}

// scoresBodies runs the tests of the sample's repositories, in a sandbox, on the
// original of each task, on a body that does nothing right and on one that is no
// code.
func scoresBodies(t *testing.T, root, dir, store string, tasks []schemas.BodyTask) {
	for _, program := range []string{"gcc", "g++", "gcov", "make"} {
		if _, err := exec.LookPath(program); err != nil {
			testdeps.Missing(t, program, err.Error())
		}
	}
	if _, err := sandbox.Choose(t.Context(), t.TempDir(), sandbox.Engines()); err != nil {
		testdeps.Missing(t, "sandbox", err.Error())
	}
	replies, verdicts := filepath.Join(t.TempDir(), "replies.jsonl"), filepath.Join(t.TempDir(), "verdicts.jsonl")
	var lines bytes.Buffer
	for _, b := range tasks {
		line, err := json.Marshal(replied{b.TaskID, []string{b.Reference, "{ __builtin_trap(); }", "{ no code }"}})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	if err := os.WriteFile(replies, lines.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code := Main(t.Context(), []string{
		"score", "yabloco-sample", replies, "--tests", filepath.Join(root, "pipelines", "sample", "recipes.yaml"), "--checks", "1", "--pass", "1", "--pass", "3",
		"--verdicts", verdicts, "--json", "-f", filepath.Join(root, "pipeline.yaml"), "--store", store,
		"--mirror", "https://benchmill.invalid/=" + filepath.Join(dir, "sample") + "/",
	}, &streams{strings.NewReader(""), &out, &errs, false})
	if code != exitOK {
		t.Fatalf("exit code %d: %s%s", code, out.String(), errs.String())
	}
	var report yablocoReport
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	if pass := report.Scores[0].Pass; !slices.Equal(pass, []yabloco.Pass{{K: 1, Value: 100.0 / 3}, {K: 3, Value: 100}}) {
		t.Errorf("%+v\n%s", pass, errs.String())
	}
	data, err := os.ReadFile(verdicts)
	if err != nil {
		t.Fatal(err)
	}
	var reasons []string
	for line := range bytes.Lines(data) {
		var v yabloco.Verdict
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		reasons = append(reasons, v.Reason)
	}
	if want := []string{"", "test_failed", "compile_failed", "", "test_failed", "compile_failed"}; !slices.Equal(reasons, want) {
		t.Errorf("%q", reasons)
	}
}
