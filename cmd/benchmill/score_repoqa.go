package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"golang.org/x/sync/errgroup"

	"benchmill/schemas"
	"benchmill/stages/lang"
	"benchmill/stages/repoqa"
)

// repoqaScoring are the flags that RepoQA's rules of scoring leave open.
type repoqaScoring struct {
	Threshold      float64 `help:"RepoQA: similarity from which a needle counts as found, for the table." default:"0.8"`
	Candidates     string  `help:"RepoQA: what a reply is compared with: every function of the context (the paper), or the repository's needles (the published scorer)." enum:"context,needles" default:"context"`
	IgnoreComments bool    `help:"RepoQA: compare without comments."`
}

func (f repoqaScoring) check() error {
	if !slices.ContainsFunc(repoqa.Thresholds, f.at) {
		return wrongUsage("--threshold %g: scores are made at 0, 0.1, ... 1", f.Threshold)
	}
	return nil
}

// at reports whether a threshold is the one that was asked for.
func (f repoqaScoring) at(threshold float64) bool { return math.Abs(threshold-f.Threshold) < 1e-9 }

type repoqaScorer struct {
	flags     repoqaScoring
	languages *lang.Set
	tasks     []schemas.RepoQATask
}

type repoqaReport struct {
	scoreHead
	Candidates string         `json:"candidates"`
	Scores     []repoqa.Score `json:"scores"`

	flags repoqaScoring
}

func (r *repoqaScorer) add(row any) string {
	t := row.(schemas.RepoQATask)
	r.tasks = append(r.tasks, t)
	return t.TaskID
}

func (r *repoqaScorer) score(_ context.Context, head scoreHead, replies map[string][]string) (scored, []any, error) {
	judge := &repoqa.Scorer{Languages: r.languages, Candidates: r.flags.Candidates, IgnoreComments: r.flags.IgnoreComments, Needles: repoqa.NeedlesOf(r.tasks)}
	verdicts, err := judgeAll(judge, r.tasks, replies)
	if err != nil {
		return nil, nil, err
	}
	lines := make([]any, len(verdicts))
	for i, v := range verdicts {
		lines[i] = v
	}
	return &repoqaReport{head, r.flags.Candidates, repoqa.Scores(verdicts), r.flags}, lines, nil
}

func judgeAll(scorer *repoqa.Scorer, tasks []schemas.RepoQATask, replies map[string][]string) ([]repoqa.Verdict, error) {
	byTask := make([][]repoqa.Verdict, len(tasks))
	var group errgroup.Group
	group.SetLimit(defaultLimits(0).CPU)
	for i, t := range tasks {
		group.Go(func() error {
			for sample, reply := range replies[t.TaskID] {
				v, err := scorer.Judge(t, sample, reply)
				if err != nil {
					return err
				}
				byTask[i] = append(byTask[i], v)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	var out []repoqa.Verdict
	for _, vs := range byTask {
		out = append(out, vs...)
	}
	return out, nil
}

func (r *repoqaReport) print(s *streams) {
	t := newTable(s.out, []int{2, 3, 4, 5}, "context", "language", "tasks", "pass@1 (%)", "pass@10", "pass@100")
	cell := func(score repoqa.Score, k int) string {
		if v, ok := score.PassAt[k]; ok {
			return fmt.Sprintf("%.1f", 100*v)
		}
		return ""
	}
	for _, score := range r.Scores {
		if r.flags.at(score.Threshold) {
			t.AppendRow(table.Row{score.Variant, score.Language, score.Tasks, cell(score, 1), cell(score, 10), cell(score, 100)})
		}
	}
	t.Render()
}
