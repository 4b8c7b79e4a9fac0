package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"benchmill/pipeline"
	"benchmill/pipeline/graph"
	"benchmill/sources/runtime"
	"benchmill/sources/sandbox"
	"benchmill/sources/tool"
)

// programs are the sources that run programs, with what they run them in.
type programs struct {
	tools   *tool.Source
	runtime *runtime.Source
	boxes   []*sandbox.Box
}

// openPrograms opens them for a pipeline in dir.
func openPrograms(g *graph.Graph, temp string) programs {
	box := sandbox.New(temp, sandbox.Engines()...)
	p := programs{tools: openTools(g.Sources[tool.Scheme].(*tool.Settings), g.Dir, box), boxes: []*sandbox.Box{box}}
	var images *sandbox.Box
	if p.runtime, images = runtime.Open(g.Sources[runtime.Scheme].(*runtime.Settings), p.tools, box, temp, os.Getenv); images != nil {
		p.boxes = append(p.boxes, images)
	}
	return p
}

// close removes what was kept for jobs to come.
func (p programs) close() error {
	var errs []error
	for _, b := range p.boxes {
		errs = append(errs, b.Close())
	}
	return errors.Join(errs...)
}

// openTools looks for programs beside the pipeline file, then here, then in PATH.
func openTools(settings *tool.Settings, dir string, box *sandbox.Box) *tool.Source {
	const deps = ".benchmill/deps"
	folders := []string{filepath.Join(dir, deps), deps}
	if set := os.Getenv("BENCHMILL_DEPS"); set != "" {
		folders = []string{set}
	}
	return tool.New(tool.Options{Settings: settings, Root: dir, Deps: folders, Box: box})
}

// checkTools tells, where the pipeline runs programs, how they are isolated here,
// and which there are. Nothing
// of it is a mistake: the ledger may hold all that the pipeline asks for.
func (p *project) checkTools(ctx context.Context, add func(string, error, string)) {
	if !slices.ContainsFunc(p.graph.Nodes, func(n *graph.Node) bool { return n.Stage.Uses.Sandbox }) {
		return
	}
	means, err := p.programs.boxes[0].Means(ctx)
	if err != nil {
		add("sandbox", nil, "none, so that no program can be run: "+err.Error())
		return
	}
	add("sandbox", nil, means)
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
	t, err := p.programs.tools.Find(ctx, name)
	if err != nil {
		return "cannot be run: " + err.Error()
	}
	out := fmt.Sprintf("version %s, %s", t.Version, t.Program.Path)
	if locked := p.lock.Version(pipeline.Ref{Scheme: tool.Scheme, Locator: name}); locked != "" && locked != t.Version {
		out += fmt.Sprintf("; the lock wants %s, and without it only outcomes in the ledger can be used", locked)
	}
	return out
}
