package find

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"benchmill/internal/ghquery"
	"benchmill/pipeline"
	"benchmill/sources/github/api"
)

// 12,345 repositories of one day, thousands of them of one second: all are found,
// none twice, in slices that are disjoint and leave nothing out.
func TestFindDense(t *testing.T) {
	f := &fake{t: t, repos: dense(12345)}
	f.find("language:python")
	t.Logf("%d requests for results, %d leaves; %d queries", len(f.asked), len(f.leaves), len(f.batches))
	if len(f.asked) > 400 {
		t.Errorf("%d requests", len(f.asked))
	}
	for _, r := range f.repos {
		holding := 0
		for _, q := range f.leaves {
			if q.Created.From <= r.created && r.created <= q.Created.To && q.Stars.From <= r.stars && r.stars <= q.Stars.To {
				holding++
			}
		}
		if holding != 1 {
			t.Fatalf("%+v lies in %d slices", r, holding)
		}
	}
	tile(t, f.leaves, born.Unix(), asOf.Unix())
}

// tile checks that slices cover a span of time, and all stars at every second.
func tile(t *testing.T, leaves []ghquery.Query, from, to int64) {
	t.Helper()
	slices.SortFunc(leaves, func(a, b ghquery.Query) int {
		if a.Created != b.Created {
			return int(a.Created.From - b.Created.From)
		}
		return int(a.Stars.From - b.Stars.From)
	})
	second, stars := from, int64(0)
	for _, q := range leaves {
		if q.Created.From != second || q.Stars.From != stars {
			t.Fatalf("%s: want second %d from %d stars", q, second, stars)
		}
		if q.Stars.To != ghquery.Highest {
			stars = q.Stars.To + 1
			continue
		}
		second, stars = q.Created.To+1, 0
	}
	if second != to+1 || stars != 0 {
		t.Errorf("the last slice ends before second %d", second)
	}
}

// Few results need one request a page, and the range is closed on both sides.
func TestFindFew(t *testing.T) {
	f := &fake{t: t, repos: dense(250)}
	f.find("language:python stars:>=0")
	want := "language:python created:2007-10-01T00:00:00Z..2024-06-23T00:00:00Z"
	if !slices.Equal(f.asked, []string{want, want, want}) {
		t.Errorf("asked %q", f.asked)
	}
	if !slices.Equal(f.batches[:13], []int{20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 10}) {
		t.Errorf("batches %v", f.batches)
	}
	f = &fake{t: t}
	f.find("created:2023-01-01..* stars:5..9")
	f.find("created:*..2023-01-01")
	want = "created:2023-01-01T00:00:00Z..2024-06-23T00:00:00Z stars:5..9|created:2007-10-01T00:00:00Z..2023-01-01T23:59:59Z"
	if got := strings.Join(f.asked, "|"); got != want {
		t.Errorf("asked %s", got)
	}
}

func TestFindQueryErrors(t *testing.T) {
	f := &fake{t: t}
	for query, want := range map[string]string{
		"python":              `search "python": "python" is no qualifier`,
		"created:>2024-06-23": "nothing that was created by 2024-06-23T00:00:00Z can match",
	} {
		if _, err := f.finder().Find(t.Context(), query, asOf); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", query, err)
		}
	}
	if len(f.asked) > 0 {
		t.Errorf("asked %q", f.asked)
	}
}

// What GitHub calls incomplete is asked for again, and never taken.
func TestFindIncomplete(t *testing.T) {
	incomplete := &api.Answer{Body: []byte(`{"total_count": 3, "incomplete_results": true, "items": []}`)}
	f := &fake{t: t, repos: dense(150)}
	f.before = func(n int, _ url.Values) (*api.Answer, error) {
		if n < 5 || n == 6 {
			return incomplete, nil
		}
		return nil, nil
	}
	f.find("language:python")
	if want := []time.Duration{2, 4, 8, 16, 2}; fmt.Sprint(f.pauses) != strings.ReplaceAll(fmt.Sprint(want), "ns", "s") {
		t.Errorf("pauses %v", f.pauses)
	}
	f = &fake{t: t, before: func(int, url.Values) (*api.Answer, error) { return incomplete, nil }}
	_, err := f.finder().Find(t.Context(), "language:python", asOf)
	if err == nil || !strings.Contains(err.Error(), "GitHub calls its results incomplete, 5 times in a row") || pipeline.ClassOf(err) != pipeline.Transient || len(f.asked) != 5 {
		t.Errorf("%v after %d requests", err, len(f.asked))
	}
}

// No body is an empty result that does not say so.
func TestFindBadBody(t *testing.T) {
	for _, body := range []string{
		"", "null", "[]", "{}", `{"message":"x"}`, `{"total_count":0,"items":[]}`, `{"total_count":0,"incomplete_results":false}`,
		`{"total_count":-1,"incomplete_results":false,"items":[]}`, `{"total_count":"1","incomplete_results":false,"items":[]}`,
		`{"total_count":1,"incomplete_results":false,"items":[{}]}`,
		`{"total_count":1,"incomplete_results":false,"items":[{"id":1,"node_id":"R","full_name":"../x/y","created_at":"2020-01-01T00:00:00Z"}]}`,
		`{"total_count":1,"incomplete_results":false,"items":[{"id":1,"node_id":"R","full_name":"x/y","created_at":"yesterday"}]}`,
	} {
		f := &fake{t: t, before: func(int, url.Values) (*api.Answer, error) { return &api.Answer{Body: []byte(body)}, nil }}
		if _, err := f.finder().Find(t.Context(), "language:python", asOf); err == nil || !strings.Contains(err.Error(), "not results of a search") {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// A repository that moves to a page already read is found on the next round, and
// the one that two pages showed is there once.
func TestFindMovesBetweenPages(t *testing.T) {
	f := &fake{t: t}
	for i := range int64(250) {
		f.repos = append(f.repos, repo{id: i + 1, created: dayStart + i, stars: 1000 - i})
	}
	f.before = func(n int, _ url.Values) (*api.Answer, error) {
		if n == 3 { // pages one and two are read
			f.repos[249].stars = 5000
		}
		return nil, nil
	}
	f.find("language:python")
	if len(f.asked) != 6 {
		t.Errorf("%d requests, want two rounds of 3", len(f.asked))
	}
}

// A repository that moves to a slice already read is found when the numbers are
// compared, also when another that is seen in both slices makes up for it.
func TestFindMovesBetweenSlices(t *testing.T) {
	for _, both := range []bool{false, true} {
		f := &fake{t: t}
		for i := range int64(1500) {
			f.repos = append(f.repos, repo{id: i + 1, created: dayStart, stars: i})
		}
		moved := false
		f.before = func(n int, v url.Values) (*api.Answer, error) {
			if q, _ := ghquery.Parse(v.Get("q")); !moved && q.Created.From == q.Created.To && q.Stars.From > 700 {
				moved = true // the lower half is read
				f.repos[900].stars = 3
				if both {
					f.repos[5].stars = 1000
				}
			}
			return nil, nil
		}
		f.find("language:python")
		if !moved {
			t.Error("nothing moved")
		}
	}
}

// What goes while the search is under way is settled by counting again.
func TestFindDisappears(t *testing.T) {
	f := &fake{t: t, repos: dense(2500)}
	plain := &fake{t: t, repos: dense(2500)}
	plain.find("language:python")
	f.before = func(n int, _ url.Values) (*api.Answer, error) {
		if n == 12 {
			f.repos = f.repos[:2480]
		}
		return nil, nil
	}
	f.find("language:python")
	if more := len(f.asked) - len(plain.asked); more > 40 {
		t.Errorf("%d more requests", more)
	}
}

// What comes while the search is under way is allowed and need not be found; what
// was there is.
func TestFindAppears(t *testing.T) {
	f := &fake{t: t, repos: dense(2500)}
	f.before = func(n int, _ url.Values) (*api.Answer, error) {
		if n%10 == 0 {
			id := int64(10000 + n)
			f.repos = append(f.repos, repo{id: id, created: dayStart + id, stars: 1})
		}
		return nil, nil
	}
	got, err := f.finder().Find(t.Context(), "language:python", asOf)
	if err != nil {
		t.Fatal(err)
	}
	old := 0
	for _, r := range got {
		if r.ID <= 2500 {
			old++
		}
	}
	if old != 2500 {
		t.Errorf("%d of 2500", old)
	}
}

// What is counted and never shown is an error that names the slice, unless that
// many are tolerated.
func TestFindNeverShown(t *testing.T) {
	f := &fake{t: t, repos: dense(1200)}
	f.phantoms = func(q ghquery.Query) int64 {
		if q.Created.From <= dayStart+7 && dayStart+7 <= q.Created.To && q.Stars.From <= 20 && 20 <= q.Stars.To {
			return 2
		}
		return 0
	}
	_, err := f.finder().Find(t.Context(), "language:python", asOf)
	if err == nil || !strings.Contains(err.Error(), `GitHub counts 2 repositories in "language:python created:2023-05-17T00:00:07Z stars:20" and shows 0, however often`) || pipeline.ClassOf(err) != pipeline.Transient {
		t.Error(err)
	}
	if len(f.asked) > 300 {
		t.Errorf("%d requests", len(f.asked))
	}
	finder := f.finder()
	finder.Tolerance = 2
	if got, err := finder.Find(t.Context(), "language:python", asOf); err != nil || len(got) != 1200 {
		t.Errorf("%d, %v", len(got), err)
	}
	// Counted in the whole and in no part.
	f.phantoms = func(q ghquery.Query) int64 {
		if q.Created.To-q.Created.From > 10*365*86400 {
			return 3
		}
		return 0
	}
	if _, err := f.finder().Find(t.Context(), "language:python", asOf); err == nil || !strings.Contains(err.Error(), "GitHub counts 1203 repositories in") {
		t.Error(err)
	}
}

// A server whose slices overlap shows repositories twice; they are there once.
func TestFindOverlap(t *testing.T) {
	f := &fake{t: t, repos: dense(2500)}
	f.before = func(_ int, v url.Values) (*api.Answer, error) {
		q, _ := ghquery.Parse(v.Get("q"))
		if q.Created.To < asOf.Unix() {
			q.Created.To++
		}
		return f.answer(q, v), nil
	}
	f.find("language:python")
}

// A server that does not understand the ranges is not asked for every second there
// was.
func TestFindSenselessCounts(t *testing.T) {
	for _, total := range []int{3, 5000} {
		f := &fake{t: t}
		f.before = func(int, url.Values) (*api.Answer, error) {
			return &api.Answer{Body: fmt.Appendf(nil, `{"total_count":%d,"incomplete_results":false,"items":[]}`, total)}, nil
		}
		_, err := f.finder().Find(t.Context(), "language:python", asOf)
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("GitHub counts %d repositories in", total)) || len(f.asked) > 200 {
			t.Errorf("%v after %d requests", err, len(f.asked))
		}
	}
}

// A repository shown in two slices of time, as none can be, hides no other.
func TestFindOverlapHides(t *testing.T) {
	f := &fake{t: t, repos: dense(1500)}
	f.phantoms = func(q ghquery.Query) int64 {
		if q.Created.From == born.Unix() && q.Created.To == asOf.Unix() {
			return 1
		}
		return 0
	}
	f.before = func(_ int, v url.Values) (*api.Answer, error) {
		q, _ := ghquery.Parse(v.Get("q"))
		if q.Created.From == born.Unix() && q.Created.To < dayStart {
			q.Created.To = f.repos[2].created // one or more of the day
		}
		return f.answer(q, v), nil
	}
	_, err := f.finder().Find(t.Context(), "language:python", asOf)
	if err == nil || !strings.Contains(err.Error(), "GitHub counts 1501 repositories and shows 1500") {
		t.Error(err)
	}
}

// Whatever a server shows, what was created later is out.
func TestFindLater(t *testing.T) {
	f := &fake{t: t, repos: []repo{{id: 1, created: dayStart}, {id: 2, created: asOf.Unix()}, {id: 3, created: asOf.Unix() + 1}}}
	f.before = func(_ int, v url.Values) (*api.Answer, error) {
		q, _ := ghquery.Parse(v.Get("q"))
		q.Created.To += 10
		return f.answer(q, v), nil
	}
	if got, err := f.finder().Find(t.Context(), "language:python", asOf); err != nil || len(got) != 2 {
		t.Errorf("%d, %v", len(got), err)
	}
}

// More than can be shown of one second and one number of stars is an error.
func TestFindTooDense(t *testing.T) {
	f := &fake{t: t}
	for i := range int64(1001) {
		f.repos = append(f.repos, repo{id: i + 1, created: dayStart, stars: 5})
	}
	_, err := f.finder().Find(t.Context(), "language:python", asOf)
	const want = `GitHub counts 1001 repositories in "language:python created:2023-05-17T00:00:00Z stars:5" and shows 1000`
	if err == nil || !strings.Contains(err.Error(), want) || pipeline.ClassOf(err) != pipeline.Permanent {
		t.Error(err)
	}
	f.repos = f.repos[:1000]
	f.find("language:python")
}

// Pages without an end are not walked for ever.
func TestFindEndlessPages(t *testing.T) {
	f := &fake{t: t, repos: dense(10)}
	f.before = func(_ int, v url.Values) (*api.Answer, error) {
		q, _ := ghquery.Parse(v.Get("q"))
		a := f.answer(q, v)
		a.Next = "search/repositories?" + v.Encode()
		return a, nil
	}
	if _, err := f.finder().Find(t.Context(), "language:python", asOf); err == nil || !strings.Contains(err.Error(), "more pages than it can show") || len(f.asked) > 10 {
		t.Errorf("%v after %d requests", err, len(f.asked))
	}
}

func TestFindCanceled(t *testing.T) {
	for at := 1; at < 30; at += 7 {
		f := &fake{t: t, repos: dense(2500)}
		ctx, cancel := context.WithCancel(t.Context())
		f.before = func(n int, _ url.Values) (*api.Answer, error) {
			if n == at {
				cancel()
			}
			return nil, nil
		}
		if _, err := f.finder().Find(ctx, "language:python", asOf); !errors.Is(err, context.Canceled) || pipeline.ClassOf(err) != pipeline.Canceled || len(f.asked) != at {
			t.Errorf("%v after %d requests", err, len(f.asked))
		}
		cancel()
	}
	// The pause too, by the clock on the wall.
	ctx, cancel := context.WithCancel(t.Context())
	f := &fake{t: t, before: func(int, url.Values) (*api.Answer, error) { cancel(); return &api.Answer{Body: []byte("{}")}, nil }}
	if _, err := (&Finder{API: f}).Find(ctx, "language:python", asOf); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestFindPrivate(t *testing.T) {
	f := &fake{t: t, repos: []repo{{id: 1, created: dayStart}, {id: 2, created: dayStart, private: true}}}
	for query, want := range map[string]int{"language:python": 1, "language:python is:private": 2} {
		if got, err := f.finder().Find(t.Context(), query, asOf); err != nil || len(got) != want {
			t.Errorf("%s: %d, %v", query, len(got), err)
		}
	}
}

func TestFindProgress(t *testing.T) {
	f := &fake{t: t, repos: dense(3000)}
	finder := f.finder()
	var last int64
	finder.Progress = func(found, total int64) {
		if found < last || found > total || total != 3000 {
			t.Errorf("%d of %d after %d", found, total, last)
		}
		last = found
	}
	if _, err := finder.Find(t.Context(), "language:python", asOf); err != nil || last != 3000 {
		t.Errorf("%d, %v", last, err)
	}
}
