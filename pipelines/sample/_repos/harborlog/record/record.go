// Package record holds what every line of a log becomes.
package record

import (
	"sort"
	"strings"
	"time"
)

// Field is one key and its value, as text.
type Field struct {
	Key, Value string
}

// Record is one event. A zero Time means that the line did not tell.
type Record struct {
	Time    time.Time
	Level   Level
	Source  string
	Message string
	Fields  []Field
}

// Get returns the value of a key; the fixed parts of a record have keys too.
func (r *Record) Get(key string) (string, bool) {
	switch key {
	case "level":
		return r.Level.String(), true
	case "source":
		return r.Source, r.Source != ""
	case "message":
		return r.Message, r.Message != ""
	case "time":
		return r.Time.Format(time.RFC3339Nano), !r.Time.IsZero()
	}
	for _, f := range r.Fields {
		if f.Key == key {
			return f.Value, true
		}
	}
	return "", false
}

// Set puts a value where it belongs: well-known keys become parts of the record,
// all others fields. A later value of the same key replaces the earlier one.
func (r *Record) Set(key, value string) {
	switch canonicalKey(key) {
	case "level":
		r.Level = ParseLevel(value)
	case "source":
		r.Source = value
	case "message":
		r.Message = value
	default:
		for i := range r.Fields {
			if r.Fields[i].Key == key {
				r.Fields[i].Value = value
				return
			}
		}
		r.Fields = append(r.Fields, Field{key, value})
	}
}

// canonicalKey folds the many spellings of the well-known keys.
func canonicalKey(key string) string {
	switch strings.ToLower(key) {
	case "level", "lvl", "severity":
		return "level"
	case "source", "logger", "app", "service":
		return "source"
	case "message", "msg":
		return "message"
	}
	return key
}

// SortFields orders fields by key; equal keys keep their order.
func SortFields(fields []Field) {
	sort.SliceStable(fields, func(i, j int) bool { return fields[i].Key < fields[j].Key })
}

// CommonFields returns the fields that every one of the records has with the same value.
func CommonFields(records []Record) []Field {
	if len(records) == 0 {
		return nil
	}
	common := append([]Field(nil), records[0].Fields...)
	for i := range records[1:] {
		kept := common[:0]
		for _, f := range common {
			if v, ok := records[i+1].Get(f.Key); ok && v == f.Value {
				kept = append(kept, f)
			}
		}
		common = kept
	}
	SortFields(common)
	return common
}

// Span returns the earliest and the latest time, not counting records without one.
func Span(records []Record) (first, last time.Time) {
	for i := range records {
		t := records[i].Time
		if t.IsZero() {
			continue
		}
		if first.IsZero() || t.Before(first) {
			first = t
		}
		if t.After(last) {
			last = t
		}
	}
	return first, last
}
