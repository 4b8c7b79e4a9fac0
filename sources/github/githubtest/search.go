package githubtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	maxFound  = 1000 // results of one search that can be reached
	maxSearch = 256  // characters
)

type test[T any] func(T) bool

// either are the qualifiers of which one that fits is enough, by the name of their
// group. All others have to fit.
var either = map[string]string{"language": "language", "license": "license", "user": "owner", "org": "owner", "repo": "owner"}

// predicate turns a search into one test. A qualifier nobody knows is refused here
// (GitHub takes it for text), so that a misspelt one fails a test.
func predicate[T any](text string, qualifier func(key, value string) (test[T], error), words func(T) string) (test[T], error) {
	if utf8.RuneCountInString(text) > maxSearch {
		return nil, fmt.Errorf("the search is longer than %d characters", maxSearch)
	}
	terms, err := parseSearch(text)
	if err != nil {
		return nil, err
	}
	if len(terms) == 0 {
		return nil, fmt.Errorf("the search is empty")
	}
	var all []test[T]
	groups := map[string][]test[T]{}
	for _, t := range terms {
		var one test[T]
		if t.key == "" {
			word := strings.ToLower(t.value)
			one = func(item T) bool { return strings.Contains(strings.ToLower(words(item)), word) }
		} else if one, err = qualifier(strings.ToLower(t.key), t.value); err != nil {
			return nil, fmt.Errorf("%s:%s: %w", t.key, t.value, err)
		}
		group := either[strings.ToLower(t.key)]
		switch {
		case t.not:
			all = append(all, func(item T) bool { return !one(item) })
		case group != "":
			groups[group] = append(groups[group], one)
		default:
			all = append(all, one)
		}
	}
	return func(item T) bool {
		fits := func(one test[T]) bool { return one(item) }
		for _, group := range groups {
			if !slices.ContainsFunc(group, fits) {
				return false
			}
		}
		return !slices.ContainsFunc(all, func(one test[T]) bool { return !one(item) })
	}, nil
}

func inSpan[T any](value string, bounds func(string) (int64, int64, error), of func(T) int64) (test[T], error) {
	s, err := parseSpan(value, bounds)
	if err != nil {
		return nil, err
	}
	return func(item T) bool { return s.holds(of(item)) }, nil
}

// repositoryQualifier is the test of one qualifier of a repository search.
func repositoryQualifier(key, value string) (test[*Repository], error) {
	type R = *Repository
	switch key {
	case "language":
		return func(r R) bool { return strings.EqualFold(r.language(), value) }, nil
	case "license":
		return func(r R) bool { return r.Licence != "" && strings.EqualFold(licenceKey(r.Licence), value) }, nil
	case "topic":
		return func(r R) bool { return slices.Contains(r.Topics, strings.ToLower(value)) }, nil
	case "user", "org":
		return func(r R) bool { return strings.EqualFold(r.Owner, value) }, nil
	case "repo":
		return func(r R) bool { return strings.EqualFold(r.FullName(), value) }, nil
	case "archived":
		yes, err := strconv.ParseBool(value)
		return func(r R) bool { return r.Archived == yes }, err
	case "fork":
		switch value {
		case "true":
			return func(R) bool { return true }, nil
		case "only":
			return func(r R) bool { return r.Fork }, nil
		case "false":
			return func(r R) bool { return !r.Fork }, nil
		}
	case "is":
		if value == "public" || value == "private" {
			return func(R) bool { return value == "public" }, nil
		}
	case "in":
		return func(R) bool { return true }, nil
	case "mirror", "template": // there are none
		yes, err := strconv.ParseBool(value)
		return func(R) bool { return !yes }, err
	case "stars":
		return inSpan(value, wholeNumber, func(r R) int64 { return r.Stars })
	case "forks":
		return inSpan(value, wholeNumber, func(r R) int64 { return r.Forks })
	case "size":
		return inSpan(value, wholeNumber, func(r R) int64 { return r.Size })
	case "topics":
		return inSpan(value, wholeNumber, func(r R) int64 { return int64(len(r.Topics)) })
	case "created":
		return inSpan(value, moments, func(r R) int64 { return r.Created.Unix() })
	case "pushed":
		return inSpan(value, moments, func(r R) int64 { return r.Pushed.Unix() })
	}
	return nil, fmt.Errorf("not a qualifier with that value")
}

// issueQualifier is the test of one qualifier of an issue search.
func issueQualifier(key, value string) (test[*Issue], error) {
	type I = *Issue
	switch key {
	case "is", "type", "state":
		switch value {
		case "issue":
			return func(i I) bool { return i.Pull == nil }, nil
		case "pr", "pull-request":
			return func(i I) bool { return i.Pull != nil }, nil
		case "open", "closed":
			return func(i I) bool { return i.state() == value }, nil
		case "merged":
			return func(i I) bool { return i.Pull != nil && !i.Pull.Merged.IsZero() }, nil
		case "public":
			return func(I) bool { return true }, nil
		}
	case "repo":
		return func(i I) bool { return strings.EqualFold(i.repo.FullName(), value) }, nil
	case "user", "org":
		return func(i I) bool { return strings.EqualFold(i.repo.Owner, value) }, nil
	case "author":
		return func(i I) bool { return i.Author != nil && strings.EqualFold(i.Author.Login, value) }, nil
	case "label":
		return func(i I) bool { return slices.Contains(i.Labels, value) }, nil
	case "in":
		return func(I) bool { return true }, nil
	case "comments":
		return inSpan(value, wholeNumber, func(i I) int64 { return int64(len(i.Comments)) })
	case "created":
		return inSpan(value, moments, func(i I) int64 { return i.Created.Unix() })
	case "updated":
		return inSpan(value, moments, func(i I) int64 { return i.Updated.Unix() })
	case "closed":
		return inSpan(value, moments, func(i I) int64 { return i.Closed.Unix() })
	}
	return nil, fmt.Errorf("not a qualifier with that value")
}

func (c *call) searchRepositories() answer {
	matches, err := predicate(c.q.Get("q"), repositoryQualifier, func(r *Repository) string { return r.FullName() + " " + r.Description })
	if err != nil {
		return invalid("Search", "q", err.Error())
	}
	forks := strings.Contains(c.q.Get("q"), "fork:") // left out unless they are mentioned
	var found []*Repository
	for _, r := range c.s.world.repos {
		if !r.Deleted && r.Blocked.IsZero() && (forks || !r.Fork) && matches(r) {
			found = append(found, r)
		}
	}
	by := map[string]func(*Repository) time.Time{
		"stars":   func(r *Repository) time.Time { return time.Unix(r.Stars, 0) },
		"forks":   func(r *Repository) time.Time { return time.Unix(r.Forks, 0) },
		"updated": func(r *Repository) time.Time { return second(r.Updated) },
	}[c.q.Get("sort")]
	return searched(c, found, by, func(r *Repository) int64 { return r.ID }, func(r *Repository) raw {
		return new(object).all(c.repositoryBody(r)).add("score", 1).end()
	})
}

func (c *call) searchIssues() answer {
	matches, err := predicate(c.q.Get("q"), issueQualifier, func(i *Issue) string { return i.Title + " " + i.Body })
	if err != nil {
		return invalid("Search", "q", err.Error())
	}
	var found []*Issue
	for _, r := range c.s.world.repos {
		if r.Deleted || !r.Blocked.IsZero() {
			continue
		}
		for _, i := range r.Issues {
			if !i.Deleted && !(r.NoIssues && i.Pull == nil) && matches(i) {
				found = append(found, i)
			}
		}
	}
	by := map[string]func(*Issue) time.Time{
		"created":  func(i *Issue) time.Time { return second(i.Created) },
		"updated":  func(i *Issue) time.Time { return second(i.Updated) },
		"comments": func(i *Issue) time.Time { return time.Unix(int64(len(i.Comments)), 0) },
	}[c.q.Get("sort")]
	return searched(c, found, by, func(i *Issue) int64 { return i.ID }, c.names.foundIssue, "search_type", "lexical")
}

// searched is one page of what was found, in an order or by number. more are
// further members of the answer, with their values.
func searched[T any](c *call, found []T, by func(T) time.Time, number func(T) int64, render func(T) raw, more ...string) answer {
	descending := cmp.Or(c.q.Get("order"), "desc") == "desc"
	if by == nil {
		by, descending = func(T) time.Time { return time.Time{} }, false
	}
	sorted(found, descending, by, number)
	size, page := c.pageOf()
	if (page-1)*size >= maxFound {
		return failure(http.StatusUnprocessableEntity, "Only the first 1000 search results are available")
	}
	out := c.page(min(len(found), maxFound), func(k int) raw { return render(found[k]) })
	body := new(object).add("total_count", len(found)).add("incomplete_results", false).add("items", raw(out.body))
	for k := 0; k+1 < len(more); k += 2 {
		body.add(more[k], more[k+1])
	}
	out.body = body.end()
	return out
}

// incomplete is the answer of a search that ran out of time.
func (c *call) incomplete(a answer) answer {
	var body struct {
		Total int   `json:"total_count"`
		Items []raw `json:"items"`
	}
	if err := json.Unmarshal(a.body, &body); err != nil {
		panic("githubtest: a search answered " + err.Error())
	}
	a.body = new(object).add("total_count", body.Total/2).add("incomplete_results", true).
		add("items", list(body.Items[:len(body.Items)/2])).end()
	return a
}
