package llm

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"benchmill/pipeline"
)

// ModelUsage is what one model was asked and what that took. Every try counts as
// a request; tokens and cost are those of the replies that came back.
type ModelUsage struct {
	Provider     string `json:"provider"`
	Model        string `json:"model"` // as asked for
	Requests     int64  `json:"requests"`
	Failures     int64  `json:"failures"`
	InputTokens  int64  `json:"input_tokens"`
	OutputTokens int64  `json:"output_tokens"`
	CostMicroUSD int64  `json:"cost_micro_usd"` // millionths of a US dollar
}

// Usage counts by model, over all providers it was put around. The zero value is
// ready; it is safe for concurrent use and can be read at any time.
type Usage struct {
	mu     sync.Mutex
	models map[[2]string]*ModelUsage
}

// Count returns a provider that counts what passes through to next.
func (u *Usage) Count(next Provider) Provider {
	return ProviderFunc(func(ctx context.Context, req pipeline.Request) (pipeline.Reply, error) {
		reply, err := next.Complete(ctx, req)
		u.add(req, reply, err)
		return reply, err
	})
}

func (u *Usage) add(req pipeline.Request, reply pipeline.Reply, err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	key := [2]string{req.Provider, cmp.Or(req.Model, reply.Model)}
	m := u.models[key]
	if m == nil {
		if u.models == nil {
			u.models = map[[2]string]*ModelUsage{}
		}
		m = &ModelUsage{Provider: key[0], Model: key[1]}
		u.models[key] = m
	}
	m.Requests++
	if err != nil {
		m.Failures++
		return
	}
	m.InputTokens += reply.InputTokens
	m.OutputTokens += reply.OutputTokens
	m.CostMicroUSD += reply.CostMicroUSD
}

// Models is the count so far, by provider and model in ascending order.
func (u *Usage) Models() []ModelUsage {
	u.mu.Lock()
	defer u.mu.Unlock()
	out := make([]ModelUsage, 0, len(u.models))
	for _, m := range u.models {
		out = append(out, *m)
	}
	slices.SortFunc(out, func(a, b ModelUsage) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Model, b.Model))
	})
	return out
}

// price puts what a reply cost on it.
func price(next Provider, p Prices) Provider {
	return ProviderFunc(func(ctx context.Context, req pipeline.Request) (pipeline.Reply, error) {
		reply, err := next.Complete(ctx, req)
		if err == nil {
			reply.CostMicroUSD = p.Cost(reply.InputTokens, reply.OutputTokens)
		}
		return reply, err
	})
}
