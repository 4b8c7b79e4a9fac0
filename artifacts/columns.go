package artifacts

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"unicode/utf8"

	"benchmill/pipeline"
)

// kind is what a column holds.
type kind int

const (
	kindString kind = iota
	kindBytes
	kindBool
	kindInt32
	kindInt64
	kindFloat
	kindList
	kindStruct
)

// column is one node of the tree of columns of a schema; the root is the row.
// Everything that walks rows (writing, reading, hashing, the descriptions in
// the footer) walks this tree.
type column struct {
	name     string
	kind     kind
	optional bool         // the Go type is a pointer
	typ      reflect.Type // without the pointer
	field    int          // index of the field in the struct above
	fields   []*column    // of a struct, in the order of the declaration
	elem     *column      // of a list

	// Levels of Parquet (Dremel): def is the definition level of a value that is
	// there; rep is the repetition level of the next element of a list, or that
	// of the innermost list around anything else.
	def, rep int
	leaf     int // index of the first leaf at or below this column
	leaves   int // how many there are
}

// maxLevels bounds the nesting; Parquet stores levels in a byte.
const maxLevels = 100

// CheckSchema reports a schema whose rows cannot be stored as a table: beyond
// what [pipeline.NewSchema] refuses, these are pointers to pointers, structs
// without fields, fields that are not exported, and equal column names.
func CheckSchema(s *pipeline.Schema) error {
	_, err := compile(s)
	return err
}

var compiled sync.Map // *pipeline.Schema -> *column

// columnsOf is the column tree of a schema. Like [pipeline.NewSchema] it panics
// on a mistake: schemas are package variables; see [CheckSchema].
func columnsOf(s *pipeline.Schema) *column {
	if c, ok := compiled.Load(s); ok {
		return c.(*column)
	}
	root, err := compile(s)
	if err != nil {
		panic(err)
	}
	c, _ := compiled.LoadOrStore(s, root)
	return c.(*column)
}

func compile(s *pipeline.Schema) (*column, error) {
	root := &column{name: s.Name, kind: kindStruct, typ: s.Row()}
	if s.Row().Kind() != reflect.Struct {
		return nil, fmt.Errorf("schema %s: a row is a struct, not a %s", s, s.Row())
	}
	leaf := 0
	if err := root.compile(&leaf); err != nil {
		return nil, fmt.Errorf("schema %s: column %w", s, err)
	}
	return root, nil
}

// compile fills in c, whose typ, name and levels above are set.
func (c *column) compile(leaf *int) error {
	if c.def > maxLevels {
		return fmt.Errorf("%q: nested more than %d deep", c.name, maxLevels)
	}
	c.leaf = *leaf
	switch t := c.typ; {
	case t.Kind() == reflect.String:
		c.kind = kindString
	case t.Kind() == reflect.Bool:
		c.kind = kindBool
	case t.Kind() == reflect.Int32:
		c.kind = kindInt32
	case t.Kind() == reflect.Int64:
		c.kind = kindInt64
	case t.Kind() == reflect.Float64:
		c.kind = kindFloat
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		c.kind = kindBytes
	case t.Kind() == reflect.Slice:
		c.kind = kindList
		c.rep++
		c.elem = &column{name: "element", typ: t.Elem(), def: c.def + 1, rep: c.rep}
		if err := c.elem.resolve(leaf); err != nil {
			return fmt.Errorf("%q: %w", c.name, err)
		}
	case t.Kind() == reflect.Struct:
		c.kind = kindStruct
		if err := c.compileFields(leaf); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%q: no column type for %s", c.name, t)
	}
	if c.elem == nil && c.fields == nil {
		*leaf++
	}
	c.leaves = *leaf - c.leaf
	return nil
}

func (c *column) compileFields(leaf *int) error {
	if c.typ.NumField() == 0 {
		return fmt.Errorf("%q: a struct without fields", c.name)
	}
	seen := map[string]bool{}
	for i := range c.typ.NumField() {
		f := c.typ.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
		switch {
		case name == "" || !utf8.ValidString(name):
			return fmt.Errorf("%q: field %s has no name in a parquet tag", c.name, f.Name)
		case !f.IsExported():
			return fmt.Errorf("%q: field %s is not exported", c.name, f.Name)
		case seen[name]:
			return fmt.Errorf("%q is declared twice", name)
		}
		seen[name] = true
		child := &column{name: name, typ: f.Type, field: i, def: c.def, rep: c.rep}
		if err := child.resolve(leaf); err != nil {
			return err
		}
		c.fields = append(c.fields, child)
	}
	return nil
}

// resolve takes the pointer off an optional column and compiles the rest.
func (c *column) resolve(leaf *int) error {
	if c.typ.Kind() == reflect.Pointer {
		c.optional, c.typ = true, c.typ.Elem()
		c.def++
		if c.typ.Kind() == reflect.Pointer {
			return fmt.Errorf("%q: a pointer to a pointer", c.name)
		}
	}
	return c.compile(leaf)
}
