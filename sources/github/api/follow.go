package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
)

// mostHops bounds the redirects of one request.
const mostHops = 5

// follow sends a question to where its address leads. A redirect that leads
// nowhere is the problem of the reply.
func (c *Client) follow(ctx context.Context, q *question) (*reply, error) {
	at := c.present(q.url)
	for hops := 0; ; hops++ {
		r, err := c.hop(ctx, q, at)
		if err != nil || !isRedirect(r.status) || r.fault != sound || q.method != http.MethodGet {
			return r, err
		}
		if hops == mostHops {
			r.problem = fmt.Sprintf("more than %d redirects", mostHops)
			return r, nil
		}
		to, problem := c.target(at, r.header.Get("Location"))
		if problem != "" {
			r.problem = problem
			return r, nil
		}
		if r.status == http.StatusMovedPermanently || r.status == http.StatusPermanentRedirect {
			c.moved.remember(c.path(at), c.path(to))
		}
		at = to
	}
}

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// target is where a redirect leads, or what is wrong with it.
func (c *Client) target(from *url.URL, location string) (*url.URL, string) {
	to, err := from.Parse(location)
	switch {
	case location == "":
		return nil, "a redirect without an address"
	case err != nil:
		return nil, "a redirect to what is no address"
	case to.Scheme != "https" && to.Scheme != from.Scheme || to.Host == "":
		return nil, "a redirect to " + c.hide.url(to) + ", which is not safe to follow"
	}
	to.User, to.Fragment, to.RawFragment = nil, "", ""
	return to, ""
}
