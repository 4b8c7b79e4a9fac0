package clock

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Fake is a clock for tests that moves only when somebody sleeps on it. The zero
// value is ready.
type Fake struct {
	Start time.Time // zero: 2020-01-01

	mu     sync.Mutex
	passed time.Duration
	slept  []time.Duration
}

// Now implements [Clock]: the start plus everything slept.
func (f *Fake) Now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	start := f.Start
	if start.IsZero() {
		start = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return start.Add(f.passed)
}

// Sleep implements [Clock]: it moves the clock on and returns at once.
func (f *Fake) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.passed += max(d, 0)
	f.slept = append(f.slept, d)
	return nil
}

// Slept lists the sleeps so far.
func (f *Fake) Slept() []time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.slept)
}
