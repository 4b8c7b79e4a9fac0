package pipeline

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// Schema describes the rows of a table: a Go struct whose parquet tags name the
// columns, the columns that order and identify rows, and a version.
//
// Column types are string, bool, int32, int64, float64, []byte, and slices and
// structs of these; a pointer makes a column optional.
type Schema struct {
	Name    string
	Version int // raised when columns change; joins every key that reads or writes the table
	Doc     string
	Key     []string // rows are unique and written in ascending order of these columns
	// Local says that the key is unique only within a partition, so that tables
	// of several partitions cannot be put together.
	Local bool

	row  reflect.Type
	keys [][]int
}

// NewSchema declares a schema for rows of type T, a struct. It panics on a
// mistake, as all schemas are package variables.
func NewSchema[T any](name string, version int, doc string, key ...string) *Schema {
	s := &Schema{Name: name, Version: version, Doc: doc, Key: key, row: reflect.TypeFor[T]()}
	if err := checkColumns(s.row, name); err != nil {
		panic(err)
	}
	for _, k := range key {
		f, ok := s.column(k)
		if !ok || !ordered(f.Type) {
			panic(fmt.Sprintf("schema %s: key %q is not a string, integer or truth value column", name, k))
		}
		s.keys = append(s.keys, f.Index)
	}
	return s
}

// InPartition marks the schema as [Schema.Local] and returns it.
func (s *Schema) InPartition() *Schema {
	s.Local = true
	return s
}

// Row is the Go type of a row.
func (s *Schema) Row() reflect.Type { return s.row }

// Partitioned reports whether rows can name partitions.
func (s *Schema) Partitioned() bool { return s.row.Implements(reflect.TypeFor[Partitioned]()) }

// String is "name/version".
func (s *Schema) String() string { return fmt.Sprintf("%s/%d", s.Name, s.Version) }

// Columns lists the column names in the order of the declaration.
func (s *Schema) Columns() []string {
	var out []string
	for i := range s.row.NumField() {
		out = append(out, columnName(s.row.Field(i)))
	}
	return out
}

// Compare orders two rows (values of type Row) by the key columns.
func (s *Schema) Compare(a, b reflect.Value) int {
	for _, index := range s.keys {
		if c := compareValues(a.FieldByIndex(index), b.FieldByIndex(index)); c != 0 {
			return c
		}
	}
	return 0
}

// KeyOf is the key of a row as people read it: its key columns joined by "|".
func (s *Schema) KeyOf(row reflect.Value) string {
	parts := make([]string, len(s.keys))
	for i, index := range s.keys {
		parts[i] = fmt.Sprint(row.FieldByIndex(index).Interface())
	}
	return strings.Join(parts, "|")
}

func (s *Schema) column(name string) (reflect.StructField, bool) {
	for i := range s.row.NumField() {
		if f := s.row.Field(i); columnName(f) == name {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

func columnName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
	return name
}

func ordered(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Int32, reflect.Int64, reflect.Bool:
		return true
	}
	return false
}

func compareValues(a, b reflect.Value) int {
	switch a.Kind() {
	case reflect.String:
		return strings.Compare(a.String(), b.String())
	case reflect.Bool:
		return b2i(a.Bool()) - b2i(b.Bool())
	default:
		switch x, y := a.Int(), b.Int(); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func checkColumns(t reflect.Type, at string) error {
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64, reflect.Float64:
		return nil
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return nil // bytes that need not be text
		}
		return checkColumns(t.Elem(), at)
	case reflect.Pointer:
		return checkColumns(t.Elem(), at)
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return fmt.Errorf("schema %s: store times as strings in RFC 3339", at)
		}
		for i := range t.NumField() {
			f := t.Field(i)
			if columnName(f) == "" {
				return fmt.Errorf("schema %s: field %s has no parquet name", at, f.Name)
			}
			if err := checkColumns(f.Type, at+"."+columnName(f)); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("schema %s: no column type for %s", at, t)
}
