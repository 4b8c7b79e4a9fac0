package llm_test

import (
	"math"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline"
	"benchmill/sources/llm"
	"benchmill/sources/llm/llmtest"
)

// What a completion is on the wire: the text as it is, and everything that decides
// the answer.
func TestCompletionOnTheWire(t *testing.T) {
	server := llmtest.Completions(t)
	p := open(t, settings("completions", "base-1b", server.URL), nil, llm.Options{})
	seed := int64(7)
	text := "<fim> x = a\u2028<b & \"c\"\n\tself."
	_, err := p.Complete(t.Context(), pipeline.Request{
		Provider: "completions", Model: "base-1b", MaxTokens: 50, TopP: 0.5, Seed: &seed, Stop: []string{"\n\n", ";"},
		Messages: []pipeline.Message{{Role: "user", Text: text}}, Subject: map[string]string{"code": "unseen"}, Template: "complete/1",
	})
	want := map[string]any{
		"model": "base-1b", "prompt": text, "max_tokens": 50.0, "temperature": 0.0, "top_p": 0.5, "seed": 7.0, "stop": []any{"\n\n", ";"},
	}
	if got := server.Bodies()[0]; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("sent %v, want %v (%v)", got, want, err)
	}
	plain := llmtest.Request("completions", "base-1b")
	plain.Stop = nil
	p.Complete(t.Context(), plain)
	for _, key := range []string{"top_p", "seed", "stop"} {
		if value, ok := server.Bodies()[1][key]; ok {
			t.Errorf("%s: %v was sent unasked", key, value)
		}
	}
}

// Chat models are told where to stop, too.
func TestStopOnTheWire(t *testing.T) {
	for _, f := range chats {
		server := f.start(t)
		req := llmtest.Request(f.provider, "m-1")
		req.Stop = []string{"END"}
		if _, err := open(t, settings(f.provider, "m-1", server.URL), nil, llm.Options{}).Complete(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		key := map[string]string{"openai": "stop", "anthropic": "stop_sequences"}[f.provider]
		if got := server.Bodies()[0][key]; !reflect.DeepEqual(got, []any{"END"}) {
			t.Errorf("%s: sent %v", f.provider, got)
		}
	}
}

func TestEmbedding(t *testing.T) {
	server := llmtest.Embeddings(t)
	server.Next(nil, llmtest.Fail(200, `{"model":"e","data":[{"embedding":[0.1, -1e-45, 3.4028234e38, 0.30000001192092896, 1e-60]}],"usage":{"prompt_tokens":3}}`))
	p := open(t, settings("embeddings", "e-1", server.URL), nil, llm.Options{})
	ask := func(text string) (pipeline.Reply, error) {
		return p.Complete(t.Context(), pipeline.Request{Provider: "embeddings", Model: "e-1", Messages: []pipeline.Message{{Role: "user", Text: text}}})
	}
	reply, err := ask("ab 1")
	want := pipeline.Reply{
		Vector: pipeline.NewVector([]float32{0.5, 0.25, 0.25, 0}), Origin: pipeline.OriginModel, Provider: "embeddings",
		Model: "e-1-0125", Finish: "stop", InputTokens: 11,
	}
	if err != nil || reply != want {
		t.Errorf("%+v, want %+v (%v)", reply, want, err)
	}
	if body, want := server.Bodies()[0], map[string]any{"model": "e-1", "input": "ab 1", "encoding_format": "float"}; !reflect.DeepEqual(body, want) {
		t.Errorf("sent %v", body)
	}
	reply, err = ask("x")
	got, _ := reply.Vector.Floats() // each number the nearest there is
	if want := []float32{0.1, -math.SmallestNonzeroFloat32, math.MaxFloat32, 0.3, 0}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, want %v (%v)", got, want, err)
	}
}

// A vector that is none is asked for again, and then an error.
func TestBadEmbeddings(t *testing.T) {
	for name, answer := range map[string]string{
		"none": `{"data":[]}`, "two": `{"data":[{"embedding":[1]},{"embedding":[2]}]}`, "empty": `{"data":[{"embedding":[]}]}`,
		"too large": `{"data":[{"embedding":[1e39]}]}`, "words": `{"data":[{"embedding":"no"}]}`,
	} {
		server := llmtest.Embeddings(t)
		server.Next(slices.Repeat([]http.HandlerFunc{llmtest.Fail(200, answer)}, 2)...)
		s := settings("embeddings", "e-1", server.URL)
		s.MaxRetries = 1
		reply, err := open(t, s, nil, llm.Options{}).Complete(t.Context(), llmtest.Request("embeddings", "e-1"))
		if pipeline.ClassOf(err) != pipeline.Transient || !strings.Contains(err.Error(), "form of a reply") || reply != (pipeline.Reply{}) || len(server.Bodies()) != 2 {
			t.Errorf("%s: %+v, %v of class %v", name, reply, err, pipeline.ClassOf(err))
		}
	}
}
