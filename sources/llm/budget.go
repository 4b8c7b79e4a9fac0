package llm

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/semaphore"

	"benchmill/pipeline"
	"benchmill/sources/llm/internal/api"
)

// Prices are in US dollars per million tokens, which is micro-dollars per token.
type Prices struct{ Input, Output float64 }

// Cost is what that many tokens cost, in millionths of a dollar, rounded up.
func (p Prices) Cost(input, output int64) int64 {
	const noise = 1e-6 // of the multiplication, which must not count as a whole unit
	return int64(math.Ceil(float64(input)*p.Input + float64(output)*p.Output - noise))
}

// amount is what a budget counts.
type amount struct{ microUSD, tokens int64 }

func (a amount) plus(b amount) amount { return amount{a.microUSD + b.microUSD, a.tokens + b.tokens} }
func (a amount) minus(b amount) amount {
	return amount{a.microUSD - b.microUSD, a.tokens - b.tokens}
}

// Budget refuses a request, with a fatal error, when its cost at worst would go
// over the money or the tokens there are. The worst case is set aside before the
// request is sent, and what it really took is booked after it. A request that
// fits only once others have been booked waits for them, and those that came later
// wait behind it.
//
// The budget is that of one run of the program. It is safe for concurrent use.
type Budget struct {
	next   Provider
	prices Prices
	limit  amount              // 0: no limit
	line   *semaphore.Weighted // held by the request that is to be let in next

	mu       sync.Mutex
	spent    amount
	reserved amount
	settled  chan struct{} // closed, and made anew, when something was booked
}

// NewBudget returns a Budget around next. A limit of 0 is none.
func NewBudget(next Provider, prices Prices, usd float64, tokens int64) *Budget {
	return &Budget{
		next: next, prices: prices, line: semaphore.NewWeighted(1), settled: make(chan struct{}),
		limit: amount{int64(math.Round(usd * 1e6)), tokens},
	}
}

// Complete implements [Provider].
func (b *Budget) Complete(ctx context.Context, req pipeline.Request) (pipeline.Reply, error) {
	in, out := estimate(req)
	worst := amount{b.prices.Cost(in, out), in + out}
	if err := b.reserve(ctx, worst); err != nil {
		return pipeline.Reply{}, err
	}
	actual := worst // what stays booked should Next panic
	defer func() { b.settle(worst, actual) }()
	reply, err := b.next.Complete(ctx, req)
	actual = b.actual(reply, err, worst)
	return reply, err
}

// actual is what a call took. Where nobody can tell, it is the worst case.
func (b *Budget) actual(reply pipeline.Reply, err error, worst amount) amount {
	switch {
	case err != nil && api.MayBill(err):
		return worst
	case err != nil:
		return amount{}
	case reply.Origin == pipeline.OriginModel && reply.InputTokens+reply.OutputTokens == 0 && reply.Finish != "refusal":
		return worst // the server counts no tokens
	}
	return amount{b.prices.Cost(reply.InputTokens, reply.OutputTokens), reply.InputTokens + reply.OutputTokens}
}

func (b *Budget) reserve(ctx context.Context, worst amount) error {
	if b.line.Acquire(ctx, 1) != nil {
		return context.Cause(ctx)
	}
	defer b.line.Release(1)
	for {
		b.mu.Lock()
		if err := b.over(b.spent, worst); err != nil {
			b.mu.Unlock()
			return err
		}
		if b.over(b.spent.plus(b.reserved), worst) == nil {
			b.reserved = b.reserved.plus(worst)
			b.mu.Unlock()
			return nil
		}
		settled := b.settled
		b.mu.Unlock()
		select {
		case <-settled:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (b *Budget) settle(worst, actual amount) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserved = b.reserved.minus(worst)
	b.spent = b.spent.plus(actual)
	close(b.settled)
	b.settled = make(chan struct{})
}

// over says what another worst case on top of taken would break.
func (b *Budget) over(taken, worst amount) error {
	sum := taken.plus(worst)
	switch {
	case b.limit.microUSD > 0 && sum.microUSD > b.limit.microUSD:
		return pipeline.Mark(fmt.Errorf("budget of %s USD would be exceeded: spent %s, this request may cost up to %s",
			usd(b.limit.microUSD), usd(taken.microUSD), usd(worst.microUSD)), pipeline.Fatal)
	case b.limit.tokens > 0 && sum.tokens > b.limit.tokens:
		return pipeline.Mark(fmt.Errorf("budget of %d tokens would be exceeded: spent %d, this request may take up to %d",
			b.limit.tokens, taken.tokens, worst.tokens), pipeline.Fatal)
	}
	return nil
}

// usd writes millionths of a dollar as dollars, with at least two decimals.
func usd(micro int64) string {
	text := strconv.FormatFloat(float64(micro)/1e6, 'f', 6, 64)
	cut := strings.TrimRight(text, "0")
	if decimals := len(cut) - strings.IndexByte(cut, '.') - 1; decimals < 2 {
		return text[:len(cut)+2-decimals]
	}
	return cut
}
