package llm

import (
	"context"
	"encoding/json"
	"net/url"
	"regexp"
	"strings"

	"benchmill/pipeline"
	"benchmill/sources/llm/internal/api"
)

const redacted = "[redacted]"

// Keys shorter than this are placeholders ("none", "ollama") that local servers
// want to see, and words that may well stand in a reply.
const shortestSecret = 8

// keyLike finds keys in the forms servers echo them, such as half covered with
// stars, whoever's they are.
var keyLike = regexp.MustCompile(`\b(?:sk|gsk|xai)[-_][A-Za-z0-9_\-*.]{8,}|(?i:\bbearer\s+)[^\s"',;]{8,}`)

// Redact keeps key out of everything that comes back from next: servers may echo
// it. An error that held it is made anew from its words, because the errors
// inside it hold it too; its class, pause and place in the budget stay.
func Redact(next Provider, key string) Provider {
	hide := hider(key)
	return ProviderFunc(func(ctx context.Context, req pipeline.Request) (pipeline.Reply, error) {
		reply, err := next.Complete(ctx, req)
		if err != nil {
			return pipeline.Reply{}, redactError(err, hide)
		}
		return redactReply(reply, hide), nil
	})
}

func redactReply(reply pipeline.Reply, hide func(string) string) pipeline.Reply {
	for _, field := range []*string{&reply.Text, &reply.Model, &reply.Finish} {
		*field = hide(*field)
	}
	return reply
}

func redactError(err error, hide func(string) string) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	clean := keyLike.ReplaceAllString(hide(text), redacted)
	if clean == text {
		return err
	}
	return api.KeepMayBill(err, api.Remake(err, clean))
}

// hider replaces key, plain and as URLs and JSON escape it.
func hider(key string) func(string) string {
	if len(key) < shortestSecret {
		return func(s string) string { return s }
	}
	quoted, _ := json.Marshal(key)
	forms := []string{key, url.QueryEscape(key), url.PathEscape(key), strings.Trim(string(quoted), `"`)}
	var pairs []string
	for _, f := range forms {
		pairs = append(pairs, f, redacted)
	}
	return strings.NewReplacer(pairs...).Replace
}

// redactedBatches is what [Redact] is for a provider's batches.
type redactedBatches struct {
	api.Batches
	hide func(string) string
}

func (r redactedBatches) Submit(ctx context.Context, b api.Batch, bodies []json.RawMessage) (string, error) {
	id, err := r.Batches.Submit(ctx, b, bodies)
	return r.hide(id), redactError(err, r.hide)
}

func (r redactedBatches) Find(ctx context.Context, b api.Batch, known func(string) bool) (string, error) {
	id, err := r.Batches.Find(ctx, b, known)
	return r.hide(id), redactError(err, r.hide)
}

func (r redactedBatches) Ended(ctx context.Context, b api.Batch) (bool, error) {
	ended, err := r.Batches.Ended(ctx, b)
	return ended, redactError(err, r.hide)
}

func (r redactedBatches) Results(ctx context.Context, b api.Batch, yield func(string, pipeline.Reply, error)) error {
	err := r.Batches.Results(ctx, b, func(item string, reply pipeline.Reply, err error) {
		yield(item, redactReply(reply, r.hide), redactError(err, r.hide))
	})
	return redactError(err, r.hide)
}
