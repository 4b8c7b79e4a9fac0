package yabloco

import (
	"context"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
)

// FunctionsConfig configures [Functions].
type FunctionsConfig struct {
	Counting `yaml:",inline"`
}

// Functions describes every function of a repository ("Dataset creation"): what is
// known of its text, what it calls and what calls it, when it was last changed and
// how often tests entered it.
//
// Version history:
//
//	1: first version
func Functions() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "yabloco.functions", Version: 1,
		Doc: "Describes every function: docstring, place, callers, callees by class, last change, test hits.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "files", Schema: schemas.Files},
			{Name: "definitions", Schema: schemas.Definitions},
			{Name: "calls", Schema: schemas.Calls},
			{Name: "dates", Schema: schemas.FunctionDates, Optional: true},
			{Name: "hits", Schema: schemas.FunctionHits, Optional: true},
		},
		Out:       []pipeline.Port{{Name: "functions", Schema: schemas.RepositoryFunctions}},
		Flows:     []pipeline.Flow{{From: "definitions", To: []string{"functions"}}},
		NewConfig: func() any { return &FunctionsConfig{called()} },
		Run:       functions,
	}
}

func functions(ctx context.Context, p *pipeline.Pass) error {
	counted := pipeline.ConfigOf[FunctionsConfig](p).set()
	repo, err := pipeline.One[schemas.Repository](ctx, p, "repository")
	if err != nil {
		return err
	}
	g, err := readGraph(ctx, p, repo.Repo)
	if err != nil {
		return err
	}
	dates, err := byPlace(ctx, p, "dates", func(d schemas.FunctionDate) place { return place{d.Path, d.Start} })
	if err != nil {
		return err
	}
	hits, err := byPlace(ctx, p, "hits", func(h schemas.FunctionHit) place { return place{h.Path, h.Start} })
	if err != nil {
		return err
	}
	return g.eachFile(ctx, p, func(file schemas.File, from, to int) error {
		rows := make([]schemas.RepositoryFunction, 0, to-from)
		for i := from; i < to; i++ {
			row := g.function(i, repo, file.Text, counted)
			at := place{row.File, row.Start}
			if d, ok := dates[at]; ok {
				row.LastCommit, row.DateMode = day(d.Date), d.Mode
			}
			if h, ok := hits[at]; ok {
				row.Hits, row.HitsSource = &h.Hits, h.Source
			}
			rows = append(rows, row)
		}
		return pipeline.Emit(p, "functions", rows...)
	})
}

// function is what the graph and the text of its file say of a function.
func (g *callGraph) function(i int, repo schemas.Repository, text string, counted evidence) schemas.RepositoryFunction {
	d := &g.defs[i]
	row := schemas.RepositoryFunction{
		ID: g.ids[i], Repo: repo.Repo, Commit: repo.Commit, Licence: repo.Licence, Language: repo.Language,
		Name: d.Name, Qualified: d.Qualified, File: d.Path, Signature: d.Signature,
		Docstring: Docstring(d.Doc, docColumn(text, d)),
		Pos:       d.Line, CodeLength: d.EndLine - d.Line, Start: d.Start, Body: d.Body, End: d.End,
		Counted: counted.String(), Condition: d.Condition,
	}
	for _, e := range g.callers[i] {
		if e.evidence&counted != 0 {
			row.CallsNum++
		}
	}
	if len(g.callees[i]) > 0 {
		row.Engine = g.callees[i][0].engine
	}
	count(&row, g.callees[i], g, counted)
	return row
}

// docColumn is the 1-based column of a function's comment, which ends at most some
// lines above it.
func docColumn(text string, d *schemas.Definition) int {
	const gap = 4096
	before := text[:d.Start]
	before = before[max(0, len(before)-len(d.Doc)-gap):]
	at := strings.LastIndex(before, d.Doc)
	if d.Doc == "" || at < 0 {
		return 1
	}
	at += int(d.Start) - len(before)
	line := text[max(0, at-gap):at]
	return len(line) - strings.LastIndexByte(line, '\n')
}

// day is the day of a time in RFC 3339.
func day(date string) string {
	date, _, _ = strings.Cut(date, "T")
	return date
}

func byPlace[T any](ctx context.Context, p *pipeline.Pass, port string, at func(T) place) (map[place]T, error) {
	out := map[place]T{}
	for row, err := range pipeline.In[T](ctx, p, port) {
		if err != nil {
			return nil, err
		}
		out[at(row)] = row
	}
	return out, nil
}
