package crosscodeeval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

// oracle answers requests by a function and keeps what it was asked.
type oracle struct {
	answer func(text string) (pipeline.Reply, error)

	mu    sync.Mutex
	asked []pipeline.Request
	what  []string
}

func (*oracle) Fetch(context.Context, pipeline.Pin) (io.ReadCloser, error) {
	return nil, errors.New("nothing to fetch")
}

func (o *oracle) Complete(_ context.Context, _ pipeline.ModelName, what string, req pipeline.Request) (pipeline.Reply, error) {
	o.mu.Lock()
	o.asked, o.what = append(o.asked, req), append(o.what, what)
	o.mu.Unlock()
	reply, err := o.answer(req.Messages[0].Text)
	reply.Provider, reply.Model = req.Provider, req.Model+"-0125"
	return reply, err
}

// completionOf is an example in a file, with the cursor at "|" and the end of the
// reference at "¦".
func completionOf(path, source string) schemas.CompletionExample {
	prompt, rest, _ := strings.Cut(source, "|")
	reference, right, _ := strings.Cut(rest, "¦")
	return schemas.CompletionExample{
		ID: fmt.Sprintf("%s-%d", path, len(prompt)), Path: path, Name: "n", Prompt: prompt, Reference: reference, RightContext: right,
		CursorByte: int64(len(prompt)), CursorLine: int64(strings.Count(prompt, "\n")), Detector: "native",
	}
}

func runPredictable(t *testing.T, language string, c *PredictableConfig, o *oracle, rows ...schemas.CompletionExample) (*stagetest.Result, error) {
	t.Helper()
	c.Model = "small"
	return stagetest.Run(t.Context(), stagetest.Job{
		Stage: Predictable(allLanguages(t)), Config: c, Effects: o,
		Models: map[pipeline.ModelName]pipeline.ModelSpec{"small": {Provider: "p", Model: "m"}},
		Inputs: map[string]any{"repository": []schemas.Repository{{Repo: "o/r", Language: language}}, "examples": rows},
	})
}

func TestPredictable(t *testing.T) {
	const head = "import m\n\ndef f():\n    x = m."
	rows := []schemas.CompletionExample{
		completionOf("right.py", head+"|load(1)¦\n"),
		completionOf("wrong.py", head+"|load(2)¦\n"),
		completionOf("comment.py", head+"|load(1)  # so¦\n"),
		completionOf("silent.py", head+"|load(3)¦\n"),
	}
	rows[1].Baseline = "q/older"
	o := &oracle{answer: func(string) (pipeline.Reply, error) {
		return pipeline.Reply{Text: "load(1)\n    y = 2\n", Finish: "length"}, nil
	}}
	r, err := runPredictable(t, "python", &PredictableConfig{MaxTokens: 50}, o, rows...)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, e := range stagetest.Rows[schemas.CompletionExample](r, "examples") {
		got[e.Path] = e.Baseline
	}
	if want := map[string]string{"wrong.py": "q/older, p/m-0125", "silent.py": "p/m-0125"}; !maps.Equal(got, want) {
		t.Errorf("left are %v, want %v", got, want)
	}
	if r.Reasons()[reasonPredictable] != 2 || r.Dropped[0].Detail != "p/m-0125" {
		t.Errorf("%+v", r.Dropped)
	}
	for _, req := range o.asked {
		if req.MaxTokens != 50 || req.Temperature != 0 || req.Messages[0].Text != head {
			t.Errorf("%+v", req)
		}
	}
	if !slices.Contains(o.what, "predictable right.py:4 n") {
		t.Errorf("%q", o.what)
	}
}

func TestPredictableFailures(t *testing.T) {
	row := completionOf("a.java", "class A {\n  int f() { return |b.g();¦ }\n}\n")
	o := &oracle{answer: func(string) (pipeline.Reply, error) {
		return pipeline.Reply{Text: "b.g();", Finish: "refusal"}, nil
	}}
	r, err := runPredictable(t, "java", &PredictableConfig{MaxTokens: 5}, o, row)
	if err != nil || len(stagetest.Rows[schemas.CompletionExample](r, "examples")) != 1 || r.Notes["refused"] != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	down := errors.New("down")
	o.answer = func(string) (pipeline.Reply, error) { return pipeline.Reply{}, down }
	if _, err := runPredictable(t, "java", &PredictableConfig{MaxTokens: 5}, o, row); !errors.Is(err, down) {
		t.Errorf("%v", err)
	}
	o.answer = func(string) (pipeline.Reply, error) { return pipeline.Reply{Text: "x"}, nil }
	row.Path = "a.unknown"
	if _, err := runPredictable(t, "java", &PredictableConfig{MaxTokens: 5}, o, row); err == nil || !strings.Contains(err.Error(), "a.unknown:2 n") {
		t.Errorf("%v", err)
	}
	if r, err := runPredictable(t, "java", &PredictableConfig{MaxTokens: 5}, o); err != nil || len(r.Dropped) > 0 {
		t.Errorf("nothing: %v", err)
	}
}

// What the model sees is the end of the prompt; what is judged is all of it.
func TestPredictableContext(t *testing.T) {
	row := completionOf("a.py", "class A:\n    def f(self):\n        x = |g(\n            1)¦\n")
	o := &oracle{answer: func(text string) (pipeline.Reply, error) {
		if text != "        x = " {
			t.Errorf("asked with %q", text)
		}
		return pipeline.Reply{Text: "g(\n            1)\n        return x\n"}, nil
	}}
	r, err := runPredictable(t, "python", &PredictableConfig{MaxTokens: 50, ContextChars: 14}, o, row)
	if err != nil || len(r.Dropped) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestLastChars(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"abc\ndef", 0, "abc\ndef"}, {"abc\ndef", 99, "abc\ndef"}, {"abc\ndef", 7, "abc\ndef"},
		{"abc\ndef", 6, "def"}, {"abc\ndef", 3, "def"}, {"abc\ndef", 2, "ef"}, {"", 3, ""},
		{"x\né日本", 3, "é日本"}, {"x\né日本", 2, "日本"}, {"\xff\xff\xff", 2, "\xff\xff"},
	} {
		if got := lastChars(c.text, c.n); got != c.want {
			t.Errorf("last %d of %q: %q, want %q", c.n, c.text, got, c.want)
		}
	}
}

func FuzzLastChars(f *testing.F) {
	f.Add("a\né日\xff\n", 3)
	f.Fuzz(func(t *testing.T, text string, n int) {
		if n < 0 || n > 1000 {
			t.Skip()
		}
		got := lastChars(text, n)
		if !strings.HasSuffix(text, got) || utf8.ValidString(text) && (!utf8.ValidString(got) || n > 0 && utf8.RuneCountInString(got) > n) {
			t.Errorf("last %d of %q: %q", n, text, got)
		}
	})
}

func TestJudge(t *testing.T) {
	j := NewJudge(allLanguages(t))
	for _, c := range []struct {
		language, path, prompt, prediction, reference string
		em                                            bool
	}{
		{"python", "a.py", "x = ", "f(1)\ny = 2\n", "f(1)", true},
		{"java", "A.java", "class A { int x = ", "f(1); int y;", "f(1);", true},
		{"java", "A.java", "class A { int x = ", "f(1)", "f(1);", false},
	} {
		s, err := j.Score(c.language, c.path, c.prompt, c.prediction, c.reference)
		if err != nil || s.EM != c.em {
			t.Errorf("%s %q: %+v, %v", c.language, c.prediction, s, err)
		}
	}
	if _, err := j.Score("klingon", "a.kl", "", "x", "x"); err == nil || !strings.Contains(err.Error(), "klingon") {
		t.Errorf("%v", err)
	}
	if _, err := j.Score("python", "a.java", "", "x", "x"); err == nil || !strings.Contains(err.Error(), "a.java") {
		t.Errorf("%v", err)
	}
	// A language without any rule is compared as it is.
	if m := metricsOf("klingon"); !m.Own || m.Compare("x y", "x  y").EM || !m.Compare(" x\n", "x").EM {
		t.Errorf("%+v", m)
	}
}

// Languages the published evaluator does not know: the prediction ends where the
// rule that cut the reference says.
func TestJudgeOwnRule(t *testing.T) {
	set := allLanguages(t)
	j := NewJudge(set)
	for _, c := range []struct{ language, path, prompt, prediction, reference string }{
		{"rust", "a.rs", "fn f() {\n    let x = ", "g(1);\n    h();", "g(1);"},
		{"go", "a.go", "package a\n\nfunc f() {\n\tx := ", "g(1)\n\th()\n}", "g(1)"},
	} {
		if l := set.Get(c.language); l == nil || l.Statements == nil {
			t.Logf("%s: nothing says yet where statements end", c.language)
			continue
		}
		s, err := j.Score(c.language, c.path, c.prompt, c.prediction, c.reference)
		if err != nil || !s.EM {
			t.Errorf("%s: %+v, %v", c.language, s, err)
		}
		if s, err := j.Score(c.language, c.path, c.prompt, "", c.reference); err != nil || s.EM {
			t.Errorf("%s: nothing is right: %+v, %v", c.language, s, err)
		}
	}
}
