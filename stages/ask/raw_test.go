package ask

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline"
)

func TestContinue(t *testing.T) {
	seed := int64(4)
	w := &script{replies: []any{"foo()", errors.New("down")}}
	p, _ := pass(w, pipeline.ModelSpec{Seed: &seed})
	settings := Settings{Temperature: 0.5, MaxTokens: 50}
	reply, err := Continue(t.Context(), p, "m", settings, "a.x:1", "x = ", "\n\n")
	if err != nil || reply.Text != "foo()" {
		t.Errorf("%+v, %v", reply, err)
	}
	got := w.asked[0]
	if len(got.Messages) != 1 || got.Messages[0] != (pipeline.Message{Role: "user", Text: "x = "}) || got.System != "" || got.Schema != nil ||
		got.Temperature != 0.5 || got.MaxTokens != 50 || *got.Seed != 4 || !slices.Equal(got.Stop, []string{"\n\n"}) || got.Template != "continue/1" || w.what[0] != "a.x:1" {
		t.Errorf("%+v for %q", got, w.what)
	}
	// Where no one says where to stop, the request has no such field.
	if _, err := Continue(t.Context(), p, "m", settings, "b", "y"); err == nil || w.asked[1].Stop != nil {
		t.Errorf("%v, %+v", err, w.asked[1])
	}
}

func TestEmbed(t *testing.T) {
	warm := 0.9
	w := &script{replies: []any{pipeline.Reply{Vector: pipeline.NewVector([]float32{1, -2})}, "in words", pipeline.Reply{Vector: "?"}, errors.New("down")}}
	p, _ := pass(w, pipeline.ModelSpec{Temperature: &warm, MaxTokens: 9})
	got, err := Embed(t.Context(), p, "m", "w", "text")
	if err != nil || !slices.Equal(got, []float32{1, -2}) {
		t.Errorf("%v, %v", got, err)
	}
	// What decides no vector is not in its key.
	if r := w.asked[0]; r.Temperature != 0 || r.MaxTokens != 1 || r.Messages[0].Text != "text" {
		t.Errorf("%+v", r)
	}
	if _, err := Embed(t.Context(), p, "m", "w", "text"); pipeline.ClassOf(err) != pipeline.Fatal || !strings.Contains(err.Error(), "answers in words") {
		t.Error(err)
	}
	for range 2 {
		if got, err := Embed(t.Context(), p, "m", "w", "text"); err == nil || got != nil {
			t.Errorf("%v, %v", got, err)
		}
	}
}
