package gitfixture_test

import (
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"benchmill/internal/gitfixture"
)

func build(t *testing.T) (*gitfixture.Repo, string) {
	t.Helper()
	files, err := gitfixture.FromFS(fstest.MapFS{
		"src/a.py":  {Data: []byte("print(1)\n")},
		"run.sh":    {Data: []byte("#!/bin/sh\n"), Mode: 0o755},
		"src-x/b.c": {Data: []byte("int b;\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := gitfixture.New(t)
	r.Commit(gitfixture.Text("src/a.py", "print(0)\n"))
	id := r.Commit(append(files, gitfixture.File{Path: "link", Content: "src/a.py", Mode: gitfixture.Link})...)
	r.AnnotatedTag("v1", "commit", id)
	return r, id
}

// TestFixed pins the commit id: tests elsewhere write ids of fixtures down.
func TestFixed(t *testing.T) {
	_, id := build(t)
	if want := "d0bafffbf4de64a97e9585836352f737a270d1b4"; id != want {
		t.Errorf("commit %s, want %s", id, want)
	}
}

// TestGitAgrees lets the git program check what was written.
func TestGitAgrees(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git program to check the fixtures")
	}
	for _, packed := range []bool{false, true} {
		r, id := build(t)
		if packed {
			r.Pack()
		}
		run := func(args ...string) string {
			t.Helper()
			out, err := exec.Command(git, append([]string{"--git-dir", r.Dir()}, args...)...).CombinedOutput()
			if err != nil {
				t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
			}
			return strings.TrimSpace(string(out))
		}
		run("fsck", "--strict")
		if got := run("rev-parse", "v1^{commit}"); got != id {
			t.Errorf("v1 is %s, want %s", got, id)
		}
		if got, want := run("ls-tree", "-r", "--name-only", "HEAD"), "link\nrun.sh\nsrc-x/b.c\nsrc/a.py"; got != want {
			t.Errorf("files %q, want %q", got, want)
		}
	}
}

// TestServe clones over both servers with the git program.
func TestServe(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git program to clone with")
	}
	r, id := build(t)
	for name, url := range map[string]string{
		"own":     gitfixture.Serve(t, r.Handler()) + "/x",
		"backend": r.ServeBackend(t),
	} {
		dir := t.TempDir()
		if out, err := exec.Command(git, "clone", "--bare", "-q", url, dir).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
			continue
		}
		out, err := exec.Command(git, "--git-dir", dir, "rev-parse", "v1^{commit}").Output()
		if got := strings.TrimSpace(string(out)); err != nil || got != id {
			t.Errorf("%s: v1 is %s (%v), want %s", name, got, err, id)
		}
	}
}
