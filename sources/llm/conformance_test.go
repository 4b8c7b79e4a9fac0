package llm_test

import (
	"testing"

	"benchmill/internal/clock"
	"benchmill/pipeline"
	"benchmill/sources/llm"
	"benchmill/sources/llm/extractive"
	"benchmill/sources/llm/llmtest"
	"benchmill/sources/llm/ngram"
)

func open(t *testing.T, s llm.Settings, env map[string]string, o llm.Options) llm.Provider {
	t.Helper()
	if o.Clock == nil {
		o.Clock = &clock.Fake{}
	}
	p, err := llm.Open(s, func(name string) string { return env[name] }, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func settings(provider, model, url string) llm.Settings {
	return llm.Settings{ModelSpec: pipeline.ModelSpec{Provider: provider, Model: model}, BaseURL: url}
}

func TestConformance(t *testing.T) {
	t.Run("fake", func(t *testing.T) {
		llmtest.TestProvider(t, "fake", "f", func(*testing.T) llm.Provider { return &llmtest.Fake{Then: llmtest.Echo} })
	})
	t.Run("extractive", func(t *testing.T) {
		llmtest.TestProvider(t, "extractive", extractive.Model, func(t *testing.T) llm.Provider {
			return open(t, settings("extractive", "", ""), nil, llm.Options{})
		})
	})
	t.Run("openai", func(t *testing.T) {
		llmtest.TestProvider(t, "openai", "gpt-x", func(t *testing.T) llm.Provider {
			return open(t, settings("openai", "gpt-x", llmtest.OpenAI(t).URL), nil, llm.Options{})
		})
	})
	t.Run("anthropic", func(t *testing.T) {
		llmtest.TestProvider(t, "anthropic", "claude-x", func(t *testing.T) llm.Provider {
			return open(t, settings("anthropic", "claude-x", llmtest.Anthropic(t).URL), nil, llm.Options{})
		})
	})
	t.Run("ngram", func(t *testing.T) {
		llmtest.TestProvider(t, "ngram", ngram.Model, func(t *testing.T) llm.Provider {
			return open(t, settings("ngram", "", ""), nil, llm.Options{})
		})
	})
	for _, f := range flavours[2:] {
		t.Run(f.provider, func(t *testing.T) {
			llmtest.TestProvider(t, f.provider, "base-x", func(t *testing.T) llm.Provider {
				return open(t, settings(f.provider, "base-x", f.start(t).URL), nil, llm.Options{})
			})
		})
	}
	for _, f := range chats {
		t.Run(f.provider+" in batches", func(t *testing.T) {
			llmtest.TestProvider(t, f.provider, "m-1", func(t *testing.T) llm.Provider {
				s := settings(f.provider, "m-1", f.start(t).URL)
				s.Batch = true
				return open(t, s, nil, llm.Options{Journal: t.TempDir()})
			})
		})
	}
	t.Run("openai without structure", func(t *testing.T) {
		llmtest.TestProvider(t, "openai", "gpt-x", func(t *testing.T) llm.Provider {
			server := llmtest.OpenAI(t)
			for range 20 {
				server.Next(server.Reply("```json\n{\"a\": 1}\n```", ""))
			}
			s := settings("openai", "gpt-x", server.URL)
			s.Structured = new(bool)
			return open(t, s, nil, llm.Options{})
		})
	})
}
