package parse

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"

	"github.com/benchmill-samples/harborlog/record"
)

// deepest is how far nested objects are followed; what lies below stays JSON.
const deepest = 4

// JSON reads one object per line. Nested keys are joined with dots: {"a":{"b":1}} is a.b=1.
func JSON(line string) (record.Record, error) {
	var r record.Record
	decoder := json.NewDecoder(strings.NewReader(line))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		return r, fmt.Errorf("json: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return r, fmt.Errorf("json: more than one value on the line")
	}
	flat := flatten(nil, "", object, deepest)
	record.SortFields(flat)
	for _, f := range flat {
		if !isTimeKey(f.Key) {
			r.Set(f.Key, f.Value)
			continue
		}
		t, err := Time(f.Value)
		if err != nil {
			return r, err
		}
		r.Time = t
	}
	return r, nil
}

// flatten appends the leaves of a JSON value with the path that leads to them.
func flatten(into []record.Field, path string, value any, depth int) []record.Field {
	object, ok := value.(map[string]any)
	if !ok || depth == 0 {
		return append(into, record.Field{Key: path, Value: leafText(value)})
	}
	for _, key := range sortedKeys(object) {
		into = flatten(into, joinPath(path, key), object[key], depth-1)
	}
	return into
}

func joinPath(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// leafText shows a value as people write it: text without quotes, nothing for null.
func leafText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return v.String()
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
