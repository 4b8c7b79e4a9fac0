package main

import (
	"context"
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
	"golang.org/x/sync/errgroup"

	"benchmill/schemas"
	"benchmill/stages/crosscodeeval"
	"benchmill/stages/lang"
)

type crosscodeevalScorer struct {
	languages *lang.Set
	tasks     []crosscodeeval.Task
}

type crosscodeevalReport struct {
	scoreHead
	Scores []crosscodeeval.Score `json:"scores"`
}

func (c *crosscodeevalScorer) add(row any) string {
	t := crosscodeeval.TaskOf(row.(schemas.CompletionTask))
	c.tasks = append(c.tasks, t)
	return t.TaskID
}

func (c *crosscodeevalScorer) score(_ context.Context, head scoreHead, replies map[string][]string) (scored, []any, error) {
	judge := crosscodeeval.NewJudge(c.languages)
	byTask := make([][]crosscodeeval.Verdict, len(c.tasks))
	var group errgroup.Group
	group.SetLimit(defaultLimits(0).CPU)
	for i, t := range c.tasks {
		group.Go(func() error {
			for sample, reply := range replies[t.TaskID] {
				v, err := judge.Judge(t, sample, reply)
				if err != nil {
					return fmt.Errorf("task %s: %w", t.TaskID, err)
				}
				byTask[i] = append(byTask[i], v)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	var verdicts []crosscodeeval.Verdict
	var lines []any
	for _, vs := range byTask {
		for _, v := range vs {
			verdicts, lines = append(verdicts, v), append(lines, v)
		}
	}
	return &crosscodeevalReport{head, crosscodeeval.Scores(verdicts)}, lines, nil
}

func (r *crosscodeevalReport) print(s *streams) {
	t := newTable(s.out, []int{1, 2, 3, 4, 5}, "language", "predictions", "EM", "ES", "identifier EM", "identifier F1")
	two := func(x float64) string { return fmt.Sprintf("%.2f", x) }
	for _, score := range r.Scores {
		t.AppendRow(table.Row{score.Language, score.Total, two(score.EM), two(score.ES), two(score.IDEM), two(score.F1)})
	}
	t.Render()
}
