package coverage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/recipe"
)

// compatUpstream adds hits up by file and name, as YABLoCo's scripts do.
const compatUpstream = "upstream"

// ImportConfig configures [Import].
type ImportConfig struct {
	Reports []Imported `yaml:"reports" doc:"the reports of each repository"`
	Compat  string     `yaml:"compat" enum:"function|upstream" doc:"upstream: functions of one name in one file have the hits of all of them"`
}

// Imported are the reports of one repository.
type Imported struct {
	Repo   string              `yaml:"repo" doc:"owner/name"`
	Format string              `yaml:"format" enum:"lcov|gcov|llvm-cov" doc:"lcov (.info), gcov (--json-format) or llvm-cov (export); packed with gzip or not"`
	Files  []pipeline.FileName `yaml:"files" doc:"reports, beside pipeline.yaml"`
}

// Validate reports settings that make no sense.
func (c *ImportConfig) Validate() error {
	var errs []error
	seen := map[string]bool{}
	for i, r := range c.Reports {
		switch {
		case r.Repo == "" || len(r.Files) == 0:
			errs = append(errs, fmt.Errorf("reports: entry %d (%s) needs repo and files", i+1, r.Repo))
		case !slices.Contains(recipe.Formats, r.Format):
			errs = append(errs, fmt.Errorf("reports: %s: format %q is none of %s", r.Repo, r.Format, strings.Join(recipe.Formats, ", ")))
		case seen[r.Repo]:
			errs = append(errs, fmt.Errorf("reports: %s has two entries", r.Repo))
		}
		seen[r.Repo] = true
	}
	return errors.Join(errs...)
}

func inputs() []pipeline.Port {
	return []pipeline.Port{
		{Name: "repository", Schema: schemas.Repositories},
		{Name: "snapshot", Schema: schemas.Snapshot},
		{Name: "definitions", Schema: schemas.Definitions},
	}
}

func outputs() []pipeline.Port {
	return []pipeline.Port{{Name: "hits", Schema: schemas.FunctionHits}}
}

// Import reads reports of coverage that are there. A repository that none are
// listed for has no rows.
//
// Version history:
//
//	1: first version
func Import() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "coverage.import", Version: 1,
		Doc: "Reads how often tests ran each function from reports of lcov, gcov or llvm-cov.",
		In:  inputs(), Out: outputs(),
		NewConfig: func() any { return &ImportConfig{Compat: "function"} },
		Run:       runImport,
	}
}

func runImport(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[ImportConfig](p)
	row, err := pipeline.One[schemas.Repository](ctx, p, "repository")
	if err != nil {
		return err
	}
	at := slices.IndexFunc(c.Reports, func(r Imported) bool { return r.Repo == row.Repo })
	if at < 0 {
		p.Drops.Note("no_reports", 1)
		return nil
	}
	entry := c.Reports[at]
	repo, err := readRepository(ctx, p, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", row.Repo, err)
	}
	var reports []*Report
	for _, name := range entry.Files {
		data, err := p.Files.ReadFile(name)
		if err != nil {
			return err
		}
		r, err := Read(string(name), entry.Format, bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("%s: %w", row.Repo, err)
		}
		reports = append(reports, r)
	}
	return emit(p, repo, reports, entry.Format, c.Compat)
}

// emit writes the rows that reports come to, and notes what was dropped.
func emit(p *pipeline.Pass, repo *repository, reports []*Report, format, compat string) error {
	rows, notes := repo.hits(reports, format, compat == compatUpstream)
	for _, name := range slices.Sorted(maps.Keys(notes)) {
		p.Drops.Note(name, notes[name])
	}
	return pipeline.Emit(p, "hits", rows...)
}
