// Package find searches GitHub for repositories and brings all that match.
//
// GitHub shows at most 1,000 results of a search, so a search is cut into slices
// that have fewer: by the time of creation, in halves down to one second, and
// within a second by stars, down to a single number. Slices are disjoint and
// together are the whole range; an answer that is incomplete, or shows fewer
// repositories than it counts, is asked for again and finally an error. So the
// list misses nothing that GitHub counts: it errs by stopping, never by leaving
// out. What it can hold too much of is repositories that matched when their slice
// was read and no longer do at the end.
//
// GitHub's search tells little of a repository; the rest comes by GraphQL.
package find

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"benchmill/internal/clock"
	"benchmill/internal/collection"
	"benchmill/internal/ghquery"
	"benchmill/pipeline"
	"benchmill/sources/github/api"
)

// API is what a search needs of a client. It waits as the server asks, repeats
// what may be repeated, and believes no body that is not whole; see [api.Client].
type API interface {
	Get(ctx context.Context, address string, known api.Known) (*api.Answer, error)
	Query(ctx context.Context, query string, variables map[string]any, out any) error
}

// Finder runs searches. It may run several at a time if its functions allow it.
type Finder struct {
	API API
	Log *slog.Logger // nil: silent
	// Progress hears, after every answer, how many repositories were found and how
	// many GitHub counted when the search began. Nil: nobody does.
	Progress func(found, total int64)
	// Pause waits before an incomplete answer is asked for again. Nil: by the clock
	// on the wall.
	Pause func(ctx context.Context, d time.Duration) error
	// Tolerance is how many repositories of a search GitHub may count and not show,
	// however often it is asked; one more ends the search. Each is logged with its
	// slice.
	Tolerance int64
}

// Parse reads a query; [ghquery] describes the language. All of it is GitHub's
// but commits-since.
func Parse(query string) (ghquery.Query, error) { return ghquery.Parse(query) }

// Find runs a search and returns all repositories that match and were created up
// to asOf, by name, each once.
//
// Commit and CommitsSince are those of the default branch at asOf, CommitsSince
// counted from the query's commits-since and 0 without one. Of everything else
// GitHub keeps no history: it is as it was when it was asked. Private repositories
// that the token can see are left out, unless the query says "is:". What was
// deleted between search and enrichment is left out and logged.
func (f *Finder) Find(ctx context.Context, query string, asOf time.Time) ([]collection.Repository, error) {
	q, err := Parse(query)
	if err != nil {
		return nil, fmt.Errorf("search %q: %w", query, err)
	}
	s := &search{Finder: f, query: q, asOf: asOf.UTC().Truncate(time.Second), found: map[int64]item{}}
	repositories, err := s.run(ctx)
	if err != nil {
		return nil, fmt.Errorf("search %q: %w", q, err)
	}
	return repositories, nil
}

// search is one search on its way.
type search struct {
	*Finder
	query    ghquery.Query
	asOf     time.Time
	total    int64          // as GitHub counted when the search began
	found    map[int64]item // by number
	lost     int64          // given up, see [Finder.Tolerance]
	requests int64
}

// born is before the first repository of GitHub, which is of late October 2007.
var born = time.Date(2007, 10, 1, 0, 0, 0, 0, time.UTC)

func (s *search) run(ctx context.Context) ([]collection.Repository, error) {
	all := slice{
		created: ghquery.Range{From: max(s.query.Created.From, born.Unix()), To: min(s.query.Created.To, s.asOf.Unix())},
		stars:   s.query.Stars,
	}
	if all.created.From > all.created.To {
		return nil, fmt.Errorf("nothing that was created by %s can match", s.asOf.Format(time.RFC3339))
	}
	root, err := s.explore(ctx, all)
	if err != nil {
		return nil, err
	}
	// A repository that two slices show must not hide one that none does.
	if n := int64(len(s.found)) + root.missing(); n < root.total {
		return nil, pipeline.Mark(fmt.Errorf("GitHub counts %d repositories and shows %d", root.total, n), pipeline.Transient)
	}
	items := make([]item, 0, len(s.found))
	for _, i := range s.found {
		if at, _ := i.created(); !at.After(s.asOf) && (!i.Private || s.query.Has("is")) {
			items = append(items, i)
		}
	}
	slices.SortFunc(items, func(a, b item) int { return cmp.Compare(a.ID, b.ID) })
	s.log().Info("search done", "query", s.query.String(), "found", len(items), "counted", s.total, "requests", s.requests)
	repositories, err := s.enrich(ctx, items)
	if err != nil {
		return nil, err
	}
	// A name that went from one repository to another meanwhile is the younger one's.
	slices.SortFunc(repositories, func(a, b collection.Repository) int {
		return cmp.Or(cmp.Compare(a.Repo, b.Repo), cmp.Compare(b.ID, a.ID))
	})
	return slices.CompactFunc(repositories, func(a, b collection.Repository) bool { return a.Repo == b.Repo }), nil
}

func (s *search) log() *slog.Logger {
	if s.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return s.Log
}

func (s *search) pause(ctx context.Context, d time.Duration) error {
	if s.Pause != nil {
		return s.Pause(ctx, d)
	}
	return clock.Wall{}.Sleep(ctx, d)
}
