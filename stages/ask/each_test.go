package ask

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"benchmill/pipeline"
)

func numbersTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestEachRunsAll(t *testing.T) {
	for _, n := range []int{0, 1, InFlight - 1, InFlight, 5 * InFlight} {
		var mu sync.Mutex
		var got []int
		if err := Each(t.Context(), numbersTo(n), func(_ context.Context, i int) error {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, i)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if slices.Sort(got); !slices.Equal(got, numbersTo(n)) {
			t.Errorf("%d items: %d were run", n, len(got))
		}
	}
}

// As many are under way as may be, and neither they nor their goroutines are more.
func TestEachBound(t *testing.T) {
	before := runtime.NumGoroutine()
	var now, most, goroutines atomic.Int64
	full := make(chan struct{})
	var once sync.Once
	err := Each(t.Context(), numbersTo(10*InFlight), func(context.Context, int) error {
		if n := now.Add(1); n == InFlight {
			once.Do(func() { goroutines.Store(int64(runtime.NumGoroutine())); close(full) })
		} else if n > InFlight {
			most.Store(n)
		}
		<-full // nobody goes on before the bound is reached
		now.Add(-1)
		return nil
	})
	if err != nil || most.Load() > 0 {
		t.Errorf("%d at a time, %v", most.Load(), err)
	}
	if n := goroutines.Load() - int64(before); n > InFlight+2 {
		t.Errorf("%d goroutines", n)
	}
}

// One that fails stops no other, and which error is told does not depend on
// which came first.
func TestEachLosesNothing(t *testing.T) {
	for _, first := range []int{3, 7} {
		told := make(chan struct{})
		var done atomic.Int64
		err := Each(t.Context(), numbersTo(3000), func(_ context.Context, i int) error {
			switch {
			case i == first:
				defer close(told)
				return fmt.Errorf("item %d", i)
			case i == 3 || i == 7:
				<-told
				return fmt.Errorf("item %d", i)
			}
			done.Add(1)
			return nil
		})
		if err == nil || err.Error() != "item 3" || done.Load() != 2998 {
			t.Errorf("%v, %d done", err, done.Load())
		}
	}
}

func TestEachStopsAtFatal(t *testing.T) {
	refused := pipeline.Mark(errors.New("key refused"), pipeline.Fatal)
	var begun atomic.Int64
	err := Each(t.Context(), numbersTo(20*InFlight), func(ctx context.Context, i int) error {
		begun.Add(1)
		if i == 5 {
			return refused
		}
		<-ctx.Done()
		return fmt.Errorf("item %d: %w", i, ctx.Err())
	})
	if !errors.Is(err, refused) || begun.Load() > InFlight {
		t.Errorf("%v, %d begun", err, begun.Load())
	}
}

func TestEachCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var begun atomic.Int64
	err := Each(ctx, numbersTo(20*InFlight), func(ctx context.Context, i int) error {
		begun.Add(1)
		if i == 5 {
			cancel()
		}
		<-ctx.Done()
		return nil // whoever finishes all the same
	})
	if pipeline.ClassOf(err) != pipeline.Canceled || begun.Load() > InFlight {
		t.Errorf("%v, %d begun", err, begun.Load())
	}
	if err := Each(ctx, numbersTo(1), func(context.Context, int) error { t.Error("begun"); return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	// An end that comes when all is done takes nothing back.
	ctx, cancel = context.WithCancel(t.Context())
	if err := Each(ctx, numbersTo(1), func(context.Context, int) error { cancel(); return nil }); err != nil {
		t.Error(err)
	}
}

// A panic comes out where the executor catches it.
func TestEachPanic(t *testing.T) {
	defer func() {
		if v := fmt.Sprint(recover()); !strings.HasPrefix(v, "a mistake") || !strings.Contains(v, "TestEachPanic") {
			t.Errorf("recovered %v", v)
		}
	}()
	_ = Each(t.Context(), numbersTo(100), func(_ context.Context, i int) error {
		if i == 50 {
			panic("a mistake")
		}
		return nil
	})
	t.Error("no panic")
}

func BenchmarkEach(b *testing.B) {
	items := numbersTo(10_000)
	b.ReportAllocs()
	for b.Loop() {
		_ = Each(b.Context(), items, func(context.Context, int) error { return nil })
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(items)), "ns/item")
}
