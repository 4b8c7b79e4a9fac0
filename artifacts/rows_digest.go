package artifacts

import (
	"iter"
	"reflect"
	"unsafe"

	"benchmill/internal/digest"
	"benchmill/pipeline"
)

// Domains of the digests of rows; see [digest.New].
const (
	rowsDomain = "benchmill/rows/1"
	rowDomain  = "benchmill/row/1"
)

// RowsHasher computes the rows digest of a table: what its rows say, whatever
// file format holds them.
//
// Hashed are the name of the schema, the names of the columns with those nested
// in them, and then row by row every value with its type: strings and bytes
// alike as bytes, integers of both widths alike, a nil slice as an empty one, a
// nil pointer as null. The version of the schema is not: rows that did not
// change keep their digest. Order counts. It is not safe for concurrent use.
type RowsHasher struct {
	root *column
	enc  *digest.Encoder
}

// NewRowsHasher returns a hasher for rows of a schema.
func NewRowsHasher(schema *pipeline.Schema) *RowsHasher {
	h := &RowsHasher{root: columnsOf(schema), enc: digest.New(rowsDomain)}
	h.enc.String(schema.Name)
	h.enc.List(len(h.root.fields))
	for _, f := range h.root.fields {
		h.enc.Field(f.name)
		hashShape(h.enc, f)
	}
	return h
}

// Add adds the next row, a value of the schema's row type.
func (h *RowsHasher) Add(row reflect.Value) { hashRow(h.enc, h.root, row) }

// Digest is the digest of the rows added so far.
func (h *RowsHasher) Digest() digest.Digest { return h.enc.Sum() }

// RowsDigest is the rows digest of the given rows; see [RowsHasher].
func RowsDigest(schema *pipeline.Schema, rows iter.Seq[reflect.Value]) digest.Digest {
	h := NewRowsHasher(schema)
	for row := range rows {
		h.Add(row)
	}
	return h.Digest()
}

// RowDigest is the digest of one row: the name of its schema and its values, as
// [RowsHasher] hashes them.
func RowDigest(schema *pipeline.Schema, row reflect.Value) digest.Digest {
	enc := digest.New(rowDomain)
	enc.String(schema.Name)
	hashRow(enc, columnsOf(schema), row)
	return enc.Sum()
}

// hashShape adds the names inside a column.
func hashShape(enc *digest.Encoder, c *column) {
	switch c.kind {
	case kindStruct:
		enc.Struct(len(c.fields))
		for _, f := range c.fields {
			enc.Field(f.name)
			hashShape(enc, f)
		}
	case kindList:
		enc.List(1)
		hashShape(enc, c.elem)
	default:
		enc.Null()
	}
}

func hashRow(enc *digest.Encoder, root *column, row reflect.Value) {
	enc.Row(len(root.fields))
	for _, f := range root.fields {
		hashValue(enc, f, row.Field(f.field))
	}
}

func hashValue(enc *digest.Encoder, c *column, v reflect.Value) {
	if c.optional {
		if v.IsNil() {
			enc.Null()
			return
		}
		v = v.Elem()
	}
	switch c.kind {
	case kindString:
		enc.String(v.String())
	case kindBytes:
		b := v.Bytes()
		enc.String(unsafe.String(unsafe.SliceData(b), len(b))) // hashed at once, never kept
	case kindBool:
		enc.Bool(v.Bool())
	case kindInt32, kindInt64:
		enc.Int(v.Int())
	case kindFloat:
		enc.Float(v.Float())
	case kindList:
		n := v.Len()
		enc.List(n)
		for i := range n {
			hashValue(enc, c.elem, v.Index(i))
		}
	case kindStruct:
		enc.Struct(len(c.fields))
		for _, f := range c.fields {
			enc.Field(f.name)
			hashValue(enc, f, v.Field(f.field))
		}
	}
}
