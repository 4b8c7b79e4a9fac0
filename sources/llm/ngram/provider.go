package ngram

import (
	"context"
	"errors"
	"strings"

	"benchmill/pipeline"
	"benchmill/sources/llm/internal/api"
)

// Name is how pipeline.yaml and replies call this provider.
const Name = "ngram"

// Model is the version of the rules. It rises whenever the same text may be
// completed otherwise.
//
//	ngram-1  the first
const Model = "ngram-1"

// Provider is safe for concurrent use.
type Provider struct{}

// New returns the provider.
func New() Provider { return Provider{} }

// Complete implements llm.Provider. The text is the request's only message;
// MaxTokens counts words, marks and blanks as [tokens] parts them. Temperature
// and seed change nothing.
func (Provider) Complete(ctx context.Context, req pipeline.Request) (pipeline.Reply, error) {
	if err := ctx.Err(); err != nil {
		return pipeline.Reply{}, err
	}
	text, err := api.Raw(Name, req)
	if err == nil && req.MaxTokens <= 0 {
		err = errors.New("the request sets no max_tokens; every answer needs an upper bound")
	}
	if err != nil {
		return pipeline.Reply{}, err
	}
	reply := pipeline.Reply{Origin: pipeline.OriginNgram, Provider: Name, Model: Model, Finish: "length"}
	m := learn(text)
	for range req.MaxTokens {
		if err := ctx.Err(); err != nil {
			return pipeline.Reply{}, err
		}
		token, ok := m.next()
		if !ok {
			reply.Finish = "stop"
			break
		}
		reply.Text += token
		if at := firstOf(reply.Text, req.Stop); at >= 0 {
			reply.Text, reply.Finish = reply.Text[:at], "stop"
			break
		}
	}
	return reply, nil
}

// firstOf is where the first of some texts starts, or -1. An empty one starts
// nowhere.
func firstOf(text string, stops []string) int {
	first := -1
	for _, stop := range stops {
		if at := strings.Index(text, stop); stop != "" && at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	return first
}
