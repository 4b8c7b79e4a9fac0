package llm

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"benchmill/pipeline"
)

// Rates bounds how fast a model is asked. Zero means no bound.
type Rates struct {
	RequestsPerMinute int
	TokensPerMinute   int // prompt and the longest possible answer, estimated
	Concurrency       int // requests under way at the same time
}

// Limit keeps requests within [Rates]. When a server asks one request to pause,
// those that have not started wait with it. It is safe for concurrent use.
type Limit struct {
	next     Provider
	clock    Clock
	slots    chan struct{}
	requests *rate.Limiter
	tokens   *rate.Limiter

	mu     sync.Mutex
	paused time.Time // nothing starts before
}

// NewLimit returns a Limit around next.
func NewLimit(next Provider, r Rates, clock Clock) *Limit {
	l := &Limit{next: next, clock: clock}
	if r.Concurrency > 0 {
		l.slots = make(chan struct{}, r.Concurrency)
	}
	if r.RequestsPerMinute > 0 {
		// One at a time: servers that allow 60 a minute often mean one a second.
		l.requests = rate.NewLimiter(rate.Limit(r.RequestsPerMinute)/60, 1)
	}
	if r.TokensPerMinute > 0 {
		l.tokens = rate.NewLimiter(rate.Limit(r.TokensPerMinute)/60, r.TokensPerMinute)
	}
	return l
}

// Complete implements [Provider].
func (l *Limit) Complete(ctx context.Context, req pipeline.Request) (pipeline.Reply, error) {
	if l.slots != nil {
		select {
		case l.slots <- struct{}{}:
			defer func() { <-l.slots }()
		case <-ctx.Done():
			return pipeline.Reply{}, context.Cause(ctx)
		}
	}
	if err := l.turn(ctx, req); err != nil {
		return pipeline.Reply{}, err
	}
	reply, err := l.next.Complete(ctx, req)
	if pause := pipeline.PauseOf(err); pause > 0 {
		l.pauseFor(pause)
	}
	return reply, err
}

// turn waits until the rates allow the request, and until no pause is on.
func (l *Limit) turn(ctx context.Context, req pipeline.Request) error {
	now := l.clock.Now()
	wait := reserve(l.requests, now, 1)
	in, out := estimate(req)
	wait = max(wait, reserve(l.tokens, now, int(in+out)))
	for {
		wait = max(wait, l.pauseLeft())
		if wait <= 0 {
			return ctx.Err()
		}
		if err := l.clock.Sleep(ctx, wait); err != nil {
			return err
		}
		wait = 0 // a pause may have begun meanwhile
	}
}

// reserve takes n from a limiter and says how long until they are there. More
// than the burst is taken in parts, as the limiter would refuse it whole.
func reserve(limiter *rate.Limiter, now time.Time, n int) time.Duration {
	if limiter == nil {
		return 0
	}
	var wait time.Duration
	for n > 0 {
		part := min(n, limiter.Burst())
		wait = max(wait, limiter.ReserveN(now, part).DelayFrom(now))
		n -= part
	}
	return wait
}

func (l *Limit) pauseFor(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until := l.clock.Now().Add(d); until.After(l.paused) {
		l.paused = until
	}
}

func (l *Limit) pauseLeft() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.paused.Sub(l.clock.Now())
}
