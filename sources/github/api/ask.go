package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"benchmill/pipeline"
)

const (
	// believe is how often in a row a refusal must come to be believed.
	believe = 3
	// heavy is how often a gateway may give up on a query before the query is
	// taken to be the reason.
	heavy = 3

	firstPause   = time.Second
	longestPause = time.Minute
)

// question is one thing to ask, however often it is sent.
type question struct {
	method  string
	url     *url.URL
	known   Known
	payload json.RawMessage // of a query; nil: none
	as      *token          // only this token; nil: whichever may
	budget  string          // the resource it draws on; "": told by its address
}

// ask sends a question until an answer can be believed, or none is to be had.
func (c *Client) ask(ctx context.Context, q *question) (*reply, error) {
	if c.missing != nil {
		return nil, c.missing
	}
	refused, times, tooHeavy := 0, 0, 0
	for try := 1; ; try++ {
		r, err := c.follow(ctx, q)
		if err != nil {
			return nil, err
		}
		v, cause := c.judge(q, r)
		if v != believed && q.payload != nil && isHeavy(r) {
			tooHeavy++
			cause = &heavyError{cause}
		}
		switch {
		case v == believed:
			return r, nil
		case v == hopeless:
			return nil, cause
		case v != refusal:
			times = 0
		case r.status != refused:
			refused, times = r.status, 1
		default:
			times++
		}
		if v == refusal {
			c.moved.forget(c.path(q.url)) // the name may have been given away
		}
		if times == min(believe, c.settings.Tries) {
			return nil, c.refused(r, cause)
		}
		if try == c.settings.Tries || tooHeavy == heavy {
			return nil, pipeline.Mark(fmt.Errorf("gave up after %d tries: %w", try, cause), pipeline.Transient)
		}
		if err := c.between(ctx, q, r, try, cause); err != nil {
			return nil, err
		}
	}
}

// between waits from one try to the next. Limits are waited for where the next
// lease is taken: another user may go on at once.
func (c *Client) between(ctx context.Context, q *question, r *reply, try int, cause error) error {
	c.stats.add(func(s *Stats) { s.Retries++ })
	var pause time.Duration
	if !r.limited {
		asked := retryAfter(r.header, c.clock.Now())
		if asked > c.settings.MaxWait {
			return pipeline.RetryAfter(fmt.Errorf("%w; it asks to wait %s, which is more than max_wait (%s)", cause, asked, c.settings.MaxWait), asked)
		}
		pause = max(backoff(q, try), asked)
	}
	c.log.Warn("asking GitHub again", "url", c.hide.url(r.url), "try", try, "pause", pause.Round(time.Millisecond), "error", cause)
	return c.pause(ctx, q.url, pause)
}

// backoff doubles from try to try, half of it fixed and half of it spread, so that
// requests that failed together do not come back together.
func backoff(q *question, try int) time.Duration {
	d := longestPause
	if shift := try - 1; shift < 10 {
		d = min(d, firstPause<<shift)
	}
	spread := draw("backoff", q.url.String(), string(q.payload), fmt.Sprint(try)).Float64()
	return d/2 + time.Duration(spread*float64(d/2))
}

// refused is the error of a refusal that is believed.
func (c *Client) refused(r *reply, cause error) error {
	var status *StatusError
	if !errors.As(cause, &status) || status.Status != http.StatusUnauthorized {
		return cause
	}
	if r.token == nil || r.token.secret == "" {
		return pipeline.Mark(fmt.Errorf("%w; no token was sent (tokens_env names the environment variable that holds one)", cause), pipeline.Fatal)
	}
	return pipeline.Mark(fmt.Errorf("%w; the token of environment variable %s was refused", cause, r.token.label), pipeline.Fatal)
}
