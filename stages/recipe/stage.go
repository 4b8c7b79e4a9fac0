package recipe

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"benchmill/pipeline"
)

// What a stage does with a repository that has no recipe for it.
const (
	WithoutFail = "fail" // it is an error
	WithoutSkip = "skip" // it makes no rows, and is noted
)

// Choice is which recipes of a file a stage takes.
type Choice struct {
	File    pipeline.FileName
	Needs   string            // what a recipe must have, for people: "coverage"
	Has     func(Recipe) bool // whether one has it
	Without string            // [WithoutFail] or [WithoutSkip]
}

// Read returns the recipes that have what the stage needs.
func (c Choice) Read(files pipeline.Files) ([]Recipe, error) {
	data, err := files.ReadFile(c.File)
	if err != nil {
		return nil, err
	}
	all, err := Parse(string(c.File), data)
	return slices.DeleteFunc(all, func(r Recipe) bool { return !c.Has(r) }), err
}

// Of returns the recipe of a repository; ok is false where it has none, and need not.
func (c Choice) Of(p *pipeline.Pass, repo string) (r Recipe, ok bool, err error) {
	recipes, err := c.Read(p.Files)
	if err != nil {
		return r, false, err
	}
	r, ok = Find(recipes, repo)
	switch {
	case ok:
	case c.Without == WithoutFail:
		err = fmt.Errorf("%s: no recipe with %s in %s", repo, c.Needs, c.File)
	default:
		p.Drops.Note("no_recipe", 1)
	}
	return r, ok, err
}

// Execute runs a job of a recipe, of which every step must end well. what names the
// asker, behind the partition.
func Execute(ctx context.Context, p *pipeline.Pass, r Recipe, t Tree, what string, job func(runtime pipeline.Pin, t Tree) (pipeline.Job, error)) (pipeline.Outcome, error) {
	for _, kind := range slices.Sorted(maps.Keys(t.Left)) {
		p.Drops.Note("left_out_"+kind, t.Left[kind])
	}
	pin, err := p.Pins(r.Ref())
	if err != nil {
		return pipeline.Outcome{}, err
	}
	j, err := job(pin, t)
	if err != nil {
		return pipeline.Outcome{}, err
	}
	out, err := p.Sandbox.Execute(ctx, cmp.Or(p.Partition, r.Repo)+" "+what, j)
	if err == nil {
		err = Failure(r.Repo, out)
	}
	return out, err
}
