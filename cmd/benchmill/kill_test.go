package main

import (
	"bufio"
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestKilled kills runs while they report that a stage is through, at every
// stage of the pipeline, each time goes on in the store that is left, and
// compares with a run that was never disturbed. internal/torture does the same
// at random instants, many times.
func TestKilled(t *testing.T) {
	dir := small(t)
	program, err := exec.LookPath("benchmill")
	if err != nil {
		t.Fatal(err)
	}
	run := func(store string) *exec.Cmd {
		return exec.Command(program, "run", "-f", filepath.Join(dir, "pipeline.yaml"), "--store", filepath.Join(dir, store), "--jobs", "1")
	}
	if out, err := run("whole").CombinedOutput(); err != nil {
		t.Fatalf("undisturbed: %v\n%s", err, out)
	}
	killed := 0
	for _, lines := range []int{1, 2, 1, 3, 1} {
		if killAfter(t, run("hurt"), lines) {
			killed++
		}
	}
	if killed < 4 {
		t.Errorf("only %d of 5 runs were still there to be killed", killed)
	}
	if out, err := run("hurt").CombinedOutput(); err != nil {
		t.Fatalf("after %d kills: %v\n%s", killed, err, out)
	}
	for _, part := range []string{"releases", "cache", "ledger"} {
		want, got := contents(t, filepath.Join(dir, "whole", part)), contents(t, filepath.Join(dir, "hurt", part))
		if len(want) == 0 || len(want) != len(got) {
			t.Errorf("%s: %d files, want %d", part, len(got), len(want))
		}
		for name := range want {
			if !bytes.Equal(want[name], got[name]) {
				t.Errorf("%s/%s differs", part, name)
			}
		}
	}
	if left := contents(t, filepath.Join(dir, "hurt", "tmp")); len(left) > 0 {
		t.Errorf("%d temporary files are left", len(left))
	}
}

// killAfter kills a run at once when it has reported so many stages. It reports
// whether the run was still there.
func killAfter(t *testing.T, c *exec.Cmd, lines int) bool {
	t.Helper()
	out, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	scan := bufio.NewScanner(out)
	for lines > 0 && scan.Scan() {
		lines--
	}
	_ = c.Process.Kill()
	return c.Wait() != nil && c.ProcessState.ExitCode() == -1
}

// contents reads all files below a folder.
func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, f fs.DirEntry, err error) error {
		if err != nil || f.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		out[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
