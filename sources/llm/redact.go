package llm

import (
	"context"
	"encoding/json"
	"errors"
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
		for _, field := range []*string{&reply.Text, &reply.Model, &reply.Finish} {
			*field = hide(*field)
		}
		return reply, nil
	})
}

func redactError(err error, hide func(string) string) error {
	text := err.Error()
	clean := keyLike.ReplaceAllString(hide(text), redacted)
	if clean == text {
		return err
	}
	out := api.KeepMayBill(err, errors.New(clean))
	switch class := pipeline.ClassOf(err); class {
	case pipeline.Permanent:
		return out
	case pipeline.Transient:
		return pipeline.RetryAfter(out, pipeline.PauseOf(err))
	default:
		return pipeline.Mark(out, class)
	}
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
