package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"benchmill/schemas"
	"benchmill/stages/recipe"
	"benchmill/stages/yabloco"
)

// yablocoRow is a task whose file is before, signature, body, after.
func yablocoRow() (schemas.BodyTask, string) {
	const before, head, body, after = "int a;\n", "int f(int n)\n", "{\n    return n;\n}", "\nint b;\n"
	return schemas.BodyTask{
		TaskID: "A", Level: schemas.LevelNone, Name: "f", File: "a.c", Signature: "int f(int n)", Reference: body,
		Start: int64(len(before)), Body: int64(len(before + head)), End: int64(len(before + head + body)),
	}, before + head + body + after
}

// fakeTests passes what holds a text.
type fakeTests struct {
	text  string // of every file
	wants string
	err   error
	ran   int
}

func (f *fakeTests) file(context.Context, string, string, string) (string, error) { return f.text, nil }

func (f *fakeTests) run(_ context.Context, what, _, _, _, text string) (recipe.Verdict, error) {
	f.ran++
	switch {
	case f.err != nil:
		return recipe.Verdict{}, f.err
	case what == "A" && strings.Contains(text, f.wants):
		return recipe.Verdict{Result: recipe.Passed, Step: recipe.StepTest}, nil
	}
	return recipe.Verdict{Result: recipe.Stopped, Step: recipe.StepTest, Limit: "time", Exit: -1}, nil
}

func TestYablocoScorer(t *testing.T) {
	row, file := yablocoRow()
	replies := map[string][]string{"A": {"{ return n; }", "return 2;", "no { body"}}
	tests := &fakeTests{text: file, wants: "int f(int n)\n{ return n; }\nint b;"}
	c := &yablocoScorer{run: true, tests: tests, k: []int{1, 2}}
	if id := c.add(row); id != "A" {
		t.Fatal(id)
	}
	report, lines, err := c.score(t.Context(), scoreHead{Release: "yabloco@1.0.0"}, replies)
	if err != nil || len(lines) != 3 || tests.ran != 2 {
		t.Fatalf("%v, %d verdicts, %d runs", err, len(lines), tests.ran)
	}
	for i, want := range []string{"", "test_time", "no_body"} {
		if v := lines[i].(yabloco.Verdict); v.Passed == nil || *v.Passed != (want == "") || v.EM != *v.Passed || v.Reason != want {
			t.Errorf("%+v", v)
		}
	}
	var out bytes.Buffer
	report.print(&streams{out: &out})
	for _, want := range []string{"overall", "33.33", "pass@2", "66.67"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}

	texts := &yablocoScorer{k: []int{5}}
	texts.add(row)
	if _, lines, err := texts.score(t.Context(), scoreHead{}, replies); err != nil || lines[0].(yabloco.Verdict).Passed != nil || len(texts.rows) > 0 {
		t.Errorf("%+v, %v", lines, err)
	}
	c.k, tests.ran = []int{4}, 0
	if _, _, err := c.score(t.Context(), scoreHead{}, replies); err == nil || !strings.Contains(err.Error(), "task A has 3 replies") || tests.ran > 0 {
		t.Errorf("%v, %d runs", err, tests.ran)
	}
	c.k, tests.err = []int{1}, errors.New("no sandbox")
	if _, _, err := c.score(t.Context(), scoreHead{}, replies); !errors.Is(err, tests.err) || !strings.HasPrefix(err.Error(), "task A: ") {
		t.Error(err)
	}
	tests.text = "another file"
	if _, _, err := c.score(t.Context(), scoreHead{}, replies); !errors.Is(err, yabloco.ErrOtherFile) {
		t.Error(err)
	}
}
