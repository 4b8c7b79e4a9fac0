package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"benchmill/internal/clock"
	"benchmill/pipeline"
)

// TestLimits holds the wait after each way of saying "too many requests" against
// what GitHub's rules ask for.
func TestLimits(t *testing.T) {
	page := func(words string) string { return "<html><body>" + words + "</body></html>" }
	cases := []struct {
		name     string
		status   int
		header   func(h http.Header, now time.Time)
		body     string
		from, to time.Duration // of the wait
	}{
		{name: "seconds", status: 429, header: func(h http.Header, _ time.Time) { h.Set("Retry-After", "17") }, from: 17 * time.Second, to: 18 * time.Second},
		{name: "a date", status: 403, header: func(h http.Header, now time.Time) {
			h.Set("Retry-After", now.Add(40*time.Second).UTC().Format(http.TimeFormat))
		}, from: 39 * time.Second, to: 41 * time.Second},
		{name: "nothing left", status: 403, header: func(h http.Header, now time.Time) { left(h, 5000, 0, now.Add(20*time.Minute)) }, from: 20 * time.Minute, to: 20*time.Minute + 3*time.Second},
		{name: "nothing left, 429", status: 429, header: func(h http.Header, now time.Time) { left(h, 5000, 0, now.Add(20*time.Minute)) }, from: 20 * time.Minute, to: 20*time.Minute + 3*time.Second},
		{name: "the server's clock is an hour ahead", status: 403, header: func(h http.Header, now time.Time) {
			h.Set("Date", now.Add(time.Hour).UTC().Format(http.TimeFormat))
			left(h, 5000, 0, now.Add(time.Hour+10*time.Minute))
		}, from: 10 * time.Minute, to: 10*time.Minute + 3*time.Second},
		{name: "milliseconds", status: 403, header: func(h http.Header, now time.Time) {
			left(h, 60, 0, now)
			h.Set("X-RateLimit-Reset", strconv.FormatInt(now.Add(9*time.Minute).UnixMilli(), 10))
		}, from: 9 * time.Minute, to: 9*time.Minute + 3*time.Second},
		{name: "nothing left of another resource", status: 403, header: func(h http.Header, now time.Time) {
			left(h, 5000, 0, now.Add(20*time.Minute))
			h.Set("X-RateLimit-Resource", "code_scanning_upload")
		}, from: time.Minute, to: time.Minute + time.Second},
		{name: "a window that is over", status: 403, header: func(h http.Header, now time.Time) { left(h, 60, 0, now.Add(-time.Hour)) }, from: time.Minute, to: time.Minute + time.Second},
		{name: "a window of years", status: 403, header: func(h http.Header, now time.Time) { left(h, 60, 0, now.AddDate(40, 0, 0)) }, from: time.Minute, to: time.Minute + time.Second},
		{name: "nonsense", status: 403, header: func(h http.Header, now time.Time) {
			h.Set("X-RateLimit-Remaining", "0")
			h.Set("X-RateLimit-Limit", "-1")
			h.Set("X-RateLimit-Reset", "soon")
			h.Set("Retry-After", "in a while")
		}, from: time.Minute, to: time.Minute + time.Second},
		{name: "in words", status: 403, body: `{"message":"You have exceeded a secondary rate limit."}`, from: time.Minute, to: time.Minute + time.Second},
		{name: "in older words", status: 403, body: `{"message":"You have triggered an abuse detection mechanism."}`, from: time.Minute, to: time.Minute + time.Second},
		{name: "on a page", status: 403, body: page("Whoa there! You have exceeded a secondary rate limit"), from: time.Minute, to: time.Minute + time.Second},
		{name: "429 alone", status: 429, from: time.Minute, to: time.Minute + time.Second},
		{name: "an overloaded server", status: 503, header: func(h http.Header, _ time.Time) { h.Set("Retry-After", "120") }, from: 120 * time.Second, to: 121 * time.Second},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			var wd *world
			wd = serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
				if n > 1 {
					say(w, 200, `[]`)
					return
				}
				if tc.header != nil {
					tc.header(w.Header(), wd.clock.Now())
				}
				say(w, tc.status, tc.body)
			})
			c := wd.open(t, Settings{}, aToken)
			get(t, c, "repos/o/n")
			if got := wd.slept(); got < tc.from || got > tc.to {
				t.Errorf("waited %v, want %v to %v", got, tc.from, tc.to)
			}
			if st := c.Stats(); st.Waits != 1 || st.Waited < tc.from || tc.status != 503 && st.Limited != 1 {
				t.Errorf("stats %+v", st)
			}
		})
	}
}

func left(h http.Header, limit, remaining int, reset time.Time) {
	h.Set("X-RateLimit-Limit", strconv.Itoa(limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(remaining))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(reset.Unix(), 10))
}

func TestSecondaryLimitDoubles(t *testing.T) {
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if n > 4 {
			say(w, 200, `[]`)
			return
		}
		say(w, 403, `{"message":"secondary rate limit"}`)
	})
	c := wd.open(t, Settings{}, aToken)
	get(t, c, "x")
	if got, want := c.Stats().Waited, (1+2+4+8)*time.Minute; got.Round(time.Second) != want {
		t.Errorf("waited %v, want %v", got, want)
	}
	if n := c.pool.accounts[0].strikes; n != 0 {
		t.Errorf("%d strikes after a good answer", n)
	}
}

// TestBurstStrikesOnce: sixteen refusals of one moment are one limit.
func TestBurstStrikesOnce(t *testing.T) {
	const many = 16
	var arrived sync.WaitGroup
	arrived.Add(many)
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if n > 1 {
			say(w, 200, `[]`)
			return
		}
		arrived.Done()
		arrived.Wait()
		say(w, 403, `{"message":"secondary rate limit"}`)
	})
	c := wd.open(t, Settings{}, aToken)
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() { get(t, c, fmt.Sprintf("x/%d", i)) })
	}
	wg.Wait()
	start := (&clock.Fake{}).Now()
	if paused := c.pool.accounts[0].paused.Sub(start); paused > 2*time.Minute+10*time.Second {
		t.Errorf("the account was paused until %v after the start", paused)
	}
}

func TestMaxWait(t *testing.T) {
	for name, h := range map[string]func(w http.ResponseWriter, now time.Time){
		"budget": func(w http.ResponseWriter, now time.Time) {
			left(w.Header(), 5000, 0, now.Add(50*time.Minute))
			say(w, 403, `{}`)
		},
		"retry after": func(w http.ResponseWriter, now time.Time) { w.Header().Set("Retry-After", "3000"); say(w, 429, `{}`) },
		"overload":    func(w http.ResponseWriter, now time.Time) { w.Header().Set("Retry-After", "3000"); say(w, 503, `{}`) },
		"for ever": func(w http.ResponseWriter, now time.Time) {
			w.Header().Set("Retry-After", "9223372036854775807")
			say(w, 429, `{}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var wd *world
			wd = serve(t, func(w http.ResponseWriter, r *http.Request, n int) { h(w, wd.clock.Now()) })
			c := wd.open(t, Settings{MaxWait: 49 * time.Minute}, aToken)
			_, err := c.Get(context.Background(), "x", Known{})
			pause := pipeline.PauseOf(err)
			if pipeline.ClassOf(err) != pipeline.Transient || pause < 49*time.Minute || pause > 24*time.Hour || wd.slept() > time.Minute {
				t.Errorf("%v; class %v, pause %v, slept %v", err, pipeline.ClassOf(err), pause, wd.slept())
			}
			if name == "budget" && !strings.Contains(err.Error(), "2020-01-01T00:50:0") {
				t.Errorf("%v does not say when the budget is back", err)
			}
		})
	}
}

// TestSearchHasItsOwnBudget: thirty a minute before the server has said anything,
// ten for nobody, and no search holds anything else up.
func TestSearchHasItsOwnBudget(t *testing.T) {
	for tokens, perMinute := range map[string]int{aToken: 30, "": 10} {
		wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) { say(w, 200, `{"items":[]}`) })
		c := wd.open(t, Settings{}, tokens)
		for i := range 2*perMinute + 1 {
			get(t, c, fmt.Sprintf("search/repositories?q=%d", i))
		}
		if got := wd.slept(); got < 2*time.Minute || got > 3*time.Minute {
			t.Errorf("%d searches took %v", 2*perMinute+1, got)
		}
		seen := wd.requests()
		for i := perMinute; i < len(seen); i++ {
			if gap := seen[i].at.Sub(seen[i-perMinute].at); gap < 55*time.Second {
				t.Errorf("searches %d and %d lie %v apart", i-perMinute, i, gap)
			}
		}
		before := wd.slept()
		get(t, c, "repos/o/n")
		if wd.slept()-before > time.Second {
			t.Error("a spent search budget holds up other requests")
		}
	}
}

// TestOwnPausesAreNotTheServers: max_wait bounds what the server imposes.
func TestOwnPausesAreNotTheServers(t *testing.T) {
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if n < 8 {
			say(w, 500, ``)
			return
		}
		say(w, 200, `[]`)
	})
	get(t, wd.open(t, Settings{MaxWait: time.Second}, ""), "x")
}

func TestPace(t *testing.T) {
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) { say(w, 200, `[]`) })
	c := wd.open(t, Settings{PointsPerMinute: 120}, aToken)
	for i := range 300 {
		get(t, c, fmt.Sprintf("x/%d", i))
	}
	seen := wd.requests()
	for i := 120; i < len(seen); i++ {
		if gap := seen[i].at.Sub(seen[i-120].at); gap < time.Minute-time.Millisecond {
			t.Fatalf("121 requests within %v", gap)
		}
	}
}

// TestConcurrencyBound fills the client up, waits until nothing moves any more, and
// counts.
func TestConcurrencyBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const bound = 5
		var running atomic.Int64
		answers := make(chan struct{})
		c := double(t, Settings{Concurrency: bound}, aToken, func(req *http.Request) (*http.Response, error) {
			running.Add(1)
			defer running.Add(-1)
			<-answers
			return answer(200, nil, `[]`), nil
		})
		var wg sync.WaitGroup
		for i := range 10 * bound {
			wg.Go(func() { get(t, c, fmt.Sprintf("x/%d", i)) })
		}
		for left := 10 * bound; left > 0; left-- {
			synctest.Wait()
			if got, want := running.Load(), int64(min(bound, left)); got != want {
				t.Fatalf("%d requests at once, want %d", got, want)
			}
			answers <- struct{}{}
		}
		wg.Wait()
	})
}

// TestWhoWaitedForASlotSeesTheLimit: a request that had its share before a limit
// came is not sent into the limit.
func TestWhoWaitedForASlotSeesTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := make(chan struct{})
		var second time.Time
		var c *Client
		asked := 0 // one at a time, as there is one slot
		c = double(t, Settings{Concurrency: 1}, aToken, func(req *http.Request) (*http.Response, error) {
			switch asked++; {
			case asked == 1:
				<-first
				return answer(429, http.Header{"Retry-After": {"600"}}, ``), nil
			case req.URL.Path == "/second":
				second = c.clock.Now()
			}
			return answer(200, nil, `[]`), nil
		})
		c.clock = clock.Wall{} // which is the bubble's: nobody's sleep moves another's time
		start := c.clock.Now()
		var wg sync.WaitGroup
		wg.Go(func() { get(t, c, "first") })
		synctest.Wait()
		wg.Go(func() { get(t, c, "second") })
		synctest.Wait()
		first <- struct{}{}
		wg.Wait()
		if wait := second.Sub(start); wait < 10*time.Minute {
			t.Errorf("sent %v after the limit", wait)
		}
	})
}

// double is a client without a network.
func double(t *testing.T, s Settings, tokens string, answer roundTrip) *Client {
	t.Helper()
	c, err := Open("https://api.github.com", s, Options{Transport: answer, Clock: &clock.Fake{}, Getenv: func(string) string { return tokens }})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func answer(status int, h http.Header, body string) *http.Response {
	res := &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, ContentLength: int64(len(body))}
	maps.Copy(res.Header, h)
	res.Body = io.NopCloser(strings.NewReader(body))
	return res
}

// TestWaitingCanBeCanceled: for a budget, for a request under way, and for a slot.
func TestWaitingCanBeCanceled(t *testing.T) {
	var wd *world
	hold, arrived := make(chan struct{}), make(chan struct{})
	wd = serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		budgetHeaders(w, "core", 5000, 1, wd.clock.Now().Add(time.Hour))
		if r.URL.Path == "/held" {
			close(arrived)
			<-hold
		}
		say(w, 200, `[]`)
	})
	for name, s := range map[string]Settings{"busy": {}, "slot": {Concurrency: 1}} {
		hold, arrived = make(chan struct{}), make(chan struct{})
		c := wd.open(t, s, aToken)
		if name == "busy" {
			get(t, c, "first") // one request is left
		}
		var wg sync.WaitGroup
		wg.Go(func() { get(t, c, "held") })
		<-arrived
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := c.Get(ctx, "x", Known{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		close(hold)
		wg.Wait()
	}
}
