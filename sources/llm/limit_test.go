package llm_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"benchmill/internal/clock"
	"benchmill/pipeline"
	"benchmill/sources/llm"
	"benchmill/sources/llm/llmtest"
)

// using is a provider whose replies took so many tokens and a second.
func using(tokens int64, called func(pipeline.Request)) llm.ProviderFunc {
	return func(_ context.Context, req pipeline.Request) (pipeline.Reply, error) {
		if called != nil {
			called(req)
		}
		time.Sleep(time.Second)
		return pipeline.Reply{InputTokens: tokens}, nil
	}
}

func TestLimitIsFair(t *testing.T) {
	for name, rates := range map[string]llm.Rates{
		"concurrency": {Concurrency: 3}, "requests": {RequestsPerMinute: 10}, "tokens": {TokensPerMinute: 500}, "all": {100, 900, 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				var got, want []int
				l := llm.NewLimit(using(50, func(req pipeline.Request) {
					mu.Lock()
					defer mu.Unlock()
					got = append(got, req.MaxTokens)
				}), rates, clock.Wall{})
				for i := range 100 {
					req := request
					req.MaxTokens = 1 + (i*37)%400 // large ones are not overtaken by small ones
					want = append(want, req.MaxTokens)
					go l.Complete(t.Context(), req)
					synctest.Wait()
				}
				time.Sleep(24 * time.Hour)
				synctest.Wait()
				if len(got) != 100 {
					t.Fatalf("%d of 100 got their turn", len(got))
				}
				if rates.Concurrency == 3 { // those let in at the same instant begin in any order
					for i := range got {
						if !slices.Contains(want[max(0, i-3):min(100, i+4)], got[i]) {
							t.Fatalf("turn %d: %d is not near its place", i, got[i])
						}
					}
				} else if !slices.Equal(got, want) {
					t.Errorf("order %v, want %v", got, want)
				}
			})
		})
	}
}

// Thousands that wait leave at once when told to, and take nothing with them.
func TestLimitCancelsThousands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := llm.NewLimit(using(0, nil), llm.Rates{RequestsPerMinute: 1, TokensPerMinute: 200, Concurrency: 16}, clock.Wall{})
		l.Complete(t.Context(), request) // leaves the rates with nothing
		begun := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		var gone sync.WaitGroup
		for range 5000 {
			gone.Go(func() {
				if _, err := l.Complete(ctx, request); pipeline.ClassOf(err) != pipeline.Canceled {
					t.Errorf("%v", err)
				}
			})
		}
		synctest.Wait()
		last := make(chan time.Time)
		go func() {
			l.Complete(t.Context(), request)
			last <- time.Now()
		}()
		synctest.Wait()
		time.Sleep(time.Second)
		cancel()
		gone.Wait()
		if took := time.Since(begun); took != time.Second {
			t.Errorf("left after %s", took)
		}
		if took := (<-last).Sub(begun); took > time.Minute+time.Second {
			t.Errorf("the one that stayed waited %s", took)
		}
	})
}

// What a reply did not use is there for the next, also for one that waits already;
// what it used above the estimate is not.
func TestLimitBooksWhatWasUsed(t *testing.T) {
	for _, test := range []struct {
		used int64
		took time.Duration // for three requests at once, each estimated at 1000 of 1200 a minute
	}{
		{100, 3 * time.Second},   // the next goes when the one before has given back
		{1000, 91 * time.Second}, // 800 and 1000 have to come in, at 20 a second
		{2000, 191 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			big := request
			big.MaxTokens = 1000 - 39
			l := llm.NewLimit(using(test.used, nil), llm.Rates{TokensPerMinute: 1200, Concurrency: 16}, clock.Wall{})
			begun := time.Now()
			var all sync.WaitGroup
			for range 3 {
				all.Go(func() { l.Complete(t.Context(), big) })
			}
			all.Wait()
			if took := time.Since(begun); (took - test.took).Abs() > 200*time.Millisecond {
				t.Errorf("with %d tokens each, three requests took %s, want about %s", test.used, took, test.took)
			}
		})
	}
}

// A server that says that nothing is left is not asked until there is.
func TestStatedLimits(t *testing.T) {
	for _, test := range []struct {
		name    string
		headers []string
		pause   time.Duration
	}{
		{"openai tokens", []string{"x-ratelimit-remaining-tokens", "0", "x-ratelimit-reset-tokens", "1m12.5s"}, 72500 * time.Millisecond},
		{"openai requests", []string{"x-ratelimit-remaining-requests", "0", "x-ratelimit-reset-requests", "120ms"}, 120 * time.Millisecond},
		{"seconds", []string{"x-ratelimit-remaining-tokens", "0", "x-ratelimit-reset-tokens", "7"}, 7 * time.Second},
		{"anthropic", []string{"anthropic-ratelimit-output-tokens-remaining", "0", "anthropic-ratelimit-output-tokens-reset", "2020-01-01T00:00:40Z"}, 40 * time.Second},
		{"the later of two", []string{"anthropic-ratelimit-requests-remaining", "0", "anthropic-ratelimit-requests-reset", "2020-01-01T00:00:02Z",
			"anthropic-ratelimit-tokens-remaining", "0", "anthropic-ratelimit-tokens-reset", "2020-01-01T01:00:00+01:00"}, 2 * time.Second},
		{"some left", []string{"x-ratelimit-remaining-tokens", "1", "x-ratelimit-reset-tokens", "1m"}, 0},
		{"none stated", []string{"x-ratelimit-reset-tokens", "1m"}, 0},
		{"past", []string{"anthropic-ratelimit-tokens-remaining", "0", "anthropic-ratelimit-tokens-reset", "2019-12-31T00:00:00Z"}, 0},
		{"a time of day", []string{"x-ratelimit-remaining-requests", "0", "x-ratelimit-reset-requests", "1741305600000"}, 0},
		{"nonsense", []string{"x-ratelimit-remaining-requests", "0", "x-ratelimit-reset-requests", "NaN"}, 0},
		{"long", []string{"x-ratelimit-remaining-requests", "0", "x-ratelimit-reset-requests", "7h"}, 5 * time.Minute},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachFlavour(t, func(t *testing.T, f flavour, server *llmtest.Server) {
				reply := `{"model":"m","choices":[{"finish_reason":"stop","message":{"content":"x"},"text":"x"}],"data":[{"embedding":[1]}],"content":[{"type":"text","text":"x"}],"stop_reason":"end_turn"}`
				server.Next(llmtest.Fail(200, reply, test.headers...))
				c := &clock.Fake{}
				p := open(t, settings(f.provider, "m-1", server.URL), nil, llm.Options{Clock: c})
				for range 3 {
					if _, err := p.Complete(t.Context(), llmtest.Request(f.provider, "m-1")); err != nil {
						t.Fatal(err)
					}
				}
				if passed := c.Now().Sub(new(clock.Fake).Now()); passed != test.pause {
					t.Errorf("paused %s, want %s", passed, test.pause)
				}
			})
		})
	}
}

// However many wait for a budget, they are let in in turn.
func TestBudgetIsFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var got []string
		b := llm.NewBudget(using(1, func(req pipeline.Request) {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, req.System[:1])
		}), llm.Prices{}, 0, 400)
		for i := range 26 {
			req := request
			req.System = string(rune('a'+i)) + strings.Repeat(" ", i%2*300) // every other needs more room
			go b.Complete(t.Context(), req)
			synctest.Wait()
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if all := strings.Join(got, ""); len(all) != 26 || !slices.IsSortedFunc(got, strings.Compare) {
			t.Errorf("order %s", all)
		}
	})
}

func BenchmarkLimit(b *testing.B) {
	l := llm.NewLimit(&llmtest.Fake{Then: llmtest.Echo}, llm.Rates{RequestsPerMinute: 1 << 40, TokensPerMinute: 1 << 40, Concurrency: 16}, clock.Wall{})
	var all sync.WaitGroup
	for range 8192 {
		all.Go(func() {
			for range b.N/8192 + 1 {
				l.Complete(b.Context(), request)
			}
		})
	}
	all.Wait()
}
