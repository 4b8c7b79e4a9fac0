package clock_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"benchmill/internal/clock"
)

func TestWall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clock.Wall
		start := c.Now()
		if err := c.Sleep(t.Context(), time.Hour); err != nil || c.Now().Sub(start) != time.Hour {
			t.Errorf("slept %v: %v", c.Now().Sub(start), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := c.Sleep(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) || c.Now().Sub(start) != time.Hour+time.Minute {
			t.Errorf("slept %v: %v", c.Now().Sub(start), err)
		}
	})
}

func TestEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []clock.Clock{clock.Wall{}, &clock.Fake{}} {
		start := c.Now()
		for _, d := range []time.Duration{-1, 0, time.Hour} {
			if err := c.Sleep(ctx, d); !errors.Is(err, context.Canceled) {
				t.Errorf("%T, sleep of %v: %v", c, d, err)
			}
		}
		if c.Now().Sub(start) > time.Minute {
			t.Errorf("%T moved", c)
		}
	}
}

func TestFake(t *testing.T) {
	start := time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC)
	c := &clock.Fake{Start: start}
	sleeps := []time.Duration{time.Hour, -time.Second, 0, time.Minute}
	for _, d := range sleeps {
		if err := c.Sleep(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	if got := c.Now().Sub(start); got != time.Hour+time.Minute || !slices.Equal(c.Slept(), sleeps) {
		t.Errorf("passed %v, slept %v", got, c.Slept())
	}
	if got := new(clock.Fake).Now(); got.Year() != 2020 {
		t.Errorf("starts at %v", got)
	}
}
