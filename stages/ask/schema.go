package ask

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// formSchemas are the two forms of a type's JSON Schema. Their bytes are written
// here, in a fixed order: they are part of every request and so of its key,
// which no new version of a library may change.
type formSchemas struct{ sent, full json.RawMessage }

// Keywords of a schema, in the order they are written. All providers with
// structured outputs take the portable ones; limits are refused by some.
var (
	portable = []string{"type", "description", "enum"}
	bounds   = []string{"pattern", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems",
		"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
	structure = []string{"items", "additionalProperties", "required", "properties"}
)

// schemaOf makes the schema of a struct: closed objects, every field required,
// as strict structured outputs want it.
func schemaOf(t reflect.Type) (formSchemas, error) {
	if t.Kind() != reflect.Struct {
		return formSchemas{}, fmt.Errorf("an answer is a struct, not a %s", t)
	}
	if err := finite(t, nil); err != nil {
		return formSchemas{}, err
	}
	r := jsonschema.Reflector{Anonymous: true, DoNotReference: true}
	s := r.ReflectFromType(t)
	s.Version = ""
	data, err := json.Marshal(s)
	if err != nil {
		return formSchemas{}, err
	}
	var sent, full strings.Builder
	if err := writeSchema(&sent, data, t.Name(), false); err != nil {
		return formSchemas{}, err
	}
	if err := writeSchema(&full, data, t.Name(), true); err != nil {
		return formSchemas{}, err
	}
	return formSchemas{json.RawMessage(sent.String()), json.RawMessage(full.String())}, nil
}

// finite refuses types that contain themselves, which no closed schema without
// references could describe.
func finite(t reflect.Type, open []reflect.Type) error {
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Pointer, reflect.Map:
		return finite(t.Elem(), open)
	case reflect.Struct:
		if slices.Contains(open, t) {
			return fmt.Errorf("%s contains itself", t)
		}
		for i := range t.NumField() {
			if err := finite(t.Field(i).Type, append(open, t)); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeSchema writes a schema that was reflected; path is its place in the answer.
func writeSchema(b *strings.Builder, data json.RawMessage, path string, full bool) error {
	var node map[string]json.RawMessage
	if json.Unmarshal(data, &node) != nil || node["type"] == nil {
		return fmt.Errorf("%s: an answer holds strings, booleans, numbers, lists and structs of these only", path)
	}
	known := slices.Concat(portable, bounds, structure)
	for _, key := range slices.Sorted(maps.Keys(node)) {
		if !slices.Contains(known, key) {
			return fmt.Errorf("%s: the schema of an answer cannot say %q", path, key)
		}
	}
	sep := "{"
	put := func(key string) {
		fmt.Fprintf(b, "%s%q:", sep, key)
		sep = ","
	}
	for _, key := range known[:len(portable)+len(bounds)] {
		if node[key] == nil || !full && slices.Contains(bounds, key) {
			continue
		}
		put(key)
		b.Write(node[key])
	}
	if node["items"] != nil {
		put("items")
		if err := writeSchema(b, node["items"], path+"[]", full); err != nil {
			return err
		}
	}
	if string(node["type"]) == `"object"` {
		var fields map[string]json.RawMessage
		var required []string // in the order of the declaration
		if string(node["additionalProperties"]) != "false" || json.Unmarshal(node["properties"], &fields) != nil || len(fields) == 0 {
			return fmt.Errorf("%s: an answer has no objects but structs with fields", path)
		}
		if json.Unmarshal(node["required"], &required); len(required) != len(fields) {
			return fmt.Errorf("%s: every field of an answer is required: no omitempty", path)
		}
		put("additionalProperties")
		b.WriteString("false")
		put("required")
		b.Write(node["required"])
		put("properties")
		open := "{"
		for _, name := range required {
			fmt.Fprintf(b, "%s%q:", open, name)
			open = ","
			if err := writeSchema(b, fields[name], path+"."+name, full); err != nil {
				return err
			}
		}
		b.WriteByte('}')
	}
	b.WriteByte('}')
	return nil
}
