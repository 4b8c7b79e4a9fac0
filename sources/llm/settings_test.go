package llm_test

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"benchmill/internal/digest"
	"benchmill/sources/llm"
)

func parse(t *testing.T, text string) llm.Settings {
	t.Helper()
	var s llm.Settings
	d := yaml.NewDecoder(strings.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSettingsFromYAML(t *testing.T) {
	s := parse(t, `
provider: openai
model: gpt-4-turbo
temperature: 0.2
max_tokens: 2048
seed: 3
base_url: https://gateway.example.org/v1
api_key_env: GATEWAY_KEY
budget_usd: 20
budget_tokens: 1000000
input_usd_per_mtok: 10
output_usd_per_mtok: 30
requests_per_minute: 500
tokens_per_minute: 300000
concurrency: 8
timeout: 90s
max_retries: 3
batch: true
batch_wait: 10s
batch_requests: 1000
batch_poll: 1m
batch_timeout: 48h
batch_discount: 0.6
structured: false
`)
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	v := reflect.ValueOf(s)
	for _, f := range reflect.VisibleFields(v.Type()) {
		if v.FieldByIndex(f.Index).IsZero() {
			t.Errorf("%s was not set", f.Name)
		}
	}
	if s.Timeout != 90*time.Second || *s.Structured || s.Model != "gpt-4-turbo" || *s.Temperature != 0.2 {
		t.Errorf("%+v", s)
	}
}

// Every new field must say what it is, and whether it decides answers: those of
// the model's spec do, and join the keys; how to reach the model does not.
func TestSettingsFields(t *testing.T) {
	typ := reflect.TypeFor[llm.Settings]()
	for i := range typ.NumField() {
		f := typ.Field(i)
		if f.Anonymous {
			continue
		}
		if doc := f.Tag.Get("doc"); !strings.HasSuffix(doc, ".") {
			t.Errorf("%s has no doc that is a sentence: %q", f.Name, doc)
		}
		if f.Tag.Get("yaml") == "" {
			t.Errorf("%s has no name in YAML", f.Name)
		}
	}
	var hashed []string
	for _, f := range digest.Fields(typ) {
		hashed = append(hashed, f.Name)
	}
	if want := []string{"provider", "model", "temperature", "max_tokens", "seed"}; !slices.Equal(hashed, want) {
		t.Errorf("hashed are %v, want %v", hashed, want)
	}
}

func TestValidate(t *testing.T) {
	hot, warm, seed := 2.5, 1.5, int64(1)
	for _, test := range []struct {
		name string
		s    func(*llm.Settings)
		says []string // each of them; none: valid
	}{
		{"plain", func(s *llm.Settings) {}, nil},
		{"extractive", func(s *llm.Settings) { s.Provider, s.Model = "extractive", "" }, nil},
		{"extractive by name", func(s *llm.Settings) { s.Provider, s.Model = "extractive", "extractive-1" }, nil},
		{"no key wanted", func(s *llm.Settings) { s.APIKeyEnv = "none" }, nil},
		{"never again", func(s *llm.Settings) { s.MaxRetries = -1 }, nil},
		{"unknown provider", func(s *llm.Settings) { s.Provider = "opnai" }, []string{`provider: "opnai" is none of anthropic, completions, embeddings, extractive, ngram, openai`}},
		{"no model", func(s *llm.Settings) { s.Model = "" }, []string{"model: missing"}},
		{"blank", func(s *llm.Settings) { s.Model = "gpt-4 " }, []string{"model:"}},
		{"model of extractive", func(s *llm.Settings) { s.Provider = "extractive" }, []string{"model: provider extractive has only extractive-1"}},
		{"address of extractive", func(s *llm.Settings) { s.Provider, s.Model, s.BaseURL = "extractive", "", "http://localhost" }, []string{"base_url:"}},
		{"hot", func(s *llm.Settings) { s.Temperature = &hot }, []string{"temperature: provider openai takes at most 2"}},
		{"hot for anthropic", func(s *llm.Settings) { s.Provider, s.Temperature = "anthropic", &warm }, []string{"temperature: provider anthropic takes at most 1"}},
		{"seed for anthropic", func(s *llm.Settings) { s.Provider, s.Seed = "anthropic", &seed }, []string{"seed: provider anthropic takes no seed"}},
		{"in batches", func(s *llm.Settings) { s.Batch, s.BatchDiscount, s.BatchRequests = true, 1, 10 }, nil},
		{"extractive in batches", func(s *llm.Settings) { s.Provider, s.Model, s.Batch = "extractive", "", true }, []string{"batch: provider extractive has no batches"}},
		{"no discount", func(s *llm.Settings) { s.BatchDiscount = 1.5 }, []string{"batch_discount: must be at most 1"}},
		{"odd batches", func(s *llm.Settings) {
			s.BatchWait, s.BatchRequests, s.BatchPoll, s.BatchTimeout, s.BatchDiscount = -1, -1, -1, -1, math.NaN()
		}, []string{"batch_wait:", "batch_requests:", "batch_poll:", "batch_timeout:", "batch_discount:"}},
		{"ngram", func(s *llm.Settings) { s.Provider, s.Model = "ngram", "" }, nil},
		{"address of ngram", func(s *llm.Settings) { s.Provider, s.Model, s.BaseURL = "ngram", "", "http://localhost" }, []string{"base_url:"}},
		{"completions", func(s *llm.Settings) { s.Provider, s.Seed = "completions", &seed }, nil},
		{"completions in batches", func(s *llm.Settings) { s.Provider, s.Batch = "completions", true }, []string{"batch: provider completions has no batches"}},
		{"seed for embeddings", func(s *llm.Settings) { s.Provider, s.Seed = "embeddings", &seed }, []string{"seed: provider embeddings takes no seed"}},
		{"budget without prices", func(s *llm.Settings) { s.BudgetUSD = 20 }, []string{"budget_usd: needs the prices"}},
		{"not a number", func(s *llm.Settings) { s.BudgetUSD = math.NaN() }, []string{"budget_usd:"}},
		{"infinite", func(s *llm.Settings) { s.InputUSDPerMTok = math.Inf(1) }, []string{"input_usd_per_mtok:"}},
		{"several", func(s *llm.Settings) { s.Concurrency, s.Timeout, s.MaxRetries, s.MaxTokens = -1, -1, -2, -1 },
			[]string{"concurrency:", "timeout:", "max_retries:", "max_tokens:"}},
		{"no scheme", func(s *llm.Settings) { s.BaseURL = "api.example.org" }, []string{"base_url: must begin with http"}},
		{"file", func(s *llm.Settings) { s.BaseURL = "file:///etc" }, []string{"base_url:"}},
		{"query", func(s *llm.Settings) { s.BaseURL = "https://x.org/?a=b" }, []string{"base_url: must not hold a query"}},
		{"key in place of its variable", func(s *llm.Settings) { s.APIKeyEnv = key }, []string{"api_key_env: not the name"}},
		{"password in the address", func(s *llm.Settings) { s.BaseURL = "https://me:" + key + "@x.org" }, []string{"base_url: must not hold a user"}},
		{"password in a broken address", func(s *llm.Settings) { s.BaseURL = "https://me:" + key + "@x.org:port" }, []string{"base_url: not a URL"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := settings("openai", "gpt-4", "")
			test.s(&s)
			err := s.Validate()
			if test.says == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil {
				t.Fatal("valid")
			}
			if n := len(strings.Split(err.Error(), "\n")); n != len(test.says) {
				t.Errorf("%d errors, want %d: %v", n, len(test.says), err)
			}
			for _, want := range test.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in: %v", want, err)
				}
			}
			if strings.Contains(err.Error(), key) {
				t.Errorf("the key is in: %v", err)
			}
			if _, openErr := llm.Open(s, func(string) string { return "" }, llm.Options{}); openErr == nil {
				t.Error("opened all the same")
			}
		})
	}
}

func TestProviders(t *testing.T) {
	last := ""
	for _, k := range llm.Providers() {
		if k.Name <= last || !strings.HasSuffix(k.Doc, ".") {
			t.Errorf("%q after %q: not in order, twice, or without a doc", k.Name, last)
		}
		last = k.Name
		s := settings(k.Name, "m", "")
		if k.Model != "" {
			s.Model = ""
		}
		if err := s.Validate(); err != nil || s.KeyEnv() != k.KeyEnv {
			t.Errorf("%s: key from %q, error %v", k.Name, s.KeyEnv(), err)
		}
		if s.Batch = k.BatchRequests > 0; s.Batch {
			open(t, s, map[string]string{k.KeyEnv: key}, llm.Options{}) // panics where it has none
		}
	}
}

// A budget in dollars may live with one price of zero.
func TestFreeInput(t *testing.T) {
	s := settings("openai", "gpt-4", "")
	s.BudgetUSD, s.OutputUSDPerMTok = 1, 3
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
}

func FuzzSettings(f *testing.F) {
	f.Add([]byte("provider: openai\nmodel: x\nbase_url: http://a\n"))
	f.Add([]byte("provider: anthropic\ntimeout: 1e9s\nbudget_usd: .nan\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var s llm.Settings
		if yaml.NewDecoder(bytes.NewReader(text)).Decode(&s) != nil || s.Validate() != nil {
			return
		}
		if _, err := llm.Open(s, func(string) string { return "k" }, llm.Options{}); err != nil {
			t.Errorf("valid settings do not open: %v", err)
		}
	})
}
