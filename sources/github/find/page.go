package find

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"time"

	"benchmill/pipeline"
	"benchmill/sources/github/api"
)

// item is a repository as a search shows it.
type item struct {
	ID          int64  `json:"id"`
	Node        string `json:"node_id"`
	Name        string `json:"full_name"`
	Description string `json:"description"`
	Private     bool   `json:"private"`
	Stars       int64  `json:"stargazers_count"`
	Size        int64  `json:"size"` // KB
	Created     string `json:"created_at"`
	Pushed      string `json:"pushed_at"`
}

func (i item) created() (time.Time, error) { return time.Parse(time.RFC3339, i.Created) }

var fullName = regexp.MustCompile(`^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$`)

func (i item) check() error {
	if i.ID <= 0 || i.Node == "" || !fullName.MatchString(i.Name) {
		return fmt.Errorf("a repository of number %d, node %q and name %q", i.ID, i.Node, i.Name)
	}
	if _, err := i.created(); err != nil {
		return fmt.Errorf("%s: created_at: %w", i.Name, err)
	}
	return nil
}

// page is one page of results.
type page struct {
	total int64
	items []item
}

// tries is how often an answer that GitHub itself calls incomplete is asked for.
const tries = 5

// address is where the first page of a slice is. Results come by stars: of the
// orders there are it is the one that changes least while pages are read (a push
// moves a repository to the front of "updated", the best match is not defined
// without words), and the most stars, which come first, bound the second axis.
func (s *search) address(sl slice, size int) string {
	return "search/repositories?" + url.Values{
		"q": {s.text(sl)}, "sort": {"stars"}, "order": {"desc"}, "per_page": {strconv.Itoa(size)},
	}.Encode()
}

// page asks for one page until GitHub has searched everything, and returns the
// address of the next. A search that ran out of its time at GitHub says so, and
// mostly passes once the index is warm. A body of another form is asked for again
// likewise.
func (s *search) page(ctx context.Context, address string) (*page, string, error) {
	for try := 1; ; try++ {
		s.requests++
		a, err := s.API.Get(ctx, address, api.Known{})
		if err != nil {
			return nil, "", err
		}
		p, err := decode(a.Body)
		if err == nil {
			return p, a.Next, nil
		}
		if try == tries {
			return nil, "", pipeline.Mark(fmt.Errorf("%s: %w, %d times in a row", address, err, tries), pipeline.Transient)
		}
		if err := s.pause(ctx, time.Second<<try); err != nil {
			return nil, "", err
		}
	}
}

// decode reads a page and takes nothing for granted: a body without a count is
// not an empty result.
func decode(body []byte) (*page, error) {
	var b struct {
		Total      *int64  `json:"total_count"`
		Incomplete *bool   `json:"incomplete_results"`
		Items      *[]item `json:"items"`
	}
	if err := json.Unmarshal(body, &b); err != nil {
		return nil, fmt.Errorf("not results of a search: %w", err)
	}
	if b.Total == nil || *b.Total < 0 || b.Incomplete == nil || b.Items == nil {
		return nil, errors.New("not results of a search: total_count, incomplete_results or items is not there")
	}
	if *b.Incomplete {
		return nil, errors.New("GitHub calls its results incomplete")
	}
	for _, i := range *b.Items {
		if err := i.check(); err != nil {
			return nil, fmt.Errorf("not results of a search: %w", err)
		}
	}
	return &page{*b.Total, *b.Items}, nil
}
