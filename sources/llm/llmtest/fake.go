package llmtest

import (
	"context"
	"fmt"
	"sync"

	"benchmill/pipeline"
	"benchmill/sources/llm"
)

// Answer is one line of a [Fake]'s script: a reply or an error.
type Answer struct {
	Reply pipeline.Reply
	Err   error
}

// Fake is a provider that plays a script. It is safe for concurrent use.
type Fake struct {
	// Script is played in order, one answer for each call.
	Script []Answer
	// Then answers what comes after the script; nil: such a call is an error.
	Then llm.ProviderFunc

	mu    sync.Mutex
	asked []pipeline.Request
}

// Complete implements [llm.Provider].
func (f *Fake) Complete(ctx context.Context, req pipeline.Request) (pipeline.Reply, error) {
	if err := ctx.Err(); err != nil {
		return pipeline.Reply{}, err
	}
	f.mu.Lock()
	n := len(f.asked)
	f.asked = append(f.asked, req)
	f.mu.Unlock()
	switch {
	case n < len(f.Script):
		return f.Script[n].Reply, f.Script[n].Err
	case f.Then != nil:
		return f.Then(ctx, req)
	}
	return pipeline.Reply{}, fmt.Errorf("call %d is not in the script", n+1)
}

// Asked is every request so far, in order.
func (f *Fake) Asked() []pipeline.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]pipeline.Request(nil), f.asked...)
}

// Echo answers with the last message, as a model would that uses as many tokens
// as there are bytes.
func Echo(_ context.Context, req pipeline.Request) (pipeline.Reply, error) {
	text := req.Messages[len(req.Messages)-1].Text
	if len(req.Schema) > 0 {
		text = fmt.Sprintf("{\"echo\":%q}", text)
	}
	return pipeline.Reply{
		Text: text, Origin: pipeline.OriginModel, Provider: req.Provider, Model: req.Model, Finish: "stop",
		InputTokens: int64(len(text)), OutputTokens: int64(len(text)),
	}, nil
}
