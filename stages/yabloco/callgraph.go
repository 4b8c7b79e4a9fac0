package yabloco

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"benchmill/pipeline"
	"benchmill/schemas"
)

// place names a definition.
type place struct {
	path  string
	start int64
}

// callGraph is the call graph of a repository: edges between functions, each with
// all its evidence, and to what is defined elsewhere.
type callGraph struct {
	repo    string
	defs    []schemas.Definition // by path and start
	ids     []string             // of defs
	at      map[place]int
	callees [][]edge // by definition: in the order called
	callers [][]edge // by definition: in the order of the callers' places
	outside []target // what is called and not defined here
}

// edge is all calls of one function to another.
type edge struct {
	other        int   // the function at the other end: its index, or -1 - index in outside
	first, sites int64 // where in the caller's file the first call stands; how many there are
	evidence     evidence
	engine       string
}

// target is what is called.
type target struct {
	name, path, origin string
	line               int64
}

func (g *callGraph) target(i int) target {
	if i < 0 {
		return g.outside[-1-i]
	}
	d := &g.defs[i]
	return target{d.Qualified, d.Path, schemas.OriginDefined, d.Line}
}

// readGraph reads the inputs "definitions" and "calls", in whatever order they come.
func readGraph(ctx context.Context, p *pipeline.Pass, repo string) (*callGraph, error) {
	defs, err := pipeline.Collect[schemas.Definition](ctx, p, "definitions")
	if err != nil {
		return nil, err
	}
	slices.SortFunc(defs, func(a, b schemas.Definition) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start))
	})
	g := &callGraph{
		repo: repo, defs: defs, ids: identify(repo, defs), at: make(map[place]int, len(defs)),
		callees: make([][]edge, len(defs)), callers: make([][]edge, len(defs)),
	}
	for i, d := range defs {
		g.at[place{d.Path, d.Start}] = i
	}
	if err := g.read(ctx, p); err != nil {
		return nil, fmt.Errorf("%s: %w", repo, err)
	}
	g.arrange()
	return g, nil
}

// read puts the rows of "calls" together: one edge for all evidence of a pair.
func (g *callGraph) read(ctx context.Context, p *pipeline.Pass) error {
	type pair struct{ caller, callee int }
	known := map[target]int{}
	edges := map[pair]edge{}
	for c, err := range pipeline.In[schemas.Call](ctx, p, "calls") {
		if err != nil {
			return err
		}
		caller, ok := g.at[place{c.CallerPath, c.CallerStart}]
		if !ok {
			return fmt.Errorf("%s:%d calls %s, but no definition stands there: calls and definitions are not of one graph", c.CallerPath, c.CallerStart, c.Callee)
		}
		callee, ok := g.at[place{c.CalleePath, c.CalleeStart}]
		if c.Origin != schemas.OriginDefined {
			t := target{c.Callee, c.CalleePath, c.Origin, c.CalleeLine}
			if callee, ok = known[t]; !ok {
				callee, ok = -1-len(known), true
				known[t] = callee
			}
		}
		if !ok {
			return fmt.Errorf("%s calls %s at %s:%d, but no definition stands there: calls and definitions are not of one graph", c.Caller, c.Callee, c.CalleePath, c.CalleeStart)
		}
		at := pair{caller, callee}
		e, seen := edges[at]
		if !seen {
			e = edge{other: callee, first: c.First, engine: c.Engine}
		}
		e.first, e.sites, e.evidence, e.engine = min(e.first, c.First), e.sites+c.Sites, e.evidence|evidenceOf(c.Evidence), min(e.engine, c.Engine)
		edges[at] = e
	}
	g.outside = make([]target, len(known))
	for t, i := range known {
		g.outside[-1-i] = t
	}
	for at, e := range edges {
		g.callees[at.caller] = append(g.callees[at.caller], e)
		if at.callee >= 0 {
			e.other = at.caller
			g.callers[at.callee] = append(g.callers[at.callee], e)
		}
	}
	return nil
}

// arrange brings edges into an order that is their own.
func (g *callGraph) arrange() {
	for i := range g.defs {
		slices.SortFunc(g.callees[i], func(a, b edge) int {
			if c := cmp.Compare(a.first, b.first); c != 0 || a.other == b.other {
				return c
			}
			x, y := g.target(a.other), g.target(b.other)
			return cmp.Or(cmp.Compare(x.path, y.path), cmp.Compare(x.line, y.line), cmp.Compare(x.name, y.name), cmp.Compare(x.origin, y.origin), cmp.Compare(a.other, b.other))
		})
		slices.SortFunc(g.callers[i], func(a, b edge) int { return cmp.Compare(a.other, b.other) })
	}
}

// id is the id of what an edge leads to.
func (g *callGraph) id(i int) string {
	if i < 0 {
		return outsideID(g.repo, g.outside[-1-i])
	}
	return g.ids[i]
}

// eachFile hands over the files that hold functions, with the range of those in
// defs. A function whose file is missing is an error.
func (g *callGraph) eachFile(ctx context.Context, p *pipeline.Pass, do func(f schemas.File, from, to int) error) error {
	seen := 0
	for f, err := range pipeline.In[schemas.File](ctx, p, "files") {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		from, to := g.inFile(f.Path)
		if from == to {
			continue
		}
		if last := g.defs[to-1]; last.Start < 0 || slices.ContainsFunc(g.defs[from:to], func(d schemas.Definition) bool {
			return d.Start < 0 || d.Start > d.Body || d.Body > d.End || d.End > int64(len(f.Text))
		}) {
			return fmt.Errorf("%s: %s: its functions are not of this file", g.repo, f.Path)
		}
		seen += to - from
		if err := do(f, from, to); err != nil {
			return err
		}
	}
	if seen != len(g.defs) {
		return fmt.Errorf("%s: the files of %d functions are missing", g.repo, len(g.defs)-seen)
	}
	return nil
}

// inFile is the range of defs in a file.
func (g *callGraph) inFile(path string) (from, to int) {
	find := func(path string, inclusive bool) int {
		i, _ := slices.BinarySearchFunc(g.defs, path, func(d schemas.Definition, path string) int {
			if c := cmp.Compare(d.Path, path); c != 0 || !inclusive {
				return c
			}
			return -1 // past all of them
		})
		return i
	}
	return find(path, false), find(path, true)
}
