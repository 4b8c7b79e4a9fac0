package longcodeqa

import (
	"context"
	"errors"
	"fmt"

	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/ask"
)

// Reasons questions are dropped under.
const (
	reasonNotSpecific = "not_specific"
	reasonUndecided   = "undecided" // too many models gave no verdict
)

// Filters a question has passed, as its rows name them.
const (
	filterSpecific   = "specific"
	filterClosedBook = "closedbook"
)

// needs is what a model says about a question.
type needs struct {
	Reason          string `json:"reason"`
	NeedsRepository bool   `json:"needs_repository"`
}

var specificForm = ask.NewForm[needs]("needs_repository", promptFiles, "prompts/specific.tmpl", nil)

// SpecificConfig configures [Specific].
type SpecificConfig struct {
	ask.Panel    `yaml:",inline"`
	ask.Settings `yaml:",inline"`
}

// Specific keeps questions that need the repository (section 3.2 and appendix
// B.2): the paper found that 64% of raw questions could be answered from general
// knowledge. A question stays when the panel's quorum says that it needs the
// repository.
//
// Version history:
//
//	1: first version
func Specific() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "longcodeqa.specific", Version: 1,
		Doc: "Has models judge whether a question needs detailed knowledge of the repository, and drops those that do not.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "questions", Schema: schemas.Questions},
		},
		Out:   filtered,
		Flows: []pipeline.Flow{{From: "questions", To: []string{"questions"}}},
		Uses:  pipeline.Uses{LLM: true},
		NewConfig: func() any {
			return &SpecificConfig{Panel: ask.Panel{Quorum: ask.All}, Settings: ask.Settings{MaxTokens: 1024, Reasks: 1}}
		},
		Identify: func(any) []string { return specificForm.Identity() },
		Run:      specific,
	}
}

// filtered are the outputs of a filter that models decide.
var filtered = []pipeline.Port{
	{Name: "questions", Schema: schemas.Questions},
	{Name: "judgments", Schema: schemas.Judgments},
}

func specific(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[SpecificConfig](p)
	return eachQuestion(ctx, p, func(ctx context.Context, q schemas.Question) error {
		answers, err := specificForm.Poll(ctx, p, c.Panel, c.Settings, ask.Question[needs]{
			What: "specific " + q.ID, Data: promptData(q), Subject: subject(q),
		})
		if err != nil {
			return err
		}
		var votes []bool
		for _, a := range answers {
			if err := pipeline.Emit(p, "judgments", a.Judgment(q.ID, filterSpecific, yesNo(a.Value.NeedsRepository), a.Value.Reason)); err != nil {
				return err
			}
			if a.OK() {
				votes = append(votes, a.Value.NeedsRepository)
			}
		}
		stays, err := c.Decide(votes)
		return settle(p, q, filterSpecific, reasonNotSpecific, stays, err)
	})
}

// eachQuestion reads the questions of a repository and asks about each.
func eachQuestion(ctx context.Context, p *pipeline.Pass, fn func(context.Context, schemas.Question) error) error {
	questions, err := pipeline.Collect[schemas.Question](ctx, p, "questions")
	if err != nil {
		return err
	}
	return ask.Each(ctx, questions, func(ctx context.Context, q schemas.Question) error {
		if err := fn(ctx, q); err != nil {
			return fmt.Errorf("%s %s: %w", p.Stage.Name, q.ID, err)
		}
		return nil
	})
}

// settle passes a question on with the name of the filter, or drops it as the
// panel decided.
func settle(p *pipeline.Pass, q schemas.Question, filter, reason string, stays bool, err error) error {
	switch {
	case errors.Is(err, ask.ErrUndecided):
		p.Drops.Drop("questions", q.ID, reasonUndecided, "")
		return nil
	case err != nil:
		return err
	case !stays:
		p.Drops.Drop("questions", q.ID, reason, "")
		return nil
	}
	q.Filters = append(q.Filters[:len(q.Filters):len(q.Filters)], filter)
	return pipeline.Emit(p, "questions", q)
}

// promptData is a question as templates show it.
func promptData(q schemas.Question) map[string]any {
	return map[string]any{"Repo": q.Repo, "Question": q.Question, "Choices": lettered(q.Choices)}
}

// subject names a question to providers without a model.
func subject(q schemas.Question) map[string]string {
	return map[string]string{"repo": q.Repo, "question": q.ID}
}
