package api

import (
	"math"
	"net/http"
	"strconv"
	"time"
)

// The resources GitHub counts apart. Others may be named by its headers.
const (
	coreBudget       = "core"
	searchBudget     = "search"
	codeSearchBudget = "code_search"
	graphBudget      = "graphql"
)

const (
	// drift is how far the ends of one window may lie apart in two answers.
	drift = 10 * time.Second
	// longestWindow is beyond every limit of GitHub; who asks for more is mistaken.
	longestWindow = 24 * time.Hour
	// unbounded is what is left where no bound is known.
	unbounded = math.MaxInt32
	// milliseconds: an end of a window above this is not in seconds.
	milliseconds = 100_000_000_000
)

// budget is what one user may ask of one resource.
type budget struct {
	limit, remaining int           // limit 0: no bound is known
	reset            time.Time     // end of the window; zero: none has begun
	window           time.Duration // length of the window, where it is known beforehand
	told             bool          // remaining and reset are the server's own
	inflight         int           // requests under way, which may or may not be counted in remaining
}

// newBudget starts from what is known without asking. Only the search has a bound
// so tight that it must hold before the first answer.
func newBudget(resource string, anonymous bool) *budget {
	b := &budget{}
	switch {
	case resource == searchBudget && !anonymous:
		b.limit, b.window = 30, time.Minute
	case resource == searchBudget, resource == codeSearchBudget:
		b.limit, b.window = 10, time.Minute
	}
	b.remaining = b.limit
	return b
}

// left is how many requests may start now.
func (b *budget) left(now time.Time) int {
	if !b.reset.IsZero() && !now.Before(b.reset) {
		b.remaining, b.reset, b.told = b.limit, time.Time{}, false
	}
	if b.limit == 0 {
		return unbounded - b.inflight
	}
	return b.remaining - b.inflight
}

// start counts a request as under way.
func (b *budget) start(now time.Time) {
	b.inflight++
	if b.reset.IsZero() && b.window > 0 {
		b.reset = now.Add(b.window)
	}
}

// told is what the headers of an answer say about a budget.
type told struct {
	resource         string // "" when it does not say
	limit, remaining int
	reset            time.Time // by our clock
}

// budgetOf reads the budget headers. The end of the window is taken relative to
// the server's own clock, so that ours may be wrong.
func budgetOf(h http.Header, now time.Time) (told, bool) {
	number := func(name string) (int64, bool) {
		n, err := strconv.ParseInt(h.Get(name), 10, 64)
		return n, err == nil && n >= 0
	}
	limit, ok1 := number("X-Ratelimit-Limit")
	remaining, ok2 := number("X-Ratelimit-Remaining")
	reset, ok3 := number("X-Ratelimit-Reset")
	if !ok1 || !ok2 || !ok3 || limit == 0 || limit > math.MaxInt32 || remaining > math.MaxInt32 {
		return told{}, false
	}
	from := now
	if date := dateOf(h); !date.IsZero() {
		from = date
	}
	in := resetTime(reset).Sub(from)
	return told{
		resource: h.Get("X-Ratelimit-Resource"),
		limit:    int(limit), remaining: int(remaining),
		reset: now.Add(in + time.Second), // the server cuts off fractions
	}, in <= longestWindow
}

// resetTime is the end of a window, which recorded conversations give in
// milliseconds.
func resetTime(n int64) time.Time {
	if n >= milliseconds {
		return time.UnixMilli(n).UTC()
	}
	return time.Unix(n, 0).UTC()
}

// observe takes over what an answer said.
func (b *budget) observe(t told, now time.Time) {
	if !t.reset.After(now) {
		return // of a window that is over
	}
	gap := t.reset.Sub(b.reset)
	if b.told && now.Before(b.reset) && gap.Abs() <= drift {
		t.remaining = min(t.remaining, b.remaining) // answers overtake each other
	}
	b.limit, b.remaining, b.reset, b.told = t.limit, t.remaining, t.reset, true
}

// retryAfter is how long an answer asks to wait: seconds or a date, 0 when it
// does not say.
func retryAfter(h http.Header, now time.Time) time.Duration {
	after := h.Get("Retry-After")
	var d time.Duration
	if s, err := strconv.ParseInt(after, 10, 64); err == nil {
		d = time.Duration(min(max(s, 0), int64(longestWindow/time.Second))) * time.Second
	} else if at, err := http.ParseTime(after); err == nil {
		if date := dateOf(h); !date.IsZero() {
			now = date
		}
		d = at.Sub(now)
	}
	return min(max(d, 0), longestWindow)
}
