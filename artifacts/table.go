package artifacts

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"sync"

	"github.com/parquet-go/parquet-go"

	"benchmill/internal/digest"
	"benchmill/pipeline"
)

// TableInfo describes a table in a store.
type TableInfo struct {
	Object     digest.Digest `json:"object"` // of the bytes of its Parquet file
	Rows       int64         `json:"rows"`
	RowsDigest digest.Digest `json:"rows_digest"` // of what its rows say; see [RowsHasher]
	Bytes      int64         `json:"bytes"`       // size of the file
}

// TableWriter collects the rows of one table, in memory and in any order, and
// writes them in the order of the schema's key. It is a [pipeline.Output].
type TableWriter struct {
	schema *pipeline.Schema

	mu   sync.Mutex
	rows reflect.Value // []Row
	done bool
}

var _ pipeline.Output = (*TableWriter)(nil)

// NewTableWriter returns an empty writer for rows of a schema. It panics where
// [CheckSchema] fails.
func NewTableWriter(schema *pipeline.Schema) *TableWriter {
	columnsOf(schema)
	return &TableWriter{schema: schema, rows: reflect.Zero(reflect.SliceOf(schema.Row()))}
}

// Write adds rows, a slice of the schema's row type of any length. It copies
// the rows but not what their slices and pointers lead to, which must not
// change before Finish. It is safe for concurrent use.
func (t *TableWriter) Write(rows any) error {
	v := reflect.ValueOf(rows)
	t.mu.Lock()
	defer t.mu.Unlock()
	if !v.IsValid() || v.Type() != t.rows.Type() {
		return fmt.Errorf("table %s: rows are %s, not %T", t.schema, t.rows.Type(), rows)
	}
	if t.done {
		return fmt.Errorf("table %s: the table is finished", t.schema)
	}
	t.rows = reflect.AppendSlice(t.rows, v)
	return nil
}

// Finish sorts the rows, writes them as one object and forgets them. Two rows
// with the same key are an error that names it; a schema without key columns
// allows one row. It can be called once.
func (t *TableWriter) Finish(ctx context.Context, store Store) (TableInfo, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.done {
		return TableInfo{}, fmt.Errorf("table %s: the table is finished", t.schema)
	}
	t.done = true
	rows := t.rows
	t.rows = reflect.Zero(rows.Type())

	object, err := store.Create(ctx)
	if err != nil {
		return TableInfo{}, fmt.Errorf("table %s: %w", t.schema, err)
	}
	defer object.Discard()
	counted := &countingWriter{w: object}
	n, rowsDigest, err := WriteParquet(counted, t.schema, sortedRows(ctx, t.schema, rows), ParquetOptions{Sorted: true})
	if err != nil {
		return TableInfo{}, err
	}
	d, err := object.Commit()
	if err != nil {
		return TableInfo{}, fmt.Errorf("table %s: %w", t.schema, err)
	}
	return TableInfo{Object: d, Rows: n, RowsDigest: rowsDigest, Bytes: counted.n}, nil
}

// sortedRows iterates over rows in the order of the key without moving them.
func sortedRows(ctx context.Context, schema *pipeline.Schema, rows reflect.Value) func(yield func(reflect.Value, error) bool) {
	order := make([]int, rows.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return schema.Compare(rows.Index(a), rows.Index(b)) })
	return func(yield func(reflect.Value, error) bool) {
		for _, i := range order {
			if err := ctx.Err(); err != nil {
				yield(reflect.Value{}, err)
				return
			}
			if !yield(rows.Index(i), nil) {
				return
			}
		}
	}
}

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// Table is a table in a store, open for reading. It is a [pipeline.Input].
// Its methods are safe for concurrent use, except Close.
type Table struct {
	schema *pipeline.Schema
	root   *column
	name   string // of where it lies, for errors
	object Object
	file   *parquet.File
}

var _ pipeline.Input = (*Table)(nil)

const (
	readRows  = 1024    // rows of a batch
	readBytes = 8 << 20 // or this much text, plus at most one row
)

// OpenTable opens the table in object d. A file that is no Parquet, or does not
// hold rows of exactly this schema and version, is an error.
func OpenTable(ctx context.Context, store Store, schema *pipeline.Schema, d digest.Digest) (*Table, error) {
	object, err := store.Open(ctx, d)
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", schema, err)
	}
	return OpenTableFile(object, "object "+string(d), schema)
}

// guard runs do over bytes that may be anything and names the table in its
// error. The library panics on some malformed files.
func (t *Table) guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("malformed file: %v", p)
		}
		if err != nil {
			err = fmt.Errorf("table %s: %s: %w", t.schema, t.name, err)
		}
	}()
	return do()
}

func (t *Table) open() error {
	size := t.object.Size()
	if err := checkFooter(t.object, size); err != nil {
		return err
	}
	file, err := parquet.OpenFile(t.object, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	t.file = file
	if got, ok := file.Lookup(schemaKey); !ok {
		return errors.New("not a table of benchmill: its footer names no schema")
	} else if got != t.schema.String() {
		return fmt.Errorf("it holds rows of schema %s", got)
	}
	if want := parquetSchema(t.schema); !parquet.EqualNodes(file.Root(), want) {
		return fmt.Errorf("its columns are not those of the schema, which has\n%s\nwhere the file has\n%s", want, file.Schema())
	}
	return t.checkGroups()
}

// checkFooter refuses a footer longer than the file before anybody makes room
// for it.
func checkFooter(r io.ReaderAt, size int64) error {
	const magic, tail = "PAR1", 8
	if size < int64(len(magic)+tail) {
		return errors.New("too short for a Parquet file")
	}
	var b [tail]byte
	if _, err := r.ReadAt(b[:], size-tail); err != nil {
		return fmt.Errorf("read the end of the file: %w", err)
	}
	if string(b[4:]) != magic || int64(binary.LittleEndian.Uint32(b[:])) > size-int64(len(magic)+tail) {
		return errors.New("not a Parquet file")
	}
	return nil
}

// checkGroups compares the numbers in the footer with each other.
func (t *Table) checkGroups() error {
	meta := t.file.Metadata()
	rows := int64(0)
	for i, g := range meta.RowGroups {
		if g.NumRows < 0 || len(g.Columns) != t.root.leaves {
			return fmt.Errorf("row group %d has %d rows and %d columns", i, g.NumRows, len(g.Columns))
		}
		rows += g.NumRows
		for _, c := range g.Columns {
			if c.MetaData.NumValues < g.NumRows || c.MetaData.TotalCompressedSize < 0 || c.MetaData.TotalCompressedSize > t.object.Size() {
				return fmt.Errorf("row group %d: column %q cannot hold %d rows", i, c.MetaData.PathInSchema, g.NumRows)
			}
		}
	}
	if rows != meta.NumRows {
		return fmt.Errorf("it has %d rows in groups, but its footer says %d", rows, meta.NumRows)
	}
	return nil
}

// Schema is the schema of the rows.
func (t *Table) Schema() *pipeline.Schema { return t.schema }

// Rows implements [pipeline.Input].
func (t *Table) Rows() int64 { return t.file.NumRows() }

// Batches implements [pipeline.Input]. A batch has at most 1,024 rows and about
// 8 MiB of text. The slice is used again for the next batch; what the rows
// themselves hold is not, and may be kept. Empty slices come as nil.
func (t *Table) Batches(ctx context.Context, yield func(rows any) error) error {
	batch := reflect.MakeSlice(reflect.SliceOf(t.schema.Row()), readRows, readRows)
	for _, group := range t.file.RowGroups() {
		if err := t.readGroup(ctx, group, batch, yield); err != nil {
			return err
		}
	}
	return nil
}

func (t *Table) readGroup(ctx context.Context, group parquet.RowGroup, batch reflect.Value, yield func(rows any) error) (err error) {
	var a *assembler
	if err := t.guard(func() error { a = newAssembler(t.root, group.ColumnChunks()); return nil }); err != nil {
		return err
	}
	defer func() {
		if closed := t.guard(a.close); err == nil {
			err = closed
		}
	}()
	for left := group.NumRows(); left > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		batch.Clear()
		n := 0
		err := t.guard(func() error {
			a.bytes = 0
			for int64(n) < left && n < batch.Len() && a.bytes < readBytes {
				if err := a.row(batch.Index(n)); err != nil {
					return err
				}
				n++
			}
			return nil
		})
		if err != nil {
			return err
		}
		left -= int64(n)
		if err := yield(batch.Slice(0, n).Interface()); err != nil {
			return err
		}
	}
	return t.guard(a.end)
}

// RowsDigest reads all rows and returns their rows digest; see [RowsHasher].
func (t *Table) RowsDigest(ctx context.Context) (digest.Digest, error) {
	h := NewRowsHasher(t.schema)
	for row, err := range InputRows(ctx, t) {
		if err != nil {
			return "", err
		}
		h.Add(row)
	}
	return h.Digest(), nil
}

// Close closes the object. Rows that were read stay valid.
func (t *Table) Close() error { return t.object.Close() }
