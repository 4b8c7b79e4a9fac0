package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"golang.org/x/sync/errgroup"

	"benchmill/artifacts/release"
	"benchmill/schemas"
	stages "benchmill/stages/all"
	"benchmill/stages/repoqa"
)

type scoreCmd struct {
	storeFlags
	Release        string  `arg:"" help:"Dataset, dataset@version, or the path of a release."`
	Replies        string  `arg:"" help:"Replies as JSON lines: {\"task_id\": ..., \"replies\": [\"...\"]}; - for standard input."`
	Threshold      float64 `help:"Similarity from which a needle counts as found, for the table." default:"0.8"`
	Candidates     string  `help:"What a reply is compared with: every function of the context (the paper), or the repository's needles (the published scorer)." enum:"context,needles" default:"context"`
	IgnoreComments bool    `help:"Compare without comments."`
	Verdicts       string  `help:"Also write one JSON line per answer to this file." placeholder:"FILE"`
}

func (scoreCmd) Example() string {
	return `  benchmill score repoqa replies.jsonl
  benchmill score repoqa@1.0.0 replies.jsonl --candidates needles --json`
}

type scoreReport struct {
	Release    string         `json:"release"`
	Candidates string         `json:"candidates"`
	Answered   int            `json:"answered"` // tasks with a reply
	Missing    int            `json:"missing"`  // tasks without; they are not scored
	Scores     []repoqa.Score `json:"scores"`
}

// Run implements the verb.
func (c *scoreCmd) Run(ctx context.Context, s *streams) error {
	if !slices.ContainsFunc(repoqa.Thresholds, c.at) {
		return wrongUsage("--threshold %g: scores are made at 0, 0.1, ... 1", c.Threshold)
	}
	registry, err := stages.New()
	if err != nil {
		return err
	}
	l, err := release.Find(c.releases(), c.Release)
	if err != nil {
		return err
	}
	tasks, err := readTasks(ctx, l.Path)
	if err != nil {
		return err
	}
	replies, err := c.read(s, tasks)
	if err != nil {
		return err
	}
	scorer := &repoqa.Scorer{Languages: registry.Languages, Candidates: c.Candidates, IgnoreComments: c.IgnoreComments, Needles: repoqa.NeedlesOf(tasks)}
	verdicts, err := judge(scorer, tasks, replies)
	if err != nil {
		return err
	}
	if err := c.writeVerdicts(verdicts); err != nil {
		return err
	}
	report := scoreReport{
		Release: l.Dataset + "@" + l.Version, Candidates: c.Candidates,
		Answered: len(replies), Missing: len(tasks) - len(replies), Scores: repoqa.Scores(verdicts),
	}
	if c.JSON {
		return printJSON(s.out, report)
	}
	return c.print(s, report)
}

func readTasks(ctx context.Context, dir string) ([]schemas.RepoQATask, error) {
	m, _, err := release.Read(dir)
	if err != nil {
		return nil, err
	}
	want := schemas.RepoQATasks
	if m.Schema.Name != want.Name || m.Schema.Version != want.Version {
		return nil, fmt.Errorf("%s holds %s/%d; only releases of %s can be scored", m.Dataset, m.Schema.Name, m.Schema.Version, want)
	}
	var out []schemas.RepoQATask
	err = release.EachRow(ctx, dir, m, want, func(row reflect.Value) error {
		out = append(out, row.Interface().(schemas.RepoQATask))
		return nil
	})
	return out, err
}

// read reads replies; each must answer a task of the release, once.
func (c *scoreCmd) read(s *streams, tasks []schemas.RepoQATask) (map[string][]string, error) {
	known := map[string]bool{}
	for _, t := range tasks {
		known[t.TaskID] = true
	}
	var in io.Reader = s.in
	if c.Replies != "-" {
		f, err := os.Open(c.Replies)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	out := map[string][]string{}
	lines := bufio.NewReader(in)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if len(strings.TrimSpace(string(line))) > 0 {
			var r repoqa.Reply
			d := json.NewDecoder(bytes.NewReader(line))
			d.DisallowUnknownFields()
			if err := d.Decode(&r); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", c.Replies, n, err)
			}
			switch {
			case !known[r.TaskID]:
				return nil, fmt.Errorf("%s:%d: no task %q in the release", c.Replies, n, r.TaskID)
			case out[r.TaskID] != nil:
				return nil, fmt.Errorf("%s:%d: a second line for task %q; put all its replies in one", c.Replies, n, r.TaskID)
			case len(r.Replies) == 0:
				return nil, fmt.Errorf("%s:%d: task %q has no replies", c.Replies, n, r.TaskID)
			}
			out[r.TaskID] = r.Replies
		}
		if err == io.EOF && len(out) == 0 {
			return nil, fmt.Errorf("%s holds no replies", c.Replies)
		}
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func judge(scorer *repoqa.Scorer, tasks []schemas.RepoQATask, replies map[string][]string) ([]repoqa.Verdict, error) {
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

func (c *scoreCmd) writeVerdicts(verdicts []repoqa.Verdict) error {
	if c.Verdicts == "" {
		return nil
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	for _, v := range verdicts {
		if err := e.Encode(v); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Clean(c.Verdicts), []byte(b.String()), 0o644)
}

func (c *scoreCmd) print(s *streams, r scoreReport) error {
	fmt.Fprintf(s.out, "%s: %d tasks answered, %d without a reply (not scored)\n\n", r.Release, r.Answered, r.Missing)
	t := newTable(s.out, []int{2, 3, 4, 5}, "context", "language", "tasks", "pass@1 (%)", "pass@10", "pass@100")
	cell := func(score repoqa.Score, k int) string {
		if v, ok := score.PassAt[k]; ok {
			return fmt.Sprintf("%.1f", 100*v)
		}
		return ""
	}
	for _, score := range r.Scores {
		if c.at(score.Threshold) {
			t.AppendRow(table.Row{score.Variant, score.Language, score.Tasks, cell(score, 1), cell(score, 10), cell(score, 100)})
		}
	}
	t.Render()
	return nil
}

// at reports whether a threshold is the one that was asked for.
func (c *scoreCmd) at(threshold float64) bool { return math.Abs(threshold-c.Threshold) < 1e-9 }
