package github

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"benchmill/internal/collection"
	"benchmill/pipeline"
	"benchmill/sources/github/find"
)

// Schemes of the sources.
const (
	IssuesScheme  = "github-issues"
	DetailsScheme = "github-details"
	SearchScheme  = "github-search"
)

// collected is the source of issues or details.
type collected struct {
	world  *World
	scheme string
}

// Scheme implements sources.Source.
func (s *collected) Scheme() string { return s.scheme }

// Resolve implements sources.Source: the name is an as-of time.
func (s *collected) Resolve(_ context.Context, ref pipeline.Ref) (pipeline.Pin, error) {
	pin := pipeline.Pin{Scheme: ref.Scheme, Locator: ref.Locator, Version: ref.Name}
	_, _, _, err := s.parse(pin)
	return pin, err
}

func (s *collected) parse(pin pipeline.Pin) (base, repo string, asOf time.Time, err error) {
	if pin.Scheme != s.scheme {
		return "", "", asOf, fmt.Errorf("%s is not for the source of %s", pin, s.scheme)
	}
	if base, repo, err = split(pin.Locator); err != nil {
		return "", "", asOf, fmt.Errorf("%s: %w", s.scheme, err)
	}
	if asOf, err = time.Parse(time.RFC3339, pin.Version); err != nil {
		err = fmt.Errorf("%s: as of %q: not a time such as 2024-06-23T00:00:00Z", pin.Locator, pin.Version)
	}
	return base, repo, asOf, err
}

// Fetch implements sources.Source.
func (s *collected) Fetch(ctx context.Context, pin pipeline.Pin, w io.Writer) error {
	base, repo, asOf, err := s.parse(pin)
	if err != nil {
		return err
	}
	m, err := s.world.mirror(base)
	if err != nil {
		return err
	}
	if s.scheme == DetailsScheme {
		return m.Details(ctx, repo, asOf, w)
	}
	return m.Issues(ctx, repo, asOf, w)
}

// Local implements sources.Source.
func (s *collected) Local(pin pipeline.Pin) bool {
	base, _, _, err := s.parse(pin)
	if err != nil {
		return false
	}
	_, folder := s.world.Where(base)
	return folder
}

// Estimate implements sources.Estimator.
func (s *collected) Estimate(pin pipeline.Pin) int64 {
	base, repo, asOf, err := s.parse(pin)
	if err != nil || s.Local(pin) {
		return 0
	}
	m, err := s.world.mirror(base)
	if err != nil {
		return 0
	}
	has := s.world.counts(pin.Locator)
	if s.scheme == DetailsScheme {
		return m.EstimateDetails(repo, has)
	}
	return m.Estimate(repo, asOf, has)
}

// search is the source of repository lists.
type search struct{ world *World }

// Scheme implements sources.Source.
func (s *search) Scheme() string { return SearchScheme }

// Local implements sources.Source.
func (s *search) Local(pin pipeline.Pin) bool {
	_, folder := s.world.Where(pin.Locator)
	return folder
}

// Resolve implements sources.Source. A search resolves to a list.
func (s *search) Resolve(_ context.Context, ref pipeline.Ref) (pipeline.Pin, error) {
	return pipeline.Pin{}, fmt.Errorf("%s resolves to a list", ref)
}

// Fetch implements sources.Source. The lock answers before anybody gets here.
func (s *search) Fetch(_ context.Context, pin pipeline.Pin, _ io.Writer) error {
	return pipeline.Mark(fmt.Errorf("%s: the lock holds no such list; run \"benchmill update\"", pin), pipeline.Fatal)
}

// List implements sources.Lister.
func (s *search) List(ctx context.Context, ref pipeline.Ref, asOf time.Time) ([]byte, error) {
	if err := checkBase(ref.Locator); err != nil {
		return nil, err
	}
	c, err := s.world.Client(ref.Locator)
	if err != nil {
		return nil, err
	}
	f := &find.Finder{API: c, Log: s.world.o.Log, Progress: s.world.Progress, Tolerance: s.world.o.Settings.SearchTolerance}
	found, err := f.Find(ctx, ref.Name, asOf)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	w := collection.NewWriter(&b, collection.Header{Kind: collection.KindRepositories, Name: ref.Name})
	for i := range found {
		if err := w.Write(collection.Record{Repository: &found[i]}); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return []byte(b.String()), err
}
