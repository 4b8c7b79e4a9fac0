package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// record makes the conversations of a world anew and returns them by file.
func record(t *testing.T, world string) map[string][]byte {
	t.Helper()
	out := t.TempDir()
	if err := run(t.Context(), filepath.Join(root, "pipeline.yaml"), world, out); err != nil {
		t.Fatal(err)
	}
	return files(t, out)
}

func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, e := range entries {
		if out[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// same compares two recordings file by file.
func same(t *testing.T, got, want map[string][]byte) bool {
	t.Helper()
	ok := slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	if !ok {
		t.Errorf("files %q, want %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	for name := range want {
		if !bytes.Equal(got[name], want[name]) {
			ok = false
			t.Errorf("%s differs", name)
		}
	}
	return ok
}

// The conversations that ship with the sample are what the sources would record
// today, and recording again gives the same bytes.
func TestConversationsAreCurrent(t *testing.T) {
	world := filepath.Join(root, "pipelines", "sample", "issues.yaml")
	first := record(t, world)
	if !same(t, files(t, filepath.Join(root, "pipelines", "sample", "api")), first) {
		t.Error("pipelines/sample/api is out of date; run \"go run ./internal/samplehub\", and remove files it does not write")
	}
	if !same(t, record(t, world), first) {
		t.Error("recording twice gives other bytes")
	}
	for name, text := range first {
		if bytes.Contains(text, []byte("recording-in-memory")) || bytes.Contains(bytes.ToLower(text), []byte("authorization")) {
			t.Errorf("%s holds a token", name)
		}
	}
}

// What is changed in the story shows in the conversations about it, and nowhere
// else.
func TestStoryIsTold(t *testing.T) {
	path := filepath.Join(root, "pipelines", "sample", "issues.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const title = "parse_money refuses 1.234 EUR"
	if strings.Count(string(text), title) != 1 {
		t.Fatalf("%s does not have %q once", path, title)
	}
	changed := filepath.Join(t.TempDir(), "issues.yaml")
	if err := os.WriteFile(changed, []byte(strings.Replace(string(text), title, "A new title", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	before, after := record(t, path), record(t, changed)
	for name := range before {
		about := name == "benchmill-samples--ledgerkit.txt"
		if bytes.Equal(before[name], after[name]) == about {
			t.Errorf("%s: changed is %v", name, !about)
		}
	}
	if !bytes.Contains(after["benchmill-samples--ledgerkit.txt"], []byte("A new title")) {
		t.Error("the new title was not recorded")
	}
}

// Mistakes in the story are named, and nothing is recorded.
func TestBadStory(t *testing.T) {
	for want, text := range map[string]string{
		"field titel not found":         "repositories:\n  - {repo: benchmill-samples/ledgerkit, titel: x}\n",
		"no repository of the sample":   "repositories:\n  - {repo: benchmill-samples/nothing}\n",
		"did not find expected":         "users: {ada: {as: OWNER}",
		"cannot unmarshal !!str `often": "repositories:\n  - {repo: benchmill-samples/ledgerkit, stars: often}\n",
	} {
		world := filepath.Join(t.TempDir(), "issues.yaml")
		if err := os.WriteFile(world, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "api")
		err := run(t.Context(), filepath.Join(root, "pipeline.yaml"), world, out)
		if err == nil || !strings.Contains(err.Error(), world) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %s", err, want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: something was recorded", want)
		}
	}
}
