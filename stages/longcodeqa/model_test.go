package longcodeqa

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"benchmill/internal/prompt/prompttest"
	"benchmill/pipeline"
	"benchmill/pipeline/graph"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/stages/ask"
)

// The text of a prompt changes only together with its version.
func TestPrompts(t *testing.T) {
	prompttest.CheckGolden(t, "testdata/prompts.golden", *update, taskPrompt,
		convertForm.Templates()[0], specificForm.Templates()[0], guessForm.Templates()[0], topicsForm.Templates()[0])
}

// The stages keep their contract, and their settings can be read and hashed.
func TestStages(t *testing.T) {
	stages := []*pipeline.Stage{Candidates(), Questions(), Specific(), ClosedBook(), Review(), Topics(), Sizes(), Select(), Tasks()}
	if err := (graph.Kinds{Stages: stages}).Validate(); err != nil {
		t.Error(err)
	}
	// What models are asked is in the keys: the prompt, that of a second request,
	// the schema; and the list of topics, which no template holds.
	for _, test := range []struct {
		stage *pipeline.Stage
		want  []string
	}{
		{Questions(), convertForm.Identity()}, {Specific(), specificForm.Identity()}, {ClosedBook(), guessForm.Identity()},
		{Topics(), slices.Concat(topicsForm.Identity(), TopicNames)},
		{Sizes(), []string{taskPrompt.Identity()}}, {Tasks(), []string{taskPrompt.Identity()}},
	} {
		if got := test.stage.Identify(nil); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.stage.Name, got, test.want)
		}
	}
}

// model answers by a script: for each request, by the model's name and what is
// asked ("m: specific owner__name-1") or what is asked alone, its replies.
type model struct {
	script map[string][]any // texts, pipeline.Reply values or errors

	mu    sync.Mutex
	asked map[string][]pipeline.Request // by what
}

var errScript = errors.New("asked once too often")

func (*model) Fetch(context.Context, pipeline.Pin) (io.ReadCloser, error) {
	return nil, errors.New("nothing to fetch")
}

func (m *model) Complete(_ context.Context, name pipeline.ModelName, what string, req pipeline.Request) (pipeline.Reply, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.asked == nil {
		m.asked = map[string][]pipeline.Request{}
	}
	m.asked[what] = append(m.asked[what], req)
	for _, key := range []string{string(name) + ": " + what, what} {
		if len(m.script[key]) == 0 {
			continue
		}
		next := m.script[key][0]
		m.script[key] = m.script[key][1:]
		switch a := next.(type) {
		case error:
			return pipeline.Reply{}, a
		case pipeline.Reply:
			return a, nil
		default:
			return pipeline.Reply{Text: a.(string), Origin: pipeline.OriginModel, Provider: "p", Model: "exact-" + string(name), Finish: "stop"}, nil
		}
	}
	return pipeline.Reply{}, fmt.Errorf("%s %s: %w", name, what, errScript)
}

// only is the only request about something.
func (m *model) only(t *testing.T, what string) pipeline.Request {
	t.Helper()
	if len(m.asked[what]) != 1 {
		t.Fatalf("%d requests about %s", len(m.asked[what]), what)
	}
	return m.asked[what][0]
}

var models = map[pipeline.ModelName]pipeline.ModelSpec{
	"m": {Provider: "p", Model: "x"}, "n": {Provider: "p", Model: "y"}, "o": {Provider: "p", Model: "z"},
}

var refusal = pipeline.Reply{Finish: "refusal"}

var settings = ask.Settings{MaxTokens: 99, Reasks: 1}

// run runs a stage that asks models about one repository.
func run(t *testing.T, stage *pipeline.Stage, config any, m *model, inputs map[string]any) (*stagetest.Result, error) {
	t.Helper()
	inputs["repository"] = []schemas.Repository{repository()}
	return stagetest.Run(t.Context(), stagetest.Job{Stage: stage, Config: config, Effects: m, Models: models, Inputs: inputs, Seed: 5})
}

// contains fails unless a text contains all parts and none of the others.
func contains(t *testing.T, text string, parts, others []string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in\n%s", part, text)
		}
	}
	for _, part := range others {
		if strings.Contains(text, part) {
			t.Errorf("%q is in\n%s", part, text)
		}
	}
}
