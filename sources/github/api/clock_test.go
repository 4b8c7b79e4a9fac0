package api

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestWallClock(t *testing.T) {
	var c wallClock
	if err := c.Sleep(context.Background(), time.Nanosecond); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, d := range []time.Duration{-1, 0, time.Hour} {
		if err := c.Sleep(ctx, d); !errors.Is(err, context.Canceled) {
			t.Errorf("sleep of %v: %v", d, err)
		}
	}
	if c.Now().IsZero() {
		t.Error("no time")
	}
}
