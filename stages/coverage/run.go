package coverage

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/recipe"
)

// What [RunConfig] does with a repository without a recipe for coverage.
const (
	withoutFail = "fail"
	withoutSkip = "skip"
)

// RunConfig configures [Run].
type RunConfig struct {
	Recipes pipeline.FileName `yaml:"recipes" doc:"YAML file that says how each repository is built and tested"`
	Without string            `yaml:"without" enum:"fail|skip" doc:"what to do with a repository that has no recipe with coverage: fail, or make no rows"`
	Compat  string            `yaml:"compat" enum:"function|upstream" doc:"upstream: functions of one name in one file have the hits of all of them"`
}

// Run runs the tests of a repository in a sandbox, as its recipe says, and reads
// the reports they leave. A step that fails or strikes a limit is an error: a
// suite of which some test is known to fail says so in its script.
//
// Version history:
//
//	1: first version
func Run() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "coverage.run", Version: 1,
		Doc: "Builds a repository and runs its tests in a sandbox, and says how often they ran each function.",
		In:  inputs(), Out: outputs(),
		Uses:      pipeline.Uses{Sandbox: true},
		NewConfig: func() any { return &RunConfig{Without: withoutFail, Compat: "function"} },
		Moving: func(cfg any, files pipeline.Files) ([]pipeline.Ref, error) {
			recipes, err := readRecipes(cfg.(*RunConfig), files)
			return recipe.Refs(recipes), err
		},
		Run: run,
	}
}

// readRecipes returns those with coverage.
func readRecipes(c *RunConfig, files pipeline.Files) ([]recipe.Recipe, error) {
	data, err := files.ReadFile(c.Recipes)
	if err != nil {
		return nil, err
	}
	all, err := recipe.Parse(string(c.Recipes), data)
	return slices.DeleteFunc(all, func(r recipe.Recipe) bool { return r.Coverage.Format == "" }), err
}

func run(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[RunConfig](p)
	row, err := pipeline.One[schemas.Repository](ctx, p, "repository")
	if err != nil {
		return err
	}
	recipes, err := readRecipes(c, p.Files)
	if err != nil {
		return err
	}
	r, ok := recipe.Find(recipes, row.Repo)
	if !ok {
		if c.Without == withoutFail {
			return fmt.Errorf("%s: no recipe with coverage in %s", row.Repo, c.Recipes)
		}
		p.Drops.Note("no_recipe", 1)
		return nil
	}
	var tree recipe.Tree
	repo, err := readRepository(ctx, p, tree.Add)
	if err != nil {
		return fmt.Errorf("%s: %w", row.Repo, err)
	}
	reports, err := measure(ctx, p, r, tree)
	if err != nil {
		return err
	}
	return emit(p, repo, reports, r.Coverage.Format, c.Compat)
}

// measure runs the job of a recipe.
func measure(ctx context.Context, p *pipeline.Pass, r recipe.Recipe, tree recipe.Tree) ([]*Report, error) {
	for _, kind := range slices.Sorted(maps.Keys(tree.Left)) {
		p.Drops.Note("left_out_"+kind, tree.Left[kind])
	}
	pin, err := p.Pins(r.Ref())
	if err != nil {
		return nil, err
	}
	job, err := r.CoverageJob(pin, tree)
	if err != nil {
		return nil, err
	}
	out, err := p.Sandbox.Execute(ctx, cmp.Or(p.Partition, r.Repo)+" coverage", job)
	if err == nil {
		err = recipe.Failure(r.Repo, out)
	}
	if err != nil {
		return nil, err
	}
	var reports []*Report
	for _, f := range out.Files {
		report, err := Read(f.Path, r.Coverage.Format, strings.NewReader(f.Text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Repo, err)
		}
		reports = append(reports, report)
	}
	if len(reports) == 0 {
		return nil, fmt.Errorf("%s: its tests left no file %s", r.Repo, strings.Join(r.Coverage.Files, ", "))
	}
	return reports, nil
}
