package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"

	"benchmill/schemas"
	"benchmill/stages/crosscodeeval/metrics"
	"benchmill/stages/recipe"
	"benchmill/stages/yabloco"
)

// bodyTests runs the tests of repositories with generated bodies in place; see
// [suites].
type bodyTests interface {
	file(ctx context.Context, repo, commit, path string) (string, error)
	run(ctx context.Context, what, repo, commit, path, text string) (recipe.Verdict, error)
}

type yablocoScorer struct {
	run   bool      // tests will be run: rows are kept for them
	tests bodyTests // nil: texts are compared, and nothing is run
	k     []int     // of pass@k
	say   func(format string, args ...any)
	tasks []yabloco.Task
	rows  []schemas.BodyTask // of tasks
}

type yablocoReport struct {
	scoreHead
	Scores []yabloco.Score `json:"scores"`
}

func (c *yablocoScorer) add(row any) string {
	t := row.(schemas.BodyTask)
	c.tasks = append(c.tasks, yabloco.TaskOf(t))
	if c.run {
		t.Prompt, t.Context, t.Shown = "", "", nil
		c.rows = append(c.rows, t)
	}
	return t.TaskID
}

func (c *yablocoScorer) score(ctx context.Context, head scoreHead, replies map[string][]string) (scored, []any, error) {
	if err := c.enough(replies); err != nil {
		return nil, nil, err
	}
	judge := yabloco.Similarity(metrics.EditSimilarity)
	var verdicts []yabloco.Verdict
	var lines []any
	for i, t := range c.tasks {
		for sample, reply := range replies[t.TaskID] {
			v := judge.Judge(t, sample, reply)
			if c.tests != nil {
				if err := c.test(ctx, c.rows[i], reply, &v); err != nil {
					return nil, nil, fmt.Errorf("task %s: %w", t.TaskID, err)
				}
			}
			verdicts, lines = append(verdicts, v), append(lines, v)
		}
	}
	scores, err := yabloco.Scores(verdicts, c.k...)
	return &yablocoReport{head, scores}, lines, err
}

// enough checks before anything is run that every task has replies for each k.
func (c *yablocoScorer) enough(replies map[string][]string) error {
	if c.tests == nil {
		return nil
	}
	for _, t := range c.tasks {
		for _, k := range c.k {
			if n := len(replies[t.TaskID]); n > 0 && n < k {
				return wrongUsage("--pass %d: task %s has %d replies", k, t.TaskID, n)
			}
		}
	}
	return nil
}

// test puts a reply in place and runs the tests.
func (c *yablocoScorer) test(ctx context.Context, t schemas.BodyTask, reply string, v *yabloco.Verdict) error {
	v.Passed = new(bool)
	file, err := c.tests.file(ctx, t.Repo, t.Commit, t.File)
	if err != nil {
		return err
	}
	changed, err := yabloco.Place(file, t, reply)
	if errors.Is(err, yabloco.ErrNoBody) {
		v.Reason = "no_body"
		return nil
	}
	if err != nil {
		return err
	}
	tested, err := c.tests.run(ctx, t.TaskID, t.Repo, t.Commit, t.File, changed)
	if err != nil {
		return err
	}
	*v.Passed, v.Reason = tested.OK(), tested.Reason()
	if c.say != nil {
		c.say("%s %s, reply %d: %s", t.Repo, t.Name, v.Sample+1, orPassed(v.Reason))
	}
	return nil
}

func orPassed(reason string) string {
	if reason == "" {
		return recipe.Passed
	}
	return reason
}

func (r *yablocoReport) print(s *streams) {
	head := []string{"context", "tasks", "replies", "without a body", "EM", "ES"}
	if len(r.Scores) > 0 {
		for _, p := range r.Scores[0].Pass {
			head = append(head, "pass@"+strconv.Itoa(p.K))
		}
	}
	numbers := make([]int, len(head)-1)
	for i := range numbers {
		numbers[i] = i + 1
	}
	t := newTable(s.out, numbers, head...)
	for _, score := range r.Scores {
		row := table.Row{score.Level, score.Tasks, score.Replies, score.NoBody, fmt.Sprintf("%.2f", score.EM), fmt.Sprintf("%.2f", score.ES)}
		for _, p := range score.Pass {
			row = append(row, fmt.Sprintf("%.2f", p.Value))
		}
		t.AppendRow(row)
	}
	t.Render()
}
