package longcodeqa

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"benchmill/internal/review"
	"benchmill/pipeline"
	"benchmill/schemas"
)

const reasonRejected = "rejected_by_reviewer"

// reviewAccepted is what a question's row says when a person accepted it.
const reviewAccepted = "accepted"

// Columns of a sheet by which a verdict is tied to what was judged.
const (
	columnQuestion = "question"
	columnCorrect  = "correct_answer"
)

var columnsChoices = []string{"choice_a", "choice_b", "choice_c", "choice_d"}

// ReviewColumns are what reviewers are shown of a task, between its id and their
// verdict. [Review] reads these sheets.
var ReviewColumns = slices.Concat([]string{"repo", "issue_url", columnQuestion, columnCorrect}, columnsChoices, []string{"reason"})

// ReviewCells are the cells of a task under [ReviewColumns].
func ReviewCells(t schemas.LongCodeQATask) []string {
	choices := []string{t.ChoiceA, t.ChoiceB, t.ChoiceC, t.ChoiceD}
	return []string{
		t.Repo, t.IssueURL, t.Question, correct(choices, t.CorrectLetter),
		t.ChoiceA, t.ChoiceB, t.ChoiceC, t.ChoiceD, t.Reason,
	}
}

// correct is the text of the right choice.
func correct(choices []string, letter string) string {
	if i := strings.Index(schemas.Letters, letter); letter != "" && i >= 0 && i < len(choices) {
		return choices[i]
	}
	return ""
}

// ReviewConfig configures [Review].
type ReviewConfig struct {
	Verdicts []pipeline.FileName `yaml:"verdicts" doc:"sheets of reviewers; none: every question passes unreviewed"`
}

// Review takes verdicts of people in (section 3.2, "Data validation"): what a
// reviewer rejected is dropped, what all reviewers accepted says so. A verdict on
// a question that reads otherwise by now does not count.
//
// Version history:
//
//	1: first version
func Review() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "longcodeqa.review", Version: 1,
		Doc: "Drops questions that a reviewer rejected and marks those that reviewers accepted.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "questions", Schema: schemas.Questions},
		},
		Out:       []pipeline.Port{{Name: "questions", Schema: schemas.Questions}},
		Flows:     []pipeline.Flow{{From: "questions", To: []string{"questions"}}},
		NewConfig: func() any { return &ReviewConfig{} },
		Run:       reviewQuestions,
	}
}

func reviewQuestions(ctx context.Context, p *pipeline.Pass) error {
	var verdicts review.Verdicts
	for _, name := range pipeline.ConfigOf[ReviewConfig](p).Verdicts {
		data, err := p.Files.ReadFile(name)
		if err != nil {
			return err
		}
		if err := verdicts.Add(string(name), data); err != nil {
			return fmt.Errorf("verdicts of reviewers: %w", err)
		}
	}
	for q, err := range pipeline.In[schemas.Question](ctx, p, "questions") {
		if err != nil {
			return err
		}
		if n := verdicts.Withdraw(q.ID, func(cell func(string) (string, bool)) bool { return stale(cell, q) }); n > 0 {
			p.Drops.Note("stale_verdicts", int64(n))
		}
		switch verdict, reviewer := verdicts.Verdict(q.ID); verdict {
		case review.Reject:
			p.Drops.Drop("questions", q.ID, reasonRejected, reviewer)
			continue
		case review.Accept:
			q.Review, q.Reviewer = reviewAccepted, reviewer
		}
		if err := pipeline.Emit(p, "questions", q); err != nil {
			return err
		}
	}
	return nil
}

// stale reports whether a sheet shows another question, another right answer or
// other choices, in whatever order, than there are now. Spreadsheets may change
// white space.
func stale(cell func(column string) (string, bool), q schemas.Question) bool {
	for column, now := range map[string]string{columnQuestion: q.Question, columnCorrect: correct(q.Choices, q.Answer)} {
		if text, ok := cell(column); ok && !equalWords(text, now) {
			return true
		}
	}
	return slices.ContainsFunc(columnsChoices, func(column string) bool {
		text, ok := cell(column)
		return ok && !slices.ContainsFunc(q.Choices, func(now string) bool { return equalWords(text, now) })
	})
}

func equalWords(a, b string) bool {
	return strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ")
}
