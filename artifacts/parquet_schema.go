package artifacts

import (
	"reflect"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding"

	"benchmill/pipeline"
)

// parquetSchema is the Parquet schema of a table. It is built from the column
// tree rather than from struct tags, so that a row struct names its columns and
// nothing else: the order is that of the declaration, a pointer is OPTIONAL,
// everything else is REQUIRED, a slice is a three-level LIST.
func parquetSchema(s *pipeline.Schema) *parquet.Schema {
	return parquet.NewSchema(s.Name, columnsOf(s).node())
}

func (c *column) node() parquet.Node {
	var n parquet.Node
	switch c.kind {
	case kindString:
		n = plainLeaf(shortBounds{parquet.String().Type(), truncateText})
	case kindBytes:
		n = plainLeaf(shortBounds{parquet.ByteArrayType, truncateBytes})
	case kindBool:
		n = plainLeaf(parquet.BooleanType)
	case kindInt32:
		n = plainLeaf(parquet.Int32Type)
	case kindInt64:
		n = plainLeaf(parquet.Int64Type)
	case kindFloat:
		n = plainLeaf(parquet.DoubleType)
	case kindList:
		n = parquet.List(c.elem.node())
	case kindStruct:
		g := group{}
		for _, f := range c.fields {
			g = append(g, groupField{f.node(), f.name})
		}
		n = g
	}
	if c.optional {
		return parquet.Optional(n)
	}
	return n
}

// plainLeaf is a leaf in the one encoding that every reader knows; compression
// makes up for what it lacks.
func plainLeaf(t parquet.Type) parquet.Node {
	return parquet.Encoded(parquet.Leaf(t), &parquet.Plain)
}

// group is a [parquet.Group] that keeps the order of its fields. Some methods
// are there for the interface alone: the library calls them when it converts Go
// values itself, which the column tree does here.
type group []groupField

func (group) ID() int                     { return 0 }
func (g group) String() string            { return parquet.NewSchema("", g).String() }
func (group) Type() parquet.Type          { return parquet.Group{}.Type() }
func (group) Optional() bool              { return false }
func (group) Repeated() bool              { return false }
func (group) Required() bool              { return true }
func (group) Leaf() bool                  { return false }
func (group) Encoding() encoding.Encoding { return nil }
func (group) Compression() compress.Codec { return nil }
func (g group) GoType() reflect.Type      { return g.unordered().GoType() }
func (g group) Fields() (fs []parquet.Field) {
	for i := range g {
		fs = append(fs, &g[i])
	}
	return fs
}

func (g group) unordered() parquet.Group {
	out := parquet.Group{}
	for _, f := range g {
		out[f.name] = f.Node
	}
	return out
}

type groupField struct {
	parquet.Node
	name string
}

func (f *groupField) Name() string { return f.name }

func (f *groupField) Value(base reflect.Value) reflect.Value { return base.FieldByName(f.name) }
