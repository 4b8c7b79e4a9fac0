package artifacts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"benchmill/internal/digest"
	"benchmill/pipeline"
)

// Settings of every Parquet file. They decide its bytes: change them together
// with [ParquetVersion].
const (
	// ParquetVersion is the version of the writer's settings.
	//
	//	1: as written here
	ParquetVersion = 1

	createdBy = "benchmill (build 1)"

	batchRows     = 64       // rows handed to the library at a time
	batchBytes    = 1 << 20  // or this much, plus at most one row
	maxGroupRows  = 10_000   // rows of a row group
	maxGroupBytes = 64 << 20 // or this much before compression, plus at most one batch
	pageBytes     = 256 << 10
)

// Keys of the metadata in the footer of a table file.
const (
	schemaKey = "benchmill.schema" // "name/version"
	hubKey    = "huggingface"      // what the dataset viewer of the hub reads
)

var codec = &zstd.Codec{Level: zstd.SpeedDefault}

// RowWriter writes rows to a Parquet file one at a time, in the order given.
// The bytes of the file depend on the schema and the rows and on nothing else.
// It is not safe for concurrent use. A file without [RowWriter.Close] is none.
type RowWriter struct {
	root     *column
	schema   *pipeline.Schema
	out      *parquet.Writer
	hasher   *RowsHasher
	shredder *shredder
	err      error // the first one; everything after it fails alike

	batch      int   // rows in the shredder
	group      int   // rows in the row group, with those in the shredder
	groupBytes int64 // bytes in the row group, without those in the shredder
	rows       int64

	sorted bool
	last   reflect.Value // a copy of the last row, where sorted is set
}

// ParquetOptions say how [WriteParquet] and [NewRowWriter] treat rows. They do
// not change the bytes of a file.
type ParquetOptions struct {
	// Sorted refuses rows that do not come in ascending order of the schema's
	// key, each key once. Without it any order is taken as it is, which is that
	// of several partitions in one file.
	Sorted bool
}

// NewRowWriter starts a Parquet file for rows of a schema.
func NewRowWriter(w io.Writer, schema *pipeline.Schema, opts ParquetOptions) (*RowWriter, error) {
	features, err := json.Marshal(hubMetadata(schema))
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", schema, err)
	}
	root := columnsOf(schema)
	config, err := parquet.NewWriterConfig(
		parquetSchema(schema),
		parquet.CreatedBy("benchmill", "", ""), // replaced below; the library would add its own words
		parquet.Compression(codec),
		parquet.DataPageVersion(2),
		parquet.DataPageStatistics(false), // the page index has them
		parquet.PageBufferSize(pageBytes),
		parquet.KeyValueMetadata(schemaKey, schema.String()),
		parquet.KeyValueMetadata(hubKey, string(features)),
	)
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", schema, err)
	}
	config.CreatedBy = createdBy
	config.ColumnIndexSizeLimit = func([]string) int { return 1 << 20 } // bounds are short already
	out := &RowWriter{
		root:     root,
		schema:   schema,
		out:      parquet.NewWriter(w, config),
		hasher:   NewRowsHasher(schema),
		shredder: newShredder(root),
		sorted:   opts.Sorted,
	}
	if out.sorted {
		out.last = reflect.New(schema.Row()).Elem()
	}
	return out, nil
}

// Write adds a row, a value of the schema's row type. The caller may use the
// memory of the row and of its slices again.
func (w *RowWriter) Write(row reflect.Value) error {
	if w.err != nil {
		return w.err
	}
	if err := w.write(row); err != nil {
		w.err = fmt.Errorf("table %s: %w", w.schema, err)
	}
	return w.err
}

func (w *RowWriter) write(row reflect.Value) error {
	if row.Type() != w.schema.Row() {
		return fmt.Errorf("a row is a %s, not a %s", w.schema.Row(), row.Type())
	}
	if err := w.checkOrder(row); err != nil {
		return err
	}
	if err := w.shredder.write(w.root, row, 0); err != nil {
		return fmt.Errorf("row %q: %w", w.schema.KeyOf(row), err)
	}
	w.hasher.Add(row)
	w.rows++
	w.batch++
	w.group++
	if w.batch < batchRows && w.shredder.bytes < batchBytes && w.group < maxGroupRows {
		return nil
	}
	return w.flushBatch()
}

// flushBatch hands the rows in the shredder to the library and ends the row
// group where it is full. Where batches and groups end is decided by the rows
// alone, since it shows in the bytes of the file.
func (w *RowWriter) flushBatch() error {
	if w.batch == 0 {
		return nil
	}
	for i, column := range w.out.ColumnWriters() {
		if _, err := column.WriteRowValues(w.shredder.leaves[i]); err != nil {
			return err
		}
	}
	w.groupBytes += w.shredder.bytes
	w.batch = 0
	w.shredder.reset()
	if w.group < maxGroupRows && w.groupBytes < maxGroupBytes {
		return nil
	}
	w.group, w.groupBytes = 0, 0
	return w.out.Flush()
}

func (w *RowWriter) checkOrder(row reflect.Value) error {
	if !w.sorted {
		return nil
	}
	if w.rows > 0 {
		switch c := w.schema.Compare(w.last, row); {
		case c == 0:
			return fmt.Errorf("two rows have the key %q", w.schema.KeyOf(row))
		case c > 0:
			return fmt.Errorf("row %q comes after %q", w.schema.KeyOf(row), w.schema.KeyOf(w.last))
		}
	}
	w.last.Set(row)
	return nil
}

// Close writes what is left and the footer and returns the number of rows and
// their rows digest. The writer below stays open.
func (w *RowWriter) Close() (rows int64, rowsDigest digest.Digest, err error) {
	if w.err != nil {
		return 0, "", w.err
	}
	w.err = fmt.Errorf("table %s: the file is closed", w.schema)
	if err := w.flushBatch(); err != nil {
		return 0, "", fmt.Errorf("table %s: %w", w.schema, err)
	}
	if err := w.out.Close(); err != nil {
		return 0, "", fmt.Errorf("table %s: %w", w.schema, err)
	}
	return w.rows, w.hasher.Digest(), nil
}

// WriteParquet writes all rows to w as one Parquet file, in the order given;
// see [RowWriter]. It stops at the first error of rows and returns it.
func WriteParquet(w io.Writer, schema *pipeline.Schema, rows iter.Seq2[reflect.Value, error], opts ParquetOptions) (n int64, rowsDigest digest.Digest, err error) {
	out, err := NewRowWriter(w, schema, opts)
	if err != nil {
		return 0, "", err
	}
	for row, err := range rows {
		if err == nil {
			err = out.Write(row)
		}
		if err != nil {
			return 0, "", err
		}
	}
	return out.Close()
}

// InputRows iterates over the rows of an input one at a time; each is valid
// until the next one.
func InputRows(ctx context.Context, in pipeline.Input) iter.Seq2[reflect.Value, error] {
	return func(yield func(reflect.Value, error) bool) {
		stop := errors.New("stop")
		err := in.Batches(ctx, func(rows any) error {
			batch := reflect.ValueOf(rows)
			for i := range batch.Len() {
				if !yield(batch.Index(i), nil) {
					return stop
				}
			}
			return nil
		})
		if err != nil && err != stop {
			yield(reflect.Value{}, err)
		}
	}
}
