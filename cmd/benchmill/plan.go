package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/jedib0t/go-pretty/v6/table"

	"benchmill/pipeline/planner"
)

type planCmd struct {
	pipelineFlags
	All  bool `short:"a" help:"Also list what is up to date."`
	JSON bool `help:"Print the whole plan as JSON."`
}

func (planCmd) Example() string {
	return `  benchmill plan                                      what has to run, and why
  benchmill plan --set stages.tasks.with.tokens=[1024]    what a changed setting would cost
  benchmill plan --json | jq .run`
}

// Run implements the verb.
func (c *planCmd) Run(ctx context.Context, s *streams) error {
	p, err := openProject(c.pipelineFlags, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer p.Close()
	plan, f, err := p.plan(ctx)
	if err != nil {
		return err
	}
	requests, err := p.requests(f)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(s.out, struct {
			*planner.Plan
			Requests []estimate `json:"requests"`
		}{plan, requests})
	}
	t := newTable(s.out, nil, "", "task", "why")
	for _, step := range plan.Steps {
		if step.Action != planner.Reuse || c.All {
			t.AppendRow(table.Row{step.Action, planner.Label(step.Node, step.Partition), step.Reason})
		}
	}
	if t.Length() > 0 {
		t.Render()
		fmt.Fprintln(s.out)
	}
	fmt.Fprintf(s.out, "%d to run, %d waiting for them, %d up to date\n", plan.Run, plan.Wait, plan.Reuse)
	for _, e := range requests {
		fmt.Fprintln(s.out, e)
	}
	return nil
}

func (p *project) plan(ctx context.Context) (*planner.Plan, *planner.Frontier, error) {
	f, err := p.frontier(ctx)
	if err != nil {
		return nil, nil, err
	}
	h, err := p.readHistory()
	if err != nil {
		return nil, nil, err
	}
	plan, err := planner.MakePlan(p.graph, p.build, f, p.lookup(ctx), h.entry(p.cache))
	return plan, f, err
}
