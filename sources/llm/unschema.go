package llm

import (
	"context"
	"strings"

	"benchmill/internal/fence"
	"benchmill/pipeline"
)

// unschema asks in words for what a schema would ask, for models and servers
// that take no JSON Schema, and takes the code fence off the answer that such
// models like to put around JSON.
func unschema(next Provider) Provider {
	return ProviderFunc(func(ctx context.Context, req pipeline.Request) (pipeline.Reply, error) {
		if len(req.Schema) == 0 {
			return next.Complete(ctx, req)
		}
		ask := "Answer with one JSON value and nothing else: no code fence, no words before or after it. It must match this JSON Schema:\n" + string(req.Schema)
		if req.System != "" {
			ask = req.System + "\n\n" + ask
		}
		req.System, req.Schema, req.SchemaName = ask, nil, ""
		reply, err := next.Complete(ctx, req)
		reply.Text = unfence(reply.Text)
		return reply, err
	})
}

// unfence returns what stands inside the code fence that an answer begins with, or
// the answer itself when it begins otherwise: a fence further on may be one inside
// a string.
func unfence(answer string) string {
	if inside, ok := fence.First(answer); ok && strings.HasPrefix(strings.TrimSpace(answer), "```") {
		return strings.TrimSpace(inside)
	}
	return answer
}
