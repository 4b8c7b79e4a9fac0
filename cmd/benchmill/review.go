package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"benchmill/artifacts/release"
	"benchmill/internal/atomicfile"
	"benchmill/internal/review"
	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/longcodeqa"
)

type reviewCmd struct {
	Export reviewExportCmd `cmd:"" help:"Draw rows of a release and write them as a sheet and a page for reviewers."`
	Check  reviewCheckCmd  `cmd:"" help:"Count the verdicts of sheets that came back and compare the reviewers."`
}

type reviewExportCmd struct {
	storeFlags
	Release string   `arg:"" help:"Dataset, dataset@version, or the path of a release."`
	Per     int      `help:"Rows drawn from each group." default:"9" placeholder:"N"`
	By      string   `help:"Column that puts rows into groups." default:"bracket" placeholder:"COLUMN"`
	Seed    *int64   `help:"Seed of the draw; that of the release's pipeline if left out." placeholder:"N"`
	Columns []string `short:"c" help:"Columns reviewers see; of LongCodeQA a question, its choices and where it is from if left out." placeholder:"COLUMN"`
	Out     string   `help:"Folder for sheet.csv and review.html." required:"" placeholder:"DIR"`
}

func (reviewExportCmd) Example() string {
	return `  benchmill review export longcodeqa --per 9 --by bracket --seed 7 --out review
  benchmill review export repoqa --by language --per 3 -c repo,name,description --out review`
}

type drawn struct {
	Group string `json:"group"`
	Drawn int    `json:"drawn"`
	Rows  int    `json:"rows"` // of the group in the release
}

type exported struct {
	Release string  `json:"release"`
	Seed    int64   `json:"seed"`
	By      string  `json:"by"`
	Sheet   string  `json:"sheet"`
	Page    string  `json:"page"`
	Groups  []drawn `json:"groups"`
}

// Run implements the verb.
func (c *reviewExportCmd) Run(ctx context.Context, s *streams) error {
	if c.Per < 1 {
		return wrongUsage("--per %d: at least one row of each group", c.Per)
	}
	r, err := openRelease(c.releases(), c.Release)
	if err != nil {
		return err
	}
	view, err := c.view(r.schema)
	if err != nil {
		return err
	}
	out := exported{
		Release: r.Dataset + "@" + r.Version, Seed: r.manifest.Pipeline.Seed, By: c.By,
		Sheet: filepath.Join(c.Out, "sheet.csv"), Page: filepath.Join(c.Out, "review.html"),
	}
	if c.Seed != nil {
		out.Seed = *c.Seed
	}
	if err := unjudged(out.Sheet); err != nil {
		return err
	}
	groups, err := readGroups(ctx, r, view)
	if err != nil {
		return err
	}
	sheet := review.NewSheet(view.columns...)
	for _, name := range slices.SortedFunc(maps.Keys(groups), review.CompareGroups) {
		rows := groups[name]
		sample := pipeline.Sample(pipeline.Seed{Pipeline: out.Seed, Stage: "review"}, rows, c.Per, reviewRow.id)
		slices.SortFunc(sample, func(a, b reviewRow) int { return strings.Compare(a.id(), b.id()) })
		for _, row := range sample {
			sheet.Add(row[0], row[1:]...)
		}
		out.Groups = append(out.Groups, drawn{name, len(sample), len(rows)})
	}
	if err := writeReview(out, sheet); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(s.out, out)
	}
	t := newTable(s.out, []int{1, 2}, c.By, "drawn", "rows")
	for _, g := range out.Groups {
		t.AppendRow(table.Row{g.Group, g.Drawn, g.Rows})
	}
	t.Render()
	_, err = fmt.Fprintf(s.out, "%s\n%s\n", out.Sheet, out.Page)
	return err
}

// reviewView is what a sheet shows of a row, its group first.
type reviewView struct {
	columns []string
	cells   func(row reflect.Value) ([]string, error)
}

func (c *reviewExportCmd) view(schema *pipeline.Schema) (*reviewView, error) {
	by, err := plainView(schema, []string{c.By})
	switch {
	case err != nil:
		return nil, err
	case len(c.Columns) > 0:
		return plainView(schema, append(by.columns, slices.DeleteFunc(slices.Clone(c.Columns), func(name string) bool { return name == c.By })...))
	case schema != schemas.LongCodeQATasks:
		return nil, wrongUsage("say with --columns what reviewers of %s should see: %s", schema, strings.Join(schema.Columns(), ", "))
	}
	return &reviewView{append(by.columns, longcodeqa.ReviewColumns...), func(row reflect.Value) ([]string, error) {
		group, err := by.cells(row)
		return append(group, longcodeqa.ReviewCells(row.Interface().(schemas.LongCodeQATask))...), err
	}}, nil
}

// plainView shows columns as they are: texts, and anything else as JSON.
func plainView(schema *pipeline.Schema, columns []string) (*reviewView, error) {
	known := schema.Columns()
	for _, name := range columns {
		if !slices.Contains(known, name) {
			return nil, wrongUsage("no column %q; columns are %s", name, strings.Join(known, ", "))
		}
	}
	return &reviewView{columns, func(row reflect.Value) ([]string, error) {
		out := make([]string, len(columns))
		for i, name := range columns {
			v := row.Field(slices.Index(known, name))
			if out[i] = v.String(); v.Kind() != reflect.String {
				var b strings.Builder
				if err := valueJSON(&b, v); err != nil {
					return nil, err
				}
				out[i] = b.String()
			}
		}
		return out, nil
	}}, nil
}

// reviewRow is the key of a row and the cells that are shown, its group first.
type reviewRow []string

func (r reviewRow) id() string { return r[0] }

func readGroups(ctx context.Context, r *opened, view *reviewView) (map[string][]reviewRow, error) {
	out := map[string][]reviewRow{}
	err := release.EachRow(ctx, r.Path, r.manifest, r.schema, func(v reflect.Value) error {
		cells, err := view.cells(v)
		row := reviewRow{r.schema.KeyOf(v)}
		for _, cell := range cells {
			row = append(row, strings.Clone(cell)) // and not the prompts it lies beside
		}
		if err == nil {
			out[row[1]] = append(out[row[1]], row)
		}
		return err
	})
	return out, err
}

// unjudged refuses to write over what somebody has filled in.
func unjudged(path string) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var v review.Verdicts
	if err := v.Add(path, data); err != nil {
		return fmt.Errorf("%w; it is not replaced: choose another folder", err)
	}
	for _, id := range v.IDs() {
		if len(v.Votes(id)) > 0 {
			return fmt.Errorf("%s: holds verdicts, which would be lost: choose another folder", v.Votes(id)[0].At)
		}
	}
	return nil
}

func writeReview(out exported, sheet *review.Sheet) error {
	data, err := sheet.Write()
	if err != nil {
		return err
	}
	page, err := review.Page("Review of "+strings.Replace(out.Release, "@", " ", 1), sheet)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(out.Page, page, 0o644); err != nil {
		return err
	}
	return atomicfile.Write(out.Sheet, data, 0o644)
}
