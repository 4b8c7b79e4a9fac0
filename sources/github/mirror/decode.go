package mirror

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"

	"benchmill/internal/collection"
)

// parseIssues are the issues of a page, pull requests among them.
func parseIssues(body []byte) ([]collection.Issue, error) {
	return parse(body, func(i *github.Issue) (collection.Issue, error) {
		out := collection.Issue{
			Number:      int64(i.GetNumber()),
			Title:       text(i.Title),
			Body:        text(i.Body),
			Author:      login(i.User),
			AuthorType:  clean(i.GetUser().GetType()),
			Association: text(i.AuthorAssociation),
			State:       "open",
			StateReason: text(i.StateReason),
			Labels:      labels(i.Labels),
			Pull:        i.IsPullRequest(),
			Locked:      i.GetLocked(),
			Comments:    int64(max(i.GetComments(), 0)),
			CreatedAt:   stamp(i.CreatedAt),
			UpdatedAt:   stamp(i.UpdatedAt),
			ClosedAt:    stamp(i.ClosedAt),
		}
		if i.GetState() == "closed" {
			out.State = "closed"
		}
		if out.Number < 1 {
			return out, errors.New("no number")
		}
		return out, dated(out.CreatedAt, out.UpdatedAt)
	})
}

// parseComments are the comments of a page.
func parseComments(body []byte) ([]collection.Comment, error) {
	return parse(body, func(c *github.IssueComment) (collection.Comment, error) {
		out := collection.Comment{
			ID:          c.GetID(),
			Author:      login(c.User),
			AuthorType:  clean(c.GetUser().GetType()),
			Association: text(c.AuthorAssociation),
			Body:        text(c.Body),
			CreatedAt:   stamp(c.CreatedAt),
			UpdatedAt:   stamp(c.UpdatedAt),
		}
		// After a rename the address names the repository differently; the number stays.
		out.Number, _ = strconv.ParseInt(path.Base(c.GetIssueURL()), 10, 64)
		switch {
		case out.ID < 1:
			return out, errors.New("no id")
		case out.Number < 1:
			return out, errors.New("no issue_url that ends in a number")
		}
		return out, dated(out.CreatedAt, out.UpdatedAt)
	})
}

// parse reads a page and names the item that something is wrong with.
func parse[T, R any](body []byte, project func(*T) (R, error)) ([]R, error) {
	var items []*T
	if err := json.Unmarshal(body, &items); err != nil {
		return nil, fmt.Errorf("not the list that was expected: %w", err)
	}
	if items == nil {
		return nil, errors.New("not the list that was expected: null")
	}
	out := make([]R, len(items))
	for i, item := range items {
		err := errors.New("null")
		if item != nil {
			out[i], err = project(item)
		}
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", i+1, err)
		}
	}
	return out, nil
}

// updatesOf are the update times of what a parser reads.
func updatesOf[R any](parse func([]byte) ([]R, error), updated func(*R) string) func([]byte) ([]time.Time, error) {
	return func(body []byte) ([]time.Time, error) {
		records, err := parse(body)
		out := make([]time.Time, len(records))
		for i := 0; i < len(records) && err == nil; i++ {
			out[i], err = time.Parse(time.RFC3339, updated(&records[i]))
		}
		return out, err
	}
}

func dated(created, updated string) error {
	switch {
	case created == "":
		return errors.New("no created_at")
	case updated == "":
		return errors.New("no updated_at")
	}
	return nil
}

// stamp writes a time so that text order is the order of time.
func stamp(t *github.Timestamp) string {
	if t == nil || t.IsZero() {
		return ""
	}
	return stampOf(t.Time)
}

func stampOf(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// text is a text as it is, but for NUL, which many a reader of tables takes for an
// end. Decoding has made the UTF-8 valid.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return clean(*s)
}

func clean(s string) string { return strings.ReplaceAll(s, "\x00", "\uFFFD") }

// ghost is what REST calls the authors whose accounts were deleted; GraphQL says
// null.
const ghost = "ghost"

func login(u *github.User) string {
	if u.GetLogin() == ghost {
		return ""
	}
	return clean(u.GetLogin())
}

func labels(from []*github.Label) []string {
	var out []string
	for _, l := range from {
		if l != nil && l.GetName() != "" {
			out = append(out, clean(l.GetName()))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
