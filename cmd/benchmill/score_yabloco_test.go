package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"benchmill/schemas"
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

func TestYablocoScorer(t *testing.T) {
	row, file := yablocoRow()
	replies := map[string][]string{"A": {"{ return n; }", "return 2;", "no { body"}}
	ran := 0
	c := &yablocoScorer{ctx: t.Context(), tests: &yablocoTests{
		file: func(context.Context, schemas.BodyTask) (string, error) { return file, nil },
		run: func(_ context.Context, got schemas.BodyTask, changed string) (bool, error) {
			ran++
			return got.TaskID == "A" && strings.Contains(changed, "int f(int n)\n{ return n; }\nint b;"), nil
		},
	}}
	if id := c.add(row); id != "A" {
		t.Fatal(id)
	}
	report, lines, err := c.score(scoreHead{Release: "yabloco@1.0.0"}, replies)
	if err != nil || len(lines) != 3 || ran != 2 {
		t.Fatalf("%v, %d verdicts, %d runs", err, len(lines), ran)
	}
	for i, want := range []bool{true, false, false} {
		if v := lines[i].(yabloco.Verdict); v.Passed == nil || *v.Passed != want || v.EM != want {
			t.Errorf("%+v", v)
		}
	}
	var out bytes.Buffer
	report.print(&streams{out: &out})
	if !strings.Contains(out.String(), "overall") || !strings.Contains(out.String(), "33.33") {
		t.Error(out.String())
	}

	texts := &yablocoScorer{}
	texts.add(row)
	if _, lines, err := texts.score(scoreHead{}, replies); err != nil || lines[0].(yabloco.Verdict).Passed != nil || len(texts.rows) > 0 {
		t.Errorf("%+v, %v", lines, err)
	}
	broken := errors.New("no sandbox")
	c.tests.run = func(context.Context, schemas.BodyTask, string) (bool, error) { return false, broken }
	if _, _, err := c.score(scoreHead{}, replies); !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "task A: ") {
		t.Error(err)
	}
	c.tests.file = func(context.Context, schemas.BodyTask) (string, error) { return "another file", nil }
	if _, _, err := c.score(scoreHead{}, replies); !errors.Is(err, yabloco.ErrOtherFile) {
		t.Error(err)
	}
}
