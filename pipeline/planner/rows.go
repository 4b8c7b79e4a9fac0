package planner

import (
	"context"
	"reflect"

	"benchmill/artifacts"
	"benchmill/pipeline"
)

// StoredRows reads tables of rows that name partitions from a store.
func StoredRows(ctx context.Context, store artifacts.Store) Rows {
	return func(info artifacts.TableInfo, s *pipeline.Schema) ([]Row, error) {
		t, err := artifacts.OpenTable(ctx, store, s, info.Object)
		if err != nil {
			return nil, err
		}
		defer t.Close()
		var out []Row
		err = t.Batches(ctx, func(rows any) error {
			v := reflect.ValueOf(rows)
			for i := range v.Len() {
				row := reflect.New(s.Row()).Elem()
				row.Set(v.Index(i))
				out = append(out, Row{Value: row.Interface(), Digest: artifacts.RowDigest(s, row)})
			}
			return nil
		})
		return out, err
	}
}
