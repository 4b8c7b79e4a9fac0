package callgraph

import (
	"context"
	"fmt"

	"benchmill/internal/treesitter"
	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/code"
	"benchmill/stages/lang"
)

// EngineNative is what rows of [Native] say they were found by.
const EngineNative = "native"

// reasonNoCallGraph is why files of a language are dropped that says nothing of
// its calls.
const reasonNoCallGraph = "no_call_graph"

// Native finds functions and calls from the text alone, without a build (YABLoCo,
// "Dataset creation", where an indexer that compiles does it); see package calls
// and the languages for what is found.
//
// Version history:
//
//	1: first version
func Native(languages *lang.Set) *pipeline.Stage {
	return &pipeline.Stage{
		Name: "callgraph.native", Version: 1,
		Doc: "Finds the functions of a repository and which of them call which, without building it.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "files", Schema: schemas.Files},
			{Name: "configs", Schema: schemas.Configs, Optional: true},
		},
		Out: []pipeline.Port{
			{Name: "definitions", Schema: schemas.Definitions},
			{Name: "calls", Schema: schemas.Calls},
			{Name: "callers", Schema: schemas.Callers},
		},
		Identify: func(row any) []string {
			if l := languages.Get(row.(schemas.Repository).Language); l != nil && l.CallGraph != nil {
				return []string{l.CallGraphIdentity()}
			}
			return nil
		},
		Run: func(ctx context.Context, p *pipeline.Pass) error {
			repo, l, err := code.Repository(ctx, p, languages)
			if err != nil {
				return err
			}
			return native(ctx, p, repo, l)
		},
	}
}

func native(ctx context.Context, p *pipeline.Pass, repo schemas.Repository, l *lang.Language) error {
	files, config, err := code.Sources(ctx, p)
	if err != nil {
		return err
	}
	if l.CallGraph == nil {
		for _, f := range files {
			p.Drops.Drop("files", f.Path, reasonNoCallGraph, fmt.Sprintf("%s: what calls what is not known for %s", repo.Repo, l.Title))
		}
		return nil
	}
	g, failed, err := Analyze(ctx, l, files, config)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := failed[f.Path]; err != nil {
			p.Drops.Drop("files", f.Path, lang.Reason(err), err.Error())
		}
	}
	for i := range g.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := pipeline.Emit(p, "definitions", g.Definitions(i)...); err != nil {
			return err
		}
		calls := g.Calls(i)
		for _, port := range []string{"calls", "callers"} {
			if err := pipeline.Emit(p, port, calls...); err != nil {
				return err
			}
		}
	}
	return nil
}

// Analyze reads files, ascending by path, and freezes them. What cannot be parsed
// is returned with the error.
func Analyze(ctx context.Context, l *lang.Language, files []lang.SourceFile, config map[string]string) (g *Graph, failed map[string]error, err error) {
	read, failed, err := l.ReadCalls(ctx, files, treesitter.DefaultLimits)
	if err != nil {
		return nil, nil, err
	}
	g = &Graph{Files: read, graph: l.CallGraph.Link(read, config), texts: make(map[string]string, len(files))}
	for _, f := range files {
		g.texts[f.Path] = f.Text
	}
	return g, failed, nil
}
