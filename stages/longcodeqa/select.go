package longcodeqa

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"benchmill/pipeline"
	"benchmill/schemas"
)

// Reasons questions are dropped under.
const (
	reasonOverLargest = "over_largest_bracket"
	reasonFull        = "bracket_full"
	reasonShare       = "repository_share" // the repository has as many as it may
)

// SelectConfig configures [Select].
type SelectConfig struct {
	Brackets      []int64 `yaml:"brackets" doc:"largest numbers of prompt tokens, ascending; a question is in the smallest that holds its prompt"`
	PerBracket    int     `yaml:"per_bracket" min:"0" doc:"questions of a bracket; 0: all"`
	PerRepository int     `yaml:"per_repository" min:"0" doc:"questions of one repository in a bracket; 0: any number"`
}

// Validate implements the check of a config.
func (c *SelectConfig) Validate() error {
	if len(c.Brackets) == 0 {
		return fmt.Errorf("brackets must list at least one")
	}
	for i, b := range c.Brackets {
		if b < 1 || i > 0 && b <= c.Brackets[i-1] {
			return fmt.Errorf("brackets must be positive and ascending; %d is not", b)
		}
	}
	return nil
}

// Select chooses the questions of each bracket (section 3.2, "Dataset
// statistics"): the repositories of a bracket take turns, in the order of their
// hash, each with its next question by hash, until the bracket is full. So no
// repository has two questions more than another that had some left, and one
// more question moves at most one other out.
//
// Version history:
//
//	1: first version
func Select() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "longcodeqa.select", Version: 1, Scope: pipeline.Whole,
		Doc: "Puts questions into brackets of prompt tokens and draws a balanced number of each; counts them by bracket and topic.",
		In:  []pipeline.Port{{Name: "sizes", Schema: schemas.QuestionSizes}},
		Out: []pipeline.Port{
			{Name: "selection", Schema: schemas.Selection, ByPartition: true},
			{Name: "statistics", Schema: schemas.LongCodeQAStatistics},
		},
		Flows: []pipeline.Flow{{From: "sizes", To: []string{"selection"}}},
		Uses:  pipeline.Uses{Seed: true},
		NewConfig: func() any {
			return &SelectConfig{Brackets: []int64{32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20}}
		},
		Run: selectQuestions,
	}
}

func selectQuestions(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[SelectConfig](p)
	inBracket := map[int64][]schemas.QuestionSize{}
	partition := map[string]string{}
	for q, err := range pipeline.In[schemas.QuestionSize](ctx, p, "sizes") {
		if err != nil {
			return err
		}
		if other, ok := partition[q.ID]; ok {
			return fmt.Errorf("question %s is in %s and in %s; a repository can be listed at one commit only", q.ID, other, q.Partition)
		}
		partition[q.ID] = q.Partition
		bracket, ok := bracketOf(c.Brackets, q.Tokens)
		if !ok {
			p.Drops.Drop("sizes", q.ID, reasonOverLargest, fmt.Sprintf("%d tokens", q.Tokens))
			continue
		}
		inBracket[bracket] = append(inBracket[bracket], q)
	}
	selected := map[int64][]schemas.QuestionSize{}
	for _, bracket := range c.Brackets {
		for i, q := range c.inTurn(p, bracket, inBracket[bracket]) {
			if c.PerBracket > 0 && i >= c.PerBracket {
				p.Drops.Drop("sizes", q.ID, reasonFull, Label(bracket))
				continue
			}
			selected[bracket] = append(selected[bracket], q)
			row := schemas.Selected{ID: q.ID, Partition: q.Partition, Bracket: bracket, Tokens: q.Tokens}
			if err := pipeline.Emit(p, "selection", row); err != nil {
				return err
			}
		}
	}
	return pipeline.Emit(p, "statistics", statistics(c.Brackets, selected)...)
}

// inTurn puts the questions of a bracket in the order they are taken and drops
// those that are more than the share of their repository.
func (c *SelectConfig) inTurn(p *pipeline.Pass, bracket int64, questions []schemas.QuestionSize) []schemas.QuestionSize {
	byRepo := map[string][]schemas.QuestionSize{}
	var repos []string
	for _, q := range questions {
		if byRepo[q.Repo] == nil {
			repos = append(repos, q.Repo)
		}
		byRepo[q.Repo] = append(byRepo[q.Repo], q)
	}
	repos = pipeline.Sample(p.Seed, repos, len(repos), func(repo string) string { return Label(bracket) + "|" + repo })
	type turn struct {
		round int
		schemas.QuestionSize
	}
	var turns []turn
	for _, repo := range repos {
		own := byRepo[repo]
		for round, q := range pipeline.Sample(p.Seed, own, len(own), func(q schemas.QuestionSize) string { return q.ID }) {
			if c.PerRepository > 0 && round >= c.PerRepository {
				p.Drops.Drop("sizes", q.ID, reasonShare, Label(bracket))
				continue
			}
			turns = append(turns, turn{round, q})
		}
	}
	slices.SortStableFunc(turns, func(a, b turn) int { return cmp.Compare(a.round, b.round) })
	out := make([]schemas.QuestionSize, len(turns))
	for i, t := range turns {
		out[i] = t.QuestionSize
	}
	return out
}
