package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

	"benchmill/pipeline"
	"benchmill/sources/llm/internal/api"
)

// Name is how pipeline.yaml and replies call this provider.
const Name = "openai"

const official = "https://api.openai.com/v1/"

// Provider is safe for concurrent use.
type Provider struct {
	endpoint api.Endpoint
	official bool
	chat     sdk.ChatCompletionService
	batches  sdk.BatchService
	transfer api.Endpoint    // what files pass
	uploads  sdk.FileService // answer in JSON
	files    sdk.FileService // hand out bytes
}

// New returns a provider that reads nothing from the environment: neither a key
// nor an address nor an organisation that endpoint does not name.
func New(endpoint api.Endpoint) *Provider {
	if endpoint.BaseURL == "" {
		endpoint.BaseURL = official
	}
	transfer, client := endpoint.Transfer(), endpoint.Client()
	// Bare services, as the SDK's client would read its defaults from the environment.
	return &Provider{
		endpoint: endpoint, transfer: transfer, official: isOfficial(endpoint.BaseURL),
		chat:    sdk.NewChatCompletionService(options(endpoint, client, endpoint.Exchange)...),
		batches: sdk.NewBatchService(options(endpoint, client, endpoint.Exchange)...),
		uploads: sdk.NewFileService(options(transfer, client, transfer.Exchange)...),
		files:   sdk.NewFileService(options(transfer, client, transfer.Stream)...),
	}
}

// options say how a service reaches an endpoint.
func options(e api.Endpoint, client *http.Client, exchange option.Middleware) []option.RequestOption {
	out := []option.RequestOption{
		option.WithBaseURL(e.BaseURL),
		option.WithHTTPClient(client),
		option.WithMiddleware(exchange),
		option.WithRequestTimeout(e.Timeout),
		option.WithMaxRetries(0),
	}
	if e.Key != "" {
		out = append(out, option.WithAPIKey(e.Key))
	}
	return out
}

func isOfficial(base string) bool {
	u, err := url.Parse(base)
	return err == nil && u.Hostname() == "api.openai.com"
}

// Complete implements llm.Provider.
func (p *Provider) Complete(ctx context.Context, req pipeline.Request) (pipeline.Reply, error) {
	if err := api.Check(req); err != nil {
		return pipeline.Reply{}, err
	}
	answer, err := p.chat.New(ctx, p.params(req))
	return p.read(ctx, req.Model, answer, err)
}

// read makes a reply of what the API said to one request for model, alone or in
// a batch.
func (p *Provider) read(ctx context.Context, model string, answer *sdk.ChatCompletion, err error) (pipeline.Reply, error) {
	if err != nil {
		if s, ok := api.StatusOf(err); ok && filtered(s) {
			return newReply(Name, model, s.Message, "refusal"), nil
		}
		return pipeline.Reply{}, p.endpoint.Explain(ctx, model, err)
	}
	if len(answer.Choices) == 0 {
		return pipeline.Reply{}, p.endpoint.Explain(ctx, model, errors.New("no choices"))
	}
	choice := answer.Choices[0]
	text, finish := choice.Message.Content, choice.FinishReason
	if finish == "content_filter" || choice.Message.Refusal != "" {
		finish = "refusal"
		if text == "" {
			text = choice.Message.Refusal
		}
	}
	reply := newReply(Name, cmp.Or(answer.Model, model), text, finish)
	reply.InputTokens, reply.OutputTokens = answer.Usage.PromptTokens, answer.Usage.CompletionTokens
	return reply, nil
}

// filtered recognises a content filter that answers with an error status.
func filtered(s *api.Status) bool {
	return s.Status == 400 && (s.Code == "content_filter" || s.Code == "content_policy_violation")
}

func newReply(provider, model, text, finish string) pipeline.Reply {
	return pipeline.Reply{Text: text, Origin: pipeline.OriginModel, Provider: provider, Model: model, Finish: finish}
}

func (p *Provider) params(req pipeline.Request) sdk.ChatCompletionNewParams {
	out := sdk.ChatCompletionNewParams{
		Model:       req.Model,
		Temperature: param.NewOpt(req.Temperature),
	}
	// The official API has replaced max_tokens, and its newer models refuse the old
	// name; servers that imitate it know the old name for certain.
	if p.official {
		out.MaxCompletionTokens = param.NewOpt(int64(req.MaxTokens))
	} else {
		out.MaxTokens = param.NewOpt(int64(req.MaxTokens))
	}
	if req.TopP != 0 {
		out.TopP = param.NewOpt(req.TopP)
	}
	if req.Seed != nil {
		out.Seed = param.NewOpt(*req.Seed)
	}
	if len(req.Stop) > 0 {
		out.Stop.OfStringArray = req.Stop
	}
	if req.System != "" {
		out.Messages = append(out.Messages, sdk.SystemMessage(req.System))
	}
	for _, m := range req.Messages {
		if m.Role == "assistant" {
			out.Messages = append(out.Messages, sdk.AssistantMessage(m.Text))
		} else {
			out.Messages = append(out.Messages, sdk.UserMessage(m.Text))
		}
	}
	if len(req.Schema) > 0 {
		out.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
				Name:   schemaName(req.SchemaName),
				Schema: json.RawMessage(req.Schema), // raw: models answer in the order of the properties
				Strict: param.NewOpt(true),
			},
		}
	}
	return out
}

// schemaName makes name fit the API: letters, digits, "_" and "-", at most 64.
func schemaName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
	if name == "" {
		return "answer"
	}
	return name[:min(len(name), 64)]
}
