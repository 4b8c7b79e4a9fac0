package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/stages/callgraph"
	"benchmill/stages/lang"
	"benchmill/stages/lang/calls"
	family "benchmill/stages/lang/cfamily/callgraph"
)

// callGraph compares our call graph of the repository with the released one, and with
// that of clang as the stage callgraph.agreement does, and times it.
func (y *yablocoOptions) callGraph(ctx context.Context) error {
	released, err := readGraph(y.functions, y.graph)
	if err != nil {
		return err
	}
	r, err := y.load(ctx)
	if err != nil {
		return err
	}
	const runs = 3
	best := time.Duration(0)
	var own callgraph.Rows
	for i := range runs {
		start := time.Now()
		if own, err = r.graph(ctx, r.language); err != nil {
			return err
		}
		if took := time.Since(start); i == 0 || took < best {
			best = took
		}
	}
	r.native = &own
	upstream, err := r.graph(ctx, upstreamShape(r.language))
	if err != nil {
		return err
	}
	fmt.Printf("\nYABLoCo, call graph: %d files, %d functions, %d edges in %.2f s (fastest of %d, %d processors)\n",
		len(r.files), len(own.Definitions), len(own.Calls), best.Seconds(), runs, runtime.GOMAXPROCS(0))
	var clang callgraph.Rows
	if y.program != "" {
		if clang, err = y.clang(ctx, r); err != nil {
			return err
		}
	}
	for _, below := range slices.Compact([]string{"", y.below}) {
		fmt.Printf("\nfunctions below %q\n", below)
		released.compare(graphOf(own), graphOf(upstream), below).print(os.Stdout)
		if y.program != "" {
			if err := callgraph.Compare(own.Below(below), clang.Below(below)).Print(os.Stdout); err != nil {
				return err
			}
		}
	}
	return nil
}

// upstreamShape is the language C, but that its graphs have the shape of the
// released ones.
func upstreamShape(l *lang.Language) *lang.Language {
	graph := *l.CallGraph
	graph.Link = func(files []*calls.File, _ map[string]string) calls.Graph {
		return family.Link(files, family.Options{Upstream: true})
	}
	shaped := *l
	shaped.CallGraph = &graph
	return &shaped
}

// clang is the call graph of clang, which builds the repository in the sandbox.
func (y *yablocoOptions) clang(ctx context.Context, r *yablocoRepository) (callgraph.Rows, error) {
	made, err := y.boxed(ctx, stagetest.Job{
		Stage: callgraph.Clang(), Config: &callgraph.ClangConfig{Recipes: "recipes", Without: "fail"},
		Inputs: map[string]any{"repository": []schemas.Repository{r.repo}, "snapshot": r.snapshot},
	})
	if err != nil {
		return callgraph.Rows{}, err
	}
	return callgraph.Rows{Definitions: stagetest.Rows[schemas.Definition](made, "definitions"), Calls: stagetest.Rows[schemas.Call](made, "calls")}, nil
}

// callNode is a function with what it calls.
type callNode struct {
	schemas.Definition
	calls []schemas.Call
}

// graphOf is a call graph by where functions stand: nodes by nodeKey.
func graphOf(rows callgraph.Rows) map[string]*callNode {
	type place struct {
		path  string
		start int64
	}
	out, at := map[string]*callNode{}, map[place]*callNode{}
	for _, d := range rows.Definitions {
		n := &callNode{Definition: d}
		out[nodeKey(d.Path, d.Line, d.Name)], at[place{d.Path, d.Start}] = n, n
	}
	for _, c := range rows.Calls {
		n := at[place{c.CallerPath, c.CallerStart}]
		n.calls = append(n.calls, c)
	}
	return out
}

// nodeKey names a function by its path, its first line and its last name.
func nodeKey(path string, line int64, name string) string {
	return fmt.Sprintf("%s:%d:%s", path, line, name)
}
