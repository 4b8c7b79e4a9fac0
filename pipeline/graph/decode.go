package graph

import (
	"encoding"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"benchmill/pipeline"
)

// decoder fills Go values from a tree, reports every mistake on the way, and
// remembers where each value stood.
type decoder struct {
	*collector
	at map[string]Pos // path of a value -> where it was written
}

// into decodes n into v, which keeps what it holds when n is wrong.
func (d *decoder) into(v reflect.Value, n *node, path string, l limits) {
	d.at[path] = n.pos
	t := v.Type()
	if t == rawType {
		v.Set(reflect.ValueOf(raw{n}))
		return
	}
	if n.bad {
		return
	}
	if t.Kind() == reflect.Pointer {
		d.pointer(v, n, path, l)
		return
	}
	before := d.count
	switch {
	case isText(t):
		d.text(v, n, path)
	case t == durationType:
		d.duration(v, n, path)
	case t.Kind() == reflect.Struct:
		d.object(v, n, path)
		return
	case t.Kind() == reflect.Slice:
		d.slice(v, n, path, l)
	case t.Kind() == reflect.Map:
		d.mapping(v, n, path, l)
	default:
		d.scalar(v, n, path)
	}
	if d.count > before {
		return
	}
	if wrong := l.check(v); wrong != "" {
		h := ""
		if l.enum != nil && v.Kind() == reflect.String {
			if near, ok := nearest(v.String(), l.enum); ok {
				h = "did you mean " + strconv.Quote(near) + "?"
			}
		}
		d.add(ClassValue, n.pos, path, h, "%s", wrong)
	}
}

func (d *decoder) mismatch(n *node, path, expected, hint string) {
	d.add(ClassType, n.pos, path, hint, "expected %s, found %s", expected, n.found())
}

// pointer decodes nothing as nil. A default behind the pointer is copied, as it
// may be shared between all who asked for the defaults.
func (d *decoder) pointer(v reflect.Value, n *node, path string, l limits) {
	if n.isNull() {
		v.SetZero()
		return
	}
	fresh := reflect.New(v.Type().Elem())
	if !v.IsNil() {
		fresh.Elem().Set(v.Elem())
	}
	d.into(fresh.Elem(), n, path, l)
	v.Set(fresh)
}

func (d *decoder) text(v reflect.Value, n *node, path string) {
	if n.kind != scalar || n.tag == "!!null" || n.tag == "!!bool" {
		d.mismatch(n, path, "text", "")
		return
	}
	fresh := reflect.New(v.Type())
	if err := fresh.Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(n.text)); err != nil {
		if v.Type() == timeType {
			d.mismatch(n, path, `a time such as "2024-06-23T00:00:00Z"`, "")
			return
		}
		d.add(ClassValue, n.pos, path, "", "%s: %s", n.found(), clip(err.Error()))
		return
	}
	v.Set(fresh.Elem())
}

func (d *decoder) duration(v reflect.Value, n *node, path string) {
	const expected = `a duration such as "30s" or "1h30m"`
	dur, err := time.ParseDuration(n.text)
	if n.kind != scalar || n.tag != "!!str" || err != nil {
		h := ""
		if n.kind == scalar && n.tag == "!!int" {
			h = "add a unit: ms, s, m or h"
		}
		d.mismatch(n, path, expected, h)
		return
	}
	v.SetInt(int64(dur))
}

// object decodes a mapping into a struct; nothing at all is a mapping without keys.
func (d *decoder) object(v reflect.Value, n *node, path string) {
	if n.isNull() {
		return
	}
	if n.kind != mapping {
		d.mismatch(n, path, "a mapping", "")
		return
	}
	fields := settings(v.Type())
	for _, e := range n.entries {
		if f := find(fields, e.name); f != nil {
			d.into(v.FieldByIndex(f.index), e.value, join(path, e.name), f.limits)
			continue
		}
		d.unknown(e, path, fieldNames(fields))
	}
}

func find(fields []field, name string) *field {
	for i := range fields {
		if fields[i].name == name {
			return &fields[i]
		}
	}
	return nil
}

func (d *decoder) unknown(e *entry, path string, names []string) {
	if !d.full() {
		d.add(ClassUnknownKey, e.pos, path, hint(e.name, names), "no setting is called %q", clip(e.name))
	}
}

func (d *decoder) slice(v reflect.Value, n *node, path string, l limits) {
	if n.kind != list {
		h := ""
		switch {
		case n.isNull():
			h = "an empty list is []"
		case n.kind == scalar:
			h = "a list of one is [" + clip(n.text) + "]"
		}
		d.mismatch(n, path, "a list", h)
		return
	}
	out := reflect.MakeSlice(v.Type(), len(n.items), len(n.items))
	for i, item := range n.items {
		d.into(out.Index(i), item, path+"["+strconv.Itoa(i)+"]", l.items())
	}
	v.Set(out)
}

func (d *decoder) mapping(v reflect.Value, n *node, path string, l limits) {
	if n.kind != mapping {
		h := ""
		if n.isNull() {
			h = "an empty mapping is {}"
		}
		d.mismatch(n, path, "a mapping", h)
		return
	}
	out := reflect.MakeMapWithSize(v.Type(), len(n.entries))
	for _, e := range n.entries {
		item := reflect.New(v.Type().Elem()).Elem()
		d.into(item, e.value, join(path, e.name), l.items())
		out.SetMapIndex(reflect.ValueOf(e.name).Convert(v.Type().Key()), item)
	}
	v.Set(out)
}

func (d *decoder) scalar(v reflect.Value, n *node, path string) {
	tag := n.tag
	if n.kind != scalar {
		tag = ""
	}
	switch k := v.Kind(); {
	case k == reflect.String:
		if tag != "!!str" {
			h := ""
			if tag != "" && tag != "!!null" {
				h = "in quotes it is text: " + strconv.Quote(clip(n.text))
			}
			d.mismatch(n, path, textual(v.Type()), h)
			return
		}
		v.SetString(n.text)
	case k == reflect.Bool:
		if tag != "!!bool" {
			d.mismatch(n, path, "true or false", "")
			return
		}
		v.SetBool(strings.EqualFold(n.text, "true"))
	case isFloat(k):
		f, err := strconv.ParseFloat(strings.ReplaceAll(n.text, "_", ""), 64)
		if i, ok := whole(n.text); ok {
			f, err = float64(i), nil
		}
		if tag != "!!int" && tag != "!!float" || err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			d.mismatch(n, path, "a number", unquote(n))
			return
		}
		v.SetFloat(f)
	default:
		d.integer(v, n, path, tag)
	}
}

func (d *decoder) integer(v reflect.Value, n *node, path, tag string) {
	if tag != "!!int" {
		d.mismatch(n, path, "a whole number", unquote(n))
		return
	}
	if isUint(v.Kind()) {
		u, err := strconv.ParseUint(strings.ReplaceAll(n.text, "_", ""), 0, 64)
		if err != nil || v.OverflowUint(u) {
			d.mismatch(n, path, "a whole number from 0 to "+strconv.FormatUint(math.MaxUint64>>(64-v.Type().Bits()), 10), "")
			return
		}
		v.SetUint(u)
		return
	}
	i, ok := whole(n.text)
	if !ok || v.OverflowInt(i) {
		d.mismatch(n, path, "a whole number of at most "+strconv.Itoa(v.Type().Bits())+" bits", "")
		return
	}
	v.SetInt(i)
}

// whole parses a number as YAML writes them: 0x1f, 0o17, 1_000.
func whole(s string) (int64, bool) {
	i, err := strconv.ParseInt(strings.ReplaceAll(s, "_", ""), 0, 64)
	return i, err == nil
}

// unquote is the hint for a number that quotes made text.
func unquote(n *node) string {
	if n.kind == scalar && n.tag == "!!str" && n.quoted {
		if _, err := strconv.ParseFloat(n.text, 64); err == nil {
			return "leave out the quotes"
		}
	}
	return ""
}

func textual(t reflect.Type) string {
	switch t {
	case modelType:
		return "the name of a model"
	case tokenizerType:
		return "the name of a tokenizer"
	case fileType:
		return "the name of a file"
	}
	return "text"
}

// specOf is the [pipeline.ModelSpec] a model's settings are or embed.
func specOf(settings any) (pipeline.ModelSpec, bool) {
	v := reflect.ValueOf(settings).Elem()
	if v.Type() == specType {
		return v.Interface().(pipeline.ModelSpec), true
	}
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.Anonymous && f.Type == specType {
			return v.Field(i).Interface().(pipeline.ModelSpec), true
		}
	}
	return pipeline.ModelSpec{}, false
}
