package find

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"benchmill/internal/ghquery"
	"benchmill/pipeline"
	"benchmill/sources/github/api"
)

// fake is an API over a list of repositories. Pages after the first have opaque
// addresses, so that only who follows Next finds them.
type fake struct {
	t     *testing.T
	repos []repo // ascending
	// Scripted trouble, which may change the world or answer in its place. before is
	// told the number of each request, from 1.
	before      func(n int, q url.Values) (*api.Answer, error)
	beforeQuery func(ids []string, out any) (answered bool, err error)
	phantoms    func(q ghquery.Query) int64 // counted and not shown

	asked   []string // q of every request
	leaves  []ghquery.Query
	batches []int
	pauses  []time.Duration
}

type repo struct {
	id, created, stars int64
	private            bool
}

func (r repo) name() string { return fmt.Sprintf("o/r%06d", r.id) }
func (r repo) node() string { return fmt.Sprintf("R_%06d", r.id) }

func (f *fake) finder() *Finder {
	return &Finder{API: f, Pause: func(ctx context.Context, d time.Duration) error {
		f.pauses = append(f.pauses, d)
		return ctx.Err()
	}}
}

func (f *fake) Get(ctx context.Context, address string, _ api.Known) (*api.Answer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	path, query, _ := strings.Cut(address, "?")
	v, err := url.ParseQuery(query)
	if path != "search/repositories" || err != nil || v.Get("sort") != "stars" || v.Get("order") != "desc" || v.Has("page") {
		f.t.Errorf("asked for %s", address)
	}
	f.asked = append(f.asked, v.Get("q"))
	if f.before != nil {
		if a, err := f.before(len(f.asked), v); a != nil || err != nil {
			return a, err
		}
	}
	q, err := ghquery.Parse(v.Get("q"))
	if err != nil {
		f.t.Errorf("GitHub would not take %q: %v", v.Get("q"), err)
	}
	return f.answer(q, v), nil
}

func (f *fake) answer(q ghquery.Query, v url.Values) *api.Answer {
	var found []repo
	for _, r := range f.repos {
		if q.Created.From <= r.created && r.created <= q.Created.To && q.Stars.From <= r.stars && r.stars <= q.Stars.To {
			found = append(found, r)
		}
	}
	slices.SortFunc(found, func(a, b repo) int { return cmp.Or(cmp.Compare(b.stars, a.stars), cmp.Compare(a.id, b.id)) })
	total := int64(len(found))
	if f.phantoms != nil {
		total += f.phantoms(q)
	}
	size, _ := strconv.Atoi(v.Get("per_page"))
	from, _ := strconv.Atoi(strings.TrimPrefix(v.Get("after"), "cursor"))
	if from == 0 && size == 100 && total <= 1000 {
		f.leaves = append(f.leaves, q)
	}
	a := &api.Answer{}
	if to := from + size; to < min(len(found), 1000) {
		v.Set("after", fmt.Sprint("cursor", to))
		a.Next = "search/repositories?" + v.Encode()
	}
	items := []item{}
	for _, r := range found[min(from, len(found)):min(from+size, len(found), 1000)] {
		items = append(items, item{
			ID: r.id, Node: r.node(), Name: r.name(), Stars: r.stars, Private: r.private,
			Created: time.Unix(r.created, 0).UTC().Format(time.RFC3339), Pushed: "2024-01-01T00:00:00Z",
		})
	}
	a.Body, _ = json.Marshal(map[string]any{"total_count": total, "incomplete_results": false, "items": items})
	return a
}

func (f *fake) Query(ctx context.Context, _ string, variables map[string]any, out any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ids := variables["ids"].([]string)
	f.batches = append(f.batches, len(ids))
	if f.beforeQuery != nil {
		if answered, err := f.beforeQuery(ids, out); answered || err != nil {
			return err
		}
	}
	nodes := []any{}
	fault := &api.QueryError{}
	for i, id := range ids {
		at, found := slices.BinarySearchFunc(f.repos, id, func(r repo, id string) int { return cmp.Compare(r.node(), id) })
		if !found {
			nodes = append(nodes, nil)
			fault.Errors = append(fault.Errors, api.QueryFault{Type: "NOT_FOUND", Path: []string{"nodes", strconv.Itoa(i)}, Message: "gone"})
			continue
		}
		r := f.repos[at]
		nodes = append(nodes, map[string]any{"databaseId": r.id, "nameWithOwner": r.name(), "url": "https://host/" + r.name()})
	}
	data, _ := json.Marshal(map[string]any{"nodes": nodes})
	if err := json.Unmarshal(data, out); err != nil {
		return err
	}
	if len(fault.Errors) > 0 {
		return fault
	}
	return nil
}

var (
	dayStart = time.Date(2023, 5, 17, 0, 0, 0, 0, time.UTC).Unix()
	asOf     = time.Date(2024, 6, 23, 0, 0, 0, 0, time.UTC)
)

// dense are n repositories of one day: a third each in two single seconds with
// stars up to 5000, the rest over the day.
func dense(n int) []repo {
	rnd := pipeline.Seed{Stage: "find"}.Rand("dense")
	out := make([]repo, n)
	for i := range out {
		r := repo{id: int64(i + 1), created: dayStart + rnd.Int64N(86400), stars: int64(rnd.ExpFloat64() * 300)}
		switch i % 3 {
		case 0:
			r.created = dayStart + 40000
		case 1:
			r.created = dayStart + 40001
		}
		out[i] = r
	}
	return out
}

// find runs the search and checks that it brings every repository there is, once.
func (f *fake) find(query string) {
	f.t.Helper()
	got, err := f.finder().Find(f.t.Context(), query, asOf)
	if err != nil {
		f.t.Fatal(err)
	}
	want := make([]string, len(f.repos))
	for i, r := range f.repos {
		want[i] = r.name()
	}
	slices.Sort(want)
	if len(got) != len(want) {
		f.t.Fatalf("%d repositories, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i].Repo != want[i] {
			f.t.Fatalf("repository %d is %s, want %s", i, got[i].Repo, want[i])
		}
	}
}
