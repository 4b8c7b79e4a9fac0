package ask

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"

	"benchmill/pipeline"
)

// answer is what the tests ask for.
type answer struct {
	Reason  string   `json:"reason" jsonschema_description:"one sentence"`
	Verdict string   `json:"verdict" jsonschema:"enum=yes,enum=no"`
	Others  []string `json:"others" jsonschema:"minItems=1,maxItems=3"`
}

// noShouting is a check beyond the schema.
func noShouting(a answer) []string {
	if a.Reason == "BECAUSE" {
		return []string{"it shouts"}
	}
	return nil
}

var form = NewForm("colour", os.DirFS("testdata"), "question.tmpl", noShouting)

const good = `{"reason":"it is","verdict":"yes","others":["red"]}`

// script is a world in which models answer by a list, in turn.
type script struct {
	mu      sync.Mutex
	replies []any // string, pipeline.Reply or error
	asked   []pipeline.Request
	models  []pipeline.ModelName
	what    []string
}

func (s *script) Fetch(context.Context, pipeline.Pin) (io.ReadCloser, error) {
	return nil, errors.New("nothing to fetch")
}

func (s *script) Complete(_ context.Context, model pipeline.ModelName, what string, req pipeline.Request) (pipeline.Reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.asked)
	s.asked, s.models, s.what = append(s.asked, req), append(s.models, model), append(s.what, what)
	if n >= len(s.replies) {
		return pipeline.Reply{}, fmt.Errorf("asked once too often: %s", what)
	}
	switch r := s.replies[n].(type) {
	case error:
		return pipeline.Reply{}, r
	case pipeline.Reply:
		return r, nil
	default:
		return pipeline.Reply{Text: r.(string), Origin: pipeline.OriginModel, Provider: "p", Model: "m-1", Finish: "stop"}, nil
	}
}

type notes map[string]int64

func (notes) Drop(_, _, _, _ string)          {}
func (n notes) Note(name string, count int64) { n[name] += count }

// pass is a pass whose models are all of provider p.
func pass(w pipeline.Effects, spec pipeline.ModelSpec) (*pipeline.Pass, notes) {
	n := notes{}
	return &pipeline.Pass{
		Effects: w, Drops: n,
		Model: func(name pipeline.ModelName) (pipeline.ModelSpec, error) {
			if name == "unknown" {
				return spec, errors.New(`no model "unknown"`)
			}
			spec := spec
			spec.Provider, spec.Model = "p", "m-"+string(name)
			return spec, nil
		},
	}, n
}

var settings = Settings{MaxTokens: 100, Reasks: 1}

func asked(t *testing.T, s Settings, replies ...any) (Answer[answer], *script, notes) {
	t.Helper()
	w := &script{replies: replies}
	p, n := pass(w, pipeline.ModelSpec{})
	a, err := form.Ask(t.Context(), p, "judge", s, question)
	if err != nil {
		t.Fatal(err)
	}
	return a, w, n
}

var question = Question[answer]{What: "colour of mauve", Data: map[string]any{"Thing": "mauve"}, Subject: map[string]string{"thing": "mauve"}}
