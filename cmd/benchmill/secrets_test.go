package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"benchmill/sources/github/githubtest"
)

const (
	markerToken = "ghp_MarkerMarkerMarkerMarkerMarker012345"
	markerKey   = "sk-marker-0123456789-marker-0123456789"
)

// echoing answers the first request of every address with the credentials it was
// sent, in the body and in headers, and everything about the repository "gone" for
// ever; after that as next.
func echoing(next http.Handler) http.Handler {
	var mu sync.Mutex
	seen := map[string]bool{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		first := !seen[r.URL.Path]
		seen[r.URL.Path] = true
		mu.Unlock()
		gone := strings.Contains(r.URL.Path, "/gone")
		if !first && !gone {
			next.ServeHTTP(w, r)
			return
		}
		sent := r.Header.Get("Authorization")
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Echo", sent)
		status := http.StatusInternalServerError
		if gone {
			status = http.StatusForbidden
		}
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]string{"message": "who sends " + sent + " as " + strings.TrimPrefix(sent, "Bearer ")})
	})
}

// TestPromise7Secrets runs and looks for the token and the key in everything that
// is left: what commands print, the store, the lock.
func TestPromise7Secrets(t *testing.T) {
	world := githubtest.Generate(3, 2, 30)
	repositories := world.Repositories()
	hub := httptest.NewServer(echoing(githubtest.New(world, githubtest.Options{Names: "https://api.github.com"})))
	defer hub.Close()
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"error":{"message":"bad request of %s"}}`, r.Header.Get("Authorization"))
	}))
	defer model.Close()
	t.Setenv("GITHUB_TOKEN", markerToken)
	t.Setenv("OPENAI_API_KEY", markerKey)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"repositories.yaml": `repositories:
  - {repo: ` + repositories[0].FullName() + `, url: "https://github.com/a/b", commit: "` + strings.Repeat("1", 40) + `", language: python}
  - {repo: ` + repositories[1].FullName() + `, url: "https://github.com/a/c", commit: "` + strings.Repeat("1", 40) + `", language: python}
  - {repo: o/gone, url: "https://github.com/o/gone", commit: "` + strings.Repeat("1", 40) + `", language: python}
`,
		"pipeline.yaml": `version: 1
name: secrets
failure_budget: 1
stages:
  repositories: {uses: repos.list, with: {file: repositories.yaml}}
  collected: {uses: issues.collect, from: repositories, with: {api: "` + hub.URL + `"}}
  details: {uses: issues.details, from: repositories, with: {api: "` + hub.URL + `"}}
  candidates: {uses: longcodeqa.candidates, from: [repositories, collected.issues, collected.comments], with: {min_chars: 1}}
  questions: {uses: longcodeqa.questions, from: [repositories, candidates], with: {model: m}}
models:
  m: {provider: openai, model: m, base_url: "` + model.URL + `/v1", max_retries: -1}
sources:
  github: {points_per_minute: 100000}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "pipeline.yaml")
	var printed bytes.Buffer
	run := func(want int, args ...string) {
		t.Helper()
		var o, e bytes.Buffer
		code := Main(context.Background(), append(args, "-f", file), &streams{strings.NewReader(""), &o, &e, false})
		printed.Write(o.Bytes())
		printed.Write(e.Bytes())
		if code != want {
			t.Fatalf("%v: exit code %d, want %d: %s%s", args, code, want, o.String(), e.String())
		}
	}
	run(exitOK, "update", "--as-of", githubtest.GeneratedUntil.Format("2006-01-02T15:04:05Z"))
	run(exitQuarantined, "run")
	run(exitOK, "plan", "--json")
	run(exitOK, "doctor")
	for _, what := range []string{"o/gone", "bad request of"} {
		if !strings.Contains(printed.String(), what) {
			t.Errorf("the run did not get as far as %q:\n%s", what, printed.String())
		}
	}
	look := func(where string, data []byte) {
		for _, secret := range []string{markerToken, markerToken[4:], markerKey, markerKey[3:]} {
			if bytes.Contains(data, []byte(secret)) {
				t.Errorf("%s holds a secret", where)
			}
		}
	}
	look("the output", printed.Bytes())
	files := 0
	err := filepath.WalkDir(dir, func(path string, f fs.DirEntry, err error) error {
		if err != nil || f.IsDir() {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		look(path, data)
		return err
	})
	if err != nil || files < 10 {
		t.Errorf("%d files, %v", files, err)
	}
}
