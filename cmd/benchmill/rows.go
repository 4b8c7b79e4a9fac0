package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"

	"benchmill/artifacts"
	"benchmill/pipeline"
	"benchmill/pipeline/graph"
	"benchmill/pipeline/planner"
)

type rowsCmd struct {
	pipelineFlags
	Table     string   `arg:"" help:"A table of the pipeline: NODE, or NODE.TABLE where a stage makes several."`
	Partition string   `short:"p" help:"Only partitions whose name contains this." placeholder:"TEXT"`
	Dropped   bool     `help:"Print what the stage dropped instead, with the reasons."`
	Number    int      `short:"n" help:"Only the first N rows." placeholder:"N"`
	Columns   []string `short:"c" help:"Only these columns." placeholder:"COLUMN"`
	JSON      bool     `help:"Accepted for symmetry; rows are always printed as JSON lines."`
}

func (rowsCmd) Example() string {
	return `  benchmill rows questions.judgments -c subject,verdict,reason
  benchmill rows links -p owner/name
  benchmill rows candidates --dropped | jq -r .reason | sort | uniq -c`
}

// Run implements the verb.
func (c *rowsCmd) Run(ctx context.Context, s *streams) error {
	if c.Number < 0 {
		return wrongUsage("-n %d: not a number of rows", c.Number)
	}
	p, err := openProject(c.pipelineFlags, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer p.Close()
	table, err := c.find(p.graph)
	if err != nil {
		return wrongUsage("%v", err)
	}
	columns, err := pick(table.Port.Schema, c.Columns)
	if err != nil {
		return err
	}
	_, f, err := p.plan(ctx)
	if err != nil {
		return err
	}
	cells, known := f.Cells(table.Node)
	missing, printed := 0, 0
	for _, cell := range cells {
		if cell.State != planner.Done {
			missing++
		} else if strings.Contains(cell.Partition, c.Partition) {
			err = c.print(ctx, s, p, table.Port.Schema, cell, columns, &printed)
		}
		if errors.Is(err, errEnough) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	switch {
	case !known || missing > 0 && missing == len(cells):
		return fmt.Errorf("%s was not made yet, or is out of date; \"benchmill run\" makes it", c.Table)
	case missing > 0:
		fmt.Fprintf(s.err, "%d of %d partitions are out of date or failed, and are not printed\n", missing, len(cells))
	}
	return nil
}

// find looks up the table; of a node's drops any of its tables will do.
func (c *rowsCmd) find(g *graph.Graph) (graph.Edge, error) {
	if !c.Dropped {
		return g.Table(c.Table)
	}
	name, _, _ := strings.Cut(c.Table, ".")
	n, ok := g.Node(name)
	if !ok {
		return g.Table(c.Table)
	}
	return graph.Edge{Node: n, Port: pipeline.Port{Name: "dropped", Schema: pipeline.DropSchema}}, nil
}

func (c *rowsCmd) print(ctx context.Context, s *streams, p *project, schema *pipeline.Schema, cell *planner.Cell, columns map[string]bool, printed *int) error {
	info := cell.Entry.Dropped
	if !c.Dropped {
		e, err := c.find(p.graph)
		if err != nil {
			return err
		}
		info = cell.Entry.Outputs[e.Port.Name]
	}
	t, err := artifacts.OpenTable(ctx, p.Disk, schema, info.Object)
	if err != nil {
		return err
	}
	defer t.Close()
	return t.Batches(ctx, func(rows any) error {
		v := reflect.ValueOf(rows)
		for i := range v.Len() {
			if c.Number > 0 && *printed == c.Number {
				return errEnough
			}
			line, err := rowJSON(schema, v.Index(i), columns)
			if err != nil {
				return err
			}
			if cell.Partition != "" {
				line = fmt.Sprintf("{%q:%q,%s", "partition", cell.Partition, strings.TrimPrefix(line, "{"))
			}
			*printed++
			if _, err := fmt.Fprintln(s.out, line); err != nil {
				return err
			}
		}
		return nil
	})
}
