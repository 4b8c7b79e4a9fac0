package git_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"benchmill/internal/gitfixture"
	"benchmill/internal/snapshot"
	"benchmill/pipeline"
	"benchmill/sources/git"
)

const noSuchCommit = "00000000000000000000000000000000deadbeef"

func pinOf(locator, commit string) pipeline.Pin {
	return pipeline.Pin{Scheme: git.Scheme, Locator: locator, Version: commit}
}

func refOf(locator, name string) pipeline.Ref {
	return pipeline.Ref{Scheme: git.Scheme, Locator: locator, Name: name}
}

// fetch fails the test on an error.
func fetch(t *testing.T, o git.Options, locator, commit string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := git.New(o).Fetch(t.Context(), pinOf(locator, commit), &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// wantError checks that a fetch fails with a class and with words.
func wantError(t *testing.T, o git.Options, pin pipeline.Pin, class pipeline.Class, words ...string) error {
	t.Helper()
	err := git.New(o).Fetch(t.Context(), pin, io.Discard)
	checkError(t, err, class, words...)
	return err
}

func checkError(t *testing.T, err error, class pipeline.Class, words ...string) {
	t.Helper()
	if err == nil {
		t.Error("no error")
		return
	}
	if got := pipeline.ClassOf(err); got != class {
		t.Errorf("class %s, want %s: %v", got, class, err)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q, want it to say %q", err, w)
		}
	}
}

// listing renders a snapshot for comparison: a line for each entry, with its
// content or the length of that, and one for each thing skipped.
func listing(t *testing.T, b []byte) string {
	t.Helper()
	r, err := snapshot.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for {
		e, content, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(content)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s %q", e.Kind, e.Path)
		if e.RawPath != "" {
			fmt.Fprintf(&out, " raw %q", e.RawPath)
		}
		if e.Target != "" {
			fmt.Fprintf(&out, " -> %s", e.Target)
		}
		if e.Kind == snapshot.LFS {
			fmt.Fprintf(&out, " %s %d", e.Pointer.OID[:4], e.Pointer.Size)
		} else if e.Kind.HasContent() && len(text) > 100 {
			fmt.Fprintf(&out, " %d bytes", len(text))
		} else if e.Kind.HasContent() {
			fmt.Fprintf(&out, " %q", text)
		} else if e.Kind == snapshot.Oversized {
			fmt.Fprintf(&out, " %d", e.Size)
		}
		out.WriteString("\n")
	}
	for _, s := range r.Skipped() {
		fmt.Fprintf(&out, "skipped %q: %s\n", s.Path, s.Reason)
	}
	return out.String()
}

func checkListing(t *testing.T, b []byte, want string) {
	t.Helper()
	if got := listing(t, b); got != strings.TrimPrefix(want, "\n") {
		t.Errorf("snapshot\n%swant%s", got, want)
	}
}

const pointerText = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"

// sample is a repository with two commits on main, one on side, tags, and a
// file of every kind in the last commit of main, whose id it returns.
func sample(t testing.TB) (*gitfixture.Repo, string) {
	t.Helper()
	r := gitfixture.New(t)
	return r, fill(r)
}

func fill(r *gitfixture.Repo) string {
	first := r.Commit(gitfixture.Text("README.md", "# Sample\n"))
	r.AnnotatedTag("v1", "commit", first)
	side := r.CommitOn("side", gitfixture.Text("side.txt", "aside\n"))
	r.Tag("release/1.0", side)
	return r.Commit(
		gitfixture.Text("README.md", "# Sample\n\nMore.\n"),
		gitfixture.Text("lib/a.py", strings.Repeat("def f():\n    return 1\n\n", 900)),
		gitfixture.Text("lib-x.py", ""),
		gitfixture.Text("größe.txt", "ß\n"),
		gitfixture.File{Path: "run.sh", Content: "#!/bin/sh\n", Mode: gitfixture.Executable},
		gitfixture.File{Path: "up", Content: "../../etc/passwd", Mode: gitfixture.Link},
		gitfixture.File{Path: "vendor/dep", Content: noSuchCommit, Mode: gitfixture.Submodule},
		gitfixture.Text("model.bin", pointerText),
	)
}
