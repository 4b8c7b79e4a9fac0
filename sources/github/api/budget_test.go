package api

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"
)

// TestBudgetIsNeverOverdrawn: a server that counts sees no request beyond the
// budget, and is asked as soon as the next window begins.
func TestBudgetIsNeverOverdrawn(t *testing.T) {
	const limit = 20
	b := &serverBudget{limit: limit, window: time.Hour}
	var wd *world
	wd = serve(t, func(w http.ResponseWriter, r *http.Request, n int) { b.answer(w, "core", wd.clock.Now()) })
	c := wd.open(t, Settings{}, aToken)
	get(t, c, "first") // tells the limit
	var wg sync.WaitGroup
	for i := range 3*limit - 1 {
		wg.Go(func() { get(t, c, fmt.Sprintf("x/%d", i)) })
	}
	wg.Wait()
	if b.over != 0 {
		t.Errorf("%d requests were sent without a budget", b.over)
	}
	if slept := wd.slept(); slept < 2*time.Hour {
		t.Errorf("%d requests were answered within %v", 3*limit, slept)
	}
}

// serverBudget counts like GitHub, in windows that begin with a request.
type serverBudget struct {
	mu          sync.Mutex
	limit, used int
	window      time.Duration
	reset       time.Time
	over        int
}

func (b *serverBudget) answer(w http.ResponseWriter, resource string, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !now.Before(b.reset) {
		b.used, b.reset = 0, now.Truncate(time.Second).Add(b.window)
	}
	if b.used == b.limit {
		b.over++
		budgetHeaders(w, resource, b.limit, 0, b.reset)
		say(w, 403, `{"message":"API rate limit exceeded"}`)
		return
	}
	b.used++
	budgetHeaders(w, resource, b.limit, b.limit-b.used, b.reset)
	say(w, 200, `[]`)
}

// TestNotModifiedIsFree: with one request left, any number of 304s fit.
func TestNotModifiedIsFree(t *testing.T) {
	var wd *world
	wd = serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if r.URL.Path == "/silent" {
			w.WriteHeader(304)
			return
		}
		budgetHeaders(w, "core", 5000, 1, wd.clock.Now().Add(time.Hour))
		w.WriteHeader(304)
	})
	c := wd.open(t, Settings{}, aToken)
	var wg sync.WaitGroup
	for i := range 40 {
		address := []string{"told", "silent"}[i%2]
		wg.Go(func() {
			if a, err := c.Get(context.Background(), address, Known{ETag: `"x"`}); err != nil || !a.NotModified {
				t.Error(a, err)
			}
		})
	}
	wg.Wait()
	if st := c.Stats(); st.Statuses[304] != 40 || st.Waits != 0 {
		t.Errorf("stats %+v", st)
	}
}

func TestBudgetObserve(t *testing.T) {
	now := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	in := func(d time.Duration, remaining int) told {
		return told{limit: 5000, remaining: remaining, reset: now.Add(d)}
	}
	cases := []struct {
		name string
		said []told
		want int
	}{
		{"answers overtake each other", []told{in(time.Hour, 10), in(time.Hour, 12)}, 10},
		{"the end of the window wavers", []told{in(time.Hour, 10), in(time.Hour+2*time.Second, 12)}, 10},
		{"a new window", []told{in(time.Minute, 10), in(time.Hour, 4999)}, 4999},
		{"a window that ends earlier than believed", []told{in(time.Hour, 10), in(time.Minute, 20)}, 20},
		{"a window that is over", []told{in(time.Hour, 10), in(-time.Second, 4999)}, 10},
	}
	for _, tc := range cases {
		b := newBudget(coreBudget, false)
		for _, s := range tc.said {
			b.observe(s, now)
		}
		if got := b.left(now); got != tc.want {
			t.Errorf("%s: %d left, want %d", tc.name, got, tc.want)
		}
	}
	b := newBudget(coreBudget, false)
	b.observe(in(time.Minute, 0), now)
	if got := b.left(now.Add(time.Minute)); got != 5000 {
		t.Errorf("after the window %d are left", got)
	}
}

func FuzzHeaders(f *testing.F) {
	f.Add("5000", "1", "1700000000", "60", "Mon, 01 Jan 2024 00:00:00 GMT")
	f.Add("60", "0", "1507651200000", "Mon, 01 Jan 2024 00:00:00 GMT", "")
	f.Add("9223372036854775807", "-1", "9223372036854775807", "9223372036854775807", "x")
	f.Fuzz(func(t *testing.T, limit, remaining, reset, after, date string) {
		now := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
		h := http.Header{"X-Ratelimit-Limit": {limit}, "X-Ratelimit-Remaining": {remaining}, "X-Ratelimit-Reset": {reset}, "Retry-After": {after}, "Date": {date}}
		if d := retryAfter(h, now); d < 0 || d > longestWindow {
			t.Errorf("Retry-After %q is %v", after, d)
		}
		says, ok := budgetOf(h, now)
		if ok && (says.limit <= 0 || says.remaining < 0 || says.reset.Sub(now) > longestWindow+time.Second) {
			t.Errorf("%+v", says)
		}
	})
}
