package api

import (
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"benchmill/pipeline"
)

// pool holds the accounts and shares out their budgets. It is safe for concurrent
// use.
type pool struct {
	mu       sync.Mutex
	accounts []*account    // never empty
	abroad   *account      // asks hosts that are not ours, as nobody
	changed  chan struct{} // closed, and replaced, when a share came back
}

// want is a wish to send one request.
type want struct {
	resource string
	home     *token // preferred while its user has budget; nil: whoever has most
	as       *token // only this one; nil: any
	abroad   bool   // the request leaves our host
}

// lease is the permission to send one request.
type lease struct {
	token    *token
	account  *account
	resource string
}

// hold is why there is no lease.
type hold struct {
	until   time.Time       // the earliest instant a budget is back; zero: see changed
	who     string          // whose
	changed <-chan struct{} // closed when a request under way has come back
}

func newPool(tokens []*token) *pool {
	p := &pool{abroad: newAccount(&token{}), changed: make(chan struct{})}
	for _, t := range tokens {
		p.accounts = append(p.accounts, newAccount(t))
	}
	if len(tokens) == 0 {
		p.accounts = []*account{newAccount(&token{})}
	}
	return p
}

// take gives a lease, or says how long to wait for one.
func (p *pool) take(w want, now time.Time) (*lease, hold) {
	p.mu.Lock()
	defer p.mu.Unlock()
	among := p.accounts
	switch {
	case w.abroad:
		among = []*account{p.abroad}
	case w.as != nil:
		among = []*account{w.as.owner}
	}
	var best *account
	most, busy, wait := 0, false, hold{changed: p.changed}
	for _, a := range among {
		c := a.chance(w.resource, now)
		if w.home != nil && a == w.home.owner && c.left > 0 {
			c.left = math.MaxInt
		}
		switch {
		case c.left > most:
			best, most = a, c.left
		case c.busy:
			busy = true
		case c.left == 0 && (wait.who == "" || c.until.Before(wait.until)):
			wait.until, wait.who = c.until, a.name()
		}
	}
	if best == nil {
		if busy {
			wait.until = time.Time{}
		}
		return nil, wait
	}
	l := &lease{token: best.tokens[0], account: best, resource: w.resource}
	for _, t := range []*token{w.home, w.as} {
		if t != nil && t.owner == best {
			l.token = t
		}
	}
	best.budget(w.resource).start(now)
	return l, hold{}
}

// stale reports whether an account was stopped after the lease was given.
func (p *pool) stale(l *lease, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	b := l.account.budget(l.resource)
	return now.Before(l.account.paused) || b.left(now)+b.inflight <= 0 && now.Before(b.reset)
}

// drop gives back a lease that was not used, or whose answer nobody saw.
func (p *pool) drop(l *lease) { p.back(l, func() {}) }

// settle gives back a lease with the answer it was used for.
func (p *pool) settle(l *lease, r *reply, now time.Time) {
	p.back(l, func() { l.account.settle(l.resource, r, now) })
}

func (p *pool) back(l *lease, learn func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l.account.budget(l.resource).inflight--
	learn()
	close(p.changed)
	p.changed = make(chan struct{})
}

// named notes the users of all tokens: users[i] is the i-th token's, "" where it
// cannot be told. Tokens of one user come to share one account. No request may be
// under way.
func (p *pool) named(tokens []*token, users []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.accounts = nil
	byUser := map[string]*account{}
	for i, t := range tokens {
		a := t.owner
		a.user = users[i]
		first := byUser[a.user]
		if first == nil || a.user == "" {
			byUser[a.user] = a
			p.accounts = append(p.accounts, a)
			continue
		}
		first.tokens = append(first.tokens, t)
		t.owner = first
		first.budgets = a.budgets // the later word of the same limits
		first.pause(a.paused)
	}
}

// home is the token an address is asked with as long as its user has budget: the
// same one in whatever order the tokens stand. It is nil where there is no choice.
func home(tokens []*token, address string) *token {
	if len(tokens) < 2 {
		return nil
	}
	var home *token
	var highest uint64
	for _, t := range tokens {
		if weight := draw("home", address, t.secret).Uint64(); home == nil || weight > highest {
			home, highest = t, weight
		}
	}
	return home
}

// draw is a generator for what must differ from request to request and be the
// same in every run.
func draw(parts ...string) *rand.Rand {
	return pipeline.Seed{Stage: "sources/github/api"}.Rand(strings.Join(parts, "\x00"))
}
