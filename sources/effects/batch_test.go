package effects_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"benchmill/internal/clock"
	"benchmill/pipeline/ledger"
	"benchmill/sources/llm"
	"benchmill/sources/llm/llmtest"
)

// A batch is forgotten once its answers are recorded, and not before: an answer
// that could not be recorded is had again without being paid for again.
func TestBatchIsKeptUntilRecorded(t *testing.T) {
	w := newWorld(t, false)
	w.Getenv = func(string) string { return key }
	journal := filepath.Join(t.TempDir(), "batches")
	w.LLM = llm.Options{Journal: journal, Clock: &clock.Fake{}}
	server := llmtest.OpenAI(t)
	settings := models(t, server.URL)
	var s llm.Settings
	if err := json.Unmarshal(settings["m"], &s); err != nil {
		t.Fatal(err)
	}
	s.Batch = true
	settings["m"], _ = json.Marshal(s)
	e := w.For(settings)
	noted := func() int {
		files, _ := os.ReadDir(journal)
		return len(files)
	}

	w.Ledger = ledger.Open(w.dir, filepath.Join(t.TempDir(), "missing")) // reads, but cannot write
	if _, err := e.Complete(t.Context(), "m", "test", request("x")); err == nil || len(server.Batches()) != 1 || noted() != 1 {
		t.Fatalf("%v, %d batches, %d files", err, len(server.Batches()), noted())
	}
	w.Ledger = ledger.Open(w.dir, t.TempDir())
	for range 2 {
		if r, err := e.Complete(t.Context(), "m", "test", request("x")); err != nil || r.Text != "x" || len(server.Batches()) != 1 || noted() != 0 {
			t.Errorf("%+v, %v, %d batches, %d files", r, err, len(server.Batches()), noted())
		}
	}
}
