package anthropic

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"benchmill/pipeline"
	"benchmill/sources/llm/internal/api"
)

// Name is how pipeline.yaml and replies call this provider.
const Name = "anthropic"

// Provider is safe for concurrent use.
type Provider struct {
	endpoint api.Endpoint
	messages sdk.MessageService
	batches  sdk.MessageBatchService
	transfer api.Endpoint            // what whole batches pass
	uploads  sdk.MessageBatchService // answer in JSON
	results  sdk.MessageBatchService // hand out lines
}

// New returns a provider that reads nothing from the environment: neither a key
// nor an address that endpoint does not name.
func New(endpoint api.Endpoint) *Provider {
	transfer, client := endpoint.Transfer(), endpoint.Client()
	service := func(e api.Endpoint, exchange option.Middleware) sdk.MessageService {
		options := []option.RequestOption{
			option.WithoutEnvironmentDefaults(),
			option.WithHTTPClient(client),
			option.WithMiddleware(exchange),
			option.WithRequestTimeout(e.Timeout),
			option.WithMaxRetries(0),
		}
		if e.BaseURL != "" {
			options = append(options, option.WithBaseURL(e.BaseURL))
		}
		if e.Key != "" {
			options = append(options, option.WithAPIKey(e.Key))
		}
		c := sdk.NewClient(options...)
		return c.Messages
	}
	messages := service(endpoint, endpoint.Exchange)
	return &Provider{
		endpoint: endpoint, transfer: transfer,
		messages: messages, batches: messages.Batches,
		uploads: service(transfer, transfer.Exchange).Batches,
		results: service(transfer, transfer.Stream).Batches,
	}
}

// Complete implements llm.Provider.
func (p *Provider) Complete(ctx context.Context, req pipeline.Request) (pipeline.Reply, error) {
	if err := api.Check(req); err != nil {
		return pipeline.Reply{}, err
	}
	params, err := newParams(req)
	if err != nil {
		return pipeline.Reply{}, err
	}
	answer, err := p.messages.New(ctx, params)
	return p.read(ctx, req.Model, answer, err)
}

// read makes a reply of what the API said to one request for model, alone or in
// a batch.
func (p *Provider) read(ctx context.Context, model string, answer *sdk.Message, err error) (pipeline.Reply, error) {
	if err != nil {
		return pipeline.Reply{}, p.endpoint.Explain(ctx, model, err)
	}
	finish := finishOf(answer.StopReason)
	if len(answer.Content) == 0 && finish == "" {
		return pipeline.Reply{}, p.endpoint.Explain(ctx, model, errors.New("no content"))
	}
	u := answer.Usage
	return pipeline.Reply{
		Text:     textOf(answer.Content),
		Origin:   pipeline.OriginModel,
		Provider: Name,
		Model:    cmp.Or(string(answer.Model), model),
		Finish:   finish,
		// What a cache served or took in is input too.
		InputTokens:  u.InputTokens + u.CacheReadInputTokens + u.CacheCreationInputTokens,
		OutputTokens: u.OutputTokens,
	}, nil
}

func textOf(content []sdk.ContentBlockUnion) string {
	var b strings.Builder
	for _, block := range content {
		if block.Type == "text" {
			b.WriteString(block.Text)
		}
	}
	return b.String()
}

func finishOf(reason sdk.StopReason) string {
	switch reason {
	case sdk.StopReasonEndTurn, sdk.StopReasonStopSequence:
		return "stop"
	case sdk.StopReasonMaxTokens, sdk.StopReasonModelContextWindowExceeded:
		return "length"
	}
	return string(reason) // "refusal" among them
}

func newParams(req pipeline.Request) (sdk.MessageNewParams, error) {
	out := sdk.MessageNewParams{
		Model:         sdk.Model(req.Model),
		MaxTokens:     int64(req.MaxTokens),
		Temperature:   param.NewOpt(req.Temperature),
		StopSequences: req.Stop,
	}
	if req.TopP != 0 {
		out.TopP = param.NewOpt(req.TopP)
	}
	if req.System != "" {
		out.System = []sdk.TextBlockParam{{Text: req.System}}
	}
	for _, m := range req.Messages {
		block := sdk.NewTextBlock(m.Text)
		if m.Role == "assistant" {
			out.Messages = append(out.Messages, sdk.NewAssistantMessage(block))
		} else {
			out.Messages = append(out.Messages, sdk.NewUserMessage(block))
		}
	}
	if len(req.Schema) > 0 {
		schema, err := outputSchema(req.Schema)
		if err != nil {
			return out, err
		}
		out.OutputConfig.Format = sdk.JSONOutputFormatParam{Schema: schema}
	}
	return out, nil
}

// outputSchema keeps the values below the top raw: models answer in the order of
// the properties, which a Go map would lose.
func outputSchema(schema json.RawMessage) (map[string]any, error) {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(schema, &top); err != nil {
		return nil, fmt.Errorf("the request's schema is not an object: %w", err)
	}
	out := make(map[string]any, len(top))
	for k, v := range top {
		out[k] = v
	}
	return out, nil
}
