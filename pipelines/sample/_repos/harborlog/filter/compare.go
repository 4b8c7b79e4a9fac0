package filter

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/benchmill-samples/harborlog/record"
)

// comparison builds the test of one key. A record without the key fails every
// test but "!=", which it passes.
func comparison(key, op, want string) Predicate {
	if op == "~" {
		folded := strings.ToLower(want)
		return func(r *record.Record) bool {
			got, ok := r.Get(key)
			return ok && strings.Contains(strings.ToLower(got), folded)
		}
	}
	accept := acceptedOrders(op)
	if key == "level" {
		level := record.ParseLevel(want)
		return func(r *record.Record) bool { return accept[1+cmp.Compare(r.Level, level)] }
	}
	return func(r *record.Record) bool {
		got, ok := r.Get(key)
		if !ok {
			return op == "!="
		}
		return accept[1+compareText(got, want)]
	}
}

// acceptedOrders tells for less, equal and greater whether the operator holds.
func acceptedOrders(op string) [3]bool {
	switch op {
	case "=":
		return [3]bool{false, true, false}
	case "!=":
		return [3]bool{true, false, true}
	case "<":
		return [3]bool{true, false, false}
	case "<=":
		return [3]bool{true, true, false}
	case ">":
		return [3]bool{false, false, true}
	}
	return [3]bool{false, true, true}
}

// compareText compares numbers as numbers, durations as durations, times as times,
// and everything else byte by byte.
func compareText(a, b string) int {
	if x, y, ok := bothParse(a, b, parseQuantity); ok {
		return cmp.Compare(x, y)
	}
	if x, y, ok := bothParse(a, b, parseInstant); ok {
		return x.Compare(y)
	}
	return strings.Compare(a, b)
}

// bothParse reads two texts the same way, or not at all.
func bothParse[T any](a, b string, parse func(string) (T, bool)) (x, y T, ok bool) {
	if x, ok = parse(a); !ok {
		return x, y, false
	}
	y, ok = parse(b)
	return x, y, ok
}

// parseQuantity reads a plain number, or a duration as its seconds.
func parseQuantity(text string) (float64, bool) {
	if n, err := strconv.ParseFloat(text, 64); err == nil {
		return n, true
	}
	d, err := time.ParseDuration(text)
	return d.Seconds(), err == nil
}

func parseInstant(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
