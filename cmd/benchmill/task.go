package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"benchmill/pipeline/planner"
)

type taskCmd struct {
	List taskListCmd `cmd:"" help:"Write the tasks that are ready to run, one file each."`
	Run  taskRunCmd  `cmd:"" help:"Compute one task from the store alone and print what it made."`
}

type taskListCmd struct {
	pipelineFlags
	Out  string `help:"Folder for the task files." required:"" placeholder:"DIR"`
	JSON bool   `help:"Print as JSON."`
}

func (taskListCmd) Example() string { return "  benchmill task list --out /tmp/tasks" }

type listedTask struct {
	Label string `json:"label"`
	File  string `json:"file"`
	Class string `json:"class"` // the resource it waits for: cpu, network or llm
}

// Run implements the verb.
func (c *taskListCmd) Run(ctx context.Context, s *streams) error {
	p, err := openProject(c.pipelineFlags, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer p.Close()
	_, f, err := p.plan(ctx)
	if err != nil {
		return err
	}
	out := []listedTask{}
	for _, n := range f.Nodes() {
		cells, _ := f.Cells(n)
		for _, cell := range cells {
			if cell.State != planner.Ready {
				continue
			}
			class := "cpu"
			switch {
			case n.Stage.Uses.LLM:
				class = "llm"
			case n.Stage.Uses.Network:
				class = "network"
			}
			file := filepath.Join(c.Out, cell.Task.Key.Hex()+".json")
			if err := os.MkdirAll(c.Out, 0o755); err != nil {
				return err
			}
			if err := writeJSON(file, c.Out, cell.Task); err != nil {
				return err
			}
			out = append(out, listedTask{cell.Label(), file, class})
		}
	}
	if c.JSON {
		return printJSON(s.out, out)
	}
	for _, t := range out {
		fmt.Fprintf(s.out, "%s\t%s\t%s\n", t.Class, t.File, t.Label)
	}
	return nil
}

type taskRunCmd struct {
	pipelineFlags
	Task string `arg:"" name:"file" help:"File of a task, as \"benchmill task list\" writes it."`
	JSON bool   `help:"Accepted for symmetry; what the task made is always printed as JSON."`
}

func (taskRunCmd) Example() string {
	return "  benchmill task run /tmp/tasks/<key>.json   as \"benchmill task list --out /tmp/tasks\" wrote it"
}

// Run implements the verb.
func (c *taskRunCmd) Run(ctx context.Context, s *streams) error {
	data, err := os.ReadFile(c.Task)
	if err != nil {
		return err
	}
	var t planner.Task
	if err := json.Unmarshal(data, &t); err != nil {
		return fmt.Errorf("%s: %w", c.Task, err)
	}
	p, err := openProject(c.pipelineFlags, slog.New(slog.NewTextHandler(s.err, nil)))
	if err != nil {
		return err
	}
	defer p.Close()
	e, err := p.executor().Run(ctx, &t)
	if err != nil {
		return fmt.Errorf("%s: %w", t.Label(), err)
	}
	return printJSON(s.out, e)
}
