package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"

	"benchmill/schemas"
	"benchmill/stages/crosscodeeval/metrics"
	"benchmill/stages/yabloco"
)

// yablocoTests runs the tests of repositories with generated bodies in place.
type yablocoTests struct {
	// file is a task's file as committed.
	file func(ctx context.Context, t schemas.BodyTask) (string, error)
	// run says whether the tests of the task's repository pass with another text in
	// the place of that file. A body that does not compile, or is stopped by a limit,
	// has not passed; an error is a sandbox that could not be had.
	run func(ctx context.Context, t schemas.BodyTask, file string) (passed bool, err error)
}

type yablocoScorer struct {
	ctx   context.Context
	tests *yablocoTests // nil: texts are compared, and nothing is run
	tasks []yabloco.Task
	rows  []schemas.BodyTask // of tasks, where tests are run
}

type yablocoReport struct {
	scoreHead
	Scores []yabloco.Score `json:"scores"`
}

func (c *yablocoScorer) add(row any) string {
	t := row.(schemas.BodyTask)
	c.tasks = append(c.tasks, yabloco.TaskOf(t))
	if c.tests != nil {
		t.Prompt, t.Context = "", ""
		c.rows = append(c.rows, t)
	}
	return t.TaskID
}

func (c *yablocoScorer) score(head scoreHead, replies map[string][]string) (scored, []any, error) {
	judge := yabloco.Similarity(metrics.EditSimilarity)
	var verdicts []yabloco.Verdict
	var lines []any
	for i, t := range c.tasks {
		for sample, reply := range replies[t.TaskID] {
			v := judge.Judge(t, sample, reply)
			if c.tests != nil {
				passed, err := c.tests.passes(c.ctx, c.rows[i], reply)
				if err != nil {
					return nil, nil, fmt.Errorf("task %s: %w", t.TaskID, err)
				}
				v.Passed = &passed
			}
			verdicts, lines = append(verdicts, v), append(lines, v)
		}
	}
	return &yablocoReport{head, yabloco.Scores(verdicts)}, lines, nil
}

// passes puts a reply in place and runs the tests.
func (y *yablocoTests) passes(ctx context.Context, t schemas.BodyTask, reply string) (bool, error) {
	file, err := y.file(ctx, t)
	if err != nil {
		return false, err
	}
	changed, err := yabloco.Place(file, t, reply)
	if errors.Is(err, yabloco.ErrNoBody) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return y.run(ctx, t, changed)
}

func (r *yablocoReport) print(s *streams) {
	t := newTable(s.out, []int{1, 2, 3, 4, 5}, "context", "tasks", "replies", "without a body", "EM", "ES")
	for _, score := range r.Scores {
		t.AppendRow(table.Row{score.Level, score.Tasks, score.Replies, score.NoBody, fmt.Sprintf("%.2f", score.EM), fmt.Sprintf("%.2f", score.ES)})
	}
	t.Render()
}
