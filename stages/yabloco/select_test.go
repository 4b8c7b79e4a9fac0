package yabloco

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

func dated(name, level, day string, hits int64) schemas.BodyCandidate {
	c := candidateOf(name, lines(2), 3, 0)
	c.Function.Level, c.Function.LastCommit, c.Function.Hits = level, day, &hits
	return c
}

func selectOf(t *testing.T, c any, rows []schemas.BodyCandidate) (*stagetest.Result, []schemas.BodyCandidate) {
	t.Helper()
	r, err := stagetest.Run(t.Context(), stagetest.Job{Stage: Select(), Config: c, Seed: 7, Inputs: map[string]any{"candidates": rows}})
	if err != nil {
		t.Fatal(err)
	}
	return r, stagetest.Rows[schemas.BodyCandidate](r, "selected")
}

func TestSelect(t *testing.T) {
	rows := []schemas.BodyCandidate{
		dated("old", "project", "2020-12-31", 900), dated("new", "project", "2024-01-02", 1), dated("run", "project", "2024-01-01", 50),
		dated("b_tie", "project", "2024-01-01", 7), dated("a_tie", "project", "2024-01-01", 7),
		dated("alone", "none", "", 0),
	}
	rows[5].Function.Hits = nil
	config := &SelectConfig{PerRepository: 10, Dev: 2}
	r, got := selectOf(t, config, rows)
	var b strings.Builder
	slices.SortFunc(got, func(a, b schemas.BodyCandidate) int {
		return strings.Compare(a.Function.Level+fmt.Sprint(a.Rank), b.Function.Level+fmt.Sprint(b.Rank))
	})
	for _, c := range got {
		fmt.Fprintf(&b, "%s %d %s %s\n", c.Function.Level, c.Rank, c.Function.Name, c.Split)
	}
	if want := "none 1 alone test\nproject 1 new test\nproject 2 run test\nproject 3 a_tie dev\nproject 4 b_tie dev\n"; b.String() != want {
		t.Errorf("%s\nwant %s", b.String(), want)
	}
	if len(r.Dropped) != 1 || r.Dropped[0].Key != "ID-old" || r.Dropped[0].Reason != "level_full" {
		t.Errorf("%+v", r.Dropped)
	}
	slices.Reverse(rows)
	_, again := selectOf(t, config, rows)
	slices.SortFunc(again, func(a, b schemas.BodyCandidate) int {
		return strings.Compare(a.Function.Level+fmt.Sprint(a.Rank), b.Function.Level+fmt.Sprint(b.Rank))
	})
	if !reflect.DeepEqual(again, got) {
		t.Error("another order, other rows")
	}
	rows[0].Function.Level = "galaxy"
	if _, err := stagetest.Run(t.Context(), stagetest.Job{Stage: Select(), Inputs: map[string]any{"candidates": rows}}); err == nil {
		t.Error("an unknown level")
	}
}

// The defaults take 14 of each level and 17 more, and deal the eleven instructions
// out evenly.
func TestSelectSpread(t *testing.T) {
	var rows []schemas.BodyCandidate
	for _, level := range levels {
		for i := range 40 {
			rows = append(rows, dated(fmt.Sprint(level, i), level, fmt.Sprintf("2024-01-%02d", i%28+1), int64(i)))
		}
	}
	r, got := selectOf(t, nil, rows)
	perSplit, perPrompt := map[string]int{}, map[string]map[int64]int{"test": {}, "dev": {}}
	for _, c := range got {
		perSplit[c.Split+" "+c.Function.Level]++
		perPrompt[c.Split][c.Prompt]++
	}
	for _, level := range levels {
		if perSplit["test "+level] != 14 || perSplit["dev "+level] != 17 {
			t.Errorf("%v", perSplit)
		}
	}
	for split, n := range map[string]int{"test": 70, "dev": 85} {
		if len(perPrompt[split]) != Prompts {
			t.Errorf("%s: %v", split, perPrompt[split])
		}
		for _, times := range perPrompt[split] {
			if times != n/Prompts && times != n/Prompts+1 {
				t.Errorf("%s: %v", split, perPrompt[split])
			}
		}
	}
	if r.Reasons()["level_full"] != 5*(40-14-17) {
		t.Errorf("%v", r.Reasons())
	}
	if err := (&SelectConfig{PerRepository: 71}).Validate(); err == nil || (&SelectConfig{PerRepository: 70}).Validate() != nil {
		t.Error(err)
	}
}
