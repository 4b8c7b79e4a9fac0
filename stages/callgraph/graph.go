package callgraph

import (
	"strings"

	"benchmill/schemas"
	"benchmill/stages/lang/calls"
)

// Graph is the call graph of a repository, as rows. It is safe for concurrent use.
type Graph struct {
	Files []*calls.File // ascending by path

	graph calls.Graph
	texts map[string]string
}

// Definitions are the functions of file i, in source order.
func (g *Graph) Definitions(i int) []schemas.Definition {
	f := g.Files[i]
	text := g.texts[f.Path]
	out := make([]schemas.Definition, len(f.Functions))
	for j := range f.Functions {
		fn := &f.Functions[j]
		out[j] = schemas.Definition{
			Path: f.Path, Start: int64(fn.Start), Body: int64(fn.Body), End: int64(fn.End),
			Line: int64(fn.Line) + 1, EndLine: int64(fn.EndLine) + 1,
			Name: fn.Name, Qualified: fn.Qualified,
			Signature: strings.TrimSpace(text[fn.Start:fn.Body]), Doc: text[fn.Doc.Start:fn.Doc.End],
			Local: fn.Local, Inline: fn.Inline,
		}
		if fn.Unsure {
			out[j].Condition = schemas.ConditionUnknown
		}
	}
	return out
}

// Calls are the edges of the functions in file i, ordered as [calls.Graph] has them.
func (g *Graph) Calls(i int) []schemas.Call {
	f := g.Files[i]
	var out []schemas.Call
	for e := range g.graph.Edges(f.Path) {
		caller, callee := &f.Functions[e.Caller], &e.Callee
		out = append(out, schemas.Call{
			CallerPath: f.Path, CallerStart: int64(caller.Start), Caller: caller.Qualified,
			Callee: callee.Name, CalleePath: callee.Path, CalleeStart: int64(callee.Start), CalleeLine: int64(callee.Line) + 1,
			Origin: string(callee.Origin), Evidence: string(e.Evidence), Via: e.Via,
			Sites: int64(e.Sites), First: int64(e.First), Alternatives: int64(e.Alternatives), Engine: EngineNative,
		})
	}
	return out
}

// Rows are all definitions and calls, ordered by file and as [Graph.Definitions] and
// [Graph.Calls] have them.
func (g *Graph) Rows() Rows {
	var rows Rows
	for i := range g.Files {
		rows.Definitions = append(rows.Definitions, g.Definitions(i)...)
		rows.Calls = append(rows.Calls, g.Calls(i)...)
	}
	return rows
}
