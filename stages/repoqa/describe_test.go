package repoqa

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"sync"
	"testing"

	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/stages/ask"
	"benchmill/stages/lang"
	languages "benchmill/stages/lang/all"
)

func set(t testing.TB) *lang.Set {
	t.Helper()
	s, err := languages.Languages()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// model answers by a script for each function.
type model struct {
	mu     sync.Mutex
	script map[string][]any // replies or errors, by function
	asked  map[string][]pipeline.Request
	always func(ctx context.Context, name string) (pipeline.Reply, error)
}

func (m *model) Fetch(context.Context, pipeline.Pin) (io.ReadCloser, error) {
	return nil, errors.New("nothing to fetch")
}

func (m *model) Complete(ctx context.Context, _ pipeline.ModelName, _ string, req pipeline.Request) (pipeline.Reply, error) {
	name := req.Subject["name"]
	m.mu.Lock()
	if m.asked == nil {
		m.asked = map[string][]pipeline.Request{}
	}
	n := len(m.asked[name])
	m.asked[name] = append(m.asked[name], req)
	m.mu.Unlock()
	if m.always != nil {
		return m.always(ctx, name)
	}
	if n >= len(m.script[name]) {
		return pipeline.Reply{}, fmt.Errorf("asked for %s once too often", name)
	}
	switch a := m.script[name][n].(type) {
	case error:
		return pipeline.Reply{}, a
	case pipeline.Reply:
		return a, nil
	default:
		return pipeline.Reply{Text: a.(string), Origin: pipeline.OriginModel, Provider: "p", Model: "x", Finish: "stop"}, nil
	}
}

const source = "# Some words before.\n\ndef frobnicate(quux):\n    # why not\n    xyzzy = quux + 1\n    return xyzzy\n\n\ndef other(a):\n    return a\n"

func described(t *testing.T, m *model, change func(j *stagetest.Job)) (*stagetest.Result, error) {
	t.Helper()
	needle := func(i int64, name string) schemas.Needle {
		start := strings.Index(source, "def "+name)
		end := start + len(strings.TrimRight(strings.SplitN(source[start:], "\n\n\n", 2)[0], "\n"))
		return schemas.Needle{Index: i, Needles: 2, Path: "f.py", Name: name, StartByte: int64(start), EndByte: int64(end)}
	}
	j := stagetest.Job{
		Stage: Describe(set(t)), Effects: m,
		Config: &DescribeConfig{Model: "m", Settings: ask.Settings{Temperature: 0.2, MaxTokens: 2048, Reasks: 3}, PrecedingLines: 100},
		Models: map[pipeline.ModelName]pipeline.ModelSpec{"m": {Provider: "p", Model: "x"}},
		Inputs: map[string]any{
			"repository": []schemas.Repository{{Repo: "o/r", Commit: strings.Repeat("1", 40), Language: "python"}},
			"needles":    []schemas.Needle{needle(0, "frobnicate"), needle(1, "other")},
			"files":      []schemas.File{{Path: "f.py", Text: source}},
		},
	}
	if change != nil {
		change(&j)
	}
	return stagetest.Run(t.Context(), j)
}

const (
	good  = `{"purpose":"Adds one.","input":"A number.","output":"Its successor.","procedure":" It counts up. "}`
	leaky = `{"purpose":"Adds one to quux.","input":"A number.","output":"The xyzzy.","procedure":"It counts up."}`
)

func TestDescribeFirstTime(t *testing.T) {
	m := &model{script: map[string][]any{"frobnicate": {good}, "other": {"```json\n" + good + "\n```"}}}
	r, err := described(t, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := stagetest.Rows[schemas.Described](r, "described")
	if len(rows) != 2 || len(r.Dropped) > 0 || len(r.Notes) > 0 {
		t.Fatalf("%+v, %+v, %v", rows, r.Dropped, r.Notes)
	}
	d := rows[0]
	if d.Name != "frobnicate" || d.Purpose != "Adds one." || d.Procedure != "It counts up." || d.Asked != 1 || d.Origin != "model" || d.Provider != "p" || d.Model != "x" || d.Template != description.Templates()[0].Identity() {
		t.Errorf("%+v", d)
	}
	req := m.asked["frobnicate"][0]
	if req.Temperature != 0.2 || req.MaxTokens != 2048 || len(req.Messages) != 1 || req.Messages[0].Role != "user" || len(req.Schema) == 0 {
		t.Errorf("%+v", req)
	}
	for _, part := range []string{"# Some words before.\n\ndef frobnicate(quux):", "return xyzzy", "`frobnicate`"} {
		if !strings.Contains(req.Messages[0].Text, part) {
			t.Errorf("%q is not in the request:\n%s", part, req.Messages[0].Text)
		}
	}
	if strings.Contains(req.Messages[0].Text, "def other") {
		t.Error("the request shows what comes after the function")
	}
	s := req.Subject
	if s["language"] != "python" || s["path"] != "f.py" || s["params"] != "quux" || s["locals"] != "xyzzy" || s["doc"] != "# why not" || s["signature"] != "def frobnicate(quux):" || !strings.HasPrefix(s["code"], "def frob") || !strings.HasSuffix(s["code"], "xyzzy") {
		t.Errorf("%q", s)
	}
}

// Settings of the model go before those of the stage.
func TestDescribeSettings(t *testing.T) {
	zero, seed := 0.0, int64(5)
	m := &model{script: map[string][]any{"frobnicate": {good}, "other": {good}}}
	_, err := described(t, m, func(j *stagetest.Job) {
		j.Models["m"] = pipeline.ModelSpec{Provider: "p", Model: "x", Temperature: &zero, MaxTokens: 9, Seed: &seed}
		j.Config.(*DescribeConfig).PrecedingLines = 0
	})
	if err != nil {
		t.Fatal(err)
	}
	req := m.asked["frobnicate"][0]
	if req.Temperature != 0 || req.MaxTokens != 9 || *req.Seed != 5 || strings.Contains(req.Messages[0].Text, "Some words before") {
		t.Errorf("%+v", req)
	}
}

func TestDescribeLeakThenGood(t *testing.T) {
	m := &model{script: map[string][]any{"frobnicate": {leaky, good}, "other": {good}}}
	r, err := described(t, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := stagetest.Rows[schemas.Described](r, "described")[0]
	if d.Asked != 2 || d.Template != description.Templates()[1].Identity() || r.Notes["reasked"] != 1 {
		t.Errorf("%+v, %v", d, r.Notes)
	}
	second := m.asked["frobnicate"][1]
	if len(second.Messages) != 3 || second.Messages[1] != (pipeline.Message{Role: "assistant", Text: leaky}) || second.Messages[2].Role != "user" {
		t.Fatalf("%+v", second.Messages)
	}
	for _, word := range []string{`"quux"`, `"xyzzy"`} {
		if !strings.Contains(second.Messages[2].Text, word) {
			t.Errorf("%s is not named: %s", word, second.Messages[2].Text)
		}
	}
	if len(m.asked["frobnicate"][0].Messages) != 1 {
		t.Error("the first request was changed")
	}
}

func TestDescribeGivesUp(t *testing.T) {
	refusal := pipeline.Reply{Finish: "refusal", Text: ""}
	missing := strings.Replace(leaky, "quux", "missing", 1)
	blank := strings.Replace(good, "A number.", " ", 1)
	cut := pipeline.Reply{Finish: "length", Text: good}
	for name, test := range map[string]struct {
		replies        []any
		reason, detail string
	}{
		"leaks":            {[]any{leaky, leaky, leaky, leaky}, "description_leaks", `it gives "quux" away; it gives "xyzzy" away`},
		"not json":         {[]any{"Sure!", "{", "[]", "Sure!"}, "description_malformed", "it is not JSON, from byte 1 on"},
		"empty parts":      {[]any{`{}`, `null`, `{}`, `{"purpose":"Adds."}`}, "description_malformed", `the field "input" is missing`},
		"blank parts":      {[]any{blank, blank, blank, blank}, "description_malformed", "the part Input is missing or empty"},
		"cut off":          {[]any{cut, cut, cut, cut}, "description_malformed", "cut off"},
		"other parts":      {[]any{`{"what":"x"}`, `{"what":"x"}`, `{"what":"x"}`, `{"what":"x"}`}, "description_malformed", `the field "what" was not asked for`},
		"refused":          {[]any{refusal, refusal, refusal, refusal}, "model_refused", "refused"},
		"the last counts":  {[]any{refusal, "x", `{}`, leaky}, "description_leaks", "quux"},
		"a word like ours": {[]any{missing, missing, missing, strings.Replace(missing, "to missing", "to quux", 1)}, "description_leaks", "quux"},
	} {
		m := &model{script: map[string][]any{"frobnicate": test.replies, "other": {good}}}
		r, err := described(t, m, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !maps.Equal(r.Reasons(), map[string]int{test.reason: 1}) || !strings.Contains(r.Dropped[0].Detail, test.detail) || r.Dropped[0].Key != "f.py:1 frobnicate" {
			t.Errorf("%s: %+v", name, r.Dropped)
		}
		if n := len(m.asked["frobnicate"]); n != 4 {
			t.Errorf("%s: asked %d times", name, n)
		}
		if rows := stagetest.Rows[schemas.Described](r, "described"); len(rows) != 1 || rows[0].Name != "other" {
			t.Errorf("%s: %+v", name, rows)
		}
		for _, m := range m.asked["frobnicate"][3].Messages {
			if strings.TrimSpace(m.Text) == "" {
				t.Errorf("%s: an empty turn", name)
			}
		}
	}
}

func TestDescribeFunctionNotFound(t *testing.T) {
	m := &model{script: map[string][]any{"other": {good}}}
	r, err := described(t, m, func(j *stagetest.Job) { j.Inputs["needles"].([]schemas.Needle)[0].EndByte-- })
	if err != nil || !maps.Equal(r.Reasons(), map[string]int{"function_not_found": 1}) {
		t.Errorf("%v", err)
	}
}

// A fatal error stops everything and is the one that is told, however many
// others its stop makes fail.
func TestDescribeFatal(t *testing.T) {
	refused := pipeline.Mark(errors.New("key refused"), pipeline.Fatal)
	for range 50 {
		m := &model{always: func(ctx context.Context, name string) (pipeline.Reply, error) {
			if name == "other" {
				return pipeline.Reply{}, refused
			}
			<-ctx.Done()
			return pipeline.Reply{}, ctx.Err()
		}}
		_, err := described(t, m, nil)
		if !errors.Is(err, refused) || pipeline.ClassOf(err) != pipeline.Fatal || !strings.Contains(err.Error(), "needle other of f.py") {
			t.Fatalf("%v", err)
		}
	}
}

// Which of several errors is told does not depend on which came first.
func TestDescribeErrorOrder(t *testing.T) {
	for _, first := range []string{"frobnicate", "other"} {
		told := make(chan struct{})
		m := &model{always: func(_ context.Context, name string) (pipeline.Reply, error) {
			if name == first {
				defer close(told)
			} else {
				<-told
			}
			return pipeline.Reply{}, errors.New("no answer for " + name)
		}}
		_, err := described(t, m, nil)
		if err == nil || !strings.Contains(err.Error(), "no answer for frobnicate") {
			t.Errorf("%s first: %v", first, err)
		}
	}
}
