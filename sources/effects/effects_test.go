package effects_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"benchmill/artifacts"
	"benchmill/artifacts/storetest"
	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/pipeline/ledger"
	"benchmill/sources"
	"benchmill/sources/effects"
	"benchmill/sources/llm"
	"benchmill/sources/llm/llmtest"
	"benchmill/sources/sourcetest"
)

type world struct {
	*effects.World
	store  *storetest.Memory
	source *sourcetest.Fake
	dir    string // of the ledger
}

func newWorld(t *testing.T, local bool) *world {
	w := &world{store: &storetest.Memory{}, source: sourcetest.NewFake("fake", local), dir: filepath.Join(t.TempDir(), "ledger")}
	w.World = &effects.World{
		Store: w.store, Ledger: ledger.Open(w.dir, t.TempDir()), Sources: []sources.Source{w.source},
		Getenv: func(string) string { return "" },
	}
	return w
}

func (w *world) fetch(t *testing.T, pin pipeline.Pin) (string, error) {
	t.Helper()
	r, err := w.For(nil).Fetch(t.Context(), pin)
	if err != nil {
		return "", err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	return string(data), err
}

// object is where the store has what a pin fetched.
func (w *world) object(t *testing.T, pin pipeline.Pin) *ledger.Record {
	t.Helper()
	key, err := ledger.Key(ledger.KindFetch, pin)
	if err != nil {
		t.Fatal(err)
	}
	r, ok, err := w.Ledger.Get(ledger.KindFetch, key)
	if err != nil || !ok {
		t.Fatalf("no record: %v", err)
	}
	return r
}

func TestFetchOnce(t *testing.T) {
	w := newWorld(t, false)
	pin := w.source.Put("here", "main", []byte("content"))
	for range 3 {
		if got, err := w.fetch(t, pin); err != nil || got != "content" {
			t.Errorf("%q, %v", got, err)
		}
	}
	if n := w.source.Fetches(); n != 1 {
		t.Errorf("fetched %d times", n)
	}
	if r := w.object(t, pin); r.What != pin.String() || !strings.Contains(string(r.Request), `"locator"`) {
		t.Errorf("%+v", r)
	}
}

// Tasks that want the same at once share one fetch.
func TestFetchTogether(t *testing.T) {
	w := newWorld(t, false)
	const n = 8
	wanting := make(chan struct{}, n)
	var once sync.Once
	release := make(chan struct{})
	w.source.Before = func(context.Context, string, string) error { <-release; return nil }
	pin := w.source.Put("here", "main", []byte("content"))
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			wanting <- struct{}{}
			if len(wanting) == n {
				once.Do(func() { close(release) })
			}
			if got, err := w.fetch(t, pin); err != nil || got != "content" {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	all.Wait()
	if got := w.source.Fetches(); got != 1 {
		t.Errorf("fetched %d times", got)
	}
}

// However closely tasks follow each other, an answer is paid for once.
func TestAskedOnce(t *testing.T) {
	w := newWorld(t, false)
	w.Getenv = func(string) string { return key }
	server := llmtest.OpenAI(t)
	e := w.For(models(t, server.URL))
	const rounds, n = 40, 6
	for round := range rounds {
		pin := w.source.Put(fmt.Sprint(round), "main", []byte(fmt.Sprint("content ", round)))
		var all sync.WaitGroup
		for range n {
			all.Go(func() {
				if _, err := w.fetch(t, pin); err != nil {
					t.Error(err)
				}
				if _, err := e.Complete(t.Context(), "m", "test", request(pin.Locator)); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
	if fetched, asked := w.source.Fetches(), len(server.Keys()); fetched != rounds || asked != rounds {
		t.Errorf("fetched %d times and asked %d times for %d", fetched, asked, rounds)
	}
}

// TestPromise1Frozen: without the network, what is recorded is answered, what is
// local is fetched, and the rest fails by name and stops the run.
func TestPromise1Frozen(t *testing.T) {
	w := newWorld(t, false)
	known, unknown := w.source.Put("here", "main", []byte("content")), w.source.Put("there", "main", []byte("other"))
	if _, err := w.fetch(t, known); err != nil {
		t.Fatal(err)
	}
	w.Frozen = true
	if got, err := w.fetch(t, known); err != nil || got != "content" {
		t.Errorf("%q, %v", got, err)
	}
	missing := func(err error, name string) {
		t.Helper()
		var m *pipeline.MissingEffect
		if !errors.As(err, &m) || pipeline.ClassOf(err) != pipeline.Fatal || !strings.Contains(m.Effect, name) {
			t.Errorf("%v does not name %s", err, name)
		}
	}
	_, err := w.fetch(t, unknown)
	missing(err, unknown.String())
	if err := w.store.Remove(t.Context(), w.object(t, known).Object); err != nil {
		t.Fatal(err)
	}
	_, err = w.fetch(t, known) // recorded, but its bytes are lost
	missing(err, known.String())
	_, err = w.For(nil).Complete(t.Context(), "m", "describe f", pipeline.Request{Provider: "openai", Model: "gpt"})
	missing(err, "gpt of openai (describe f)")
	if n := w.source.Fetches(); n != 1 {
		t.Errorf("the network was asked %d times", n)
	}

	w = newWorld(t, true)
	w.Frozen = true
	pin := w.source.Put("here", "main", []byte("content"))
	if got, err := w.fetch(t, pin); err != nil || got != "content" {
		t.Errorf("local: %q, %v", got, err)
	}
}

// What is shipped, such as a list of the lock, needs neither store nor network.
func TestFetchShipped(t *testing.T) {
	w := newWorld(t, false)
	w.Frozen = true
	pin := pipeline.Pin{Scheme: "fake", Locator: "search", Version: "sha256:1"}
	if err := w.Ledger.ShipFetch(pin, []byte("list")); err != nil {
		t.Fatal(err)
	}
	if got, err := w.fetch(t, pin); err != nil || got != "list" {
		t.Errorf("%q, %v", got, err)
	}
	if err := w.Ledger.ShipFetch(pin, []byte("another")); err == nil {
		t.Error("two answers to one request")
	}
}

func TestFetchAgain(t *testing.T) {
	for name, spoil := range map[string]func(w *world, r *ledger.Record) error{
		"lost":    func(w *world, r *ledger.Record) error { return w.store.Remove(context.Background(), r.Object) },
		"damaged": func(w *world, r *ledger.Record) error { return w.store.Damage(r.Object) },
	} {
		w := newWorld(t, false)
		pin := w.source.Put("here", "main", []byte("content"))
		if _, err := w.fetch(t, pin); err != nil {
			t.Fatal(err)
		}
		if err := spoil(w, w.object(t, pin)); err != nil {
			t.Fatal(err)
		}
		if got, err := w.fetch(t, pin); err != nil || got != "content" || w.source.Fetches() != 2 {
			t.Errorf("%s: %q, %v, fetched %d times", name, got, err, w.source.Fetches())
		}
	}
}

// A fetch that fails leaves nothing behind, and its class stays.
func TestFetchFails(t *testing.T) {
	w := newWorld(t, false)
	busy := pipeline.Mark(errors.New("busy"), pipeline.Transient)
	w.source.Before = func(context.Context, string, string) error { return busy }
	pin := w.source.Put("here", "main", []byte("content"))
	_, err := w.fetch(t, pin)
	if !errors.Is(err, busy) || pipeline.ClassOf(err) != pipeline.Transient || !strings.Contains(err.Error(), pin.String()) {
		t.Errorf("%v", err)
	}
	empty := func() {
		t.Helper()
		if err := w.Ledger.Walk(func(r *ledger.Record) error { return errors.New("recorded " + r.What) }); err != nil {
			t.Error(err)
		}
	}
	empty()
	if _, err := w.fetch(t, pipeline.Pin{Scheme: "nowhere", Locator: "x", Version: "1"}); err == nil || !strings.Contains(err.Error(), "no source for nowhere x@1") {
		t.Error(err)
	}
	empty()
}

// Who waits for another's fetch that was stopped fetches for itself.
func TestFetchAfterCanceledFlight(t *testing.T) {
	w := newWorld(t, false)
	pin := w.source.Put("here", "main", []byte("content"))
	ctx, cancel := context.WithCancel(t.Context())
	started := make(chan struct{})
	var first sync.Once
	w.source.Before = func(ctx context.Context, _, _ string) (err error) {
		first.Do(func() {
			close(started)
			<-ctx.Done()
			err = ctx.Err()
		})
		return err
	}
	var all sync.WaitGroup
	all.Go(func() {
		if _, err := w.For(nil).Fetch(ctx, pin); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
	<-started
	all.Go(func() {
		if got, err := w.fetch(t, pin); err != nil || got != "content" {
			t.Errorf("%q, %v", got, err)
		}
	})
	cancel()
	all.Wait()
}

const key = "sk-very-secret-0123456789"

func models(t *testing.T, url string) map[pipeline.ModelName]json.RawMessage {
	t.Helper()
	s := llm.Settings{ModelSpec: pipeline.ModelSpec{Provider: "openai", Model: "gpt"}, BaseURL: url, APIKeyEnv: "KEY", MaxRetries: -1}
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return map[pipeline.ModelName]json.RawMessage{"m": data}
}

func request(text string) pipeline.Request {
	return pipeline.Request{Provider: "openai", Model: "gpt", MaxTokens: 9, Messages: []pipeline.Message{{Role: "user", Text: text}}, Template: "t/1"}
}

func TestCompleteOnce(t *testing.T) {
	w := newWorld(t, false)
	w.Getenv = func(string) string { return key }
	server := llmtest.OpenAI(t)
	e := w.For(models(t, server.URL))
	for range 3 {
		r, err := e.Complete(t.Context(), "m", "test", request("hello"))
		if err != nil || r.Text != "hello" || r.Origin != pipeline.OriginModel {
			t.Errorf("%+v, %v", r, err)
		}
	}
	if n := len(server.Keys()); n != 1 {
		t.Errorf("asked %d times", n)
	}
	// Another request, even of the same words, is another question.
	other := request("hello")
	other.Temperature = 1
	if _, err := e.Complete(t.Context(), "m", "test", other); err != nil || len(server.Keys()) != 2 {
		t.Errorf("%v", err)
	}
	if _, err := e.Complete(t.Context(), "unknown", "test", request("new")); err == nil || !strings.Contains(err.Error(), "unknown") {
		t.Error(err)
	}
	w.Frozen = true
	if r, err := e.Complete(t.Context(), "m", "test", request("hello")); err != nil || r.Text != "hello" {
		t.Errorf("frozen: %+v, %v", r, err)
	}
}

// TestPromise7Secrets: a key appears in no record and in no error, though the
// server repeats it in both.
func TestPromise7Secrets(t *testing.T) {
	w := newWorld(t, false)
	w.Getenv = func(string) string { return key }
	server := llmtest.OpenAI(t)
	settings := models(t, server.URL)
	if bytes.Contains(settings["m"], []byte(key)) {
		t.Error("the settings of a task hold the key")
	}
	e := w.For(settings)
	if _, err := e.Complete(t.Context(), "m", "test", request("echo")); err != nil {
		t.Fatal(err)
	}
	if keys := server.Keys(); len(keys) != 1 || !strings.Contains(keys[0], key) {
		t.Fatalf("the server was not given the key: %q", keys)
	}
	server.Next(server.Reply("your key is "+key, "stop"))
	r, err := e.Complete(t.Context(), "m", "test", request("what is my key"))
	if err != nil || strings.Contains(r.Text, key) {
		t.Errorf("%+v, %v", r, err)
	}
	server.Next(llmtest.Fail(401, `{"error":{"message":"Incorrect API key provided: `+key+`"}}`))
	_, err = e.Complete(t.Context(), "m", "test", request("refused"))
	if err == nil || strings.Contains(err.Error(), key) || pipeline.ClassOf(err) != pipeline.Fatal {
		t.Errorf("%v", err)
	}
	n := 0
	if err := filepath.WalkDir(w.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(key)) {
			t.Errorf("%s holds the key", path)
		}
		n++
		return err
	}); err != nil || n != 2 {
		t.Errorf("%d records, %v", n, err)
	}
	if err := w.store.Walk(t.Context(), func(digest.Digest, int64) error { return artifacts.ErrDamaged }); err != nil {
		t.Error("an answer of a model is an object")
	}
}
