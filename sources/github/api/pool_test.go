package api

import (
	"testing"
	"time"
)

// TestTakeWaitsForWhatComesFirst: a share under way that may come back is better
// than an hour.
func TestTakeWaitsForWhatComesFirst(t *testing.T) {
	now := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	tokens := []*token{{label: "a", secret: "a"}, {label: "b", secret: "b"}}
	p := newPool(tokens)
	spend := func(t *token, remaining int, in time.Duration) {
		t.owner.budget(coreBudget).observe(told{limit: 5000, remaining: remaining, reset: now.Add(in)}, now)
	}
	spend(tokens[0], 0, time.Hour)
	spend(tokens[1], 1, 2*time.Hour)
	w := want{resource: coreBudget, home: tokens[0]}

	l, _ := p.take(w, now)
	if l == nil || l.token != tokens[1] {
		t.Fatalf("lease %+v, want one of the second user", l)
	}
	none, h := p.take(w, now)
	if none != nil || !h.until.IsZero() {
		t.Errorf("lease %+v, hold %+v, want to wait for the request under way", none, h)
	}
	p.settle(l, &reply{status: 304}, now)
	select {
	case <-h.changed:
	default:
		t.Error("who waits is not told")
	}
	if l, _ = p.take(w, now); l == nil {
		t.Fatal("a 304 was paid for")
	}
	p.settle(l, &reply{status: 200}, now)
	if _, h = p.take(w, now); !h.until.Equal(now.Add(time.Hour)) || h.who != "the user of a" {
		t.Errorf("hold %+v, want the end of the first window", h)
	}
}

func TestStale(t *testing.T) {
	now := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		happens func(a *account)
		want    bool
	}{
		"nothing":         {func(a *account) {}, false},
		"a pause":         {func(a *account) { a.pause(now.Add(time.Second)) }, true},
		"a pause is over": {func(a *account) { a.pause(now) }, false},
		"a spent budget": {func(a *account) {
			a.budget(coreBudget).observe(told{limit: 60, reset: now.Add(time.Hour)}, now)
		}, true},
		"one is left": {func(a *account) {
			a.budget(coreBudget).observe(told{limit: 60, remaining: 1, reset: now.Add(time.Hour)}, now)
		}, false},
	} {
		p := newPool(nil)
		l, _ := p.take(want{resource: coreBudget}, now)
		tc.happens(l.account)
		if got := p.stale(l, now); got != tc.want {
			t.Errorf("%s: stale is %v", name, got)
		}
	}
}
