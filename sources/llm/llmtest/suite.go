package llmtest

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"benchmill/pipeline"
	"benchmill/sources/llm"
)

// Raw reports whether a kind of provider takes one text and nothing else.
func Raw(provider string) bool {
	return slices.Contains([]string{"completions", "embeddings", "ngram"}, provider)
}

// Request is a small valid request, which the kind of provider can answer.
func Request(provider, model string) pipeline.Request {
	if Raw(provider) {
		return pipeline.Request{
			Provider: provider, Model: model, Temperature: 0.2, MaxTokens: 64, Stop: []string{"\n"}, Template: "test/1",
			Messages: []pipeline.Message{{Role: "user", Text: "def double(x):\n    return 2 * x\n\nprint(double(21))\n\n\ndef quadruple("}},
		}
	}
	return pipeline.Request{
		Provider:    provider,
		Model:       model,
		System:      "You explain code.",
		Messages:    []pipeline.Message{{Role: "user", Text: "Explain: def double(x): return 2 * x"}},
		Temperature: 0.2,
		MaxTokens:   64,
		Template:    "test/1",
		Subject: map[string]string{
			"name": "double", "params": "x", "language": "python", "path": "a.py",
			"code": "def double(x):\n    return 2 * x\n", "signature": "def double(x):",
		},
	}
}

// Schema is a JSON Schema every kind of provider can answer that takes one.
const Schema = `{"type":"object","properties":{"purpose":{"type":"string"},"input":{"type":"string"},"output":{"type":"string"},"procedure":{"type":"string"}},"required":["purpose","input","output","procedure"],"additionalProperties":false}`

// TestProvider is the conformance suite: what [llm.Provider] promises. open
// returns a fresh provider that answers [Request] with the given model.
func TestProvider(t *testing.T, provider, model string, open func(t *testing.T) llm.Provider) {
	req := Request(provider, model)
	t.Run("answers", func(t *testing.T) { checkReply(t, open(t), req) })

	t.Run("structured", func(t *testing.T) {
		req := req
		req.SchemaName, req.Schema = "description", json.RawMessage(Schema)
		if Raw(provider) {
			checkRefusals(t, open(t), req)
			return
		}
		if reply := checkReply(t, open(t), req); !json.Valid([]byte(reply.Text)) {
			t.Errorf("not JSON: %q", reply.Text)
		}
	})

	t.Run("same request again", func(t *testing.T) {
		p := open(t)
		first := checkReply(t, p, req)
		if second := checkReply(t, p, req); second.Origin != first.Origin || second.Model != first.Model {
			t.Errorf("first %+v, then %+v", first, second)
		}
	})

	t.Run("leaves the request alone", func(t *testing.T) {
		req := req
		if !Raw(provider) {
			req.Schema = json.RawMessage(Schema)
		}
		before, _ := json.Marshal(req)
		checkReply(t, open(t), req)
		if after, _ := json.Marshal(req); string(after) != string(before) {
			t.Errorf("changed to %s", after)
		}
	})

	t.Run("canceled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if reply, err := open(t).Complete(ctx, req); pipeline.ClassOf(err) != pipeline.Canceled || reply != (pipeline.Reply{}) {
			t.Errorf("reply %+v, error %v of class %v", reply, err, pipeline.ClassOf(err))
		}
	})

	t.Run("concurrently", func(t *testing.T) {
		p := open(t)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { checkReply(t, p, req) })
		}
		all.Wait()
	})
}

// checkRefusals asks a raw provider for what it cannot send: that is an error,
// never left out silently.
func checkRefusals(t *testing.T, p llm.Provider, structured pipeline.Request) {
	t.Helper()
	plain := structured
	plain.Schema = nil
	for name, change := range map[string]func(*pipeline.Request){
		"schema":       func(r *pipeline.Request) { r.Schema = structured.Schema },
		"system":       func(r *pipeline.Request) { r.System = "You explain code." },
		"conversation": func(r *pipeline.Request) { r.Messages = append(r.Messages[:1:1], r.Messages[0]) },
		"role":         func(r *pipeline.Request) { r.Messages = []pipeline.Message{{Role: "assistant", Text: "x"}} },
		"nothing":      func(r *pipeline.Request) { r.Messages = nil },
	} {
		req := plain
		change(&req)
		if reply, err := p.Complete(t.Context(), req); err == nil || pipeline.ClassOf(err) != pipeline.Permanent || reply != (pipeline.Reply{}) {
			t.Errorf("%s: reply %+v, error %v of class %v", name, reply, err, pipeline.ClassOf(err))
		}
	}
}

// checkReply asks once and checks what every reply must be.
func checkReply(t *testing.T, p llm.Provider, req pipeline.Request) pipeline.Reply {
	t.Helper()
	reply, err := p.Complete(t.Context(), req)
	if err != nil {
		t.Error(err)
		return reply
	}
	if (reply.Text == "") == (reply.Vector == "") || reply.Model == "" || reply.Provider != req.Provider || reply.Finish != "stop" {
		t.Errorf("incomplete reply %+v", reply)
	}
	switch reply.Origin {
	case pipeline.OriginModel:
		if reply.InputTokens <= 0 || reply.OutputTokens <= 0 && reply.Vector == "" {
			t.Errorf("a model's reply without tokens: %+v", reply)
		}
	case pipeline.OriginExtractive, pipeline.OriginNgram:
		if reply.InputTokens+reply.OutputTokens+reply.CostMicroUSD != 0 {
			t.Errorf("costs something: %+v", reply)
		}
	default:
		t.Errorf("unknown origin %q", reply.Origin)
	}
	return reply
}
