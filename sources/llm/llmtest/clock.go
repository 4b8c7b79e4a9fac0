package llmtest

import (
	"context"
	"sync"
	"time"
)

// Clock is a clock that moves only when somebody sleeps on it. It starts on
// 2020-01-01; the zero value is ready, and it is safe for concurrent use.
type Clock struct {
	mu     sync.Mutex
	passed time.Duration
	slept  []time.Duration
}

// Now is the start plus everything slept.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).Add(c.passed)
}

// Sleep moves the clock on and returns at once.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.passed += d
	c.slept = append(c.slept, d)
	return nil
}

// Slept lists the sleeps so far.
func (c *Clock) Slept() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]time.Duration(nil), c.slept...)
}
