package api

import (
	"net/http"
	"time"
)

// token is one credential.
type token struct {
	secret string // "" for nobody
	label  string // "GITHUB_TOKEN, 2 of 3"; "" for nobody
	owner  *account
}

// account is one user, or nobody. The pool that holds it guards it.
type account struct {
	user    string // login; "" while it is not known
	tokens  []*token
	budgets map[string]*budget

	paused  time.Time // nothing is sent before: the server asked for it
	strikes int       // secondary limits met since the last good answer
	struck  time.Time // when the last of them was met
}

// firstStrike is the wait GitHub wants after a limit that says nothing about its
// end; it doubles from one to the next.
const firstStrike = time.Minute

func newAccount(tokens ...*token) *account {
	a := &account{tokens: tokens, budgets: map[string]*budget{}}
	for _, t := range tokens {
		t.owner = a
	}
	return a
}

func (a *account) anonymous() bool { return len(a.tokens) == 0 || a.tokens[0].secret == "" }

func (a *account) name() string {
	switch {
	case a.user != "":
		return "user " + a.user
	case a.anonymous():
		return "anonymous requests"
	}
	return "the user of " + a.tokens[0].label
}

func (a *account) budget(resource string) *budget {
	b := a.budgets[resource]
	if b == nil {
		b = newBudget(resource, a.anonymous())
		a.budgets[resource] = b
	}
	return b
}

// chance says whether an account may be asked.
type chance struct {
	left  int       // requests it has left, above 0: now
	until time.Time // else: not before this instant
	busy  bool      // else: perhaps when a request under way is back
}

func (a *account) chance(resource string, now time.Time) chance {
	b := a.budget(resource)
	switch left := b.left(now); {
	case now.Before(a.paused):
		return chance{until: a.paused}
	case left > 0:
		return chance{left: left}
	case b.inflight > 0:
		return chance{busy: true}
	case b.reset.IsZero(): // nothing is left of a bound without an end: the server must say
		return chance{left: 1}
	default:
		return chance{until: b.reset}
	}
}

// settle takes over what an answer says about the account.
func (a *account) settle(resource string, r *reply, now time.Time) {
	says, ok := budgetOf(r.header, now)
	if says.resource == "" {
		says.resource = resource
	}
	b := a.budget(says.resource)
	switch {
	case ok:
		b.observe(says, now)
	case r.status != http.StatusNotModified && r.status != 0 && b.limit > 0:
		b.remaining--
	}
	if r.limited {
		a.limit(b, says.resource == resource, r, now)
	} else if r.status > 0 && r.status < 400 && r.sent.After(a.struck) {
		a.strikes = 0
	}
}

// limit holds the account back after an answer that said: too many requests.
// expected says that it draws on the budget it was taken to draw on.
func (a *account) limit(b *budget, expected bool, r *reply, now time.Time) {
	if wait := retryAfter(r.header, now); wait > 0 {
		a.pause(now.Add(wait))
		return
	}
	if r.graph != nil && r.graph.budgetSpent() {
		b.remaining = 0 // what is left is too little for this query
	}
	if expected && b.told && b.remaining == 0 && b.reset.After(now) {
		return // the budget itself holds the next request back
	}
	if !r.sent.After(a.struck) {
		return // of the same burst as the one that struck
	}
	a.pause(now.Add(firstStrike << min(a.strikes, 10)))
	a.strikes++
	a.struck = now
}

func (a *account) pause(until time.Time) {
	if until.After(a.paused) {
		a.paused = until
	}
}
