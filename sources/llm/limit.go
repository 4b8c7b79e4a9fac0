package llm

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"benchmill/internal/clock"
	"benchmill/pipeline"
)

// Rates bounds how fast a model is asked. Zero means no bound.
type Rates struct {
	RequestsPerMinute int
	TokensPerMinute   int // prompts and answers
	Concurrency       int // requests under way at the same time
}

// Limit keeps requests within [Rates], first come first served, however many
// thousands wait: each costs the same few steps, and one whose ctx ends leaves at
// once and takes nothing. A request is let in with an estimate of its prompt and
// its longest answer; what it did not use is given back when the reply is there.
// When a server asks for a pause, or says that nothing is left of its own limits,
// all that have not started wait. It is safe for concurrent use.
type Limit struct {
	next  Provider
	clock clock.Clock
	line  *semaphore.Weighted // held by the request whose turn it is
	slots *semaphore.Weighted // nil: no bound

	mu               sync.Mutex
	requests, tokens bucket
	paused           time.Time          // nothing starts before
	wake             context.CancelFunc // ends the sleep of the one whose turn it is
}

// NewLimit returns a Limit around next.
func NewLimit(next Provider, r Rates, c clock.Clock) *Limit {
	l := &Limit{next: next, clock: c, line: semaphore.NewWeighted(1), wake: func() {}}
	if r.Concurrency > 0 {
		l.slots = semaphore.NewWeighted(int64(r.Concurrency))
	}
	// One request at a time: servers that allow 60 a minute often mean one a second.
	l.requests = newBucket(r.RequestsPerMinute, 1)
	l.tokens = newBucket(r.TokensPerMinute, float64(r.TokensPerMinute))
	return l
}

// Complete implements [Provider].
func (l *Limit) Complete(ctx context.Context, req pipeline.Request) (pipeline.Reply, error) {
	in, out := estimate(req)
	if err := l.enter(ctx, in+out); err != nil {
		return pipeline.Reply{}, context.Cause(ctx)
	}
	if l.slots != nil {
		defer l.slots.Release(1)
	}
	reply, err := l.next.Complete(ctx, req)
	if pause := pipeline.PauseOf(err); pause > 0 {
		l.pauseFor(pause)
	}
	if used := reply.InputTokens + reply.OutputTokens; err == nil && used > 0 {
		l.giveBack(in + out - used)
	}
	return reply, err
}

// enter waits for the request's turn, for a slot, and until the rates allow it
// and no pause is on. Its only error is that of ctx.
func (l *Limit) enter(ctx context.Context, tokens int64) (err error) {
	if err := l.line.Acquire(ctx, 1); err != nil {
		return err
	}
	defer l.line.Release(1)
	if l.slots != nil {
		if err := l.slots.Acquire(ctx, 1); err != nil {
			return err
		}
		defer func() {
			if err != nil {
				l.slots.Release(1)
			}
		}()
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		sleep, cancel := context.WithCancel(ctx)
		wait := l.admit(tokens, cancel)
		if wait > 0 {
			l.clock.Sleep(sleep, wait) // whatever ended it, look again
		}
		cancel()
		if wait <= 0 {
			return nil
		}
	}
}

// admit takes what a request needs, or says how long until it may be there. wake
// is called when that may be sooner.
func (l *Limit) admit(tokens int64, wake context.CancelFunc) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock.Now()
	wait := max(l.paused.Sub(now), l.requests.until(now, 1), l.tokens.until(now, float64(tokens)))
	if wait > 0 {
		l.wake = wake
		return wait
	}
	l.requests.level--
	l.tokens.level -= float64(tokens)
	return 0
}

func (l *Limit) giveBack(tokens int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tokens.level += float64(tokens)
	l.wake()
}

func (l *Limit) pauseFor(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until := l.clock.Now().Add(d); until.After(l.paused) {
		l.paused = until
	}
}

// bucket is filled at a steady rate and holds at most its size, or what the one
// who waits for it needs: a request larger than the size gets through, late.
type bucket struct {
	perSecond, size float64 // 0 a second: without a bound
	level           float64
	at              time.Time // when level was right
}

func newBucket(perMinute int, size float64) bucket {
	return bucket{perSecond: float64(perMinute) / 60, size: size, level: size}
}

// until fills the bucket up to now and returns how long until n are in it.
func (b *bucket) until(now time.Time, n float64) time.Duration {
	if b.perSecond <= 0 {
		return 0
	}
	if !b.at.IsZero() {
		b.level += max(0, now.Sub(b.at).Seconds()) * b.perSecond
	}
	b.level = min(b.level, max(b.size, n))
	b.at = now
	const noise = 1e-6 // of the arithmetic, which must not cost another wait
	if b.level >= n-noise {
		return 0
	}
	return time.Duration((n-b.level)/b.perSecond*float64(time.Second)) + 1
}
