package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"benchmill/pipeline/cache"
	"benchmill/pipeline/planner"
)

type explainCmd struct {
	pipelineFlags
	Stage     string `arg:"" help:"Name of the stage in pipeline.yaml."`
	Partition string `arg:"" optional:"" help:"Partition, or a part of its name; all of them if left out."`
	JSON      bool   `help:"Print as JSON."`
}

func (explainCmd) Example() string {
	return `  benchmill explain needles                    why each partition would run or not
  benchmill explain needles psf/black          what its key is made of`
}

// explained is what decides one task.
type explained struct {
	planner.Step
	Ingredients []string       `json:"ingredients"` // what the key is the digest of
	Account     *cache.Account `json:"account,omitempty"`
}

// Run implements the verb.
func (c *explainCmd) Run(ctx context.Context, s *streams) error {
	c.Target = append(c.Target, c.Stage)
	p, err := openProject(c.pipelineFlags, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer p.Close()
	plan, f, err := p.plan(ctx)
	if err != nil {
		return err
	}
	out, err := c.gather(p, plan, f)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(s.out, out)
	}
	for i, e := range out {
		if i > 0 {
			fmt.Fprintln(s.out)
		}
		e.print(s, len(out) == 1)
	}
	return nil
}

func (c *explainCmd) gather(p *project, plan *planner.Plan, f *planner.Frontier) ([]explained, error) {
	n, _ := p.graph.Node(c.Stage)
	cells, _ := f.Cells(n)
	tasks := map[string]*planner.Cell{}
	for _, cell := range cells {
		tasks[cell.Partition] = cell
	}
	out := []explained{}
	for _, step := range plan.Steps {
		if step.Node != c.Stage || !strings.Contains(step.Partition, c.Partition) {
			continue
		}
		e := explained{Step: step, Ingredients: []string{}}
		if cell := tasks[step.Partition]; cell != nil && cell.Task != nil {
			e.Ingredients = cell.Task.Ingredients
			if cell.Entry != nil {
				e.Account = &cell.Entry.Account
			}
		}
		out = append(out, e)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("stage %s has no partition like %q", c.Stage, c.Partition)
	}
	return out, nil
}

func (e explained) print(s *streams, whole bool) {
	fmt.Fprintf(s.out, "%s: %s, %s\n", planner.Label(e.Node, e.Partition), e.Action, e.Reason)
	if !whole {
		return
	}
	fmt.Fprintf(s.out, "key %s is the digest of\n", e.Key)
	for _, line := range e.Ingredients {
		fmt.Fprintf(s.out, "  %s\n", line)
	}
	if e.Account == nil {
		return
	}
	fmt.Fprintln(s.out, "rows")
	for _, group := range []struct {
		word string
		rows map[string]int64
	}{{"in", e.Account.In}, {"out", e.Account.Out}, {"noted", e.Account.Notes}} {
		for _, name := range sortedKeys(group.rows) {
			fmt.Fprintf(s.out, "  %s %s: %d\n", group.word, name, group.rows[name])
		}
	}
	for _, d := range e.Account.Drops {
		fmt.Fprintf(s.out, "  dropped of %s: %d %s\n", d.Table, d.Rows, d.Reason)
	}
}
