package crosscodeeval

import (
	"context"
	"fmt"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/ask"
	"benchmill/stages/code"
	"benchmill/stages/lang"
)

const reasonPredictable = "predictable"

// PredictableConfig configures [Predictable].
type PredictableConfig struct {
	Model        pipeline.ModelName `yaml:"model" doc:"a name of the models section; the paper uses starcoderbase-1B, behind provider completions"`
	Temperature  float64            `yaml:"temperature" min:"0" doc:"where the model's own settings give none"`
	MaxTokens    int                `yaml:"max_tokens" min:"1" doc:"longest completion, where the model's own settings give none"`
	ContextChars int                `yaml:"context_chars" min:"0" doc:"the model sees so many characters of the prompt, the last ones, from the start of a line on; 0: all"`
}

// Predictable drops examples whose reference a small model writes from the prompt
// alone (section 2.3): they need no other file. The completion is cut and compared
// as predictions are scored. With the provider ngram no model is asked; rows say
// what was.
//
// Version history:
//
//	1: first version
func Predictable(languages *lang.Set) *pipeline.Stage {
	return &pipeline.Stage{
		Name: "crosscodeeval.predictable", Version: 1,
		Doc: "Has a small model complete each prompt without other files and drops what it gets exactly right.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "examples", Schema: schemas.CompletionExamples},
		},
		Out:       []pipeline.Port{{Name: "examples", Schema: schemas.CompletionExamples}},
		Flows:     []pipeline.Flow{{From: "examples", To: []string{"examples"}}},
		Uses:      pipeline.Uses{LLM: true},
		NewConfig: func() any { return &PredictableConfig{MaxTokens: 50, ContextChars: 20_000} },
		Identify: func(row any) []string {
			m := metricsOf(row.(schemas.Repository).Language)
			return append(identify(languages)(row), fmt.Sprintf("cut parse=%t own=%t", m.Parse, m.Own))
		},
		Run: func(ctx context.Context, p *pipeline.Pass) error {
			_, l, err := code.Repository(ctx, p, languages)
			if err != nil {
				return err
			}
			return predictable(ctx, p, l.Name, NewJudge(languages))
		},
	}
}

func predictable(ctx context.Context, p *pipeline.Pass, language string, judge *Judge) error {
	c := pipeline.ConfigOf[PredictableConfig](p)
	rows, err := pipeline.Collect[schemas.CompletionExample](ctx, p, "examples")
	if err != nil {
		return err
	}
	settings := ask.Settings{Temperature: c.Temperature, MaxTokens: c.MaxTokens}
	return ask.Each(ctx, rows, func(ctx context.Context, e schemas.CompletionExample) error {
		reply, err := ask.Continue(ctx, p, c.Model, settings, "predictable "+exampleKey(e), lastChars(e.Prompt, c.ContextChars))
		if err != nil {
			return err
		}
		if reply.Finish == "refusal" {
			p.Drops.Note("refused", 1) // a filter's words are no completion
			return pipeline.Emit(p, "examples", e)
		}
		score, err := judge.Score(language, e.Path, e.Prompt, reply.Text, e.Reference)
		if err != nil {
			return fmt.Errorf("%s: %w", exampleKey(e), err)
		}
		name := reply.Provider + "/" + reply.Model
		if score.EM {
			p.Drops.Drop("examples", exampleKey(e), reasonPredictable, name)
			return nil
		}
		if e.Baseline != "" {
			name = e.Baseline + ", " + name
		}
		e.Baseline = name
		return pipeline.Emit(p, "examples", e)
	})
}

// lastChars is the end of a text, at most n characters of it, from the start of a
// line where one starts there.
func lastChars(text string, n int) string {
	if n == 0 {
		return text
	}
	at := len(text)
	for range n {
		if at == 0 {
			return text
		}
		at--
		for at > 0 && text[at]&0xc0 == 0x80 { // inside a character
			at--
		}
	}
	if at == 0 || text[at-1] == '\n' {
		return text[at:]
	}
	if _, rest, ok := strings.Cut(text[at:], "\n"); ok {
		return rest
	}
	return text[at:]
}
