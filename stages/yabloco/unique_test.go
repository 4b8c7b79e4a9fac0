package yabloco

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

func uniqueOf(t *testing.T, config any, rows []schemas.BodyCandidate, verdicts []schemas.TextVerdict) *stagetest.Result {
	t.Helper()
	inputs := map[string]any{"candidates": rows}
	if verdicts != nil {
		inputs["verdicts"] = verdicts
	}
	r, err := stagetest.Run(t.Context(), stagetest.Job{Stage: Unique(), Config: config, Inputs: inputs})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestUnique(t *testing.T) {
	const body = "{ wash(apple); cut(apple, knife); return eat(apple, slowly); }"
	rows := []schemas.BodyCandidate{
		candidateOf("first", body, 4, 0),
		candidateOf("near", strings.ReplaceAll(body, "apple", "pear"), 5, 3),
		candidateOf("exact", body, 6, 1),
		candidateOf("many_callers", body, 7, 4), // near has one caller less, but went
		candidateOf("other", "{ open(door); walk(through, every, single, room); shout(loud); }", 5, 0),
	}
	r := uniqueOf(t, nil, rows, nil)
	got := stagetest.Rows[schemas.BodyCandidate](r, "candidates")
	if want := []string{"first", "many_callers", "other"}; !slices.Equal(ids(got), want) || !maps.Equal(r.Reasons(), map[string]int{"near_duplicate": 2}) {
		t.Errorf("%q, %+v", ids(got), r.Dropped)
	}
	if (&UniqueConfig{}).Validate() == nil || Unique().NewConfig().(*UniqueConfig).Validate() != nil {
		t.Error("a similarity of 0 makes all the same")
	}
	slices.Reverse(rows)
	if again := stagetest.Rows[schemas.BodyCandidate](uniqueOf(t, nil, rows, nil), "candidates"); !slices.Equal(ids(again), ids(got)) {
		t.Errorf("%q in another order", ids(again))
	}
	for name, change := range map[string]func(c *UniqueConfig){
		"window of one":      func(c *UniqueConfig) { c.Window = 1 },
		"words in common":    func(c *UniqueConfig) { c.Common = 100 },
		"all the same":       func(c *UniqueConfig) { c.Similarity = 1.01 },
		"no word is counted": func(c *UniqueConfig) { c.MaxWords = 1 },
	} {
		c := Unique().NewConfig().(*UniqueConfig)
		change(c)
		want := 5
		if name == "window of one" {
			want = 3 // near goes for first, and many_callers for exact
		}
		if n := len(stagetest.Rows[schemas.BodyCandidate](uniqueOf(t, c, rows, nil), "candidates")); n != want {
			t.Errorf("%s: %d rows, want %d", name, n, want)
		}
	}
}

func TestUniqueByVerdicts(t *testing.T) {
	rows := []schemas.BodyCandidate{candidateOf("a", lines(2), 3, 0), candidateOf("b", lines(2), 3, 0), candidateOf("c", lines(2), 3, 0)}
	verdicts := []schemas.TextVerdict{
		{ID: "ID-a", Kind: schemas.DuplicateNone}, {ID: "ID-b", Kind: schemas.DuplicateExact, DuplicateOf: "ID-a", Similarity: 1},
		{ID: "ID-c", Kind: schemas.DuplicateNear, DuplicateOf: "ID-a", Similarity: 0.8},
	}
	r := uniqueOf(t, nil, rows, verdicts)
	if got := ids(stagetest.Rows[schemas.BodyCandidate](r, "candidates")); !slices.Equal(got, []string{"a"}) || !maps.Equal(r.Reasons(), map[string]int{"duplicate": 1, "near_duplicate": 1}) {
		t.Errorf("%q %+v", got, r.Dropped)
	}
	_, err := stagetest.Run(t.Context(), stagetest.Job{Stage: Unique(), Inputs: map[string]any{"candidates": rows, "verdicts": verdicts[1:]}})
	if err == nil || !strings.Contains(err.Error(), "candidate ID-a has no verdict") {
		t.Error(err)
	}
	texts, err := stagetest.Run(t.Context(), stagetest.Job{Stage: Texts(), Inputs: map[string]any{"candidates": rows[:1]}})
	if err != nil {
		t.Fatal(err)
	}
	if got := stagetest.Rows[schemas.Text](texts, "texts"); len(got) != 1 || got[0].ID != "ID-a" || got[0].Text != "a  void a()\n"+lines(2) {
		t.Errorf("%+v", got)
	}
}
