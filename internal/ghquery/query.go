// Package ghquery is the text of a search for repositories: GitHub's qualifiers
// and one of our own, in one spelling, so that whoever composes a query and
// whoever runs it mean the same.
//
// A query is qualifiers parted by blanks, each "key:value", "key:\"two words\"" or,
// to leave out what matches, "-key:value". Free words are refused: GitHub would
// rank by them, which no list of repositories can be checked against.
//
//	language license topic user org repo         may be repeated and negated
//	stars size forks followers topics
//	good-first-issues help-wanted-issues         numbers: 5 >=5 >5 <=5 <5 5..9 5..* *..9
//	created pushed                               times: the same over 2024-01-31 or 2024-01-31T10:00:00Z
//	archived mirror template                     true or false
//	fork                                         true, false or only
//	is                                           public, private or internal
//	commits-since                                one time; not sent, see [Query.CommitsSince]
//
// A date means its whole day in UTC, and all bounds are inclusive once parsed.
package ghquery

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// MaxLength is how many characters of a query GitHub takes.
const MaxLength = 256

// A Term is one qualifier before it was checked. Value stands without quotes.
type Term struct {
	Key, Value string
	Not        bool
}

// Query is a search that was checked. The zero value is none.
type Query struct {
	Created Range // seconds since 1970
	Stars   Range
	// CommitsSince is the time from which commits are to be counted, zero where
	// nobody asked. It is ours: GitHub's search knows nothing like it.
	CommitsSince time.Time

	terms []term // in canonical order, without the three above
}

// term is a qualifier in the one spelling.
type term struct {
	key  string
	text string // as in [Query.String]
	sent string // as GitHub gets it
}

// Parse reads a query. The error joins everything wrong with it, each part
// naming its qualifier.
func Parse(text string) (Query, error) {
	terms, err := split(text)
	if err != nil {
		return Query{}, err
	}
	return Compose(terms...)
}

// Compose makes a query of terms. No value can become another qualifier,
// whatever it holds.
func Compose(terms ...Term) (Query, error) {
	q := Query{Created: times.all(), Stars: numbers.all()}
	var errs []error
	given := map[string]bool{}
	for _, t := range terms {
		if err := q.add(t, given); err != nil {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return Query{}, err
	}
	slices.SortFunc(q.terms, func(a, b term) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.text, b.text))
	})
	q.terms = slices.Compact(q.terms)
	if q.Created == times.all() && q.Stars == numbers.all() && len(q.terms) == 0 {
		return Query{}, errors.New("the query has no qualifier that narrows the search")
	}
	// The widest slice: stars with seven digits are more than any repository has.
	if n := len(q.Slice(Range{0, 1}, Range{1_000_000, 9_999_999})); n > MaxLength {
		return Query{}, fmt.Errorf("the query has %d characters with its created and stars ranges; GitHub takes %d", n, MaxLength)
	}
	return q, nil
}

// add checks one qualifier and takes it in.
func (q *Query) add(t Term, given map[string]bool) error {
	key := strings.ToLower(t.Key)
	k, ok := kinds[key]
	if !ok {
		return fmt.Errorf("%s: unknown qualifier; known are %s", t.Key, strings.Join(known(), ", "))
	}
	if t.Not && !k.many {
		return fmt.Errorf("-%s: cannot be negated", key)
	}
	if given[key] && !k.many {
		return fmt.Errorf("%s: given twice", key)
	}
	given[key] = true
	switch {
	case key == "commits-since":
		r, err := times.value(t.Value)
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		q.CommitsSince = time.Unix(r.From, 0).UTC()
	case k.axis != nil:
		r, err := k.axis.parse(t.Value)
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		switch key {
		case "created":
			q.Created = r
		case "stars":
			q.Stars = r
		default:
			q.terms = append(q.terms, term{key, key + ":" + k.axis.text(r, false), key + ":" + k.axis.text(r, true)})
		}
	default:
		value := strings.ToLower(t.Value)
		if !k.value.MatchString(value) {
			return fmt.Errorf("%s: %q is not %s", key, t.Value, k.what)
		}
		if key == "fork" && value == "false" {
			return nil // what GitHub does anyway; its manual has no such value
		}
		if strings.Contains(value, " ") {
			value = `"` + value + `"`
		}
		text := key + ":" + value
		if t.Not {
			text = "-" + text
		}
		q.terms = append(q.terms, term{key, text, text})
	}
	return nil
}

// String is the canonical form: keys ascending, one spelling of each value. It
// parses to the same query, and two texts that mean the same have one.
func (q Query) String() string {
	terms := slices.Clone(q.terms)
	if r := q.Created; r != times.all() {
		terms = append(terms, term{key: "created", text: "created:" + times.text(r, false)})
	}
	if r := q.Stars; r != numbers.all() {
		terms = append(terms, term{key: "stars", text: "stars:" + numbers.text(r, false)})
	}
	if t := q.CommitsSince; !t.IsZero() {
		terms = append(terms, term{key: "commits-since", text: "commits-since:" + start(t.Unix())})
	}
	slices.SortFunc(terms, func(a, b term) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.text, b.text))
	})
	texts := make([]string, len(terms))
	for i, t := range terms {
		texts[i] = t.text
	}
	return strings.Join(texts, " ")
}

// Slice is what GitHub is asked for one slice of the search: the query with
// other ranges. A range of stars without bounds is left out.
func (q Query) Slice(created, stars Range) string {
	texts := make([]string, 0, len(q.terms)+2)
	for _, t := range q.terms {
		texts = append(texts, t.sent)
	}
	texts = append(texts, "created:"+times.text(created, true))
	if stars != numbers.all() {
		texts = append(texts, "stars:"+numbers.text(stars, true))
	}
	return strings.Join(texts, " ")
}

// Has reports whether the query names a qualifier.
func (q Query) Has(key string) bool {
	return slices.ContainsFunc(q.terms, func(t term) bool { return t.key == key })
}
