package llm

import (
	"context"

	"benchmill/pipeline"
)

// Provider answers requests. Implementations are safe for concurrent use, honour
// ctx, mark their errors with a [pipeline.Class], put no secret in an error or a
// reply, and may be called several times for the same request.
//
// A reply that ran into its length limit or was refused by the model is a reply,
// not an error: its Finish says so and the asker decides. When the request has a
// schema, Text is the JSON text of the answer, though nobody has checked it.
type Provider interface {
	Complete(ctx context.Context, req pipeline.Request) (pipeline.Reply, error)
}

// ProviderFunc makes a function a [Provider].
type ProviderFunc func(ctx context.Context, req pipeline.Request) (pipeline.Reply, error)

// Complete calls f.
func (f ProviderFunc) Complete(ctx context.Context, req pipeline.Request) (pipeline.Reply, error) {
	return f(ctx, req)
}
