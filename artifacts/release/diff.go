package release

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	"benchmill/artifacts"
	"benchmill/internal/digest"
	"benchmill/pipeline"
)

// Difference is what changed from one release to another, row by row by key.
type Difference struct {
	Old     string       `json:"old"` // dataset@version
	New     string       `json:"new"`
	Change  Change       `json:"change"`
	Same    int          `json:"same"` // rows that are equal
	Added   []string     `json:"added"`
	Removed []string     `json:"removed"`
	Changed []ChangedRow `json:"changed"`
	Words   bool         `json:"words"`  // title, description, licence or tags differ
	Schema  []string     `json:"schema"` // "old: x/1", "new: x/2" where they differ; rows are then not compared
}

// ChangedRow is a row with the columns that differ.
type ChangedRow struct {
	Key     string   `json:"key"`
	Columns []string `json:"columns"`
}

// Diff compares two release folders. schema is that of both; where theirs differ,
// rows are not compared.
func Diff(ctx context.Context, oldDir, newDir string, schema *pipeline.Schema) (*Difference, error) {
	a, _, err := Read(oldDir)
	if err != nil {
		return nil, err
	}
	b, _, err := Read(newDir)
	if err != nil {
		return nil, err
	}
	d := &Difference{
		Old: a.Dataset + "@" + a.Version, New: b.Dataset + "@" + b.Version, Change: Compare(a, b),
		Added: []string{}, Removed: []string{}, Changed: []ChangedRow{}, Schema: []string{}, Words: !sameJSON(a.Words, b.Words),
	}
	if !sameJSON(a.Schema, b.Schema) {
		d.Schema = []string{"old: " + schemaName(a), "new: " + schemaName(b)}
		return d, nil
	}
	if a.RowsDigest == b.RowsDigest {
		d.Same = int(a.Rows)
		return d, nil
	}
	return d, d.rows(ctx, oldDir, newDir, a, b, schema)
}

func schemaName(m *Manifest) string {
	return (&pipeline.Schema{Name: m.Schema.Name, Version: m.Schema.Version}).String()
}

// rows reads the old release, then the new one, then the old one again for the
// rows that changed: digests are kept of all rows, rows only of changed ones.
func (d *Difference) rows(ctx context.Context, oldDir, newDir string, a, b *Manifest, schema *pipeline.Schema) error {
	before := map[string]digest.Digest{}
	err := EachRow(ctx, oldDir, a, schema, func(row reflect.Value) error {
		before[schema.KeyOf(row)] = artifacts.RowDigest(schema, row)
		return nil
	})
	if err != nil {
		return err
	}
	changed := map[string]reflect.Value{}
	err = EachRow(ctx, newDir, b, schema, func(row reflect.Value) error {
		key := schema.KeyOf(row)
		was, ok := before[key]
		delete(before, key)
		switch {
		case !ok:
			d.Added = append(d.Added, key)
		case was == artifacts.RowDigest(schema, row):
			d.Same++
		default:
			kept := reflect.New(schema.Row()).Elem()
			kept.Set(row)
			changed[key] = kept
		}
		return nil
	})
	if err != nil {
		return err
	}
	for key := range before {
		d.Removed = append(d.Removed, key)
	}
	if len(changed) > 0 {
		err = EachRow(ctx, oldDir, a, schema, func(row reflect.Value) error {
			key := schema.KeyOf(row)
			if now, ok := changed[key]; ok {
				d.Changed = append(d.Changed, ChangedRow{key, columns(schema, row, now)})
			}
			return nil
		})
	}
	slices.Sort(d.Added)
	slices.Sort(d.Removed)
	slices.SortFunc(d.Changed, func(x, y ChangedRow) int { return cmp.Compare(x.Key, y.Key) })
	return err
}

func columns(schema *pipeline.Schema, old, new reflect.Value) []string {
	var out []string
	for i, name := range schema.Columns() {
		if !reflect.DeepEqual(old.Field(i).Interface(), new.Field(i).Interface()) {
			out = append(out, name)
		}
	}
	return out
}
