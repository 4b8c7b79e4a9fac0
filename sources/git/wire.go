package git

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Bounds of what a server may say outside of a pack.
const (
	maxRefBytes   = 256 << 20 // its list of references
	maxErrorBytes = 4 << 10   // the body of an error
)

// trace remembers what went wrong on the wire during one fetch: go-git's errors
// keep the words and lose the types. A nil trace remembers nothing. It is safe
// for concurrent use.
type trace struct {
	mu     sync.Mutex
	status int           // the last HTTP status of 400 and more
	pause  time.Duration // the server's Retry-After
	err    error         // the first error of a connection
}

func (t *trace) state() (status int, pause time.Duration, err error) {
	if t == nil {
		return 0, 0, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.status, t.pause, t.err
}

// failed records an error of a connection, unless it is how that learnt of the
// end of its context.
func (t *trace) failed(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		t.err = wireError{err}
	}
}

func (t *trace) answered(resp *http.Response) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.status = resp.StatusCode
	if n, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && n > 0 {
		t.pause = time.Duration(n) * time.Second
	}
}

// reset forgets: a new attempt starts.
func (t *trace) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.status, t.pause, t.err = 0, 0, nil
}

// wireError is an error of the connection under an HTTP exchange.
type wireError struct{ error }

func (e wireError) Unwrap() error { return e.error }

type traceKey struct{}

func withTrace(ctx context.Context, t *trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}

// roundTripper feeds the trace of a request's context and bounds the bodies
// that go-git reads into memory.
type roundTripper struct{ next http.RoundTripper }

func (r roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	t, _ := req.Context().Value(traceKey{}).(*trace)
	if t == nil {
		t = new(trace)
	}
	resp, err := r.next.RoundTrip(req)
	if err != nil {
		t.failed(req.Context(), err)
		return nil, err
	}
	body := &tracedBody{ReadCloser: resp.Body, ctx: req.Context(), trace: t, left: -1}
	switch {
	case resp.StatusCode >= 400:
		t.answered(resp)
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(body, maxErrorBytes), body}
		return resp, nil
	case req.Method == http.MethodGet:
		body.left = maxRefBytes
	}
	resp.Body = body
	return resp, nil
}

type tracedBody struct {
	io.ReadCloser
	ctx   context.Context
	trace *trace
	left  int64 // bytes it may still give; negative: any number
}

func (b *tracedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		b.trace.failed(b.ctx, err)
	}
	if b.left >= 0 {
		if b.left -= int64(n); b.left < 0 {
			return 0, fmt.Errorf("the list of references is larger than %d bytes", int64(maxRefBytes))
		}
	}
	return n, err
}
