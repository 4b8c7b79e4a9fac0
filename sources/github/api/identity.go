package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"benchmill/pipeline"
)

// Identity is who one token belongs to and what that user may still ask. It never
// holds the token.
type Identity struct {
	Token   string   // which token: "GITHUB_TOKEN" or "GITHUB_TOKEN, 2 of 3"; "" for nobody
	User    string   // login; "" for nobody, and for tokens that belong to no user
	Scopes  []string // of a classic token, sorted
	Expires string   // as the server says it; "" when it does not
	Budgets []Budget // by resource name; empty where the server sets no limits
	Err     error    // why the rest is not known; nil: it is
}

// Budget is what is left of one of a user's limits.
type Budget struct {
	Resource  string // "core", "search", "graphql"
	Limit     int    // requests, or points of GraphQL, in one window
	Remaining int
	Reset     time.Time // when the window ends, by the server's clock
}

// Identities asks who each token belongs to and what is left of its budgets; it
// draws on no budget but for one request of each token. What is wrong with one token
// is the Err of its identity; the error is for what is wrong with all.
func (c *Client) Identities(ctx context.Context) ([]Identity, error) {
	if c.missing != nil {
		return nil, c.missing
	}
	done, err := c.holdNaming(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	if len(c.tokens) == 0 {
		id := Identity{}
		id.Budgets, id.Err = c.budgets(ctx, nil)
		return []Identity{id}, c.endedAll(ctx)
	}
	var out []Identity
	for _, t := range c.tokens {
		id, err := c.whoami(ctx, t)
		if err == nil {
			id.Budgets, err = c.budgets(ctx, t)
		}
		id.Err = err
		out = append(out, id)
	}
	return out, c.endedAll(ctx)
}

func (c *Client) endedAll(ctx context.Context) error {
	if ctx.Err() != nil {
		return c.ended(ctx, c.base)
	}
	return nil
}

// nameUsers learns, once, which tokens share a user. One token needs no name.
func (c *Client) nameUsers(ctx context.Context) error {
	if len(c.tokens) < 2 || c.missing != nil {
		return nil
	}
	done, err := c.holdNaming(ctx)
	if err != nil {
		return err
	}
	defer done()
	if c.named {
		return nil
	}
	users := make([]string, len(c.tokens))
	for i, t := range c.tokens {
		id, err := c.whoami(ctx, t)
		if err != nil {
			return err
		}
		users[i] = id.User
	}
	c.pool.named(c.tokens, users)
	c.named = true
	return nil
}

func (c *Client) holdNaming(ctx context.Context) (done func(), err error) {
	select {
	case c.naming <- struct{}{}:
		return func() { <-c.naming }, nil
	case <-ctx.Done():
		return nil, c.ended(ctx, c.base)
	}
}

// whoami asks who a token belongs to. Tokens of installations belong to nobody
// and are refused here, with a budget of their own.
func (c *Client) whoami(ctx context.Context, t *token) (Identity, error) {
	id := Identity{Token: t.label}
	r, err := c.ask(ctx, &question{method: http.MethodGet, url: c.base.JoinPath("user"), as: t})
	var status *StatusError
	if errors.As(err, &status) && pipeline.ClassOf(err) == pipeline.Permanent {
		return id, nil
	}
	if err != nil {
		return id, err
	}
	var user struct {
		Login string `json:"login"`
	}
	if err := json.Unmarshal(r.body, &user); err != nil || user.Login == "" {
		return id, pipeline.Mark(fmt.Errorf("%s: the answer names no user", c.hide.url(r.url)), pipeline.Transient)
	}
	id.User = c.hide.words(user.Login)
	id.Expires = c.hide.words(r.header.Get("Github-Authentication-Token-Expiration"))
	for scope := range strings.SplitSeq(r.header.Get("X-Oauth-Scopes"), ",") {
		if scope = c.hide.words(scope); scope != "" {
			id.Scopes = append(id.Scopes, scope)
		}
	}
	slices.Sort(id.Scopes)
	return id, nil
}

// budgets asks what is left, which costs nothing. Servers without limits have no
// such address.
func (c *Client) budgets(ctx context.Context, t *token) ([]Budget, error) {
	r, err := c.ask(ctx, &question{method: http.MethodGet, url: c.base.JoinPath("rate_limit"), as: t, budget: "rate_limit"})
	var status *StatusError
	if errors.As(err, &status) && status.Status == http.StatusNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var limits struct {
		Resources map[string]struct {
			Limit     int   `json:"limit"`
			Remaining int   `json:"remaining"`
			Reset     int64 `json:"reset"`
		} `json:"resources"`
	}
	if err := json.Unmarshal(r.body, &limits); err != nil {
		return nil, pipeline.Mark(fmt.Errorf("%s: the answer holds no limits", c.hide.url(r.url)), pipeline.Transient)
	}
	var out []Budget
	for name, l := range limits.Resources {
		out = append(out, Budget{Resource: c.hide.words(name), Limit: l.Limit, Remaining: l.Remaining, Reset: resetTime(l.Reset)})
	}
	slices.SortFunc(out, func(a, b Budget) int { return cmp.Compare(a.Resource, b.Resource) })
	return out, nil
}
