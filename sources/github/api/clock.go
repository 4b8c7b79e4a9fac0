package api

import (
	"context"
	"time"
)

// Clock is time as the client sees it. It decides when a request is sent, never
// what comes back.
type Clock interface {
	Now() time.Time
	// Sleep waits for d, or returns the error of ctx when that ends first.
	Sleep(ctx context.Context, d time.Duration) error
}

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

func (wallClock) Sleep(ctx context.Context, d time.Duration) error {
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
