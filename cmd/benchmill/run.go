package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"benchmill/artifacts"
	"benchmill/artifacts/release"
	"benchmill/internal/digest"
	"benchmill/pipeline/executor"
	"benchmill/pipeline/graph"
	"benchmill/pipeline/planner"
	"benchmill/pipeline/releaser"
	"benchmill/sources/github/api"
)

type runCmd struct {
	pipelineFlags
	Jobs  int  `short:"j" help:"Tasks at a time (default: number of processors)." placeholder:"N"`
	Quiet bool `short:"q" help:"No progress; only the summary."`
	JSON  bool `help:"Print the summary as JSON."`
}

func (runCmd) Example() string {
	return `  benchmill run                               build the pipeline in this folder
  benchmill run -f repoqa.yaml --limit 2      only its first two repositories
  benchmill run --mirror https://github.com/=/srv/mirrors/   clone from a mirror
  benchmill run --frozen                      without network, from the ledger`
}

// summary is what a run reports.
type summary struct {
	Pipeline    string           `json:"pipeline"`
	Tasks       int              `json:"tasks"`       // that ran
	Reused      int              `json:"reused"`      // that were up to date
	Quarantined int              `json:"quarantined"` // that failed
	Skipped     int              `json:"skipped"`     // that needed something that failed
	Failures    []failure        `json:"failures"`
	Releases    []releaseSummary `json:"releases"`
	// Asked counts the requests to APIs, by their address.
	Asked   map[string]api.Stats `json:"asked,omitempty"`
	Seconds float64              `json:"seconds"`
}

type failure struct {
	Node      string `json:"node"`
	Partition string `json:"partition"`
	Error     string `json:"error"`
}

type releaseSummary struct {
	release.Listed
	New    bool            `json:"new"`
	Funnel []release.Stage `json:"funnel"`
}

// Run implements the verb.
func (c *runCmd) Run(ctx context.Context, s *streams) error {
	start := time.Now()
	p, err := openProject(c.pipelineFlags, slog.New(slog.NewTextHandler(s.err, &slog.HandlerOptions{Level: slog.LevelError})))
	if err != nil {
		return err
	}
	defer p.Close()
	// What killed runs left may be what fills the disk. Where it cannot be
	// removed, it is not this run's business.
	_, _, _ = p.RemoveTemp(0)
	progress := newProgress(s, c.Quiet || c.JSON, p.requestsSent)
	sum, err := c.build(ctx, p, progress)
	progress.stop()
	if err != nil {
		return err
	}
	sum.Seconds = time.Since(start).Seconds()
	sum.Asked = p.github.Stats()
	if p.refreshedNothing() {
		fmt.Fprintf(s.err, "refresh: full asked for nothing, since all there was by %s is in the ledger; \"benchmill update\" moves that time\n", p.asOf())
	}
	if c.JSON {
		err = printJSON(s.out, sum)
	} else {
		err = sum.print(s)
	}
	if err == nil && sum.Quarantined > 0 {
		return quiet{exitQuarantined}
	}
	return err
}

// build runs and releases. Where a release finds an object lost or damaged, what
// made it is built again.
func (c *runCmd) build(ctx context.Context, p *project, progress *progress) (*summary, error) {
	const tries = 3
	sum := &summary{Pipeline: p.graph.Name}
	for try := 1; ; try++ {
		f, err := p.frontier(ctx)
		if err != nil {
			return nil, err
		}
		progress.begin(f)
		result, runErr := executor.Run(ctx, executor.Config{
			Frontier: f, Cache: p.cache, Store: p.Disk, Executor: p.executor(),
			Limits: p.limits(c.Jobs), Retry: executor.DefaultRetry,
			FailureBudget: p.graph.FailureBudget, Observe: progress.observe,
		})
		sum.Tasks += result.Ran
		sum.Reused, sum.Quarantined, sum.Skipped = result.Reused, result.Quarantined, result.Skipped
		if err := p.writeHistory(f); err != nil && runErr == nil {
			runErr = err
		}
		if runErr != nil {
			return nil, runErr
		}
		sum.Failures = failures(f)
		sum.Releases, err = c.release(ctx, p, f)
		lost := errors.Is(err, artifacts.ErrDamaged) || errors.Is(err, artifacts.ErrNotFound)
		if err == nil || !lost || try == tries {
			return sum, err
		}
	}
}

func failures(f *planner.Frontier) []failure {
	out := []failure{}
	for _, n := range f.Nodes() {
		cells, _ := f.Cells(n)
		for _, cell := range cells {
			if cell.State == planner.Failed {
				out = append(out, failure{n.Name, cell.Partition, cell.Err.Error()})
			}
		}
	}
	return out
}

func (c *runCmd) release(ctx context.Context, p *project, f *planner.Frontier) ([]releaseSummary, error) {
	config := releaser.Config{
		Graph: p.graph, Frontier: f, Store: p.Disk, Root: p.releases(), Temp: p.temp,
		Build: p.build, AsOf: p.asOf(),
	}
	if c.limited(f) {
		config.Partial = fmt.Sprintf("only the first %d partitions", c.Limit)
	}
	out := []releaseSummary{}
	for _, r := range p.graph.Releases {
		if !slices.ContainsFunc(f.Nodes(), func(n *graph.Node) bool { return n == r.Table.Node }) {
			continue
		}
		l, fresh, err := releaser.Make(ctx, config, r)
		if err != nil {
			return nil, err
		}
		m, _, err := release.Read(l.Path)
		if err != nil {
			return nil, err
		}
		out = append(out, releaseSummary{*l, fresh, m.Stages})
	}
	return out, nil
}

// limited reports whether the limit left partitions out.
func (c *runCmd) limited(f *planner.Frontier) bool {
	for _, n := range f.Nodes() {
		cells, _ := f.Cells(n)
		for _, port := range n.Stage.Out {
			for _, cell := range cells {
				if port.Partitions && cell.Entry != nil && c.Limit > 0 && cell.Entry.Outputs[port.Name].Rows > int64(c.Limit) {
					return true
				}
			}
		}
	}
	return false
}

// writeHistory remembers the keys of this run.
func (p *project) writeHistory(f *planner.Frontier) error {
	h, err := p.readHistory()
	if err != nil {
		return err
	}
	changed := false
	for _, n := range f.Nodes() {
		cells, _ := f.Cells(n)
		for _, cell := range cells {
			if cell.State == planner.Done && h[cell.Label()] != cell.Entry.Key {
				h[cell.Label()] = cell.Entry.Key
				changed = true
			}
		}
	}
	if !changed {
		return nil
	}
	return writeJSON(p.historyFile(), p.temp, map[string]digest.Digest(h))
}
