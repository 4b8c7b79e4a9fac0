package api

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"benchmill/pipeline"
)

// maxBody bounds an answer in bytes, after decompression. Pages of a hundred
// issues are below ten megabytes.
const maxBody = 64 << 20

// fault is what is wrong with an answer whatever it says.
type fault int

const (
	sound fault = iota
	broken
	truncated
	html
	malformed
	oversized
)

// reply is one answer as it came, or as far as it came. Our own tokens are
// already out of it.
type reply struct {
	url     *url.URL
	sent    time.Time
	status  int // 0: there was none
	header  http.Header
	body    []byte
	fault   fault
	problem string // the fault, or what is wrong with a redirect or a link, in words fit for an error
	next    string // the next page
	limited bool   // it says: too many requests
	graph   *graph // of an answer to a query
	token   *token // who asked
}

// exchange sends a question once, with a token or as nobody. Its error is the end
// of ctx, or final; whatever else goes wrong is in the reply.
func (c *Client) exchange(ctx context.Context, q *question, at *url.URL, token string) (*reply, error) {
	r := &reply{url: at, sent: c.clock.Now()}
	bounded, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	req, err := c.request(bounded, q, at, token)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", c.hide.url(at), c.hide.words(err.Error()))
	}
	res, err := c.transport.RoundTrip(req)
	if err == nil {
		r.status, r.header = res.StatusCode, res.Header
		r.body, err = io.ReadAll(io.LimitReader(res.Body, maxBody+1))
		res.Body.Close()
		c.hide.header(r.header)
	}
	if ctx.Err() != nil {
		return nil, c.ended(ctx, at)
	}
	var certificate *tls.CertificateVerificationError
	// A transport that answers from recordings says so when it can never answer.
	if errors.As(err, &certificate) || err != nil && pipeline.ClassOf(err) == pipeline.Fatal {
		return nil, pipeline.Mark(fmt.Errorf("%s: %s", c.hide.url(at), c.hide.words(err.Error())), pipeline.Fatal)
	}
	switch {
	case r.status == 0:
		r.fault, r.problem = broken, "no answer: "+c.reason(bounded, err)
	case err != nil:
		r.fault, r.problem = truncated, fmt.Sprintf("the answer (status %d) broke off after %d bytes: %s", r.status, len(r.body), c.reason(bounded, err))
	case len(r.body) > maxBody:
		r.fault, r.problem, r.body = oversized, fmt.Sprintf("the answer is longer than %d MiB", maxBody>>20), nil
	// The transport holds a body against its length; doubles of it may not.
	case !res.Uncompressed && res.ContentLength > int64(len(r.body)):
		r.fault, r.problem = truncated, fmt.Sprintf("the answer (status %d) has %d bytes of %d", r.status, len(r.body), res.ContentLength)
	default:
		r.fault, r.problem = c.form(r)
	}
	r.body = c.hide.body(r.body)
	switch {
	case r.fault != sound:
	case q.payload == nil && (r.status == http.StatusOK || r.status == http.StatusNotModified):
		c.link(r)
	case q.payload != nil && r.status == http.StatusOK:
		if r.graph = c.parseGraph(r.body); r.graph == nil {
			r.fault, r.problem = malformed, "the answer to the query holds neither data nor errors"
		}
	}
	r.limited = isLimit(r)
	c.stats.answered(r)
	return r, nil
}

// reason is why there is no whole answer.
func (c *Client) reason(bounded context.Context, err error) string {
	if errors.Is(bounded.Err(), context.DeadlineExceeded) {
		return "not whole within " + c.timeout.String()
	}
	return c.hide.words(err.Error())
}

// form checks that a body which came whole is what its status and its type make
// of it. Only JSON is ever believed; a refusal may also be plain text or empty.
func (c *Client) form(r *reply) (fault, string) {
	kind, _, _ := strings.Cut(r.header.Get("Content-Type"), ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	success := r.status >= 200 && r.status < 300
	switch {
	case r.status < 200 || r.status == http.StatusNoContent || r.status >= 300 && r.status < 400:
		return sound, "" // the body, if any, says nothing
	case isHTML(kind, r.body):
		return html, fmt.Sprintf("an HTML page (status %d) where JSON should be", r.status)
	case len(r.body) == 0 && success:
		return truncated, fmt.Sprintf("the answer (status %d) is empty", r.status)
	case len(r.body) == 0:
		return sound, ""
	case kind != "application/json" && !strings.HasSuffix(kind, "+json"):
		if success {
			return malformed, fmt.Sprintf("the answer (status %d) is of the type %q where JSON should be", r.status, c.hide.words(kind))
		}
		return sound, ""
	case !json.Valid(r.body):
		if err := json.NewDecoder(bytes.NewReader(r.body)).Decode(new(json.RawMessage)); errors.Is(err, io.ErrUnexpectedEOF) {
			return truncated, fmt.Sprintf("the JSON of the answer (status %d) ends after %d bytes", r.status, len(r.body))
		}
		return malformed, fmt.Sprintf("the answer (status %d) is not valid JSON", r.status)
	}
	return sound, ""
}

func isHTML(kind string, body []byte) bool {
	if kind == "text/html" || kind == "application/xhtml+xml" {
		return true
	}
	head := strings.ToLower(strings.TrimSpace(string(body[:min(len(body), 256)])))
	return strings.HasPrefix(head, "<!doctype") || strings.HasPrefix(head, "<html")
}

// request builds what is sent. The token goes to the base's own host and scheme
// and nowhere else, whatever the caller believes.
func (c *Client) request(ctx context.Context, q *question, at *url.URL, token string) (*http.Request, error) {
	var payload any // a nil payload in it would be sent as null
	if q.payload != nil {
		payload = q.payload
	}
	req, err := c.rest.NewRequest(q.method, at.String(), payload)
	if err != nil {
		return nil, err
	}
	req = req.WithContext(ctx)
	req.Header.Set("Accept", "application/vnd.github+json")
	if q.known.ETag != "" {
		req.Header.Set("If-None-Match", q.known.ETag)
	}
	if q.known.Modified != "" {
		req.Header.Set("If-Modified-Since", q.known.Modified)
	}
	if token != "" && c.ours(at) {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return req, nil
}
