package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"benchmill/pipeline"
)

// Endpoint says where a service is and how to speak to it.
type Endpoint struct {
	BaseURL   string            // "": the service's own address
	Key       string            // "": no credential is sent
	KeyEnv    string            // the environment variable Key was read from, for messages
	Timeout   time.Duration     // of one exchange, from the first byte out to the last byte in
	Transport http.RoundTripper // nil: [http.DefaultTransport]
	Now       func() time.Time  // reads the dates of headers; nil: [time.Now]
	// Spent hears, with every answer that says so, that nothing is left of a limit
	// and how long until it is there again, at most [MaxPause]; nil: nobody hears.
	Spent func(time.Duration)
}

// Transfer is the endpoint for exchanges that move a whole batch.
func (e Endpoint) Transfer() Endpoint {
	e.Timeout = max(e.Timeout, 30*time.Minute)
	return e
}

// maxBody bounds a reply in bytes, after decompression. The longest answers of
// today's models are below one megabyte.
const maxBody = 32 << 20

// Client is an HTTP client that follows no redirect: a redirect could carry the
// credential to another host. It keeps a connection for each of many requests,
// where the default keeps two for a host.
func (e Endpoint) Client() *http.Client {
	transport := e.Transport
	if standard, ok := http.DefaultTransport.(*http.Transport); ok && transport == nil {
		own := standard.Clone()
		own.MaxIdleConns, own.MaxIdleConnsPerHost = 0, 256
		transport = own
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Exchange sends one request through next and reads the whole answer. It has the
// form both SDKs want of a middleware. A response comes back only when its status
// is 2xx and its body is JSON; everything else is an error for [Endpoint.Explain].
func (e Endpoint) Exchange(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	res, err := e.Stream(req, next)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	switch {
	case err != nil:
		return nil, err
	case len(body) > maxBody:
		return nil, &brokenError{reason: fmt.Sprintf("the answer is longer than %d MiB", maxBody>>20), sent: true}
	case !json.Valid(body):
		return nil, &brokenError{reason: "the answer is not JSON: " + excerpt(body), sent: true}
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	res.ContentLength = int64(len(body))
	res.Header.Set("Content-Type", "application/json") // some servers label JSON as text
	return res, nil
}

// Stream is [Endpoint.Exchange] for an answer of any form and length: it is read
// by whoever asked, a piece at a time.
func (e Endpoint) Stream(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	res, err := next(req)
	if err != nil {
		var dial *net.OpError
		sent := !(errors.As(err, &dial) && dial.Op == "dial")
		return nil, &brokenError{reason: plainReason(err), cause: err, sent: sent}
	}
	if left := e.spent(res.Header); left > 0 && e.Spent != nil {
		e.Spent(left)
	}
	if res.StatusCode < 200 || res.StatusCode > 299 {
		defer res.Body.Close()
		body, _ := io.ReadAll(io.LimitReader(res.Body, maxBody))
		return nil, e.status(res, body)
	}
	res.Body = whole{res.Body}
	return res, nil
}

// whole is a body whose errors say that it broke off.
type whole struct{ io.ReadCloser }

func (w whole) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = &brokenError{reason: "the answer broke off: " + plainReason(err), cause: err, sent: true}
	}
	return n, err
}

// plainReason is the innermost reason of a transport error, without the URL in front.
func plainReason(err error) string {
	var u *url.Error
	for errors.As(err, &u) {
		err = u.Err
	}
	return err.Error()
}

// Check refuses requests no model API can answer, before anything is sent.
func Check(req pipeline.Request) error {
	switch {
	case req.Model == "":
		return errors.New("the request names no model")
	case len(req.Messages) == 0:
		return errors.New("the request has no messages")
	case req.MaxTokens <= 0:
		return errors.New("the request sets no max_tokens; every answer needs an upper bound")
	}
	for i, m := range req.Messages {
		if m.Role != "user" && m.Role != "assistant" {
			return fmt.Errorf("message %d has the role %q; roles are user and assistant", i, m.Role)
		}
	}
	if len(req.Schema) > 0 && !json.Valid(req.Schema) {
		return errors.New("the request's schema is not JSON")
	}
	return nil
}

// Raw is the text of a request that is nothing but a text, for providers that
// can send nothing else.
func Raw(provider string, req pipeline.Request) (string, error) {
	if len(req.Messages) != 1 || req.Messages[0].Role != "user" || req.System != "" || len(req.Schema) > 0 {
		return "", fmt.Errorf("provider %s takes one text and nothing else: no instructions, no conversation, no JSON Schema; name a chat model in pipeline.yaml for other questions", provider)
	}
	return req.Messages[0].Text, nil
}
