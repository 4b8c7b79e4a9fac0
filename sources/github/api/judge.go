package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// verdict is what to make of a reply.
type verdict int

const (
	believed verdict = iota // it is the answer
	passing                 // it may be another one next time
	refusal                 // an answer once it was repeated
	hopeless                // it will be the same however often one asks
)

// judge gives the verdict on a reply and, unless it is believed, the reason.
func (c *Client) judge(q *question, r *reply) (verdict, error) {
	failed := func(why string) error { return fmt.Errorf("%s: %s", c.hide.url(r.url), why) }
	switch {
	case r.fault == oversized:
		return hopeless, failed(r.problem)
	case r.limited:
		return passing, failed(fmt.Sprintf("too many requests (status %d%s)", r.status, c.quote(r)))
	case r.fault != sound:
		return passing, failed(r.problem)
	case r.problem != "": // a redirect or a link that leads nowhere
		return refusal, failed(r.problem)
	case r.status == http.StatusOK && q.payload != nil:
		return c.judgeGraph(r)
	case r.status == http.StatusOK:
		return believed, nil
	case r.status == http.StatusNotModified && q.known != (Known{}):
		return believed, nil
	case r.status == http.StatusNotModified:
		c.stats.add(func(s *Stats) { s.Unasked++ })
		return passing, failed("GitHub answers 304 to a request without a condition")
	case r.status == http.StatusNoContent || r.status >= 400 && r.status < 500 && !slices.Contains(passingStatuses, r.status):
		return refusal, &StatusError{Status: r.status, Message: c.message(r), URL: c.hide.url(r.url), Date: dateOf(r.header)}
	case r.status >= 300 && r.status < 400:
		return refusal, failed(fmt.Sprintf("GitHub answers %d, which is no way to an answer", r.status))
	}
	return passing, failed(fmt.Sprintf("GitHub answers %d%s", r.status, c.quote(r)))
}

// passingStatuses are refusals for the moment: slow request, wrong connection,
// too early. 5xx is one anyway, and 202: the answer is still being computed.
var passingStatuses = []int{http.StatusRequestTimeout, http.StatusMisdirectedRequest, http.StatusTooEarly}

// isLimit tells GitHub's limits from its other refusals: 429 always; 403 when it
// says when to come back, that nothing is left, or so in words; in GraphQL an
// error, under the status 200.
func isLimit(r *reply) bool {
	switch {
	case r.status == http.StatusTooManyRequests:
		return true
	case r.graph != nil:
		return slices.ContainsFunc(r.graph.Errors, func(f QueryFault) bool {
			return f.budgetSpent() || strings.Contains(strings.ToLower(f.Message), "rate limit")
		})
	case r.status == http.StatusForbidden:
		words := strings.ToLower(string(r.body[:min(len(r.body), 16<<10)]))
		return r.header.Get("Retry-After") != "" || r.header.Get("X-Ratelimit-Remaining") == "0" ||
			slices.ContainsFunc(limitWords, func(said string) bool { return strings.Contains(words, said) })
	}
	return false
}

// limitWords stand in the message, or the address of the manual, of a limit. The
// bare word "abuse" may also say why a repository was blocked.
var limitWords = []string{"rate limit", "rate-limit", "abuse detection"}

// isHeavy tells the failures that a smaller question may avoid: gateways that
// gave up waiting for the answer, and answers past all bounds.
func isHeavy(r *reply) bool {
	return r.status == http.StatusBadGateway || r.status == http.StatusGatewayTimeout || r.fault == oversized ||
		r.graph != nil && slices.ContainsFunc(r.graph.Errors, QueryFault.tooHeavy)
}

// message is what the server says in an error body, fit for an error of ours.
// Bodies without a JSON message are not quoted.
func (c *Client) message(r *reply) string {
	var said struct {
		Message string          `json:"message"`
		Errors  json.RawMessage `json:"errors"` // why a search is refused; a list of objects or texts
	}
	var wrong *json.UnmarshalTypeError
	if err := json.Unmarshal(r.body, &said); err != nil && !errors.As(err, &wrong) {
		return ""
	}
	text := said.Message
	var details []struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(said.Errors, &details) == nil {
		for _, d := range details {
			if d.Message != "" {
				text += ": " + d.Message
			}
		}
	}
	return c.hide.words(text)
}

func (c *Client) quote(r *reply) string {
	if m := c.message(r); m != "" {
		return ": " + m
	}
	return ""
}
