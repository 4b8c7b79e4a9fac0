package api

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"benchmill/pipeline"
)

// hop sends a question to one address, within all bounds.
func (c *Client) hop(ctx context.Context, q *question, at *url.URL) (*reply, error) {
	w := want{resource: q.budget, as: q.as, abroad: !c.ours(at)}
	if w.resource == "" {
		w.resource = resourceOf(c.path(at), q)
	}
	if q.payload == nil {
		w.home = home(c.tokens, q.url.RequestURI())
	}
	for {
		l, err := c.lease(ctx, w, at)
		if err != nil {
			return nil, err
		}
		r, err := c.turn(ctx, q, at, l)
		if r != nil || err != nil {
			return r, err
		}
	}
}

// turn uses a lease, in a free slot and at the pace allowed. It gives nil when
// the lease went stale meanwhile.
func (c *Client) turn(ctx context.Context, q *question, at *url.URL, l *lease) (r *reply, err error) {
	defer func() {
		if r == nil {
			c.pool.drop(l)
		}
	}()
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return nil, c.ended(ctx, at)
	}
	now := c.clock.Now()
	if err := c.sleep(ctx, at, c.pace.ReserveN(now, 1).DelayFrom(now)); err != nil {
		return nil, err
	}
	if c.pool.stale(l, c.clock.Now()) {
		return nil, nil
	}
	got, err := c.exchange(ctx, q, at, l.token.secret)
	if err != nil {
		return nil, err
	}
	got.token = l.token
	c.pool.settle(l, got, c.clock.Now())
	return got, nil
}

// lease waits for a share of a budget.
func (c *Client) lease(ctx context.Context, w want, at *url.URL) (*lease, error) {
	for {
		now := c.clock.Now()
		l, h := c.pool.take(w, now)
		if l != nil {
			return l, nil
		}
		if h.until.IsZero() {
			select {
			case <-h.changed:
			case <-ctx.Done():
				return nil, c.ended(ctx, at)
			}
			continue
		}
		wait, until := h.until.Sub(now), h.until.UTC().Format(time.RFC3339)
		if wait > c.settings.MaxWait {
			return nil, pipeline.RetryAfter(fmt.Errorf("%s: the limit of %s (%s) ends at %s, which is more than max_wait (%s) away",
				c.hide.url(at), h.who, w.resource, until, c.settings.MaxWait), wait)
		}
		if news := h.who + w.resource + until; c.announced.Swap(news) != news { // all who wait would say the same
			c.log.Info("waiting for GitHub's limit", "of", h.who, "resource", w.resource, "until", until)
		}
		if err := c.pause(ctx, at, wait); err != nil {
			return nil, err
		}
	}
}

// resourceOf guesses which budget a request draws on; the answer says it.
func resourceOf(path string, q *question) string {
	first, rest, _ := strings.Cut(path, "/")
	switch {
	case q.payload != nil:
		return graphBudget
	case first == "search" && rest == "code":
		return codeSearchBudget
	case first == "search":
		return searchBudget
	}
	return coreBudget
}
