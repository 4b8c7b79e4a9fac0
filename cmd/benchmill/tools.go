package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"benchmill/pipeline"
	"benchmill/pipeline/graph"
	"benchmill/sources/sandbox"
	"benchmill/sources/tool"
)

// openTools looks for programs beside the pipeline file, then here, then in PATH.
func openTools(settings *tool.Settings, dir, temp string) *tool.Source {
	const deps = ".benchmill/deps"
	folders := []string{filepath.Join(dir, deps), deps}
	if set := os.Getenv("BENCHMILL_DEPS"); set != "" {
		folders = []string{set}
	}
	return tool.New(tool.Options{Settings: settings, Root: dir, Deps: folders, Box: sandbox.New(temp, sandbox.Engines()...)})
}

// checkTools tells, where the pipeline runs programs, how they are isolated here,
// and which there are. Nothing
// of it is a mistake: the ledger may hold all that the pipeline asks for.
func (p *project) checkTools(ctx context.Context, add func(string, error, string)) {
	if !slices.ContainsFunc(p.graph.Nodes, func(n *graph.Node) bool { return n.Stage.Uses.Sandbox }) {
		return
	}
	e, err := sandbox.New(p.temp, sandbox.Engines()...).Engine(ctx)
	if err != nil {
		add("sandbox", nil, "none, so that no program can be run: "+err.Error())
		return
	}
	add("sandbox", nil, e.Name())
	details := make([]string, len(tool.Names()))
	var all sync.WaitGroup
	for i, name := range tool.Names() {
		all.Go(func() { details[i] = p.describeTool(ctx, name) })
	}
	all.Wait()
	for i, name := range tool.Names() {
		add("tool "+name, nil, details[i])
	}
}

func (p *project) describeTool(ctx context.Context, name string) string {
	t, err := p.tools.Find(ctx, name)
	if err != nil {
		return "cannot be run: " + err.Error()
	}
	out := fmt.Sprintf("version %s, %s", t.Version, t.Program.Path)
	if locked := p.lock.Version(pipeline.Ref{Scheme: tool.Scheme, Locator: name}); locked != "" && locked != t.Version {
		out += fmt.Sprintf("; the lock wants %s, and without it only outcomes in the ledger can be used", locked)
	}
	return out
}
