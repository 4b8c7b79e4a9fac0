package longcodeqa

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

// asTask is a question as a release shows it to reviewers.
func asTask(q schemas.Question) schemas.LongCodeQATask {
	return schemas.LongCodeQATask{
		TaskID: q.ID, Repo: q.Repo, Question: q.Question, CorrectLetter: q.Answer, Reason: q.Reason,
		ChoiceA: q.Choices[0], ChoiceB: q.Choices[1], ChoiceC: q.Choices[2], ChoiceD: q.Choices[3],
	}
}

// sheet is a sheet of tasks with a verdict each, "" for none.
func sheet(t *testing.T, reviewer string, verdicts map[int64]review.Verdict) string {
	t.Helper()
	s := review.NewSheet(ReviewColumns...)
	for _, n := range slices.Sorted(maps.Keys(verdicts)) {
		task := asTask(question(n))
		s.Add(task.TaskID, ReviewCells(task)...)
		row := s.Rows[len(s.Rows)-1]
		row[len(row)-3], row[len(row)-2] = string(verdicts[n]), reviewer
	}
	data, err := s.Write()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func runReview(t *testing.T, questions []schemas.Question, files map[pipeline.FileName]string) (*stagetest.Result, error) {
	t.Helper()
	return stagetest.Run(t.Context(), stagetest.Job{
		Stage: Review(), Files: files, Config: &ReviewConfig{Verdicts: slices.Sorted(maps.Keys(files))},
		Inputs: map[string]any{"repository": []schemas.Repository{repository()}, "questions": questions},
	})
}

func TestReview(t *testing.T) {
	questions := []schemas.Question{question(1), question(2), question(3), question(4), question(5)}
	questions[3].Question += " Really?"                 // written anew since
	questions[4].Choices = []string{"w", "x", "y", "z"} // so were these
	questions[1].Question = strings.ReplaceAll(question(2).Question, " ", "\n ")
	r, err := runReview(t, questions, map[pipeline.FileName]string{
		"a.csv": sheet(t, "ann", map[int64]review.Verdict{1: review.Accept, 2: review.Accept, 3: review.None, 4: review.Reject, 5: review.Accept, 77: review.Reject}),
		"b.csv": sheet(t, "bob", map[int64]review.Verdict{1: review.Accept, 2: review.Reject}),
	})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, q := range stagetest.Rows[schemas.Question](r, "questions") {
		got[q.ID] = q.Review + "|" + q.Reviewer
	}
	want := map[string]string{"owner__name-1": "accepted|ann, bob", "owner__name-3": "|", "owner__name-4": "|", "owner__name-5": "|"}
	if !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if len(r.Dropped) != 1 || r.Dropped[0].Key != "owner__name-2" || r.Dropped[0].Reason != "rejected_by_reviewer" || r.Dropped[0].Detail != "bob" {
		t.Errorf("%+v", r.Dropped)
	}
	if !maps.Equal(r.Notes, map[string]int64{"stale_verdicts": 2}) {
		t.Errorf("%v", r.Notes)
	}
}

// A verdict is held against what its own sheet shows, whatever others show.
func TestReviewEditions(t *testing.T) {
	old := strings.ReplaceAll(sheet(t, "ann", map[int64]review.Verdict{1: review.Reject}), "What does", "What once did")
	choice := strings.ReplaceAll(sheet(t, "cyd", map[int64]review.Verdict{1: review.Reject}), "Its first argument.", "Its last argument.")
	fresh := sheet(t, "bob", map[int64]review.Verdict{1: review.Accept})
	for _, files := range []map[pipeline.FileName]string{
		{"a.csv": old, "b.csv": choice, "c.csv": fresh},
		{"a.csv": fresh, "b.csv": old, "c.csv": choice},
	} {
		q := question(1)
		q.Choices[0], q.Choices[2] = q.Choices[2], q.Choices[0] // shuffled anew: the same question
		r, err := runReview(t, []schemas.Question{q}, files)
		if err != nil {
			t.Fatal(err)
		}
		rows := stagetest.Rows[schemas.Question](r, "questions")
		if len(rows) != 1 || rows[0].Review != "accepted" || rows[0].Reviewer != "bob" || r.Notes["stale_verdicts"] != 2 {
			t.Errorf("%+v, %v, %v", rows, r.Reasons(), r.Notes)
		}
	}
}

// A sheet without the columns we show is read by its ids.
func TestReviewPlainSheet(t *testing.T) {
	r, err := runReview(t, []schemas.Question{question(1)}, map[pipeline.FileName]string{"a.csv": "id,verdict,reviewer,note\nowner__name-1,Reject,,\n"})
	if err != nil || !maps.Equal(r.Reasons(), map[string]int{"rejected_by_reviewer": 1}) {
		t.Errorf("%v, %v", r, err)
	}
}

func TestReviewNone(t *testing.T) {
	r, err := runReview(t, []schemas.Question{question(1), question(2)}, nil)
	if err != nil || len(stagetest.Rows[schemas.Question](r, "questions")) != 2 || len(r.Dropped) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestReviewBadSheet(t *testing.T) {
	for data, says := range map[string]string{
		"id,verdict,reviewer,note\nowner__name-1,perhaps,,\n": "a.csv:2",
		"question,verdict\n": "a.csv",
	} {
		if _, err := runReview(t, nil, map[pipeline.FileName]string{"a.csv": data}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", data, err)
		}
	}
}
