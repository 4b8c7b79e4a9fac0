package githubtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"
)

// raw is a finished JSON value.
type raw = json.RawMessage

var null = raw("null")

// object writes one JSON object, members in the order of the calls. Bodies are
// written this way, not with encoding/json, because a server that answers ten
// thousand requests for a benchmark should not be what is measured.
type object struct{ b []byte }

func (o *object) add(key string, v any) *object {
	if len(o.b) == 0 {
		o.b = append(make([]byte, 0, 1024), '{')
	} else {
		o.b = append(o.b, ',')
	}
	o.b = appendString(o.b, key)
	o.b = append(o.b, ':')
	o.b = appendValue(o.b, v)
	return o
}

// all adds the members of another finished object.
func (o *object) all(members raw) *object {
	if len(o.b) == 0 {
		o.b = append(o.b, members[:len(members)-1]...)
		return o
	}
	o.b = append(append(o.b, ','), members[1:len(members)-1]...)
	return o
}

// end is the finished object, to be used once.
func (o *object) end() raw {
	if len(o.b) == 0 {
		return raw("{}")
	}
	return append(o.b, '}')
}

func list(items []raw) raw {
	size := 2
	for _, item := range items {
		size += len(item) + 1
	}
	out := append(make([]byte, 0, size), '[')
	for k, item := range items {
		if k > 0 {
			out = append(out, ',')
		}
		out = append(out, item...)
	}
	return append(out, ']')
}

func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case raw:
		return append(b, v...)
	case string:
		return appendString(b, v)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case bool:
		return strconv.AppendBool(b, v)
	case time.Time:
		if v.IsZero() {
			return append(b, "null"...)
		}
		return append(v.UTC().AppendFormat(append(b, '"'), time.RFC3339), '"')
	case []string:
		items := make([]raw, len(v))
		for k, s := range v {
			items[k] = appendString(nil, s)
		}
		return append(b, list(items)...)
	default:
		panic(fmt.Sprintf("githubtest: no JSON for a %T", v))
	}
}

// appendString takes the short way for the text most members are.
func appendString(b []byte, s string) []byte {
	for k := range len(s) {
		if c := s[k]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			var quoted bytes.Buffer
			e := json.NewEncoder(&quoted)
			e.SetEscapeHTML(false)
			e.Encode(s) // strings always can be
			return append(b, bytes.TrimSuffix(quoted.Bytes(), []byte("\n"))...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// orNull is a string, or null for an empty one.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func digits(n int64) string { return strconv.FormatInt(n, 10) }
