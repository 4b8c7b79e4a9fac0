package githubtest

import (
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Limit is a budget of requests, of points for GraphQL.
type Limit struct {
	Points int
	Window time.Duration
}

// Limits are the budgets of one account. A zero one is a million an hour.
type Limits struct{ Core, Search, GraphQL Limit }

// GitHubLimits are those of a token on github.com.
func GitHubLimits() Limits {
	return Limits{Core: Limit{5000, time.Hour}, Search: Limit{30, time.Minute}, GraphQL: Limit{5000, time.Hour}}
}

func (l Limits) orDefault() map[string]Limit {
	out := map[string]Limit{"core": l.Core, "search": l.Search, "graphql": l.GraphQL}
	for name, limit := range out {
		if limit == (Limit{}) {
			out[name] = Limit{1_000_000, time.Hour}
		}
	}
	return out
}

// budget is the state of one budget after a request.
type budget struct {
	resource    string
	limit, used int
	reset       time.Time // whole seconds
}

func (b budget) remaining() int { return max(b.limit-b.used, 0) }

func (b budget) write(h http.Header) {
	if b.resource == "" {
		return
	}
	h.Set("X-RateLimit-Limit", strconv.Itoa(b.limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(b.remaining()))
	h.Set("X-RateLimit-Used", strconv.Itoa(b.used))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(b.reset.Unix(), 10))
	h.Set("X-RateLimit-Resource", b.resource)
}

func (b budget) object() raw {
	return new(object).add("limit", b.limit).add("used", b.used).add("remaining", b.remaining()).add("reset", b.reset.Unix()).end()
}

// budgets count per account, not per token, as GitHub does.
type budgets struct {
	limits map[string]Limit
	mu     sync.Mutex
	used   map[[2]string]*budget // account, resource
}

// at is the budget at a time, b.mu held.
func (b *budgets) at(user, resource string, now time.Time) *budget {
	key := [2]string{user, resource}
	if b.used == nil {
		b.used = map[[2]string]*budget{}
	}
	state := b.used[key]
	if state == nil || !now.Before(state.reset) {
		limit := b.limits[resource]
		state = &budget{resource: resource, limit: limit.Points, reset: now.Truncate(time.Second).Add(limit.Window)}
		b.used[key] = state
	}
	return state
}

func (b *budgets) state(user, resource string, now time.Time) budget {
	b.mu.Lock()
	defer b.mu.Unlock()
	return *b.at(user, resource, now)
}

// take uses one point; not ok when there was none.
func (b *budgets) take(user, resource string, now time.Time) (budget, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	state := b.at(user, resource, now)
	if state.remaining() == 0 {
		return *state, false
	}
	state.used++
	return *state, true
}

// charge uses more points, or gives some back.
func (b *budgets) charge(user, resource string, points int, now time.Time) budget {
	b.mu.Lock()
	defer b.mu.Unlock()
	state := b.at(user, resource, now)
	state.used = min(max(state.used+points, 0), state.limit)
	return *state
}

// exhausted is the refusal of a spent budget: GraphQL's comes as a success.
func exhausted(resource, user string) answer {
	if resource == "graphql" {
		return ok([]byte(`{"errors":[{"type":"RATE_LIMITED","code":"graphql_rate_limit","message":"API rate limit already exceeded for user ID 1."}]}`))
	}
	who := "user " + user
	if user == "" {
		who = "127.0.0.1"
	}
	return failure(http.StatusForbidden, "API rate limit exceeded for "+who+".")
}
