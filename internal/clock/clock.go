// Package clock is time as those see it who wait for limits and for services:
// the [Wall] clock, or a [Fake] in tests. It decides when something is asked,
// never what comes back.
package clock

import (
	"context"
	"time"
)

// Clock tells the time and lets it pass. Implementations are safe for concurrent
// use.
type Clock interface {
	Now() time.Time
	// Sleep waits for d, or returns the error of ctx when that ends first.
	Sleep(ctx context.Context, d time.Duration) error
}

// Wall is the clock on the wall.
type Wall struct{}

// Now implements [Clock].
func (Wall) Now() time.Time { return time.Now() }

// Sleep implements [Clock].
func (Wall) Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
