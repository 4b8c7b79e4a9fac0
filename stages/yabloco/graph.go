package yabloco

import (
	"context"
	"slices"
	"sort"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
)

// GraphConfig configures [Graph].
type GraphConfig struct {
	Counting `yaml:",inline"`
}

// Graph makes a call graph fit for a release: a function a row, with its callees
// and its callers under the ids of [Functions]. What is not defined in the
// repository is among the callees and has no row.
//
// Version history:
//
//	1: first version
func Graph() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "yabloco.graph", Version: 1,
		Doc: "Writes the call graph both ways, a function a row.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "files", Schema: schemas.Files},
			{Name: "definitions", Schema: schemas.Definitions},
			{Name: "calls", Schema: schemas.Calls},
		},
		Out:       []pipeline.Port{{Name: "graph", Schema: schemas.GraphNodes}},
		Flows:     []pipeline.Flow{{From: "definitions", To: []string{"graph"}}},
		NewConfig: func() any { return &GraphConfig{Counting{Evidence: slices.Clone(kinds), Compat: "paper"}} },
		Run:       graph,
	}
}

func graph(ctx context.Context, p *pipeline.Pass) error {
	kept := pipeline.ConfigOf[GraphConfig](p).set()
	repo, err := pipeline.One[schemas.Repository](ctx, p, "repository")
	if err != nil {
		return err
	}
	g, err := readGraph(ctx, p, repo.Repo)
	if err != nil {
		return err
	}
	spans := make([]span, len(g.defs))
	err = g.eachFile(ctx, p, func(file schemas.File, from, to int) error {
		lines := lineStarts(file.Text)
		for i := from; i < to; i++ {
			spans[i] = lines.span(g.defs[i].Start, g.defs[i].End)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, d := range g.defs {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := spans[i]
		row := schemas.GraphNode{
			ID: g.ids[i], Repo: repo.Repo, Commit: repo.Commit, Licence: repo.Licence, Language: repo.Language,
			Name: d.Name, Qualified: d.Qualified, Path: d.Path,
			StartLine: s.line, StartCol: s.column, EndLine: s.endLine, EndCol: s.endColumn,
		}
		for _, e := range g.callees[i] {
			if e.evidence &= kept; e.evidence != 0 {
				row.Callees = append(row.Callees, g.neighbour(e, spans, d.Path))
			}
		}
		for _, e := range g.callers[i] {
			if e.evidence &= kept; e.evidence != 0 {
				n := g.neighbour(e, spans, d.Path)
				n.Level = g.target(i).class(n.Path)
				row.Callers = append(row.Callers, n)
			}
		}
		if err := pipeline.Emit(p, "graph", row); err != nil {
			return err
		}
	}
	return nil
}

// neighbour is the other end of an edge as seen from a file.
func (g *callGraph) neighbour(e edge, spans []span, from string) schemas.GraphNeighbour {
	t := g.target(e.other)
	n := schemas.GraphNeighbour{
		ID: g.id(e.other), Name: lastPart(t.name), Qualified: t.name, Path: t.path, StartLine: t.line,
		Origin: t.origin, Evidence: e.evidence.String(), Sites: e.sites, Level: t.class(from), Engine: e.engine,
	}
	switch {
	case e.evidence == evidenceOf(schemas.EvidenceIndirect):
		n.Name = t.name // a variable, or "Struct::field"
	case e.other >= 0:
		s := spans[e.other]
		n.Name = g.defs[e.other].Name
		n.StartLine, n.StartCol, n.EndLine, n.EndCol = s.line, s.column, s.endLine, s.endColumn
	}
	return n
}

// lastPart is a name without namespaces and classes.
func lastPart(name string) string {
	return name[strings.LastIndexAny(name, ":.")+1:]
}

// span is where a text stands: 1-based lines and columns of bytes, the end that of
// the last byte.
type span struct{ line, column, endLine, endColumn int64 }

// starts are the offsets at which lines begin.
type starts []int64

func lineStarts(text string) starts {
	out := starts{0}
	for i := range len(text) {
		if text[i] == '\n' {
			out = append(out, int64(i)+1)
		}
	}
	return out
}

func (s starts) span(start, end int64) span {
	var out span
	out.line, out.column = s.at(start)
	out.endLine, out.endColumn = s.at(max(start, end-1))
	return out
}

func (s starts) at(offset int64) (line, column int64) {
	i := sort.Search(len(s), func(i int) bool { return s[i] > offset })
	return int64(i), offset - s[i-1] + 1
}
