package graph

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"benchmill/pipeline"
)

var (
	timeType      = reflect.TypeFor[time.Time]()
	durationType  = reflect.TypeFor[time.Duration]()
	modelType     = reflect.TypeFor[pipeline.ModelName]()
	tokenizerType = reflect.TypeFor[pipeline.TokenizerName]()
	fileType      = reflect.TypeFor[pipeline.FileName]()
	specType      = reflect.TypeFor[pipeline.ModelSpec]()
	rawType       = reflect.TypeFor[raw]()
	unmarshaler   = reflect.TypeFor[encoding.TextUnmarshaler]()
	marshaler     = reflect.TypeFor[encoding.TextMarshaler]()
)

// raw is a field that the decoder leaves as it stands.
type raw struct{ *node }

// field is one setting of a struct.
type field struct {
	name     string // its yaml name
	doc      string
	index    []int
	typ      reflect.Type
	limits   limits
	hashed   bool // joins keys: not tagged hash:"-"
	written  bool // can be written in YAML: not tagged yaml:"-"
	optional bool // tagged omitempty
}

// limits are what tags say about a value.
type limits struct {
	enum     []string
	min, max *limit
}

type limit struct {
	text string
	num  float64
}

func (l limits) none() bool { return l.enum == nil && l.min == nil && l.max == nil }

// fieldsOf lists the settings of a struct in the order of their declaration,
// those of inline structs in place. The error joins every mistake in the tags.
func fieldsOf(t reflect.Type) ([]field, error) {
	var out []field
	var mistakes []string
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		opts := strings.Split(options, ",")
		if !f.IsExported() && !f.Anonymous {
			continue
		}
		if f.Anonymous || slices.Contains(opts, "inline") {
			if !slices.Contains(opts, "inline") || f.Type.Kind() != reflect.Struct {
				mistakes = append(mistakes, fmt.Sprintf("%s: only a struct can be embedded, tagged `yaml:\",inline\"`", f.Name))
				continue
			}
			inner, err := fieldsOf(f.Type)
			if err != nil {
				mistakes = append(mistakes, err.Error())
			}
			for _, in := range inner {
				in.index = append([]int{i}, in.index...)
				out = append(out, in)
			}
			continue
		}
		l, err := limitsOf(f)
		if err != nil {
			mistakes = append(mistakes, fmt.Sprintf("%s: %s", f.Name, err))
		}
		written := name != "-"
		if name == "" {
			name = strings.ToLower(f.Name)
		}
		if !written {
			name = f.Name
		}
		out = append(out, field{
			name: name, doc: f.Tag.Get("doc"), index: []int{i}, typ: f.Type, limits: l,
			hashed: f.Tag.Get("hash") != "-", written: written, optional: slices.Contains(opts, "omitempty"),
		})
	}
	seen := map[string]bool{}
	for _, f := range out {
		if seen[f.name] {
			mistakes = append(mistakes, fmt.Sprintf("two fields are called %q", f.name))
		}
		seen[f.name] = true
	}
	if mistakes != nil {
		return out, fmt.Errorf("%s: %s", t, strings.Join(mistakes, "; "))
	}
	return out, nil
}

// settings is [fieldsOf] for a type that [Kinds.Validate] has seen, without the
// fields no file can set.
func settings(t reflect.Type) []field {
	all, _ := fieldsOf(t)
	return slices.DeleteFunc(all, func(f field) bool { return !f.written })
}

func fieldNames(fields []field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.name
	}
	return out
}

func limitsOf(f reflect.StructField) (limits, error) {
	var l limits
	t := f.Type
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if tag, ok := f.Tag.Lookup("enum"); ok {
		item := t
		for item.Kind() == reflect.Slice || item.Kind() == reflect.Map || item.Kind() == reflect.Pointer {
			item = item.Elem()
		}
		if item.Kind() != reflect.String {
			return l, fmt.Errorf("enum on %s; only text has one", f.Type)
		}
		l.enum = strings.Split(tag, "|")
	}
	for _, bound := range []struct {
		tag string
		to  **limit
	}{{"min", &l.min}, {"max", &l.max}} {
		tag, ok := f.Tag.Lookup(bound.tag)
		if !ok {
			continue
		}
		num, err := bounded(t, tag)
		if err != nil {
			return l, fmt.Errorf("%s:%q: %w", bound.tag, tag, err)
		}
		*bound.to = &limit{tag, num}
	}
	return l, nil
}

// bounded parses a bound on values of type t: of a number its size, of anything
// with a length its length.
func bounded(t reflect.Type, s string) (float64, error) {
	switch {
	case t == durationType:
		d, err := time.ParseDuration(s)
		return float64(d), err
	case isInt(t.Kind()), isUint(t.Kind()), isFloat(t.Kind()):
		return strconv.ParseFloat(s, 64)
	case t.Kind() == reflect.String, t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
		n, err := strconv.Atoi(s)
		return float64(n), err
	}
	return 0, fmt.Errorf("%s has no size", t)
}

func isInt(k reflect.Kind) bool   { return k >= reflect.Int && k <= reflect.Int64 }
func isUint(k reflect.Kind) bool  { return k >= reflect.Uint && k <= reflect.Uint64 }
func isFloat(k reflect.Kind) bool { return k == reflect.Float32 || k == reflect.Float64 }

// items are the limits that hold for each item of a list or map.
func (l limits) items() limits { return limits{enum: l.enum} }

// check returns what is wrong with v, or "".
func (l limits) check(v reflect.Value) string {
	var size float64
	var found string
	unit := func(string) string { return "" }
	switch k := v.Kind(); {
	case v.Type() == durationType:
		size, found = float64(v.Int()), v.Interface().(time.Duration).String()
	case isInt(k):
		size, found = float64(v.Int()), strconv.FormatInt(v.Int(), 10)
	case isUint(k):
		size, found = float64(v.Uint()), strconv.FormatUint(v.Uint(), 10)
	case isFloat(k):
		size, found = v.Float(), strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case k == reflect.String:
		if l.enum != nil && !slices.Contains(l.enum, v.String()) {
			return fmt.Sprintf("expected one of %s, found %q", strings.Join(l.enum, ", "), clip(v.String()))
		}
		n := utf8.RuneCountInString(v.String())
		size, found, unit = float64(n), strconv.Itoa(n), counted("character")
	case k == reflect.Slice, k == reflect.Map:
		size, found, unit = float64(v.Len()), strconv.Itoa(v.Len()), counted("item")
	}
	if l.min != nil && size < l.min.num {
		return fmt.Sprintf("expected at least %s%s, found %s", l.min.text, unit(l.min.text), found)
	}
	if l.max != nil && size > l.max.num {
		return fmt.Sprintf("expected at most %s%s, found %s", l.max.text, unit(l.max.text), found)
	}
	return ""
}

// isText reports whether values of t are decoded by their own UnmarshalText.
func isText(t reflect.Type) bool { return reflect.PointerTo(t).Implements(unmarshaler) }

// counted gives a unit its plural.
func counted(unit string) func(n string) string {
	return func(n string) string {
		if n == "1" {
			return " " + unit
		}
		return " " + unit + "s"
	}
}

// checkType reports everything about a settings type that the decoder, the
// digest and the editor schema could not deal with.
func checkType(t reflect.Type, path string, open []reflect.Type, fail func(format string, args ...any)) {
	at := func() string {
		if path == "" {
			return "the settings"
		}
		return path
	}
	if slices.Contains(open, t) {
		fail("%s: %s contains itself", at(), t)
		return
	}
	open = append(open, t)
	switch k := t.Kind(); {
	case isText(t):
		if k != reflect.String && !reflect.PointerTo(t).Implements(marshaler) {
			fail("%s: %s has UnmarshalText without MarshalText and could not be hashed", at(), t)
		}
	case k == reflect.String, k == reflect.Bool, isInt(k), isUint(k), isFloat(k):
	case k == reflect.Pointer, k == reflect.Slice:
		checkType(t.Elem(), path+"[]", open, fail)
	case k == reflect.Map:
		switch key := t.Key(); {
		case key.Kind() != reflect.String || isText(key):
			fail("%s: a map with %s keys; keys must be text", at(), key)
		case key == modelType, key == tokenizerType, key == fileType:
			fail("%s: %s as a key of a map would not be looked up", at(), key)
		}
		checkType(t.Elem(), path+"[]", open, fail)
	case k == reflect.Struct:
		fields, err := fieldsOf(t)
		if err != nil {
			fail("%s", err)
		}
		if t.NumField() > 0 && len(fields) == 0 {
			fail("%s: %s has no exported field and no UnmarshalText", at(), t)
		}
		for _, f := range fields {
			if f.written || f.hashed {
				checkType(f.typ, join(path, f.name), open, fail)
			}
		}
	default:
		fail("%s: settings cannot be of type %s", at(), t)
	}
}
