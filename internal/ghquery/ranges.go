package ghquery

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Bounds of a [Range] that is open.
const (
	Lowest  int64 = math.MinInt64
	Highest int64 = math.MaxInt64
)

// Range is a range of whole numbers, both ends inclusive: counts, or seconds
// since 1970.
type Range struct{ From, To int64 }

// Halves are the two ranges that r is put together from, the lower one up to
// and with at. There are none where at is not inside of r or is its end.
func (r Range) Halves(at int64) (low, high Range, ok bool) {
	if at < r.From || at >= r.To {
		return r, r, false
	}
	return Range{r.From, at}, Range{at + 1, r.To}, true
}

// axis is one kind of numbers that ranges are of.
type axis struct {
	lowest int64                            // of an open range
	value  func(text string) (Range, error) // what one value covers
	exact  func(int64) string               // writes a value
	// from and to write a value as the beginning and as the end of a range, shorter
	// where that is possible.
	from, to func(int64) string
}

const day = 24 * 60 * 60

var (
	numbers = axis{lowest: 0, value: parseNumber, exact: decimal, from: decimal, to: decimal}
	times   = axis{lowest: Lowest, value: parseTime, exact: second, from: start, to: end}
)

func (a *axis) all() Range { return Range{a.lowest, Highest} }

// parse reads a range in any of GitHub's spellings.
func (a *axis) parse(text string) (Range, error) {
	r := a.all()
	if from, to, ok := strings.Cut(text, ".."); ok {
		if from == "*" && to == "*" {
			return r, fmt.Errorf("%q has no bound", text)
		}
		return a.between(text, from, to)
	}
	value := strings.TrimLeft(text, "<>=")
	v, err := a.value(value)
	if err != nil {
		return r, err
	}
	switch op := text[:len(text)-len(value)]; op {
	case "":
		r = v
	case ">=":
		r.From = v.From
	case ">":
		r.From = v.To + 1
	case "<=":
		r.To = v.To
	case "<":
		r.To = v.From - 1
	default:
		return r, fmt.Errorf("%q begins with %q; there are >=, >, <= and <", text, op)
	}
	return r, r.check(text)
}

func (a *axis) between(text, from, to string) (Range, error) {
	r := a.all()
	var errs [2]error
	if from != "*" {
		var v Range
		v, errs[0] = a.value(from)
		r.From = v.From
	}
	if to != "*" {
		var v Range
		v, errs[1] = a.value(to)
		r.To = v.To
	}
	if err := errors.Join(errs[:]...); err != nil {
		return r, err
	}
	return r, r.check(text)
}

func (r Range) check(text string) error {
	if r.From > r.To {
		return fmt.Errorf("%q holds nothing", text)
	}
	return nil
}

// text writes a range; exactly without the abbreviation of whole days.
func (a *axis) text(r Range, exactly bool) string {
	from, to := a.from, a.to
	if exactly {
		from, to = a.exact, a.exact
	}
	switch {
	case r.From == r.To:
		return a.exact(r.From)
	case r.To == Highest:
		return ">=" + from(r.From)
	case r.From == Lowest:
		return "<=" + to(r.To)
	}
	first, last := from(r.From), to(r.To)
	if first == last { // a whole day
		return first
	}
	return first + ".." + last
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// maxNumber bounds counts; no count of GitHub's comes near.
const maxNumber = 1_000_000_000_000

func parseNumber(text string) (Range, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > maxNumber || text[0] == '+' {
		return Range{}, fmt.Errorf("%q is not a number from 0 to %d", text, int64(maxNumber))
	}
	return Range{n, n}, nil
}

func second(n int64) string { return time.Unix(n, 0).UTC().Format(time.RFC3339) }

// start is a time as the beginning of a range: midnight as the date.
func start(n int64) string {
	if n%day == 0 {
		return second(n)[:len(time.DateOnly)]
	}
	return second(n)
}

// end is a time as the end of a range: the last second of a day as the date.
func end(n int64) string {
	if n%day == day-1 {
		return second(n)[:len(time.DateOnly)]
	}
	return second(n)
}

// parseTime reads a date, which covers its day in UTC, or a time to the second.
func parseTime(text string) (Range, error) {
	t, err := time.Parse(time.DateOnly, text)
	length := int64(day)
	if err != nil {
		t, err = time.Parse(time.RFC3339, text)
		length = 1
	}
	if err != nil || t.Nanosecond() != 0 || t.UTC().Year() < 1970 || t.UTC().Year() > 2200 {
		return Range{}, fmt.Errorf("%q is not a date such as 2024-01-31 or a time such as 2024-01-31T10:00:00Z", text)
	}
	return Range{t.Unix(), t.Unix() + length - 1}, nil
}
