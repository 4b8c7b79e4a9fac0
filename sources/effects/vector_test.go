package effects_test

import (
	"encoding/json"
	"slices"
	"testing"

	"benchmill/pipeline"
	"benchmill/sources/llm"
	"benchmill/sources/llm/llmtest"
)

// A vector is asked for once and comes back from the ledger as it was, number by
// number, also where nobody can be asked; a baseline needs no record at all.
func TestPromise1Vectors(t *testing.T) {
	w := newWorld(t, false)
	server := llmtest.Embeddings(t)
	numbers := []float32{0.1, -1e-45, 3.4028235e38, 1. / 3, 0}
	answer, _ := json.Marshal(map[string]any{"model": "e-1", "data": []any{map[string]any{"embedding": numbers}}})
	server.Next(llmtest.Fail(200, string(answer)))
	settings, _ := json.Marshal(llm.Settings{ModelSpec: pipeline.ModelSpec{Provider: "embeddings", Model: "e-1"}, BaseURL: server.URL})
	e := w.For(map[pipeline.ModelName]json.RawMessage{"e": settings})
	req := pipeline.Request{Provider: "embeddings", Model: "e-1", Messages: []pipeline.Message{{Role: "user", Text: "x"}}, MaxTokens: 1}
	for _, frozen := range []bool{false, false, true} {
		w.Frozen = frozen
		reply, err := e.Complete(t.Context(), "e", "test", req)
		got, bad := reply.Vector.Floats()
		if err != nil || bad != nil || !slices.Equal(got, numbers) || len(server.Bodies()) != 1 {
			t.Errorf("frozen %v: %v, %v, %v, %d requests", frozen, got, err, bad, len(server.Bodies()))
		}
	}
	local, _ := json.Marshal(llm.Settings{ModelSpec: pipeline.ModelSpec{Provider: "ngram"}})
	e = w.For(map[pipeline.ModelName]json.RawMessage{"n": local})
	reply, err := e.Complete(t.Context(), "n", "test", pipeline.Request{Provider: "ngram", Messages: []pipeline.Message{{Role: "user", Text: "a(b)\na("}}, MaxTokens: 1})
	if err != nil || reply.Text != "b" || reply.Origin != pipeline.OriginNgram {
		t.Errorf("frozen, without a record: %+v, %v", reply, err)
	}
}
