package graph

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/invopop/jsonschema"

	"benchmill/pipeline"
)

// JSONSchema is a JSON Schema (draft 2020-12) of pipeline.yaml for editors: every
// setting with its description, default and limits, and the settings of a stage
// chosen by its uses. What only the whole file can tell (names, tables, cycles)
// it does not check. The same kinds give the same bytes.
func JSONSchema(kinds Kinds) ([]byte, error) {
	if err := kinds.Validate(); err != nil {
		return nil, fmt.Errorf("pipeline kinds: %w", err)
	}
	root := settingsSchema(&document{FailureBudget: DefaultFailureBudget})
	root.Version = jsonschema.Version
	root.Title = "benchmill pipeline"
	root.Required = []string{"version", "name", "stages"}
	root.Definitions = jsonschema.Definitions{
		"table":  &jsonschema.Schema{Type: "string", Pattern: tablePattern, Description: "A table: a node, or node.port."},
		"stage":  stageSchema(kinds),
		"tables": tablesSchema(nil),
	}
	for _, s := range kinds.Stages {
		root.Definitions["stage."+s.Name] = stageCase(s)
	}
	set := func(name string, f func(s *jsonschema.Schema)) {
		s, _ := root.Properties.Get(name)
		f(s)
	}
	set("version", func(s *jsonschema.Schema) { s.Const, s.Default = FormatVersion, nil })
	set("name", func(s *jsonschema.Schema) { s.Pattern = releaseName.String() })
	set("mirrors", func(s *jsonschema.Schema) {
		named(s, nil, &jsonschema.Schema{Type: "string", MinLength: count(1)})
		s.PropertyNames = &jsonschema.Schema{MinLength: count(1)}
	})
	set("stages", func(s *jsonschema.Schema) {
		named(s, nodeName, &jsonschema.Schema{Ref: "#/$defs/stage"})
		s.MinProperties = count(1)
	})
	set("releases", func(s *jsonschema.Schema) { named(s, releaseName, releaseSchema(kinds)) })
	for name, make := range map[string]func() any{"models": kinds.Model, "tokenizers": kinds.Tokenizer} {
		if make == nil {
			root.Properties.Delete(name)
			continue
		}
		set(name, func(s *jsonschema.Schema) { named(s, releaseName, settingsSchema(make())) })
	}
	if len(kinds.Sources) == 0 {
		root.Properties.Delete("sources")
	} else {
		set("sources", func(s *jsonschema.Schema) {
			s.Type, s.AdditionalProperties, s.Properties = "object", jsonschema.FalseSchema, jsonschema.NewProperties()
			for _, name := range slices.Sorted(maps.Keys(kinds.Sources)) {
				s.Properties.Set(name, settingsSchema(kinds.Sources[name]()))
			}
		})
	}
	return encode(root)
}

func encode(s *jsonschema.Schema) ([]byte, error) {
	b, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("write schema: %w", err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, b, "", "  "); err != nil {
		return nil, fmt.Errorf("write schema: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

var tablePattern = strings.TrimSuffix(nodeName.String(), "$") + `(\.[a-z][a-z0-9_]*)?$`

// named makes s a mapping from names of the given form to values.
func named(s *jsonschema.Schema, names fmt.Stringer, value *jsonschema.Schema) {
	s.Type = "object"
	s.AdditionalProperties = value
	if names != nil {
		s.PropertyNames = &jsonschema.Schema{Pattern: names.String()}
	}
}

func settingsSchema(settings any) *jsonschema.Schema {
	v := reflect.ValueOf(settings).Elem()
	return schemaOf(v.Type(), v)
}

func releaseSchema(kinds Kinds) *jsonschema.Schema {
	s := settingsSchema(&releaseEntry{Split: defaultSplit})
	s.Required = []string{"table"}
	table, _ := s.Properties.Get("table")
	table.Pattern = tablePattern
	split, _ := s.Properties.Get("split")
	split.Pattern = splitName.String()
	also, _ := s.Properties.Get("also")
	also.UniqueItems, also.Items = true, &jsonschema.Schema{Type: "string"}
	for _, a := range kinds.Adapters {
		also.Items.OneOf = append(also.Items.OneOf, &jsonschema.Schema{Const: a.Name, Description: a.Doc})
	}
	return s
}

// stageSchema is one entry of stages; what depends on the stage is in a case of
// its own.
func stageSchema(kinds Kinds) *jsonschema.Schema {
	s := settingsSchema(&stageEntry{})
	s.Required = []string{"uses"}
	uses, _ := s.Properties.Get("uses")
	from, _ := s.Properties.Get("from")
	from.Ref = "#/$defs/tables"
	with, _ := s.Properties.Get("with")
	with.Type = "object"
	for _, st := range kinds.Stages {
		uses.OneOf = append(uses.OneOf, &jsonschema.Schema{Const: st.Name, Description: st.Doc})
		is := jsonschema.NewProperties()
		is.Set("uses", &jsonschema.Schema{Const: st.Name})
		s.AllOf = append(s.AllOf, &jsonschema.Schema{
			If:   &jsonschema.Schema{Properties: is, Required: []string{"uses"}},
			Then: &jsonschema.Schema{Ref: "#/$defs/stage." + st.Name},
		})
	}
	return s
}

// stageCase is what holds for an entry that uses s.
func stageCase(s *pipeline.Stage) *jsonschema.Schema {
	out := &jsonschema.Schema{Description: s.Doc, Properties: jsonschema.NewProperties()}
	if len(s.In) == 0 {
		out.Properties.Set("from", jsonschema.FalseSchema)
	} else {
		out.Properties.Set("from", tablesSchema(s.In))
	}
	for _, p := range s.In {
		if !p.Optional {
			out.Required = []string{"from"}
		}
	}
	if s.NewConfig == nil {
		out.Properties.Set("with", &jsonschema.Schema{Type: "object", MaxProperties: count(0), Description: "This stage has no settings."})
	} else {
		out.Properties.Set("with", settingsSchema(s.NewConfig()))
	}
	return out
}

// tablesSchema is the three forms of from; ports is nil for any stage.
func tablesSchema(ports []pipeline.Port) *jsonschema.Schema {
	table := &jsonschema.Schema{Ref: "#/$defs/table"}
	byPort := &jsonschema.Schema{Type: "object", AdditionalProperties: table}
	if ports != nil {
		byPort.Properties = jsonschema.NewProperties()
		byPort.AdditionalProperties = jsonschema.FalseSchema
		for _, p := range ports {
			doc := fmt.Sprintf("A table %s: %s", p.Schema, p.Schema.Doc)
			byPort.Properties.Set(p.Name, &jsonschema.Schema{Ref: table.Ref, Description: doc})
			if !p.Optional {
				byPort.Required = append(byPort.Required, p.Name)
			}
		}
	}
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{table, {Type: "array", Items: table}, byPort}}
}

const durationPattern = `^[-+]?(0|([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+$`

// schemaOf describes a settings type. The value def holds the defaults; the zero
// Value says there are none.
func schemaOf(t reflect.Type, def reflect.Value) *jsonschema.Schema {
	s := &jsonschema.Schema{}
	switch k := t.Kind(); {
	case t == rawType:
	case t == timeType:
		s.Type, s.Format = "string", "date-time"
	case isText(t):
		s.AnyOf = []*jsonschema.Schema{{Type: "string"}, {Type: "number"}}
	case t == durationType:
		s.Type, s.Pattern = "string", durationPattern
	case k == reflect.Pointer:
		inner := reflect.Value{}
		if def.IsValid() && !def.IsNil() {
			inner = def.Elem()
		}
		s.AnyOf = []*jsonschema.Schema{schemaOf(t.Elem(), inner), {Type: "null"}}
	case k == reflect.String:
		s.Type = "string"
	case k == reflect.Bool:
		s.Type = "boolean"
	case isInt(k):
		s.Type = "integer"
	case isUint(k):
		s.Type, s.Minimum = "integer", "0"
	case isFloat(k):
		s.Type = "number"
	case k == reflect.Slice:
		s.Type, s.Items = "array", schemaOf(t.Elem(), reflect.Value{})
	case k == reflect.Map:
		s.Type, s.AdditionalProperties = "object", schemaOf(t.Elem(), reflect.Value{})
	case k == reflect.Struct:
		objectSchema(s, t, def)
	}
	if def.IsValid() && says(def) {
		s.Default = plain(def)
	}
	return s
}

func objectSchema(s *jsonschema.Schema, t reflect.Type, def reflect.Value) {
	s.Type = "object"
	s.Properties = jsonschema.NewProperties()
	s.AdditionalProperties = jsonschema.FalseSchema
	for _, f := range settings(t) {
		v := reflect.Value{}
		if def.IsValid() {
			v = def.FieldByIndex(f.index)
		}
		p := schemaOf(f.typ, v)
		p.Description = describe(f)
		restrict(p, f.typ, f.limits)
		s.Properties.Set(f.name, p)
	}
}

// describe adds to the words of a setting what its type says about it.
func describe(f field) string {
	doc := f.doc
	for typ, what := range map[reflect.Type]string{
		modelType:     "A name of models.",
		tokenizerType: "A name of tokenizers.",
		fileType:      "A file, by its path from this one.",
	} {
		if f.typ == typ {
			doc = strings.TrimSpace(doc + " " + what)
		}
	}
	return doc
}

// restrict writes the limits of a setting into its schema.
func restrict(s *jsonschema.Schema, t reflect.Type, l limits) {
	switch k := t.Kind(); {
	case l.none():
	case k == reflect.Pointer:
		restrict(s.AnyOf[0], t.Elem(), l)
	case t == durationType:
		// A pattern cannot compare durations.
	case k == reflect.String:
		for _, e := range l.enum {
			s.Enum = append(s.Enum, e)
		}
		bound(l, func(n uint64) { s.MinLength = &n }, func(n uint64) { s.MaxLength = &n })
	case k == reflect.Slice:
		restrict(s.Items, t.Elem(), l.items())
		bound(l, func(n uint64) { s.MinItems = &n }, func(n uint64) { s.MaxItems = &n })
	case k == reflect.Map:
		restrict(s.AdditionalProperties, t.Elem(), l.items())
		bound(l, func(n uint64) { s.MinProperties = &n }, func(n uint64) { s.MaxProperties = &n })
	default:
		if l.min != nil {
			s.Minimum = json.Number(l.min.text)
		}
		if l.max != nil {
			s.Maximum = json.Number(l.max.text)
		}
	}
}

func bound(l limits, low, high func(n uint64)) {
	if l.min != nil {
		low(uint64(l.min.num))
	}
	if l.max != nil {
		high(uint64(l.max.num))
	}
}

func count(n uint64) *uint64 { return &n }

// says reports that a default is worth showing.
func says(def reflect.Value) bool {
	switch t := def.Type(); {
	case isText(t):
		return !def.IsZero()
	case t.Kind() == reflect.Struct, t.Kind() == reflect.Pointer:
		return false // their fields say it
	case t.Kind() == reflect.String, t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
		return def.Len() > 0
	}
	return true
}

// plain is a value as JSON shows it, under the names and in the forms of YAML.
func plain(v reflect.Value) any {
	t := v.Type()
	switch k := t.Kind(); {
	case isText(t):
		s, err := textOf(v, "")
		if err != nil {
			return nil
		}
		return s
	case t == durationType:
		return v.Interface().(time.Duration).String()
	case k == reflect.Pointer && v.IsNil():
		return nil
	case k == reflect.Pointer:
		return plain(v.Elem())
	case k == reflect.Slice:
		out := make([]any, v.Len())
		for i := range out {
			out[i] = plain(v.Index(i))
		}
		return out
	case k == reflect.Map:
		out := map[string]any{}
		for _, key := range v.MapKeys() {
			out[key.String()] = plain(v.MapIndex(key))
		}
		return out
	case k == reflect.Struct:
		out := map[string]any{}
		for _, f := range settings(t) {
			out[f.name] = plain(v.FieldByIndex(f.index))
		}
		return out
	}
	return v.Interface()
}
