package ask

import (
	"errors"
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/prompt/prompttest"
	"benchmill/pipeline"
	"benchmill/pipeline/ledger"
	"benchmill/schemas"
)

var update = flag.Bool("update", false, "rewrite golden files")

// The text of a prompt changes only together with its version.
func TestPrompts(t *testing.T) {
	prompttest.CheckGolden(t, "testdata/prompts.golden", *update, repair)
}

func TestAsk(t *testing.T) {
	a, w, n := asked(t, settings, good)
	if want := (answer{"it is", "yes", []string{"red"}}); !a.OK() || !reflect.DeepEqual(a.Value, want) || a.Asked != 1 || a.Voter != "judge" || a.Reply.Model != "m-1" {
		t.Errorf("%+v", a)
	}
	if len(n) > 0 || w.models[0] != "judge" || w.what[0] != "colour of mauve" {
		t.Errorf("%v, %v, %v", n, w.models, w.what)
	}
	want := pipeline.Request{
		Provider: "p", Model: "m-judge", MaxTokens: 100,
		Messages:   []pipeline.Message{{Role: "user", Text: "Is mauve a colour?"}},
		SchemaName: "colour", Schema: form.Schema(), Template: form.Templates()[0].Identity(),
		Subject: map[string]string{"thing": "mauve"},
	}
	if !reflect.DeepEqual(w.asked[0], want) {
		t.Errorf("%+v, want %+v", w.asked[0], want)
	}
}

// What is wrong goes back to the model, word by word; these bytes are part of
// keys in ledgers.
func TestAskAgain(t *testing.T) {
	bad := `{"reason":7,"verdict":"maybe","others":[]}`
	a, w, n := asked(t, settings, bad, good)
	if !a.OK() || a.Asked != 2 || a.Template != repair.Identity() || n["reasked"] != 1 || len(a.Problems) > 0 {
		t.Errorf("%+v, %v", a, n)
	}
	second := w.asked[1]
	want := []pipeline.Message{
		{Role: "user", Text: "Is mauve a colour?"},
		{Role: "assistant", Text: bad},
		{Role: "user", Text: `This answer cannot be used:

- others must have at least 1 items, not 0
- reason must be of type string, not number
- verdict must be one of "yes", "no"

Answer the question again with these points put right. Write the whole JSON object and nothing else.`},
	}
	if !slices.Equal(second.Messages, want) || second.Template != repair.Identity() || second.Subject["thing"] != "mauve" {
		t.Errorf("%q", second.Messages)
	}
	if len(w.asked[0].Messages) != 1 || w.asked[0].Template == second.Template {
		t.Error("the first request was changed")
	}
}

func TestAskGivesUp(t *testing.T) {
	shouted := strings.Replace(good, "it is", "BECAUSE", 1)
	for name, test := range map[string]struct {
		reasks  int
		replies []any
		why     Failure
		detail  string
	}{
		"never again":     {0, []any{"?"}, Malformed, "it is not JSON, from byte 1 on"},
		"once again":      {1, []any{"?", "{"}, Malformed, "the JSON ends too early"},
		"refused":         {1, []any{pipeline.Reply{Finish: "refusal"}, pipeline.Reply{Finish: "refusal", Text: good}}, Refused, "the request was refused"},
		"cut off":         {0, []any{pipeline.Reply{Finish: "length", Text: good}}, Truncated, "it is too long and was cut off"},
		"check":           {2, []any{shouted, "?", shouted}, Unfit, "it shouts"},
		"the last counts": {2, []any{shouted, pipeline.Reply{Finish: "length"}, "[]"}, Malformed, "the answer must be of type object, not array"},
		"several":         {0, []any{`{"verdict":"no","others":["a","b","c","d"]}`}, Malformed, `others must have at most 3 items, not 4; the field "reason" is missing`},
	} {
		a, w, n := asked(t, Settings{MaxTokens: 9, Reasks: test.reasks}, test.replies...)
		if a.OK() || a.Failure != test.why || a.Detail() != test.detail || int(a.Asked) != test.reasks+1 || len(n) > 0 {
			t.Errorf("%s: %+v, %v", name, a, n)
		}
		if (a.Value.Reason != "") != (test.why == Unfit) {
			t.Errorf("%s: value %+v", name, a.Value)
		}
		for _, m := range w.asked[len(w.asked)-1].Messages {
			if strings.TrimSpace(m.Text) == "" {
				t.Errorf("%s: an empty turn", name)
			}
		}
	}
}

// A check of the row comes after the form's own.
func TestAskCheckOfRow(t *testing.T) {
	q := question
	q.Check = func(a answer) []string { return []string{"not " + a.Verdict} }
	p, _ := pass(&script{replies: []any{strings.Replace(good, "it is", "BECAUSE", 1)}}, pipeline.ModelSpec{})
	a, err := form.Ask(t.Context(), p, "judge", Settings{}, q)
	if err != nil || a.Detail() != "it shouts; not yes" {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestAskErrors(t *testing.T) {
	broken := pipeline.Mark(errors.New("budget spent"), pipeline.Fatal)
	p, _ := pass(&script{replies: []any{"?", broken}}, pipeline.ModelSpec{})
	if _, err := form.Ask(t.Context(), p, "judge", settings, question); !errors.Is(err, broken) || pipeline.ClassOf(err) != pipeline.Fatal {
		t.Errorf("%v", err)
	}
	if _, err := form.Ask(t.Context(), p, "unknown", settings, question); err == nil || !strings.Contains(err.Error(), "unknown") {
		t.Errorf("%v", err)
	}
	if _, err := form.Ask(t.Context(), p, "judge", settings, Question[answer]{}); err == nil || !strings.Contains(err.Error(), "test.question/1") {
		t.Errorf("%v", err)
	}
}

// Settings of the model go before those of the stage.
func TestSettings(t *testing.T) {
	temperature, seed := 0.7, int64(40)
	w := &script{replies: []any{good, good}}
	p, _ := pass(w, pipeline.ModelSpec{Temperature: &temperature, MaxTokens: 7, Seed: &seed})
	for _, vote := range []Vote{1, 3} {
		q := question
		q.Vote = vote
		if _, err := form.Ask(t.Context(), p, "judge", settings, q); err != nil {
			t.Fatal(err)
		}
	}
	if r := w.asked[0]; r.Temperature != 0.7 || r.MaxTokens != 7 || *r.Seed != 40 || len(r.Subject) != 1 {
		t.Errorf("%+v", r)
	}
	if r := w.asked[1]; *r.Seed != 42 || r.Subject["vote"] != "3" || r.Subject["thing"] != "mauve" || seed != 40 {
		t.Errorf("%+v", r)
	}
}

// The ledger tells votes apart, with a seed and without, and the first vote is
// the request that a single question is.
func TestVotesAreRequestsOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for vote := range Vote(4) {
		key, err := ledger.Key(ledger.KindLLM, settings.request(pipeline.ModelSpec{Model: "m"}, vote, question.Subject))
		if err != nil {
			t.Fatal(err)
		}
		seen[string(key)] = true
	}
	if len(seen) != 3 { // 0 and 1 are the same
		t.Errorf("%d keys", len(seen))
	}
	if len(question.Subject) != 1 {
		t.Error("the question was changed")
	}
}

func TestJudgment(t *testing.T) {
	a, _, _ := asked(t, settings, good)
	want := schemas.Judgment{
		Subject: "s", Question: "colour", Voter: "judge", Verdict: "yes", Reason: "it is",
		Origin: "model", Provider: "p", Model: "m-1", Template: form.Templates()[0].Identity(), Asked: 1,
	}
	if got := a.Judgment("s", "colour", a.Value.Verdict, a.Value.Reason); got != want {
		t.Errorf("%+v", got)
	}
	a, _, _ = asked(t, settings, "?", "?")
	if got := a.Judgment("s", "colour", "yes", "made up"); got.Verdict != "malformed" || got.Reason != "it is not JSON, from byte 1 on" || got.Asked != 2 {
		t.Errorf("%+v", got)
	}
}

// A long answer is not sent back whole.
func TestEchoIsBounded(t *testing.T) {
	_, w, _ := asked(t, settings, pipeline.Reply{Finish: "length", Text: strings.Repeat("é", maxReply)}, good)
	if n := len(w.asked[1].Messages[1].Text); n > maxEcho+3 {
		t.Errorf("%d bytes", n)
	}
}

func TestIdentity(t *testing.T) {
	ids := form.Identity()
	if len(ids) != 3 || !strings.HasPrefix(ids[0], "test.question/1#") || !strings.HasPrefix(ids[1], "ask.repair/1#") || !strings.HasPrefix(ids[2], "schema colour#") {
		t.Errorf("%q", ids)
	}
	type other struct { // another limit, which models are not sent
		Reason  string   `json:"reason" jsonschema_description:"one sentence"`
		Verdict string   `json:"verdict" jsonschema:"enum=yes,enum=no"`
		Others  []string `json:"others" jsonschema:"minItems=1,maxItems=4"`
	}
	second := NewForm[other]("colour", os.DirFS("testdata"), "question.tmpl", nil)
	if string(second.Schema()) != string(form.Schema()) || second.Identity()[2] == ids[2] {
		t.Errorf("%s, %q", second.Schema(), second.Identity())
	}
	third := NewForm[answer]("colour", os.DirFS("testdata"), "question.tmpl", nil).Again(os.DirFS("testdata"), "question.tmpl")
	if third.Identity()[1] != ids[0] {
		t.Errorf("%q", third.Identity())
	}
}
