package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"strings"

	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/stages/coverage"
)

// coverage runs the tests of the repository in the sandbox as its recipe says, and
// compares which functions they ran with the released hits.
func (y *yablocoOptions) coverage(ctx context.Context) error {
	released, err := readHits(y.functions)
	if err != nil {
		return err
	}
	r, err := y.load(ctx)
	if err != nil {
		return err
	}
	native, err := r.nativeRows(ctx)
	if err != nil {
		return err
	}
	ran, err := y.boxed(ctx, stagetest.Job{
		Stage: coverage.Run(), Config: &coverage.RunConfig{Recipes: "recipes", Without: "fail", Compat: y.compat},
		Inputs: map[string]any{"repository": []schemas.Repository{r.repo}, "snapshot": r.snapshot, "files": r.files, "definitions": native.Definitions},
	})
	if err != nil {
		return err
	}
	compareHits(released, native.Definitions, stagetest.Rows[schemas.FunctionHit](ran, "hits"), y.below).print(os.Stdout, r.repo.Repo)
	return nil
}

// releasedHits is one released function.
type releasedHits struct {
	file string // in the repository
	name string
	line int64 // 1-based
	hit  bool
}

// readHits reads the released table. Its paths begin with a name of the
// repository.
func readHits(name string) ([]releasedHits, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s is empty", name)
	}
	column := map[string]int{}
	for i, title := range rows[0] {
		column[title] = i
	}
	for _, title := range []string{"file", "fname", "pos", "test_cov_hits"} {
		if _, ok := column[title]; !ok {
			return nil, fmt.Errorf("%s has no column %s", name, title)
		}
	}
	var out []releasedHits
	for i, row := range rows[1:] {
		var line, hits float64
		_, err := fmt.Sscan(row[column["pos"]], &line)
		if text := row[column["test_cov_hits"]]; err == nil && text != "" {
			_, err = fmt.Sscan(text, &hits)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", name, i+1, err)
		}
		_, file, _ := strings.Cut(row[column["file"]], "/")
		out = append(out, releasedHits{file, row[column["fname"]], int64(line), hits > 0})
	}
	return out, nil
}
