package openai

import (
	"cmp"
	"context"
	"errors"
	"math"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"

	"benchmill/pipeline"
	"benchmill/sources/llm/internal/api"
)

// EmbeddingsName is how pipeline.yaml and replies call [Embeddings].
const EmbeddingsName = "embeddings"

// Embeddings turns a text into a vector, by the Embeddings API. It is safe for
// concurrent use.
type Embeddings struct {
	endpoint api.Endpoint
	service  sdk.EmbeddingService
}

// NewEmbeddings returns a provider that reads nothing from the environment.
func NewEmbeddings(endpoint api.Endpoint) *Embeddings {
	endpoint.BaseURL = cmp.Or(endpoint.BaseURL, official)
	return &Embeddings{endpoint, sdk.NewEmbeddingService(options(endpoint, endpoint.Client(), endpoint.Exchange)...)}
}

// Complete implements llm.Provider. The text is the request's only message, the
// answer its vector; nothing else of the request is sent.
func (p *Embeddings) Complete(ctx context.Context, req pipeline.Request) (pipeline.Reply, error) {
	text, err := api.Raw(EmbeddingsName, req)
	if err == nil && req.Model == "" {
		err = errors.New("the request names no model")
	}
	if err != nil {
		return pipeline.Reply{}, err
	}
	answer, err := p.service.New(ctx, sdk.EmbeddingNewParams{
		Model: req.Model,
		Input: sdk.EmbeddingNewParamsInputUnion{OfString: param.NewOpt(text)},
		// Said although it is the API's default: some servers have another.
		EncodingFormat: sdk.EmbeddingNewParamsEncodingFormatFloat,
	})
	var vector pipeline.Vector
	if err == nil {
		vector, err = vectorOf(answer.Data)
	}
	if err != nil {
		return pipeline.Reply{}, p.endpoint.Explain(ctx, req.Model, err)
	}
	reply := newReply(EmbeddingsName, cmp.Or(answer.Model, req.Model), "", "stop")
	reply.Vector, reply.InputTokens = vector, answer.Usage.PromptTokens
	return reply, nil
}

// vectorOf is the only embedding of an answer, each number as the nearest float32.
func vectorOf(data []sdk.Embedding) (pipeline.Vector, error) {
	if len(data) != 1 || len(data[0].Embedding) == 0 {
		return "", errors.New("not one embedding")
	}
	out := make([]float32, len(data[0].Embedding))
	for i, x := range data[0].Embedding {
		out[i] = float32(x)
		if math.IsInf(float64(out[i]), 0) || math.IsNaN(x) {
			return "", errors.New("a number is no float32")
		}
	}
	return pipeline.NewVector(out), nil
}
