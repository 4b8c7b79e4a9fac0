// Package executor runs what a planner's frontier finds ready: it asks the
// cache first, keeps within limits, tries again what may pass, quarantines what
// does not, and stops cleanly. Where a task is computed is behind [Executor].
package executor

import (
	"context"
	"time"

	"benchmill/internal/clock"
	"benchmill/pipeline/cache"
	"benchmill/pipeline/planner"
)

// Executor computes tasks. It may be called several times for the same task,
// also at once, and is safe for concurrent use. It commits the entry to the
// cache before it returns it. Scheduling, caching and retry live above it.
type Executor interface {
	Name() string
	Run(ctx context.Context, t *planner.Task) (*cache.Entry, error)
}

// Limits bound what runs at a time.
type Limits struct {
	CPU         int   // tasks that compute
	Network     int   // tasks that fetch
	LLM         int   // tasks that ask models
	MemoryBytes int64 // estimated for all running tasks; one task may always run
}

// Retry says how transient errors are met.
type Retry struct {
	Tries int           // in all; at least 1
	First time.Duration // pause before the second try; doubles each time
	Most  time.Duration // longest pause, also where a server asks for more
	// Wait pauses or returns the context's error. Nil: a real timer.
	Wait func(ctx context.Context, d time.Duration) error
}

// DefaultRetry tries four times within about a quarter of a minute.
var DefaultRetry = Retry{Tries: 4, First: 2 * time.Second, Most: 5 * time.Minute}

func (r Retry) wait(ctx context.Context, d time.Duration) error {
	if r.Wait != nil {
		return r.Wait(ctx, d)
	}
	return clock.Wall{}.Sleep(ctx, d)
}

// Kind of an [Event].
type Kind string

// What happens to a cell.
const (
	Reused      Kind = "reused"
	Started     Kind = "started"
	Finished    Kind = "done"
	Retrying    Kind = "retrying"
	Quarantined Kind = "quarantined"
	Rebuilding  Kind = "rebuilding" // a lost or damaged output is made again
)

// Event is one step of a run, for progress and logs.
type Event struct {
	Kind Kind
	Cell *planner.Cell
	Err  error
}

// Observer is told of events, one at a time, in the order they happen.
type Observer func(Event)
