package digest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Value adds any value made of strings, integers, floats, booleans, times,
// slices, pointers, maps with string keys and structs of these.
//
// Struct fields are added in the order of the declaration under their name
// (the yaml, json or parquet tag where there is one). A field tagged
// `hash:"-"` is left out: it says how to run, not what to make. One tagged
// `hash:"omitempty"` is left out while it is zero or empty, so that a field can be
// added and the digests there are stay what they are.
// Anything else is an error that names the field: nothing is left out silently.
func (e *Encoder) Value(v any) error { return e.value(reflect.ValueOf(v), "") }

func (e *Encoder) value(v reflect.Value, at string) error {
	if !v.IsValid() {
		e.Null()
		return nil
	}
	if t, ok := v.Interface().(time.Time); ok {
		e.String(t.UTC().Format(time.RFC3339Nano))
		return nil
	}
	switch v.Kind() {
	case reflect.String:
		e.String(v.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.Int(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		e.Int(int64(v.Uint()))
	case reflect.Float32, reflect.Float64:
		e.Float(v.Float())
	case reflect.Bool:
		e.Bool(v.Bool())
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			e.Null()
			return nil
		}
		return e.value(v.Elem(), at)
	case reflect.Slice, reflect.Array:
		e.List(v.Len())
		for i := range v.Len() {
			if err := e.value(v.Index(i), at); err != nil {
				return err
			}
		}
	case reflect.Map:
		return e.mapping(v, at)
	case reflect.Struct:
		fields := slices.DeleteFunc(Fields(v.Type()), func(f Field) bool { return f.optional && isEmpty(v.FieldByIndex(f.Index)) })
		e.Struct(len(fields))
		for _, f := range fields {
			e.Field(f.Name)
			if err := e.value(v.FieldByIndex(f.Index), at+"."+f.Name); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("cannot hash a %s at %q", v.Type(), strings.TrimPrefix(at, "."))
	}
	return nil
}

func (e *Encoder) mapping(v reflect.Value, at string) error {
	if v.Type().Key().Kind() != reflect.String {
		return fmt.Errorf("cannot hash a map with %s keys at %q", v.Type().Key(), at)
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	e.Struct(len(keys))
	for _, k := range keys {
		e.Field(k.String())
		if err := e.value(v.MapIndex(k), at+"."+k.String()); err != nil {
			return err
		}
	}
	return nil
}

// Field is one hashed field of a struct.
type Field struct {
	Name  string // its tag name, or the Go name
	Index []int

	optional bool // tagged hash:"omitempty"
}

// Fields lists the hashed fields of a struct in the order of the declaration,
// embedded structs flattened; one that is tagged `hash:"-"` goes with all its
// fields.
func Fields(t reflect.Type) []Field {
	var out []Field
	var skipped [][]int // embedded structs that are left out
	for _, f := range reflect.VisibleFields(t) {
		embedded := f.Anonymous && f.Type.Kind() == reflect.Struct
		if embedded && f.Tag.Get("hash") == "-" {
			skipped = append(skipped, f.Index)
		}
		if !f.IsExported() || f.Tag.Get("hash") == "-" || embedded || slices.ContainsFunc(skipped, func(index []int) bool {
			return len(index) < len(f.Index) && slices.Equal(index, f.Index[:len(index)])
		}) {
			continue
		}
		out = append(out, Field{Name: fieldName(f), Index: f.Index, optional: f.Tag.Get("hash") == "omitempty"})
	}
	return out
}

func isEmpty(v reflect.Value) bool {
	if k := v.Kind(); k == reflect.Slice || k == reflect.Map {
		return v.Len() == 0
	}
	return v.IsZero()
}

func fieldName(f reflect.StructField) string {
	for _, tag := range []string{"yaml", "parquet", "json"} {
		if name, _, _ := strings.Cut(f.Tag.Get(tag), ","); name != "" && name != "-" {
			return name
		}
	}
	return f.Name
}
