package parse

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/benchmill-samples/harborlog/record"
)

var errOpenQuote = errors.New("quote is not closed")

// Logfmt reads key=value pairs. A word without a value is a field with an empty one.
func Logfmt(line string) (record.Record, error) {
	var r record.Record
	rest := strings.TrimLeft(line, " \t")
	for rest != "" {
		key, value, after, err := nextPair(rest)
		if err != nil {
			return r, fmt.Errorf("logfmt: after %q: %w", key, err)
		}
		if isTimeKey(key) {
			r.Time, err = Time(value)
			if err != nil {
				return r, err
			}
		} else {
			r.Set(key, value)
		}
		rest = strings.TrimLeft(after, " \t")
	}
	return r, nil
}

// nextPair cuts the first pair off a line that does not start with a blank.
func nextPair(line string) (key, value, rest string, err error) {
	end := strings.IndexAny(line, "= \t")
	if end < 0 {
		return line, "", "", nil
	}
	key, rest = line[:end], line[end:]
	if rest[0] != '=' {
		return key, "", rest, nil
	}
	rest = rest[1:]
	if strings.HasPrefix(rest, `"`) {
		value, rest, err = cutQuoted(rest)
		return key, value, rest, err
	}
	if end = strings.IndexAny(rest, " \t"); end < 0 {
		end = len(rest)
	}
	return key, rest[:end], rest[end:], nil
}

// cutQuoted reads a quoted string at the start of the text and undoes its escapes.
func cutQuoted(text string) (value, rest string, err error) {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			value, err = strconv.Unquote(text[:i+1])
			return value, text[i+1:], err
		}
	}
	return "", "", errOpenQuote
}

func isTimeKey(key string) bool {
	switch key {
	case "time", "ts", "timestamp", "@timestamp":
		return true
	}
	return false
}

// AppendLogfmt writes a record as one line, in the form that Logfmt reads.
func AppendLogfmt(out []byte, r *record.Record) []byte {
	if text, ok := r.Get("time"); ok {
		out = appendPair(out, "time", text)
	}
	out = appendPair(out, "level", r.Level.String())
	if r.Source != "" {
		out = appendPair(out, "source", r.Source)
	}
	out = appendPair(out, "message", r.Message)
	for _, f := range r.Fields {
		out = appendPair(out, f.Key, f.Value)
	}
	return out
}

func appendPair(out []byte, key, value string) []byte {
	if len(out) > 0 {
		out = append(out, ' ')
	}
	out = append(out, key...)
	out = append(out, '=')
	if needsQuotes(value) {
		return strconv.AppendQuote(out, value)
	}
	return append(out, value...)
}

func needsQuotes(value string) bool {
	if value == "" {
		return true
	}
	for _, r := range value {
		if r <= ' ' || r == '"' || r == '=' || r == 0x7f || !strconv.IsPrint(r) {
			return true
		}
	}
	return false
}
