package sample

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// listing has the size and time of everything below dir; with content, the
// bytes of files instead of their times.
func listing(t *testing.T, dir string, content bool) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		info, err := d.Info()
		if err != nil {
			return err
		}
		out[rel] = info.Mode().String()
		if !content {
			out[rel] += " " + info.ModTime().String()
		} else if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			out[rel] += " " + string(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// difference names the paths at which two listings differ.
func difference(want, got map[string]string) string {
	var out []string
	for path, w := range want {
		if g, ok := got[path]; !ok {
			out = append(out, "- "+path)
		} else if g != w {
			out = append(out, "~ "+path)
		}
	}
	for path := range got {
		if _, ok := want[path]; !ok {
			out = append(out, "+ "+path)
		}
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func TestPrepareAgain(t *testing.T) {
	dir, all := prepared(t)
	before := listing(t, dir, false)
	again, err := Prepare(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(all, again) {
		t.Errorf("returned %v, then %v", all, again)
	}
	if diff := difference(before, listing(t, dir, false)); diff != "" {
		t.Errorf("the second call wrote:\n%s", diff)
	}
}

func TestPrepareSameBytes(t *testing.T) {
	a, _ := prepared(t)
	b, _ := prepared(t)
	if diff := difference(listing(t, a, true), listing(t, b, true)); diff != "" {
		t.Error(diff)
	}
}

// TestPrepareRepairs brings a folder to the state of a fresh one.
func TestPrepareRepairs(t *testing.T) {
	fresh, all := prepared(t)
	repo := all[0].Repo
	for name, damage := range map[string]func(dir string) error{
		"removed": func(dir string) error { return os.RemoveAll(folder(dir, repo)) },
		"outdated": func(dir string) error {
			if err := os.WriteFile(filepath.Join(folder(dir, repo), "left"), nil, 0o644); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(folder(dir, repo), markerName), []byte("0 0123\n"), 0o644)
		},
		"killed while writing": func(dir string) error {
			if err := os.RemoveAll(folder(dir, repo)); err != nil {
				return err
			}
			return os.MkdirAll(filepath.Join(dir, tempPrefix+"1", "new", "objects"), 0o755)
		},
		"killed while replacing": func(dir string) error {
			if err := os.MkdirAll(filepath.Join(dir, tempPrefix+"1"), 0o755); err != nil {
				return err
			}
			return os.Rename(folder(dir, repo), filepath.Join(dir, tempPrefix+"1", "old"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, _ := prepared(t)
			if err := damage(dir); err != nil {
				t.Fatal(err)
			}
			if _, err := Prepare(t.Context(), dir); err != nil {
				t.Fatal(err)
			}
			if diff := difference(listing(t, fresh, true), listing(t, dir, true)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestPrepareForeign: what Prepare did not make stays.
func TestPrepareForeign(t *testing.T) {
	repo := repositories(t)[1].Repo
	dir := t.TempDir()
	own := filepath.Join(folder(dir, repo), "thesis.tex")
	if err := os.MkdirAll(filepath.Dir(own), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, []byte("years of work"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := listing(t, dir, true)
	_, err := Prepare(t.Context(), dir)
	if err == nil || !strings.Contains(err.Error(), folder(dir, repo)) {
		t.Errorf("the error does not name the folder: %v", err)
	}
	if diff := difference(before, listing(t, dir, true)); diff != "" {
		t.Error(diff)
	}
}

// stopping is a context that is cancelled once it was asked so many times.
type stopping struct {
	context.Context
	left int
}

func (s *stopping) Err() error {
	if s.left == 0 {
		return context.Canceled
	}
	s.left--
	return nil
}

// TestPrepareInterrupted stops before a repository and goes on.
func TestPrepareInterrupted(t *testing.T) {
	fresh, all := prepared(t)
	for _, n := range []int{0, 1, len(all) - 1} {
		dir := t.TempDir()
		if _, err := Prepare(&stopping{t.Context(), n}, dir); !errors.Is(err, context.Canceled) {
			t.Fatalf("stopped after %d: %v", n, err)
		}
		for i, r := range all {
			_, err := os.Stat(filepath.Join(folder(dir, r.Repo), markerName))
			if i < n != (err == nil) {
				t.Errorf("stopped after %d: %s: %v", n, r.Repo, err)
			}
		}
		if _, err := Prepare(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
		if diff := difference(listing(t, fresh, true), listing(t, dir, true)); diff != "" {
			t.Errorf("stopped after %d:\n%s", n, diff)
		}
	}
}

func TestPrepareConcurrently(t *testing.T) {
	fresh, all := prepared(t)
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := Prepare(t.Context(), dir)
			if err != nil || len(got) != len(all) {
				t.Errorf("%d repositories, %v", len(got), err)
			}
		})
	}
	wg.Wait()
	if diff := difference(listing(t, fresh, true), listing(t, dir, true)); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkPrepare(b *testing.B) {
	for b.Loop() {
		if _, err := Prepare(b.Context(), b.TempDir()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPrepareAgain(b *testing.B) {
	dir, _ := prepared(b)
	for b.Loop() {
		if _, err := Prepare(b.Context(), dir); err != nil {
			b.Fatal(err)
		}
	}
}
