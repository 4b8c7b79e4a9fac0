package llm

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"benchmill/internal/clock"
	"benchmill/pipeline"
	"benchmill/sources/llm/anthropic"
	"benchmill/sources/llm/extractive"
	"benchmill/sources/llm/internal/api"
	"benchmill/sources/llm/ngram"
	"benchmill/sources/llm/openai"
)

// Kind is one kind of provider.
type Kind struct {
	Name   string // as pipeline.yaml says it
	Doc    string // one sentence for people
	KeyEnv string // the environment variable a key is read from; "": it needs none
	// MaxTemperature is the highest the API takes; 0: it takes none.
	MaxTemperature float64
	// Seeded says that the API takes a seed.
	Seeded bool
	// BatchRequests is the most requests in one batch; 0: it has no batches.
	BatchRequests int
	// Model is the only model there is; "": the user names one.
	Model string

	host string // of its own address
	open func(api.Endpoint) Provider
}

// Providers lists every kind of provider there is, by name.
func Providers() []Kind {
	return []Kind{
		{
			Name: anthropic.Name, Doc: "Models behind Anthropic's Messages API.",
			KeyEnv: "ANTHROPIC_API_KEY", MaxTemperature: 1, BatchRequests: anthropic.BatchRequests,
			host: "api.anthropic.com",
			open: func(e api.Endpoint) Provider { return anthropic.New(e) },
		},
		{
			Name: openai.CompletionsName, Doc: "Models that go on with a text, behind the Completions API: vLLM, TGI, llama.cpp and others (base_url).",
			KeyEnv: "OPENAI_API_KEY", MaxTemperature: 2, Seeded: true,
			host: "api.openai.com",
			open: func(e api.Endpoint) Provider { return openai.NewCompletions(e) },
		},
		{
			Name: openai.EmbeddingsName, Doc: "Models that make a vector of a text, behind the Embeddings API: OpenAI's own, and servers that speak it (base_url).",
			KeyEnv: "OPENAI_API_KEY",
			host:   "api.openai.com",
			open:   func(e api.Endpoint) Provider { return openai.NewEmbeddings(e) },
		},
		{
			Name: extractive.Name, Doc: "No model: describes a function from its own text. Needs no key and no network, and costs nothing.",
			Model: extractive.Model,
			open:  func(api.Endpoint) Provider { return extractive.New() },
		},
		{
			Name: ngram.Name, Doc: "No model: goes on with a text from the text itself. Needs no key and no network, and costs nothing.",
			Model: ngram.Model,
			open:  func(api.Endpoint) Provider { return ngram.New() },
		},
		{
			Name: openai.Name, Doc: "Models behind the Chat Completions API: OpenAI's own, and servers that speak it (base_url).",
			KeyEnv: "OPENAI_API_KEY", MaxTemperature: 2, Seeded: true, BatchRequests: openai.BatchRequests,
			host: "api.openai.com",
			open: func(e api.Endpoint) Provider { return openai.New(e) },
		},
	}
}

func kindOf(name string) (Kind, bool) {
	all := Providers()
	i := slices.IndexFunc(all, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return all[i], true
}

func names() []string {
	var out []string
	for _, k := range Providers() {
		out = append(out, k.Name)
	}
	return out
}

// local says that a kind answers on its own.
func (k Kind) local() bool { return k.KeyEnv == "" }

// hostOf is where an address leads, with the port if it names one.
func (k Kind) hostOf(base string) string {
	if u, err := url.Parse(base); err == nil && base != "" {
		return u.Host
	}
	return k.host
}

// check reports what in s does not fit the kind.
func (k Kind) check(s *Settings, fail func(key, format string, args ...any)) {
	switch {
	case k.Model == "" && s.Model == "":
		fail("model", "missing: the exact name, as provider %s knows it", k.Name)
	case k.Model != "" && s.Model != "" && s.Model != k.Model:
		fail("model", "provider %s has only %s", k.Name, k.Model)
	case strings.TrimSpace(s.Model) != s.Model:
		fail("model", "%q begins or ends with a blank", s.Model)
	}
	if t := s.Temperature; t != nil && !k.local() && *t > k.MaxTemperature {
		fail("temperature", "provider %s takes at most %v", k.Name, k.MaxTemperature)
	}
	if s.Seed != nil && !k.local() && !k.Seeded {
		fail("seed", "provider %s takes no seed", k.Name)
	}
	if s.Batch && k.BatchRequests == 0 {
		fail("batch", "provider %s has no batches", k.Name)
	}
	if k.local() && s.BaseURL != "" {
		fail("base_url", "provider %s has no address", k.Name)
	}
}

// Options is what a program lends to the providers it opens. The zero value is
// the real world without a listener.
type Options struct {
	Usage     *Usage            // counts every request; nil: nobody counts
	Log       *slog.Logger      // hears of retries; nil: silent
	Clock     clock.Clock       // nil: the wall clock
	Transport http.RoundTripper // nil: [http.DefaultTransport]
	// Journal is the folder, made when first used, that remembers batches under way
	// from run to run; "": a batch is lost with the program. All models may share
	// one. It holds no prompt, no reply and no key.
	Journal string
}

// Open returns the provider of one model, with everything around it that the
// settings ask for. It sends nothing and needs no key yet: a missing key is the
// fatal error of the first request, so that a run whose ledger holds all answers
// needs none. [Settings.MissingKey] tells beforehand.
func Open(s Settings, getenv func(string) string, o Options) (Provider, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	kind, _ := kindOf(s.Provider)
	if kind.local() {
		p := kind.open(api.Endpoint{})
		if o.Usage != nil {
			p = o.Usage.Count(p)
		}
		return p, nil
	}
	if err := s.MissingKey(getenv); err != nil {
		return ProviderFunc(func(context.Context, pipeline.Request) (pipeline.Reply, error) {
			return pipeline.Reply{}, err
		}), nil
	}
	if o.Clock == nil {
		o.Clock = clock.Wall{}
	}
	return wrap(kind, s, getenv, o), nil
}

// wrap puts the wrappers around a provider in the order the package comment gives.
func wrap(kind Kind, s Settings, getenv func(string) string, o Options) Provider {
	endpoint := api.Endpoint{
		BaseURL:   s.BaseURL,
		KeyEnv:    s.KeyEnv(),
		Timeout:   cmp.Or(s.Timeout, defaultTimeout),
		Transport: o.Transport,
		Now:       o.Clock.Now,
	}
	if endpoint.KeyEnv != "" {
		endpoint.Key = getenv(endpoint.KeyEnv)
	}
	var limit *Limit
	endpoint.Spent = func(d time.Duration) {
		if limit != nil {
			limit.pauseFor(d)
		}
	}
	p := kind.open(endpoint)
	if s.Batch {
		service := redactedBatches{p.(api.Batches), hider(endpoint.Key)}
		p = newBatch(service, kind.Name, kind.hostOf(s.BaseURL), s.batchRules(kind.BatchRequests), o.Journal, o.Clock, o.Log)
	} else {
		p = Redact(p, endpoint.Key)
	}
	if !s.structured() {
		p = unschema(p)
	}
	prices := s.prices()
	p = price(p, prices)
	if o.Usage != nil {
		p = o.Usage.Count(p)
	}
	if s.BudgetUSD > 0 || s.BudgetTokens > 0 {
		p = NewBudget(p, prices, s.BudgetUSD, s.BudgetTokens)
	}
	if !s.Batch {
		limit = NewLimit(p, Rates{
			RequestsPerMinute: s.RequestsPerMinute,
			TokensPerMinute:   s.TokensPerMinute,
			Concurrency:       cmp.Or(s.Concurrency, defaultConcurrency),
		}, o.Clock)
		p = limit
	}
	return &Retry{
		Next: p, Tries: 1 + max(0, cmp.Or(s.MaxRetries, defaultRetries)),
		First: time.Second, Longest: time.Minute,
		Clock: o.Clock, Log: o.Log,
	}
}
