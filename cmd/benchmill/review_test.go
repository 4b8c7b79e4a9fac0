package main

import (
	"reflect"
	"slices"
	"testing"

	"benchmill/schemas"
)

// What reviewers see of LongCodeQA without being asked is what its stage ties
// their verdicts to.
func TestReviewOfLongCodeQA(t *testing.T) {
	view, err := (&reviewExportCmd{By: "bracket"}).view(schemas.LongCodeQATasks)
	if err != nil {
		t.Fatal(err)
	}
	cells, err := view.cells(reflect.ValueOf(schemas.LongCodeQATask{
		Bracket: "32K", Repo: "own/fruit", Question: "Why?", ChoiceA: "a", ChoiceB: "b", ChoiceC: "c", ChoiceD: "d", CorrectLetter: "C",
	}))
	if err != nil || len(cells) != len(view.columns) {
		t.Fatalf("%q under %q, %v", cells, view.columns, err)
	}
	for column, want := range map[string]string{"bracket": "32K", "repo": "own/fruit", "question": "Why?", "choice_b": "b", "correct_answer": "c"} {
		if i := slices.Index(view.columns, column); i < 0 || cells[i] != want {
			t.Errorf("%s: %q under %q, want %q", column, cells, view.columns, want)
		}
	}
	view, err = (&reviewExportCmd{By: "bracket", Columns: []string{"prompt_tokens", "bracket", "topics"}}).view(schemas.LongCodeQATasks)
	if err != nil {
		t.Fatal(err)
	}
	cells, err = view.cells(reflect.ValueOf(schemas.LongCodeQATask{Bracket: "1M", PromptTokens: 7, Topics: []string{"<x>"}}))
	if err != nil || !slices.Equal(view.columns, []string{"bracket", "prompt_tokens", "topics"}) || !slices.Equal(cells, []string{"1M", "7", `["<x>"]`}) {
		t.Errorf("%q under %q, %v", cells, view.columns, err)
	}
}
