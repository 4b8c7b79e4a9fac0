package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"benchmill/artifacts/release"
	"benchmill/pipeline"
	stages "benchmill/stages/all"
)

// opened is a release with the schema of its rows.
type opened struct {
	*release.Listed
	manifest *release.Manifest
	schema   *pipeline.Schema
}

var errUnknownSchema = errors.New("which this version of benchmill does not know")

func openRelease(root, name string) (*opened, error) {
	l, err := release.Find(root, name)
	if err != nil {
		return nil, err
	}
	m, _, err := release.Read(l.Path)
	if err != nil {
		return nil, err
	}
	schema := stages.Schema(m.Schema.Name, m.Schema.Version)
	if schema == nil {
		return nil, fmt.Errorf("%s@%s has rows of schema %s/%d, %w", m.Dataset, m.Version, m.Schema.Name, m.Schema.Version, errUnknownSchema)
	}
	return &opened{l, m, schema}, nil
}

type catCmd struct {
	storeFlags
	Release string   `arg:"" help:"Dataset, dataset@version, or the path of a release."`
	Number  int      `short:"n" help:"Only the first N rows." placeholder:"N"`
	Columns []string `short:"c" help:"Only these columns." placeholder:"COLUMN"`
	Config  string   `help:"Only this config." placeholder:"NAME"`
}

func (catCmd) Example() string {
	return `  benchmill cat repoqa -n 1 -c task_id,description
  benchmill cat repoqa --config python | jq .prompt`
}

var errEnough = errors.New("enough rows")

// Run implements the verb.
func (c *catCmd) Run(ctx context.Context, s *streams) error {
	if c.Number < 0 {
		return wrongUsage("-n %d: not a number of rows", c.Number)
	}
	r, err := openRelease(c.releases(), c.Release)
	if err != nil {
		return err
	}
	columns, err := pick(r.schema, c.Columns)
	if err != nil {
		return err
	}
	m := *r.manifest
	if c.Config != "" {
		m.Files = nil
		for _, f := range r.manifest.Files {
			if f.Config == c.Config {
				m.Files = append(m.Files, f)
			}
		}
		if len(m.Files) == 0 {
			var known []string
			for _, f := range r.manifest.Files {
				known = append(known, f.Config)
			}
			return wrongUsage("%s has no config %q; it has %s", m.Dataset, c.Config, strings.Join(known, ", "))
		}
	}
	n := 0
	err = release.EachRow(ctx, r.Path, &m, r.schema, func(row reflect.Value) error {
		if c.Number > 0 && n == c.Number {
			return errEnough
		}
		n++
		line, err := rowJSON(r.schema, row, columns)
		if err == nil {
			_, err = fmt.Fprintln(s.out, line)
		}
		return err
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// pick is which columns of a schema are wanted; none named means all.
func pick(schema *pipeline.Schema, wanted []string) (map[string]bool, error) {
	out := map[string]bool{}
	known := schema.Columns()
	for _, name := range known {
		out[name] = len(wanted) == 0
	}
	for _, name := range wanted {
		if !slices.Contains(known, name) {
			return nil, wrongUsage("no column %q; columns are %s", name, strings.Join(known, ", "))
		}
		out[name] = true
	}
	return out, nil
}

// rowJSON writes a row with its columns in the order of the schema.
func rowJSON(schema *pipeline.Schema, row reflect.Value, columns map[string]bool) (string, error) {
	var b strings.Builder
	b.WriteByte('{')
	first := true
	for i, name := range schema.Columns() {
		if !columns[name] {
			continue
		}
		if !first {
			b.WriteByte(',')
		}
		first = false
		fmt.Fprintf(&b, "%q:", name)
		if err := valueJSON(&b, row.Field(i)); err != nil {
			return "", err
		}
	}
	b.WriteByte('}')
	return b.String(), nil
}

func valueJSON(b *strings.Builder, v reflect.Value) error {
	switch {
	case v.Kind() == reflect.Struct:
		b.WriteByte('{')
		for i := range v.NumField() {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(b, "%q:", v.Type().Field(i).Tag.Get("parquet"))
			if err := valueJSON(b, v.Field(i)); err != nil {
				return err
			}
		}
		b.WriteByte('}')
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		b.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := valueJSON(b, v.Index(i)); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	default:
		var line strings.Builder
		e := json.NewEncoder(&line)
		e.SetEscapeHTML(false)
		if err := e.Encode(v.Interface()); err != nil {
			return err
		}
		b.WriteString(strings.TrimSuffix(line.String(), "\n"))
	}
	return nil
}

type diffCmd struct {
	storeFlags
	Old string `arg:"" help:"Dataset@version, or the path of a release."`
	New string `arg:"" help:"Dataset@version, or the path of a release."`
}

func (diffCmd) Example() string {
	return `  benchmill diff repoqa@1.0.0 repoqa@1.1.0
  benchmill diff repoqa@1.0.0 ../other/releases/repoqa/1.0.0 --json`
}

// Run implements the verb.
func (c *diffCmd) Run(ctx context.Context, s *streams) error {
	a, err := openRelease(c.releases(), c.Old)
	if err != nil {
		return err
	}
	b, err := openRelease(c.releases(), c.New)
	if err != nil {
		return err
	}
	d, err := release.Diff(ctx, a.Path, b.Path, b.schema)
	if err != nil {
		return err
	}
	if c.JSON {
		err = printJSON(s.out, d)
	} else {
		printDiff(s, d)
	}
	if err == nil && d.Change != release.Same {
		return quiet{exitDifferent}
	}
	return err
}

func printDiff(s *streams, d *release.Difference) {
	for _, line := range d.Schema {
		fmt.Fprintln(s.out, line)
	}
	for _, k := range d.Removed {
		fmt.Fprintln(s.out, "-", k)
	}
	for _, k := range d.Added {
		fmt.Fprintln(s.out, "+", k)
	}
	for _, r := range d.Changed {
		fmt.Fprintf(s.out, "~ %s (%s)\n", r.Key, strings.Join(r.Columns, ", "))
	}
	if d.Words {
		fmt.Fprintln(s.out, "the words differ: title, description, licence or tags")
	}
	fmt.Fprintf(s.out, "%s -> %s: %d same, %d added, %d removed, %d changed (%s)\n",
		d.Old, d.New, d.Same, len(d.Added), len(d.Removed), len(d.Changed), d.Change)
}

type verifyCmd struct {
	storeFlags
	Release []string `arg:"" optional:"" help:"Datasets, dataset@version, or paths; all releases of the store if left out."`
}

func (verifyCmd) Example() string {
	return `  benchmill verify
  benchmill verify repoqa@1.0.0 --json`
}

type verified struct {
	Release  string            `json:"release"`
	Path     string            `json:"path"`
	Files    int               `json:"files"`
	Rows     int64             `json:"rows"`
	Problems []release.Problem `json:"problems"`
}

// Run implements the verb.
func (c *verifyCmd) Run(ctx context.Context, s *streams) error {
	names := c.Release
	if len(names) == 0 {
		var err error
		if names, err = release.Paths(c.releases()); err != nil {
			return err
		}
	}
	reports, failed := []verified{}, false
	for _, name := range names {
		v, err := c.verify(ctx, name)
		if err != nil {
			return err
		}
		failed = failed || len(v.Problems) > 0
		reports = append(reports, *v)
	}
	if c.JSON {
		if err := printJSON(s.out, reports); err != nil {
			return err
		}
	} else {
		if len(reports) == 0 {
			fmt.Fprintln(s.out, noReleases)
		}
		for _, r := range reports {
			for _, p := range r.Problems {
				fmt.Fprintf(s.out, "%s: %s: %s\n", r.Release, p.File, p.Problem)
			}
			if len(r.Problems) == 0 {
				fmt.Fprintf(s.out, "%s: %d files, %d rows, all as the manifest says\n", r.Release, r.Files, r.Rows)
			}
		}
	}
	if failed {
		return quiet{exitDifferent}
	}
	return nil
}

// verify checks one release. A manifest that cannot be read and rows that nothing
// here can read are what is wrong with it, and no reason to leave others
// unchecked.
func (c *verifyCmd) verify(ctx context.Context, name string) (*verified, error) {
	r, err := openRelease(c.releases(), name)
	if errors.Is(err, release.ErrNotManifest) || errors.Is(err, errUnknownSchema) {
		return &verified{Release: name, Path: name, Problems: []release.Problem{{File: release.ManifestName, Problem: err.Error()}}}, nil
	}
	if err != nil {
		return nil, err
	}
	problems, err := release.Verify(ctx, r.Path, r.schema)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Path, err)
	}
	if problems == nil {
		problems = []release.Problem{}
	}
	return &verified{r.Dataset + "@" + r.Version, r.Path, len(r.manifest.Files) + len(r.manifest.Also), r.Rows, problems}, nil
}
