// Package arrowcheck recomputes the rows digest of a table file from what
// another Parquet implementation (Apache Arrow's) reads in it.
//
// It shares nothing with the writer but the schema and the digest encoder, so
// that a mistake of one library in taking rows apart or putting them together
// shows as two different digests. It proves that a file says what its manifest
// says, not that the rows are right.
//
// It is no reader for foreign bytes: on some malformed files Arrow panics in
// goroutines of its own, which nobody can catch. Check the digest of the bytes
// and read the file with artifacts.OpenTable first.
package arrowcheck

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"benchmill/internal/digest"
	"benchmill/pipeline"
)

// batchRows is the number of rows Arrow decodes at a time. Zero would yield
// nothing at all.
const batchRows = 256

// RowsDigest reads the size bytes of the Parquet file r and returns the number
// of its rows and their rows digest, to be compared with that of
// artifacts.RowsHasher. Columns that differ from the schema in name, order or
// type, and nulls where the schema has none, are errors.
func RowsDigest(ctx context.Context, r io.ReaderAt, size int64, schema *pipeline.Schema) (rows int64, d digest.Digest, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("malformed file: %v", p) // the library panics on some
		}
		if err != nil {
			rows, d, err = 0, "", fmt.Errorf("check table %s: %w", schema, err)
		}
	}()
	in, err := file.NewParquetReader(io.NewSectionReader(r, 0, size))
	if err != nil {
		return 0, "", err
	}
	defer in.Close()
	reader, err := pqarrow.NewFileReader(in, pqarrow.ArrowReadProperties{BatchSize: batchRows}, memory.DefaultAllocator)
	if err != nil {
		return 0, "", err
	}
	columns, err := reader.Schema()
	if err != nil {
		return 0, "", err
	}
	row := schema.Row()
	if err := checkFields(columns.Fields(), row); err != nil {
		return 0, "", err
	}
	c := &checker{row: row, enc: digest.New("benchmill/rows/1")}
	c.enc.String(schema.Name)
	c.enc.List(row.NumField())
	shapeFields(c.enc, row)
	// Group by group, because Arrow counts the bytes of a batch in 32 bits and a
	// batch of large texts from several groups could pass that.
	for g := range in.NumRowGroups() {
		if err := c.group(ctx, reader, g); err != nil {
			return 0, "", err
		}
	}
	if n := in.NumRows(); n != c.rows {
		return 0, "", fmt.Errorf("%d rows were read of %d", c.rows, n)
	}
	return c.rows, c.enc.Sum(), nil
}

type checker struct {
	row  reflect.Type
	enc  *digest.Encoder
	rows int64
}

func (c *checker) group(ctx context.Context, reader *pqarrow.FileReader, g int) error {
	records, err := reader.GetRecordReader(ctx, nil, []int{g})
	if err != nil {
		return err
	}
	defer records.Release()
	for records.Next() {
		record := records.Record()
		for i := range int(record.NumRows()) {
			c.enc.Row(c.row.NumField())
			for f := range c.row.NumField() {
				if err := value(c.enc, record.Column(f), i, c.row.Field(f).Type); err != nil {
					return fmt.Errorf("row %d: column %q: %w", c.rows, name(c.row.Field(f)), err)
				}
			}
			c.rows++
		}
	}
	if err := records.Err(); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

func name(f reflect.StructField) string {
	n, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
	return n
}

func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

func checkFields(fields []arrow.Field, t reflect.Type) error {
	if len(fields) != t.NumField() {
		return fmt.Errorf("%d columns, not %d", len(fields), t.NumField())
	}
	for i, f := range fields {
		want := t.Field(i)
		if f.Name != name(want) {
			return fmt.Errorf("column %d is %q, not %q", i, f.Name, name(want))
		}
		if err := checkField(f, want.Type); err != nil {
			return fmt.Errorf("column %q: %w", f.Name, err)
		}
	}
	return nil
}

func checkField(f arrow.Field, t reflect.Type) error {
	if optional := t.Kind() == reflect.Pointer; optional != f.Nullable {
		return fmt.Errorf("can be null: %t, should be %t", f.Nullable, optional)
	}
	return checkType(f.Type, t)
}

func checkType(got arrow.DataType, t reflect.Type) error {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	want := arrow.Type(-1)
	switch {
	case t.Kind() == reflect.String:
		want = arrow.STRING
	case isBytes(t):
		want = arrow.BINARY
	case t.Kind() == reflect.Bool:
		want = arrow.BOOL
	case t.Kind() == reflect.Int32:
		want = arrow.INT32
	case t.Kind() == reflect.Int64:
		want = arrow.INT64
	case t.Kind() == reflect.Float64:
		want = arrow.FLOAT64
	case t.Kind() == reflect.Slice:
		if list, ok := got.(*arrow.ListType); ok {
			return checkType(list.Elem(), t.Elem()) // Arrow calls all elements nullable, whatever the file says
		}
	case t.Kind() == reflect.Struct:
		if s, ok := got.(*arrow.StructType); ok {
			return checkFields(s.Fields(), t)
		}
	}
	if got.ID() != want {
		return fmt.Errorf("type %s does not hold a %s", got, t)
	}
	return nil
}

func shapeFields(enc *digest.Encoder, t reflect.Type) {
	for i := range t.NumField() {
		enc.Field(name(t.Field(i)))
		shape(enc, t.Field(i).Type)
	}
}

func shape(enc *digest.Encoder, t reflect.Type) {
	switch {
	case t.Kind() == reflect.Pointer:
		shape(enc, t.Elem())
	case t.Kind() == reflect.Struct:
		enc.Struct(t.NumField())
		shapeFields(enc, t)
	case t.Kind() == reflect.Slice && !isBytes(t):
		enc.List(1)
		shape(enc, t.Elem())
	default:
		enc.Null()
	}
}

// value adds element i of an Arrow array that holds values of type t.
func value(enc *digest.Encoder, a arrow.Array, i int, t reflect.Type) error {
	if t.Kind() == reflect.Pointer {
		if a.IsNull(i) {
			enc.Null()
			return nil
		}
		t = t.Elem()
	} else if a.IsNull(i) {
		return errors.New("null in a column that has none")
	}
	switch a := a.(type) {
	case *array.String:
		enc.String(a.Value(i))
	case *array.Binary:
		enc.String(string(a.Value(i)))
	case *array.Boolean:
		enc.Bool(a.Value(i))
	case *array.Int32:
		enc.Int(int64(a.Value(i)))
	case *array.Int64:
		enc.Int(a.Value(i))
	case *array.Float64:
		enc.Float(a.Value(i))
	case *array.List:
		from, to := a.ValueOffsets(i)
		enc.List(int(to - from))
		for j := from; j < to; j++ {
			if err := value(enc, a.ListValues(), int(j), t.Elem()); err != nil {
				return err
			}
		}
	case *array.Struct:
		enc.Struct(t.NumField())
		for f := range t.NumField() {
			enc.Field(name(t.Field(f)))
			if err := value(enc, a.Field(f), i, t.Field(f).Type); err != nil {
				return fmt.Errorf("%q: %w", name(t.Field(f)), err)
			}
		}
	default:
		return fmt.Errorf("no rule for arrays of type %s", a.DataType())
	}
	return nil
}
