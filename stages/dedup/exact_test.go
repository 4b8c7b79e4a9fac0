package dedup

import (
	"testing"

	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

// Without near duplicates, texts that are the same duplicate each other and no
// text that is only like them.
func TestExactOnly(t *testing.T) {
	const text = "func add(a, b, c int) int { sum := a + b; sum = sum * c; return sum - a }"
	texts := []schemas.Text{{ID: "a", Text: text}, {ID: "b", Text: text + " // end"}, {ID: "c", Text: text + "\n\t// end"}}
	signed := sign(t, texts, one)

	job := nearJob(signed)
	c := Near().NewConfig().(*NearConfig)
	c.Near, job.Config = false, c
	r, err := stagetest.Run(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]string{}
	for _, v := range stagetest.Rows[schemas.TextVerdict](r, "verdicts") {
		if of[v.ID] = v.DuplicateOf; v.Kind == schemas.DuplicateNear {
			t.Errorf("%+v", v)
		}
	}
	if of["a"] != "" || (of["b"] == "c") == (of["c"] == "b") {
		t.Errorf("%v", of)
	}

	a := against1("other.jsonl")
	a.Near = false
	files := map[pipeline.FileName]string{"other.jsonl": `{"dataset": "y", "id": "1", "text": "` + text + `"}`}
	r, err = stagetest.Run(t.Context(), stagetest.Job{Stage: Against(), Seed: 1, Config: a, Files: files, Inputs: map[string]any{"signatures": signed}})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range stagetest.Rows[schemas.TextMatch](r, "matches") {
		if want := map[bool]string{true: schemas.DuplicateExact, false: schemas.DuplicateNone}[m.ID == "a"]; m.Kind != want {
			t.Errorf("%+v", m)
		}
	}
}
