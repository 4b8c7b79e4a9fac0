package graph

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"

	"benchmill/internal/digest"
	"benchmill/pipeline"
)

// walk calls f for every value in settings that is not a struct, list, map or
// pointer, in the order of the declaration and maps by key. Fields that keep
// refuses are passed over.
func walk(v reflect.Value, path string, keep func(field) bool, f func(v reflect.Value, path string)) {
	t := v.Type()
	switch {
	case isText(t):
		f(v, path)
	case t.Kind() == reflect.Pointer:
		if !v.IsNil() {
			walk(v.Elem(), path, keep, f)
		}
	case t.Kind() == reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), path+"["+strconv.Itoa(i)+"]", keep, f)
		}
	case t.Kind() == reflect.Map:
		for _, k := range sortedKeys(v) {
			walk(v.MapIndex(k), join(path, k.String()), keep, f)
		}
	case t.Kind() == reflect.Struct:
		fields, _ := fieldsOf(t)
		for _, fd := range fields {
			if keep(fd) {
				walk(v.FieldByIndex(fd.index), join(path, fd.name), keep, f)
			}
		}
	default:
		f(v, path)
	}
}

func sortedKeys(m reflect.Value) []reflect.Value {
	keys := m.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		if a.String() < b.String() {
			return -1
		}
		return 1
	})
	return keys
}

// Refs lists what the settings name that joins keys by its own identity: one
// entry for every setting that is not empty, in the order of the declaration
// (maps by key), repeats kept, since the position ties a file to its setting.
// Settings tagged hash:"-" are left out.
func (n *Node) Refs() (models, tokenizers []string, files []pipeline.FileName) {
	if n.Config == nil {
		return nil, nil, nil
	}
	walk(reflect.ValueOf(n.Config).Elem(), "", func(f field) bool { return f.hashed }, func(v reflect.Value, _ string) {
		switch name := v.Interface().(type) {
		case pipeline.ModelName:
			if name != "" {
				models = append(models, string(name))
			}
		case pipeline.TokenizerName:
			if name != "" {
				tokenizers = append(tokenizers, string(name))
			}
		case pipeline.FileName:
			if name != "" {
				files = append(files, name)
			}
		}
	})
	return models, tokenizers, files
}

// ConfigField is one value of a configuration, for people.
type ConfigField struct {
	Path  string `json:"path"`  // "filters[0].name"
	Value string `json:"value"` // as YAML would have it; a file is `a file` or `no file`
}

// String is "path=value".
func (f ConfigField) String() string { return f.Path + "=" + f.Value }

// given stands for a file in what is hashed: whether there is one. Which one is
// for its content to say, and that is hashed elsewhere; without this, moving a
// file from one setting to another would change nothing.
type given bool

// CanonicalConfig is the identity of a configuration: the digest of its values
// under their yaml names, independent of the order of fields and maps, and the
// same values one by one, in the order of the declaration, to tell two
// configurations apart. Left out are fields tagged hash:"-" and the names of
// files ([pipeline.FileName]). Types with their own text form are hashed by it.
// A nil cfg has an identity too. A type that cannot be hashed is an error.
func CanonicalConfig(cfg any) (digest.Digest, []ConfigField, error) {
	var fields []ConfigField
	var tree any
	if cfg != nil {
		var err error
		if tree, err = canonical(reflect.ValueOf(cfg), "", &fields); err != nil {
			return "", nil, err
		}
	}
	e := digest.New("benchmill/config/1")
	if err := e.Value(tree); err != nil {
		return "", nil, err
	}
	return e.Sum(), fields, nil
}

// canonical turns settings into maps, lists and plain values, and notes every
// plain value on the way.
func canonical(v reflect.Value, path string, fields *[]ConfigField) (any, error) {
	note := func(value string) { *fields = append(*fields, ConfigField{path, value}) }
	t := v.Type()
	switch k := t.Kind(); {
	case k == reflect.Pointer && v.IsNil():
		note("null")
		return nil, nil
	case k == reflect.Pointer:
		return canonical(v.Elem(), path, fields)
	case t == fileType:
		there := given(v.String() != "")
		note(map[given]string{true: "a file", false: "no file"}[there])
		return there, nil
	case isText(t):
		s, err := textOf(v, path)
		note(strconv.Quote(s))
		return s, err
	case t == durationType:
		note(v.Interface().(time.Duration).String())
		return v.Int(), nil
	case k == reflect.String:
		note(strconv.Quote(v.String()))
		return v.String(), nil
	case k == reflect.Bool, isInt(k), isUint(k), isFloat(k):
		note(fmt.Sprint(v.Interface()))
		return v.Interface(), nil
	case k == reflect.Slice:
		if v.Len() == 0 {
			note("[]")
		}
		out := make([]any, v.Len())
		for i := range out {
			var err error
			if out[i], err = canonical(v.Index(i), path+"["+strconv.Itoa(i)+"]", fields); err != nil {
				return nil, err
			}
		}
		return out, nil
	case k == reflect.Map && t.Key().Kind() == reflect.String:
		if v.Len() == 0 {
			note("{}")
		}
		out := make(map[string]any, v.Len())
		for _, key := range sortedKeys(v) {
			var err error
			if out[key.String()], err = canonical(v.MapIndex(key), join(path, key.String()), fields); err != nil {
				return nil, err
			}
		}
		return out, nil
	case k == reflect.Struct:
		return canonicalStruct(v, path, fields)
	}
	return nil, fmt.Errorf("cannot hash a %s at %q", t, path)
}

func canonicalStruct(v reflect.Value, path string, fields *[]ConfigField) (any, error) {
	all, err := fieldsOf(v.Type())
	if err != nil {
		return nil, err
	}
	if v.NumField() > 0 && len(all) == 0 {
		return nil, fmt.Errorf("cannot hash a %s at %q: it has no exported field and no text form", v.Type(), path)
	}
	out := make(map[string]any, len(all))
	for _, f := range all {
		if !f.hashed {
			continue
		}
		if out[f.name], err = canonical(v.FieldByIndex(f.index), join(path, f.name), fields); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func textOf(v reflect.Value, path string) (string, error) {
	p := reflect.New(v.Type()) // MarshalText may have a pointer receiver
	p.Elem().Set(v)
	if m, ok := p.Interface().(encoding.TextMarshaler); ok {
		b, err := m.MarshalText()
		return string(b), err
	}
	if v.Kind() == reflect.String {
		return v.String(), nil
	}
	return "", fmt.Errorf("cannot hash a %s at %q: it reads text but does not write it", v.Type(), path)
}
