package callgraph

import (
	"context"

	"benchmill/pipeline"
	"benchmill/schemas"
)

// Agreement compares the call graph that was found from the text with that of a
// compiler; see [Compare]. Where no function is in both there is no row, and a note
// says so.
//
// Version history:
//
//	1: first version
//	2: functions that are built into compilers, and names that macros stand for
func Agreement() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "callgraph.agreement", Version: 2,
		Doc: "Compares the call graph found without a build with that of clang: precision, recall, F1 by kind of evidence, and the functions' places.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "definitions", Schema: schemas.Definitions},
			{Name: "calls", Schema: schemas.Calls},
			{Name: "reference_definitions", Schema: schemas.Definitions},
			{Name: "reference_calls", Schema: schemas.Calls},
		},
		Out: []pipeline.Port{
			{Name: "edges", Schema: schemas.CallAgreements},
			{Name: "functions", Schema: schemas.FunctionAgreements},
		},
		Run: agreement,
	}
}

func agreement(ctx context.Context, p *pipeline.Pass) error {
	repo, err := pipeline.One[schemas.Repository](ctx, p, "repository")
	if err != nil {
		return err
	}
	native, err := collect(ctx, p, "definitions", "calls")
	if err != nil {
		return err
	}
	reference, err := collect(ctx, p, "reference_definitions", "reference_calls")
	if err != nil {
		return err
	}
	c := Compare(native, reference)
	if c.Functions.Both == 0 { // shares of nothing would look like perfect ones
		p.Drops.Note("no_function_in_both", 1)
		return nil
	}
	engine := EngineClang
	if len(reference.Calls) > 0 {
		engine = reference.Calls[0].Engine
	}
	for _, row := range c.Edges {
		row.Repo, row.Commit, row.Language, row.Reference = repo.Repo, repo.Commit, repo.Language, engine
		if err := pipeline.Emit(p, "edges", row); err != nil {
			return err
		}
	}
	row := c.Functions
	row.Repo, row.Commit, row.Language, row.Reference = repo.Repo, repo.Commit, repo.Language, engine
	return pipeline.Emit(p, "functions", row)
}

func collect(ctx context.Context, p *pipeline.Pass, definitions, calls string) (Rows, error) {
	d, err := pipeline.Collect[schemas.Definition](ctx, p, definitions)
	if err != nil {
		return Rows{}, err
	}
	c, err := pipeline.Collect[schemas.Call](ctx, p, calls)
	return Rows{Definitions: d, Calls: c}, err
}
