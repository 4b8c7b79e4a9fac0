package yabloco

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/review"
	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

func TestReview(t *testing.T) {
	var rows []schemas.BodyCandidate
	for _, name := range []string{"good", "bad", "split", "one", "unseen", "changed"} {
		rows = append(rows, candidateOf(name, lines(2), 3, 0))
		rows[len(rows)-1].Function.Docstring = "Says what\nit does. "
	}
	sheet := func(reviewer string, verdicts map[string]review.Verdict) string {
		s := review.NewSheet("level", columnSignature, columnDocstring)
		for _, row := range rows {
			doc := "Says what it does." // as spreadsheets leave it
			if row.ID == "ID-changed" {
				doc = "Said something else."
			}
			s.Add(row.ID, row.Function.Level, row.Function.Signature, doc)
			if v := verdicts[strings.TrimPrefix(row.ID, "ID-")]; v != review.None {
				last := s.Rows[len(s.Rows)-1]
				last[len(last)-3], last[len(last)-2] = string(v), reviewer
			}
		}
		data, err := s.Write()
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	run := func(rejects int) (*stagetest.Result, error) {
		return stagetest.Run(t.Context(), stagetest.Job{
			Stage: Review(), Config: &ReviewConfig{Verdicts: []pipeline.FileName{"a.csv", "b.csv", "c.csv"}, Rejects: rejects, Accepts: 2},
			Files: map[pipeline.FileName]string{
				"a.csv": sheet("zoe", map[string]review.Verdict{"good": "accept", "bad": "reject", "split": "reject", "one": "accept", "changed": "reject"}),
				"b.csv": sheet("adam", map[string]review.Verdict{"good": "accept", "bad": "reject", "split": "accept", "changed": "reject"}),
				"c.csv": sheet("eve", map[string]review.Verdict{"good": "reject", "bad": "accept", "split": "accept"}),
			},
			Inputs: map[string]any{"candidates": rows},
		})
	}
	r, err := run(2)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, row := range stagetest.Rows[schemas.BodyCandidate](r, "candidates") {
		got[strings.TrimPrefix(row.ID, "ID-")] = row.Review + " by " + row.Reviewers
	}
	want := map[string]string{"good": "accepted by adam, eve, zoe", "split": "accepted by adam, eve, zoe", "one": "open by zoe", "unseen": " by ", "changed": " by "}
	if !maps.Equal(got, want) || !maps.Equal(r.Reasons(), map[string]int{"rejected_by_reviewers": 1}) || r.Notes["stale_verdicts"] != 2 {
		t.Errorf("%q, %+v, %v", got, r.Dropped, r.Notes)
	}
	if r, err = run(1); err != nil || r.Reasons()["rejected_by_reviewers"] != 3 {
		t.Errorf("one rejection drops: %v, %v", r, err)
	}
	none, err := stagetest.Run(t.Context(), stagetest.Job{Stage: Review(), Inputs: map[string]any{"candidates": rows}})
	if err != nil || !slices.Equal(ids(stagetest.Rows[schemas.BodyCandidate](none, "candidates")), ids(rows)) {
		t.Errorf("without sheets: %v", err)
	}
	_, err = stagetest.Run(t.Context(), stagetest.Job{
		Stage: Review(), Config: &ReviewConfig{Verdicts: []pipeline.FileName{"x.csv"}, Rejects: 2, Accepts: 2},
		Files: map[pipeline.FileName]string{"x.csv": "nothing"}, Inputs: map[string]any{"candidates": rows},
	})
	if err == nil || !strings.Contains(err.Error(), "x.csv:1") {
		t.Error(err)
	}
}
