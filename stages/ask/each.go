package ask

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"benchmill/pipeline"
)

// InFlight is how many items [Each] works on at a time: enough for the model's
// own settings to bound what is really sent, and no more goroutines than that.
const InFlight = 1024

// Each runs fn for every item, in the order of the items, many at a time.
//
// An item that fails stops no other: each reply is recorded by itself, and what
// the others get now need not be asked again. Only a fatal error (a refused key,
// a spent budget), the end of ctx or a panic stops what has not begun and
// cancels the rest. The error is the one that tells most: a fatal one, else one
// that is no mere consequence of a stop, and of those the first in the order of
// the items.
func Each[I any](ctx context.Context, items []I, fn func(context.Context, I) error) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		next, done atomic.Int64
		crash      atomic.Pointer[string]
		group      sync.WaitGroup
		errs       = make([]error, len(items))
	)
	one := func(i int64) {
		defer func() {
			if v := recover(); v != nil {
				text := fmt.Sprintf("%v\n\n%s", v, debug.Stack())
				crash.CompareAndSwap(nil, &text)
				cancel()
			}
		}()
		if errs[i] = fn(inner, items[i]); errs[i] != nil && pipeline.ClassOf(errs[i]) == pipeline.Fatal {
			cancel()
		}
		done.Add(1)
	}
	for range min(InFlight, len(items)) {
		group.Go(func() {
			for inner.Err() == nil {
				i := next.Add(1) - 1
				if i >= int64(len(items)) {
					return
				}
				one(i)
			}
		})
	}
	group.Wait()
	if text := crash.Load(); text != nil {
		panic(*text) // where the executor catches it
	}
	if err := worst(errs); err != nil {
		return err
	}
	if done.Load() < int64(len(items)) {
		return ctx.Err()
	}
	return nil
}

func worst(errs []error) error {
	for _, class := range []pipeline.Class{pipeline.Fatal, pipeline.Permanent, pipeline.Transient, pipeline.Canceled} {
		for _, err := range errs {
			if err != nil && pipeline.ClassOf(err) == class {
				return err
			}
		}
	}
	return nil
}
