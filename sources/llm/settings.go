package llm

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"regexp"
	"strings"
	"time"

	"benchmill/pipeline"
)

// Settings is one model of pipeline.yaml. The embedded part decides what is
// answered and joins the keys of the stages that ask; the rest says how to reach
// the model and how fast, and joins no key. Editors get a JSON Schema made from
// the doc tags.
type Settings struct {
	pipeline.ModelSpec `yaml:",inline"`

	BaseURL   string `yaml:"base_url" hash:"-" doc:"Address of the API, without the method's path, such as https://host/v1; empty: the provider's own."`
	APIKeyEnv string `yaml:"api_key_env" hash:"-" doc:"Environment variable that holds the API key; empty: OPENAI_API_KEY or ANTHROPIC_API_KEY, by provider; \"none\": no key is sent."`

	BudgetUSD        float64 `yaml:"budget_usd" hash:"-" doc:"Most US dollars one run may spend on this model; 0: no limit. Needs the prices."`
	BudgetTokens     int64   `yaml:"budget_tokens" hash:"-" doc:"Most tokens, in and out, one run may spend on this model; 0: no limit."`
	InputUSDPerMTok  float64 `yaml:"input_usd_per_mtok" hash:"-" doc:"Price of a million input tokens in US dollars."`
	OutputUSDPerMTok float64 `yaml:"output_usd_per_mtok" hash:"-" doc:"Price of a million output tokens in US dollars."`

	RequestsPerMinute int           `yaml:"requests_per_minute" hash:"-" doc:"Most requests sent a minute; 0: no limit."`
	TokensPerMinute   int           `yaml:"tokens_per_minute" hash:"-" doc:"Most tokens a minute, prompts and longest possible answers together; 0: no limit."`
	Concurrency       int           `yaml:"concurrency" hash:"-" doc:"Most requests under way at the same time; 0: 16."`
	Timeout           time.Duration `yaml:"timeout" hash:"-" doc:"Longest wait for one answer, such as 90s; 0: 5m."`
	MaxRetries        int           `yaml:"max_retries" hash:"-" doc:"How often a request that failed for a passing reason is sent again; 0: 5, -1: never."`

	Batch         bool          `yaml:"batch" hash:"-" doc:"Whether requests go through the provider's batches: cheaper, answered within a day instead of at once. Rates and concurrency do not apply to them."`
	BatchWait     time.Duration `yaml:"batch_wait" hash:"-" doc:"How long after the last request that came a batch is submitted; 0: 5s."`
	BatchRequests int           `yaml:"batch_requests" hash:"-" doc:"Most requests in one batch; 0: as many as the provider takes."`
	BatchPoll     time.Duration `yaml:"batch_poll" hash:"-" doc:"Pause before asking again whether a batch has ended; 0: 30s."`
	BatchTimeout  time.Duration `yaml:"batch_timeout" hash:"-" doc:"Longest wait for a batch; one that takes longer is waited for again in the next run; 0: 26h."`
	BatchDiscount float64       `yaml:"batch_discount" hash:"-" doc:"What a token costs in a batch, as a share of its price; 0: 0.5."`

	Structured *bool `yaml:"structured" hash:"-" doc:"Whether the model takes a JSON Schema for its answer (default true). With false the schema is part of the prompt."`
}

const (
	defaultConcurrency   = 16
	defaultTimeout       = 5 * time.Minute
	defaultRetries       = 5
	defaultBatchWait     = 5 * time.Second
	defaultBatchPoll     = 30 * time.Second
	defaultBatchTimeout  = 26 * time.Hour // batches take up to 24
	defaultBatchDiscount = 0.5
	// batchBytes bounds the requests of one batch: what the APIs take is above
	// 100 MB, and a batch is held in memory, more than once, while it is sent.
	batchBytes = 100 << 20
	// noKey in api_key_env says that the server wants no key.
	noKey = "none"
)

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Validate reports everything wrong with the settings, one line for each.
func (s *Settings) Validate() error {
	var errs []error
	fail := func(key, format string, args ...any) {
		errs = append(errs, fmt.Errorf(key+": "+format, args...))
	}
	kind, ok := kindOf(s.Provider)
	if !ok {
		fail("provider", "%q is none of %s", s.Provider, strings.Join(names(), ", "))
	} else {
		kind.check(s, fail)
	}
	if t := s.Temperature; t != nil && !(*t >= 0) {
		fail("temperature", "must be a number that is not negative")
	}
	if s.BaseURL != "" {
		if err := checkURL(s.BaseURL); err != nil {
			fail("base_url", "%w", err)
		}
	}
	if s.APIKeyEnv != "" && !envName.MatchString(s.APIKeyEnv) {
		fail("api_key_env", "not the name of an environment variable; the key itself must not stand here")
	}
	for _, n := range []struct {
		key   string
		value float64
	}{
		{"max_tokens", float64(s.MaxTokens)},
		{"budget_usd", s.BudgetUSD}, {"budget_tokens", float64(s.BudgetTokens)},
		{"input_usd_per_mtok", s.InputUSDPerMTok}, {"output_usd_per_mtok", s.OutputUSDPerMTok},
		{"requests_per_minute", float64(s.RequestsPerMinute)}, {"tokens_per_minute", float64(s.TokensPerMinute)},
		{"concurrency", float64(s.Concurrency)}, {"timeout", float64(s.Timeout)}, {"max_retries", float64(s.MaxRetries) + 1},
		{"batch_wait", float64(s.BatchWait)}, {"batch_requests", float64(s.BatchRequests)}, {"batch_poll", float64(s.BatchPoll)},
		{"batch_timeout", float64(s.BatchTimeout)}, {"batch_discount", s.BatchDiscount},
	} {
		if !(n.value >= 0) || math.IsInf(n.value, 1) {
			fail(n.key, "must be a number that is not negative")
		}
	}
	if s.BatchDiscount > 1 {
		fail("batch_discount", "must be at most 1: a share of the price")
	}
	if s.BudgetUSD > 0 && s.InputUSDPerMTok == 0 && s.OutputUSDPerMTok == 0 {
		fail("budget_usd", "needs the prices input_usd_per_mtok and output_usd_per_mtok")
	}
	return errors.Join(errs...)
}

func checkURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return errors.New("not a URL") // the parser's words quote the text, which may hold a password
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return errors.New("must begin with http:// or https:// and a host")
	case u.User != nil:
		return errors.New("must not hold a user or a password")
	case u.RawQuery != "" || u.Fragment != "":
		return errors.New("must not hold a query or a fragment")
	}
	return nil
}

// KeyEnv names the environment variable the key is read from, or "" when the
// model needs none.
func (s *Settings) KeyEnv() string {
	switch kind, _ := kindOf(s.Provider); {
	case s.APIKeyEnv == noKey || kind.KeyEnv == "":
		return ""
	case s.APIKeyEnv != "":
		return s.APIKeyEnv
	default:
		return kind.KeyEnv
	}
}

// MissingKey is the fatal error of a model that cannot be asked because its
// environment variable is empty, or nil. A server on this machine may do without.
func (s *Settings) MissingKey(getenv func(string) string) error {
	env := s.KeyEnv()
	if env == "" || getenv(env) != "" || isLoopback(s.BaseURL) {
		return nil
	}
	return pipeline.Mark(fmt.Errorf("model %s: the environment variable %s is empty; it must hold the key of provider %s (a server without keys: api_key_env: %s)",
		s.Model, env, s.Provider, noKey), pipeline.Fatal)
}

func isLoopback(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	host := u.Hostname()
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host).IsLoopback()
}

// prices are those of the tokens as they are asked for.
func (s *Settings) prices() Prices {
	p := Prices{Input: s.InputUSDPerMTok, Output: s.OutputUSDPerMTok}
	if s.Batch {
		share := cmp.Or(s.BatchDiscount, defaultBatchDiscount)
		p.Input, p.Output = p.Input*share, p.Output*share
	}
	return p
}

func (s *Settings) batchRules(most int) batchRules {
	if s.BatchRequests > 0 {
		most = min(most, s.BatchRequests)
	}
	return batchRules{
		Wait:     cmp.Or(s.BatchWait, defaultBatchWait),
		Requests: most,
		Bytes:    batchBytes,
		Poll:     cmp.Or(s.BatchPoll, defaultBatchPoll),
		Timeout:  cmp.Or(s.BatchTimeout, defaultBatchTimeout),
	}
}

func (s *Settings) structured() bool { return s.Structured == nil || *s.Structured }
