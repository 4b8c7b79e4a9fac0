package openai

import (
	"context"
	"encoding/json"
	"errors"
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
	chat     sdk.ChatCompletionService
	official bool
}

// New returns a provider that reads nothing from the environment: neither a key
// nor an address nor an organisation that endpoint does not name.
func New(endpoint api.Endpoint) *Provider {
	if endpoint.BaseURL == "" {
		endpoint.BaseURL = official
	}
	options := []option.RequestOption{
		option.WithBaseURL(endpoint.BaseURL),
		option.WithHTTPClient(endpoint.Client()),
		option.WithMiddleware(endpoint.Exchange),
		option.WithRequestTimeout(endpoint.Timeout),
		option.WithMaxRetries(0),
	}
	if endpoint.Key != "" {
		options = append(options, option.WithAPIKey(endpoint.Key))
	}
	// The bare service, as the SDK's client would read its defaults from the environment.
	return &Provider{endpoint: endpoint, chat: sdk.NewChatCompletionService(options...), official: isOfficial(endpoint.BaseURL)}
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
	if err != nil {
		if s, ok := api.StatusOf(err); ok && filtered(s) {
			return p.reply(req, req.Model, s.Message, "refusal"), nil
		}
		return pipeline.Reply{}, p.endpoint.Explain(ctx, req.Model, err)
	}
	if len(answer.Choices) == 0 {
		return pipeline.Reply{}, p.endpoint.Explain(ctx, req.Model, errors.New("no choices"))
	}
	choice := answer.Choices[0]
	text, finish := choice.Message.Content, choice.FinishReason
	if finish == "content_filter" || choice.Message.Refusal != "" {
		finish = "refusal"
		if text == "" {
			text = choice.Message.Refusal
		}
	}
	reply := p.reply(req, answer.Model, text, finish)
	reply.InputTokens, reply.OutputTokens = answer.Usage.PromptTokens, answer.Usage.CompletionTokens
	return reply, nil
}

// filtered recognises a content filter that answers with an error status.
func filtered(s *api.Status) bool {
	return s.Status == 400 && (s.Code == "content_filter" || s.Code == "content_policy_violation")
}

func (p *Provider) reply(req pipeline.Request, model, text, finish string) pipeline.Reply {
	if model == "" {
		model = req.Model
	}
	return pipeline.Reply{Text: text, Origin: pipeline.OriginModel, Provider: Name, Model: model, Finish: finish}
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
