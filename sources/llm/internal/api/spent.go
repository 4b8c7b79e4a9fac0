package api

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// limits are the headers in which servers say what is left of a limit, and when
// it is whole again: OpenAI's as a span of time, Anthropic's as a date.
var limits = []struct{ left, whole string }{
	{"X-Ratelimit-Remaining-Requests", "X-Ratelimit-Reset-Requests"},
	{"X-Ratelimit-Remaining-Tokens", "X-Ratelimit-Reset-Tokens"},
	{"Anthropic-Ratelimit-Requests-Remaining", "Anthropic-Ratelimit-Requests-Reset"},
	{"Anthropic-Ratelimit-Tokens-Remaining", "Anthropic-Ratelimit-Tokens-Reset"},
	{"Anthropic-Ratelimit-Input-Tokens-Remaining", "Anthropic-Ratelimit-Input-Tokens-Reset"},
	{"Anthropic-Ratelimit-Output-Tokens-Remaining", "Anthropic-Ratelimit-Output-Tokens-Reset"},
}

// spent is how long until every limit of which nothing is left is whole again,
// or 0 when something is left of all of them.
func (e Endpoint) spent(h http.Header) time.Duration {
	var longest time.Duration
	for _, l := range limits {
		left, err := strconv.ParseFloat(strings.TrimSpace(h.Get(l.left)), 64)
		if err == nil && left <= 0 {
			longest = max(longest, e.until(h.Get(l.whole)))
		}
	}
	return longest
}

// until reads a span ("6m0s"), a number of seconds, or a date, as a pause. Spans
// beyond a day are none: some servers send the time of day as a number.
func (e Endpoint) until(text string) time.Duration {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return clampPause(at.Sub(e.now()).Seconds())
	}
	seconds, err := strconv.ParseFloat(text, 64)
	if span, spanErr := time.ParseDuration(text); spanErr == nil {
		seconds, err = span.Seconds(), nil
	}
	if err != nil || seconds > 24*60*60 {
		return 0
	}
	return clampPause(seconds)
}
