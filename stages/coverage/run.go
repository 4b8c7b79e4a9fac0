package coverage

import (
	"context"
	"fmt"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/recipe"
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
		NewConfig: func() any { return &RunConfig{Without: recipe.WithoutFail, Compat: "function"} },
		Moving: func(cfg any, files pipeline.Files) ([]pipeline.Ref, error) {
			recipes, err := cfg.(*RunConfig).choice().Read(files)
			return recipe.Refs(recipes), err
		},
		Run: run,
	}
}

func (c *RunConfig) choice() recipe.Choice {
	return recipe.Choice{File: c.Recipes, Needs: "coverage", Without: c.Without, Has: func(r recipe.Recipe) bool { return r.Coverage.Format != "" }}
}

func run(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[RunConfig](p)
	row, err := pipeline.One[schemas.Repository](ctx, p, "repository")
	if err != nil {
		return err
	}
	r, ok, err := c.choice().Of(p, row.Repo)
	if err != nil || !ok {
		return err
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
	out, err := recipe.Execute(ctx, p, r, tree, "coverage", r.CoverageJob)
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
