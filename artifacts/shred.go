package artifacts

import (
	"bytes"
	"fmt"
	"reflect"
	"unicode/utf8"
	"unsafe"

	"github.com/parquet-go/parquet-go"
)

// shredder takes rows apart into the values of leaf columns, with the levels of
// Parquet.
type shredder struct {
	leaves [][]parquet.Value
	bytes  int64 // size of the values, uncompressed, about
}

func newShredder(root *column) *shredder {
	return &shredder{leaves: make([][]parquet.Value, root.leaves)}
}

func (s *shredder) reset() {
	for i := range s.leaves {
		clear(s.leaves[i])
		s.leaves[i] = s.leaves[i][:0]
	}
	s.bytes = 0
}

// write adds v, a value of the column c. Rep is the repetition level of its
// first leaf values.
func (s *shredder) write(c *column, v reflect.Value, rep int) error {
	if c.optional {
		if v.IsNil() {
			s.nulls(c, rep, c.def-1)
			return nil
		}
		v = v.Elem()
	}
	var out parquet.Value
	switch c.kind {
	case kindStruct:
		for _, f := range c.fields {
			if err := s.write(f, v.Field(f.field), rep); err != nil {
				return err
			}
		}
		return nil
	case kindList:
		return s.list(c, v, rep)
	case kindString:
		str := v.String()
		if !utf8.ValidString(str) {
			return fmt.Errorf("column %q: a text that is not UTF-8", c.name)
		}
		out = parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(str), len(str))) // a string never changes
		s.bytes += int64(len(str))
	case kindBytes:
		out = parquet.ByteArrayValue(bytes.Clone(v.Bytes())) // the caller may change them before the batch is full
		s.bytes += int64(v.Len())
	case kindBool:
		out = parquet.BooleanValue(v.Bool())
	case kindInt32:
		out = parquet.Int32Value(int32(v.Int()))
	case kindInt64:
		out = parquet.Int64Value(v.Int())
	case kindFloat:
		out = parquet.DoubleValue(v.Float())
	}
	s.add(c.leaf, out.Level(rep, c.def, c.leaf))
	return nil
}

func (s *shredder) list(c *column, v reflect.Value, rep int) error {
	n := v.Len()
	if n == 0 {
		s.nulls(c, rep, c.def)
		return nil
	}
	for i := range n {
		if err := s.write(c.elem, v.Index(i), rep); err != nil {
			return err
		}
		rep = c.rep
	}
	return nil
}

// nulls marks all leaves below c as absent from the level def on.
func (s *shredder) nulls(c *column, rep, def int) {
	for i := c.leaf; i < c.leaf+c.leaves; i++ {
		s.add(i, parquet.Value{}.Level(rep, def, i))
	}
}

func (s *shredder) add(leaf int, v parquet.Value) {
	s.leaves[leaf] = append(s.leaves[leaf], v)
	s.bytes += 8 // what a number, a length or the levels take
}
