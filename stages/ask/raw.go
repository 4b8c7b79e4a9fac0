package ask

import (
	"context"
	"fmt"

	"benchmill/pipeline"
)

// Templates of requests that hold nothing but a text: what a prompt's identity is
// to a form.
const (
	continueTemplate = "continue/1"
	embedTemplate    = "embed/1"
)

// Continue has a model go on with a text as it is: no instruction is put around
// it, and what comes back is not checked. An answer ends before the first of stop.
// Errors are the provider's; one that takes no such request says so.
func Continue(ctx context.Context, p *pipeline.Pass, model pipeline.ModelName, s Settings, what, text string, stop ...string) (pipeline.Reply, error) {
	spec, err := p.Model(model)
	if err != nil {
		return pipeline.Reply{}, err
	}
	req := s.request(spec, 0, nil)
	req.Messages, req.Stop, req.Template = userSays(text), stop, continueTemplate
	return p.Effects.Complete(ctx, model, what, req)
}

// Embed has a model make a vector of a text. A model that answers in words is a
// fatal error.
func Embed(ctx context.Context, p *pipeline.Pass, model pipeline.ModelName, what, text string) ([]float32, error) {
	spec, err := p.Model(model)
	if err != nil {
		return nil, err
	}
	// Nothing but the text decides a vector. The bound is for models that talk: they
	// are asked for as little as there is.
	reply, err := p.Effects.Complete(ctx, model, what, pipeline.Request{
		Provider: spec.Provider, Model: spec.Model, Messages: userSays(text), MaxTokens: 1, Template: embedTemplate,
	})
	if err != nil {
		return nil, err
	}
	if reply.Vector == "" {
		return nil, pipeline.Mark(fmt.Errorf("model %s (%s of %s) answers in words, and a vector is wanted", model, spec.Model, spec.Provider), pipeline.Fatal)
	}
	return reply.Vector.Floats()
}

func userSays(text string) []pipeline.Message { return []pipeline.Message{{Role: "user", Text: text}} }
