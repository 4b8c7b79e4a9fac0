package llm_test

import (
	"context"
	"errors"
	"fmt"
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

var (
	busy    = llmtest.Answer{Err: pipeline.Mark(errors.New("busy"), pipeline.Transient)}
	hello   = llmtest.Answer{Reply: pipeline.Reply{Text: "hello", Origin: pipeline.OriginModel, Finish: "stop", InputTokens: 100, OutputTokens: 50}}
	request = llmtest.Request("fake", "f")
)

func TestRetry(t *testing.T) {
	final := errors.New("no")
	for _, test := range []struct {
		name   string
		script []llmtest.Answer
		calls  int
		fails  string
	}{
		{"at once", []llmtest.Answer{hello}, 1, ""},
		{"third time", []llmtest.Answer{busy, busy, hello}, 3, ""},
		{"gives up", []llmtest.Answer{busy, busy, busy, busy, hello}, 4, "gave up after 4 tries: busy"},
		{"permanent", []llmtest.Answer{busy, {Err: final}, hello}, 2, "no"},
		{"fatal", []llmtest.Answer{{Err: pipeline.Mark(final, pipeline.Fatal)}, hello}, 1, "no"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fake, c := &llmtest.Fake{Script: test.script}, &clock.Fake{}
			r := &llm.Retry{Next: fake, Tries: 4, First: time.Second, Longest: time.Minute, Clock: c}
			reply, err := r.Complete(t.Context(), request)
			if len(fake.Asked()) != test.calls || len(c.Slept()) != test.calls-1 {
				t.Errorf("%d calls, %d pauses", len(fake.Asked()), len(c.Slept()))
			}
			switch {
			case test.fails == "" && (err != nil || reply.Text != "hello"):
				t.Errorf("reply %+v, error %v", reply, err)
			case test.fails != "" && (err == nil || err.Error() != test.fails):
				t.Errorf("error %v, want %q", err, test.fails)
			}
		})
	}
}

func TestRetryPauses(t *testing.T) {
	pauses := func(req pipeline.Request, answers ...llmtest.Answer) []time.Duration {
		c := &clock.Fake{}
		r := &llm.Retry{Next: &llmtest.Fake{Script: answers}, Tries: len(answers), First: time.Second, Longest: 10 * time.Second, Clock: c}
		r.Complete(t.Context(), req)
		return c.Slept()
	}
	seven := slices.Repeat([]llmtest.Answer{busy}, 7)
	got := pauses(request, seven...)
	for i, full := range []time.Duration{1, 2, 4, 8, 10, 10} {
		if full *= time.Second; got[i] < full/2 || got[i] > full {
			t.Errorf("pause %d is %s, want %s to %s", i+1, got[i], full/2, full)
		}
	}
	if again := pauses(request, seven...); !slices.Equal(again, got) {
		t.Errorf("pauses %v, then %v for the same request", got, again)
	}
	other := request
	other.Messages = []pipeline.Message{{Role: "user", Text: "something else"}}
	if elsewhere := pauses(other, seven...); slices.Equal(elsewhere, got) {
		t.Error("another request pauses as long, so both come back together")
	}
	asked := llmtest.Answer{Err: pipeline.RetryAfter(errors.New("slow down"), 30*time.Second)}
	if p := pauses(request, asked, hello); p[0] < 30*time.Second || p[0] > 31*time.Second {
		t.Errorf("asked for 30s, paused %s", p[0])
	}
}

func TestRetryStopsWhenCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	fake := &llmtest.Fake{Then: func(context.Context, pipeline.Request) (pipeline.Reply, error) {
		cancel()
		return pipeline.Reply{}, busy.Err
	}}
	r := &llm.Retry{Next: fake, Tries: 9, First: time.Second, Longest: time.Second, Clock: &clock.Fake{}}
	if _, err := r.Complete(ctx, request); pipeline.ClassOf(err) != pipeline.Canceled || len(fake.Asked()) != 1 {
		t.Errorf("error %v of class %v after %d calls", err, pipeline.ClassOf(err), len(fake.Asked()))
	}
}

func TestLimitRequestsPerMinute(t *testing.T) {
	c := &clock.Fake{}
	l := llm.NewLimit(&llmtest.Fake{Then: llmtest.Echo}, llm.Rates{RequestsPerMinute: 30}, c)
	begun := c.Now()
	for range 31 {
		if _, err := l.Complete(t.Context(), request); err != nil {
			t.Fatal(err)
		}
	}
	if passed := c.Now().Sub(begun); passed < 59*time.Second || passed > 61*time.Second {
		t.Errorf("31 requests at 30 a minute took %s", passed)
	}
}

func TestLimitTokensPerMinute(t *testing.T) {
	c := &clock.Fake{}
	uncounted := func(context.Context, pipeline.Request) (pipeline.Reply, error) { return pipeline.Reply{}, nil }
	l := llm.NewLimit(&llmtest.Fake{Then: uncounted}, llm.Rates{TokensPerMinute: 1000}, c)
	begun := c.Now()
	big := request
	big.MaxTokens = 5000 // more than a minute's worth in one request
	for range 2 {
		if _, err := l.Complete(t.Context(), big); err != nil {
			t.Fatal(err)
		}
	}
	// A minute's worth is there at the start, the rest of ten thousand has to come in.
	if passed := c.Now().Sub(begun); passed < 9*time.Minute || passed > 10*time.Minute {
		t.Errorf("two requests of 5000 tokens at 1000 a minute took %s", passed)
	}
}

func TestLimitSharesAPause(t *testing.T) {
	c := &clock.Fake{}
	fake := &llmtest.Fake{Script: []llmtest.Answer{{Err: pipeline.RetryAfter(errors.New("slow down"), time.Minute)}}, Then: llmtest.Echo}
	l := llm.NewLimit(fake, llm.Rates{}, c)
	if _, err := l.Complete(t.Context(), request); err == nil {
		t.Fatal("no error")
	}
	if _, err := l.Complete(t.Context(), request); err != nil || !slices.Equal(c.Slept(), []time.Duration{time.Minute}) {
		t.Errorf("the next request slept %v, error %v", c.Slept(), err)
	}
	if _, err := l.Complete(t.Context(), request); err != nil || len(c.Slept()) != 1 {
		t.Errorf("the one after slept too: %v, error %v", c.Slept(), err)
	}
}

func TestLimitConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		running, most := 0, 0
		next := llm.ProviderFunc(func(context.Context, pipeline.Request) (pipeline.Reply, error) {
			mu.Lock()
			running++
			most = max(most, running)
			mu.Unlock()
			time.Sleep(time.Second) // in the bubble's time
			mu.Lock()
			running--
			mu.Unlock()
			return pipeline.Reply{}, nil
		})
		l := llm.NewLimit(next, llm.Rates{Concurrency: 3}, &clock.Fake{})
		begun := time.Now()
		var all sync.WaitGroup
		for range 12 {
			all.Go(func() { l.Complete(t.Context(), request) })
		}
		all.Wait()
		if most != 3 || time.Since(begun) != 4*time.Second {
			t.Errorf("%d at a time, %s", most, time.Since(begun))
		}
		ctx, cancel := context.WithCancel(t.Context())
		for range 3 {
			go l.Complete(t.Context(), request)
		}
		synctest.Wait()
		cancel()
		if _, err := l.Complete(ctx, request); pipeline.ClassOf(err) != pipeline.Canceled {
			t.Errorf("canceled while waiting for its turn: %v", err)
		}
		time.Sleep(time.Second)
	})
}

// bound is what the budget sets aside for request: bytes of the prompt by three,
// plus the longest answer.
func TestBudget(t *testing.T) {
	prices := llm.Prices{Input: 1000, Output: 1000} // a tenth of a cent a token
	fake := &llmtest.Fake{Then: func(context.Context, pipeline.Request) (pipeline.Reply, error) { return hello.Reply, nil }}
	b := llm.NewBudget(fake, prices, 1, 0)
	for i := range 6 { // 0.15 each; the seventh could go over
		if _, err := b.Complete(t.Context(), request); err != nil {
			t.Fatalf("request %d: %v", i+1, err)
		}
	}
	_, err := b.Complete(t.Context(), request)
	if pipeline.ClassOf(err) != pipeline.Fatal || len(fake.Asked()) != 6 {
		t.Fatalf("error %v of class %v after %d calls", err, pipeline.ClassOf(err), len(fake.Asked()))
	}
	if want := "budget of 1.00 USD would be exceeded: spent 0.90, this request may cost up to 0.1"; !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s...", err, want)
	}
	small := request
	small.MaxTokens = 10
	if _, err := b.Complete(t.Context(), small); err != nil {
		t.Errorf("a request that still fits: %v", err)
	}
}

func TestBudgetOfTokens(t *testing.T) {
	fake := &llmtest.Fake{Script: []llmtest.Answer{hello, hello, hello}}
	b := llm.NewBudget(fake, llm.Prices{}, 0, 400)
	for range 2 {
		if _, err := b.Complete(t.Context(), request); err != nil {
			t.Fatal(err)
		}
	}
	_, err := b.Complete(t.Context(), request)
	if pipeline.ClassOf(err) != pipeline.Fatal || !strings.Contains(err.Error(), "budget of 400 tokens would be exceeded: spent 300, this request may take up to 1") {
		t.Errorf("error %v", err)
	}
}

func TestBudgetBooksWhatMayHaveCost(t *testing.T) {
	for _, test := range []struct {
		name   string
		start  func(*llmtest.Server)
		booked bool
	}{
		{"refused by the server", func(s *llmtest.Server) { s.Next(llmtest.Fail(500, "")) }, false},
		{"answer broken off", func(s *llmtest.Server) { s.Next(llmtest.BreakOff) }, true},
		{"malformed", func(s *llmtest.Server) { s.Next(llmtest.Fail(200, "{")) }, true},
		{"another object", func(s *llmtest.Server) { s.Next(llmtest.Fail(200, "{}")) }, true},
		{"malformed, and holds the key", func(s *llmtest.Server) { s.Next(llmtest.Fail(200, "{"+key)) }, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachFlavour(t, func(t *testing.T, f flavour, server *llmtest.Server) {
				test.start(server)
				s := settings(f.provider, "m-1", server.URL)
				s.MaxRetries, s.BudgetTokens = -1, 200 // one request of worst case fits, two do not
				p := open(t, s, map[string]string{f.env: key}, llm.Options{})
				if _, err := p.Complete(t.Context(), llmtest.Request(f.provider, "m-1")); pipeline.ClassOf(err) != pipeline.Transient {
					t.Fatalf("first: %v", err)
				}
				_, err := p.Complete(t.Context(), llmtest.Request(f.provider, "m-1"))
				if spent := pipeline.ClassOf(err) == pipeline.Fatal; spent != test.booked {
					t.Errorf("second: %v, want booked %t", err, test.booked)
				}
			})
		})
	}
}

// A server that counts no tokens is taken to have used all it could.
func TestBudgetWithoutCounts(t *testing.T) {
	uncounted := llmtest.Answer{Reply: pipeline.Reply{Text: "x", Origin: pipeline.OriginModel, Finish: "stop"}}
	b := llm.NewBudget(&llmtest.Fake{Script: []llmtest.Answer{uncounted, uncounted}}, llm.Prices{}, 0, 200)
	if _, err := b.Complete(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Complete(t.Context(), request); pipeline.ClassOf(err) != pipeline.Fatal {
		t.Errorf("nothing was booked: %v", err)
	}
}

// However many ask at once, what is spent stays within the budget, and a request
// that fits once others are booked is not refused.
func TestBudgetConcurrently(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := &llmtest.Fake{Then: func(context.Context, pipeline.Request) (pipeline.Reply, error) {
			time.Sleep(time.Second) // in the bubble's time
			return pipeline.Reply{Origin: pipeline.OriginModel, InputTokens: 10, OutputTokens: 10}, nil
		}}
		b := llm.NewBudget(fake, llm.Prices{}, 0, 1000)
		var all sync.WaitGroup
		var mu sync.Mutex
		answered, refused := 0, 0
		for range 100 {
			all.Go(func() {
				_, err := b.Complete(t.Context(), request)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					answered++
				} else if pipeline.ClassOf(err) == pipeline.Fatal {
					refused++
				}
			})
		}
		all.Wait()
		// The worst case is above 100 and the true cost 20: the last request that is
		// let in leaves less than one worst case.
		if answered < 40 || answered > 50 || answered+refused != 100 {
			t.Errorf("%d answered, %d refused", answered, refused)
		}
	})
}

func TestBudgetWaitCanBeCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		fake := &llmtest.Fake{Then: func(context.Context, pipeline.Request) (pipeline.Reply, error) {
			<-release
			return pipeline.Reply{}, nil
		}}
		b := llm.NewBudget(fake, llm.Prices{}, 0, 150)
		go b.Complete(t.Context(), request)
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		var err error
		done := make(chan struct{})
		go func() { _, err = b.Complete(ctx, request); close(done) }()
		synctest.Wait()
		cancel()
		<-done
		if pipeline.ClassOf(err) != pipeline.Canceled || len(fake.Asked()) != 1 {
			t.Errorf("error %v, %d calls", err, len(fake.Asked()))
		}
		close(release)
	})
}

func TestUsage(t *testing.T) {
	var u llm.Usage
	p := u.Count(&llmtest.Fake{Script: []llmtest.Answer{hello, busy, hello, hello}})
	for i := range 4 {
		req := request
		req.Model = fmt.Sprint("f", 2-i/2) // f2, f2, f1, f1
		p.Complete(t.Context(), req)
	}
	want := []llm.ModelUsage{
		{Provider: "fake", Model: "f1", Requests: 2, InputTokens: 200, OutputTokens: 100},
		{Provider: "fake", Model: "f2", Requests: 2, Failures: 1, InputTokens: 100, OutputTokens: 50},
	}
	if got := u.Models(); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestOpenCounts(t *testing.T) {
	var u llm.Usage
	server := llmtest.OpenAI(t)
	server.Next(llmtest.Fail(500, ""))
	s := settings("openai", "m-1", server.URL)
	s.InputUSDPerMTok, s.OutputUSDPerMTok = 1, 2
	open(t, s, nil, llm.Options{Usage: &u}).Complete(t.Context(), llmtest.Request("openai", "m-1"))
	open(t, settings("extractive", "", ""), nil, llm.Options{Usage: &u}).Complete(t.Context(), llmtest.Request("extractive", ""))
	want := []llm.ModelUsage{
		{Provider: "extractive", Model: "extractive-1", Requests: 1},
		{Provider: "openai", Model: "m-1", Requests: 2, Failures: 1, InputTokens: 11, OutputTokens: 7, CostMicroUSD: 25},
	}
	if got := u.Models(); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestPrices(t *testing.T) {
	for _, test := range []struct {
		p       llm.Prices
		in, out int64
		want    int64
	}{
		{llm.Prices{Input: 0.15, Output: 0.6}, 1000, 1000, 750},
		{llm.Prices{Input: 0.1}, 30, 0, 3},
		{llm.Prices{Input: 0.1}, 1, 0, 1},
		{llm.Prices{}, 1e9, 1e9, 0},
	} {
		if got := test.p.Cost(test.in, test.out); got != test.want {
			t.Errorf("%+v of %d and %d: %d, want %d", test.p, test.in, test.out, got, test.want)
		}
	}
}

func TestRedactKeepsShortWords(t *testing.T) {
	fake := &llmtest.Fake{Script: []llmtest.Answer{{Reply: pipeline.Reply{Text: "there is none"}}, {Err: errors.New("none is left")}}}
	p := llm.Redact(fake, "none")
	if reply, _ := p.Complete(t.Context(), request); reply.Text != "there is none" {
		t.Errorf("reply %q", reply.Text)
	}
	if _, err := p.Complete(t.Context(), request); err.Error() != "none is left" {
		t.Errorf("error %q", err)
	}
}
