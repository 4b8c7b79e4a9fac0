package openai

import (
	"cmp"
	"context"
	"errors"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"

	"benchmill/pipeline"
	"benchmill/sources/llm/internal/api"
)

// CompletionsName is how pipeline.yaml and replies call [Completions].
const CompletionsName = "completions"

// Completions goes on with a text as it is, by the Completions API: what servers
// of base models (vLLM, TGI, llama.cpp) speak. It is safe for concurrent use.
type Completions struct {
	endpoint api.Endpoint
	service  sdk.CompletionService
}

// NewCompletions returns a provider that reads nothing from the environment.
func NewCompletions(endpoint api.Endpoint) *Completions {
	endpoint.BaseURL = cmp.Or(endpoint.BaseURL, official)
	return &Completions{endpoint, sdk.NewCompletionService(options(endpoint, endpoint.Client(), endpoint.Exchange)...)}
}

// Complete implements llm.Provider. The text is the request's only message.
func (p *Completions) Complete(ctx context.Context, req pipeline.Request) (pipeline.Reply, error) {
	text, err := api.Raw(CompletionsName, req)
	if err == nil {
		err = api.Check(req)
	}
	if err != nil {
		return pipeline.Reply{}, err
	}
	params := sdk.CompletionNewParams{
		Model:       sdk.CompletionNewParamsModel(req.Model),
		Prompt:      sdk.CompletionNewParamsPromptUnion{OfString: param.NewOpt(text)},
		MaxTokens:   param.NewOpt(int64(req.MaxTokens)),
		Temperature: param.NewOpt(req.Temperature),
		Stop:        sdk.CompletionNewParamsStopUnion{OfStringArray: req.Stop},
	}
	if req.TopP != 0 {
		params.TopP = param.NewOpt(req.TopP)
	}
	if req.Seed != nil {
		params.Seed = param.NewOpt(*req.Seed)
	}
	answer, err := p.service.New(ctx, params)
	if err != nil {
		if s, ok := api.StatusOf(err); ok && filtered(s) {
			return newReply(CompletionsName, req.Model, s.Message, "refusal"), nil
		}
		return pipeline.Reply{}, p.endpoint.Explain(ctx, req.Model, err)
	}
	if len(answer.Choices) == 0 {
		return pipeline.Reply{}, p.endpoint.Explain(ctx, req.Model, errors.New("no choices"))
	}
	finish := string(answer.Choices[0].FinishReason)
	if finish == "content_filter" {
		finish = "refusal"
	}
	reply := newReply(CompletionsName, cmp.Or(answer.Model, req.Model), answer.Choices[0].Text, finish)
	reply.InputTokens, reply.OutputTokens = answer.Usage.PromptTokens, answer.Usage.CompletionTokens
	return reply, nil
}
