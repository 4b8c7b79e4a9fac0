package vocabulary_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchmill/artifacts"
	"benchmill/artifacts/storetest"
	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/sources/vocabulary"
)

func TestValidate(t *testing.T) {
	sum := digest.Of(nil).Hex()
	for name, test := range map[string]struct {
		s    vocabulary.Settings
		says []string // nothing: it is right
	}{
		"embedded":               {vocabulary.Settings{Kind: "embedded"}, nil},
		"path":                   {vocabulary.Settings{Kind: "sentencepiece", Path: "t.model"}, nil},
		"url and digest":         {vocabulary.Settings{Kind: "huggingface", URL: "https://x", SHA256: sum}, nil},
		"tiktoken":               {vocabulary.Settings{Kind: "tiktoken", Encoding: "cl100k_base", Path: "x"}, nil},
		"nothing":                {vocabulary.Settings{}, []string{"kind: required", "path, url"}},
		"embedded with a file":   {vocabulary.Settings{Kind: "embedded", Path: "x"}, []string{"the embedded tokenizer takes none"}},
		"neither path nor url":   {vocabulary.Settings{Kind: "huggingface"}, []string{"exactly one"}},
		"both":                   {vocabulary.Settings{Kind: "huggingface", Path: "x", URL: "y"}, []string{"exactly one"}},
		"tiktoken, no encoding":  {vocabulary.Settings{Kind: "tiktoken", Path: "x"}, []string{"encoding: required"}},
		"encoding without need":  {vocabulary.Settings{Kind: "embedded", Encoding: "x"}, []string{"encoding: required for tiktoken, and only"}},
		"digest":                 {vocabulary.Settings{Kind: "huggingface", Path: "x", SHA256: "abc"}, []string{"64 hexadecimal digits"}},
		"several things at once": {vocabulary.Settings{Kind: "tiktoken", SHA256: "abc"}, []string{"exactly one", "encoding", "sha256"}},
	} {
		err := test.s.Validate()
		if len(test.says) == 0 && err != nil || len(test.says) > 0 && err == nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, says := range test.says {
			if err != nil && !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v does not say %q", name, err, says)
			}
		}
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "v"), []byte("words"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"v", filepath.Join(dir, "v")} {
		if data, err := (&vocabulary.Settings{Path: path}).Read(t.Context(), dir); err != nil || string(data) != "words" {
			t.Errorf("%s: %q, %v", path, data, err)
		}
	}
	if _, err := (&vocabulary.Settings{Path: "none"}).Read(t.Context(), dir); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestDownload(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v":
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Write([]byte("words"))
		case "/page":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Write([]byte("<html>log in</html>"))
		default:
			http.NotFound(w, r)
		}
	}))
	read := func(path string) (string, error) {
		data, err := (&vocabulary.Settings{URL: server.URL + path}).Read(t.Context(), "")
		return string(data), err
	}
	if data, err := read("/v"); err != nil || data != "words" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := read("/page"); err == nil || !strings.Contains(err.Error(), "web page") {
		t.Error(err)
	}
	if _, err := read("/none"); err == nil || !strings.Contains(err.Error(), "404") {
		t.Error(err)
	}
	server.Close()
	if _, err := read("/v"); pipeline.ClassOf(err) != pipeline.Transient {
		t.Errorf("a server that is away: %v", err)
	}
}

func TestPinned(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "v"), []byte("words"), 0o644); err != nil {
		t.Fatal(err)
	}
	pin := digest.Of([]byte("words"))
	s := &vocabulary.Settings{Kind: "sentencepiece", Path: "v"}
	store := &storetest.Memory{}
	if err := s.Pinned(t.Context(), store, dir, digest.Of([]byte("other")), false); err == nil || !strings.Contains(err.Error(), string(pin)) {
		t.Errorf("another file than the pinned: %v", err)
	}
	if _, err := store.Stat(t.Context(), pin); !errors.Is(err, artifacts.ErrNotFound) {
		t.Errorf("the wrong file was kept: %v", err)
	}
	if err := s.Pinned(t.Context(), store, dir, pin, true); err != nil {
		t.Fatal(err)
	}
	if string(storetest.Get(t, store, pin)) != "words" {
		t.Error("something else was kept")
	}
	// Once it is kept, neither the file nor the network is needed.
	gone := &vocabulary.Settings{Kind: "sentencepiece", URL: "http://127.0.0.1:1/none"}
	if err := gone.Pinned(t.Context(), store, dir, pin, true); err != nil {
		t.Error(err)
	}
	var missing *pipeline.MissingEffect
	if err := gone.Pinned(t.Context(), &storetest.Memory{}, dir, pin, true); !errors.As(err, &missing) || pipeline.ClassOf(err) != pipeline.Fatal || !strings.Contains(missing.Effect, gone.URL) {
		t.Errorf("%v", err)
	}
}
