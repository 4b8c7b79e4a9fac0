package api

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"benchmill/internal/clock"
)

const aToken = "ghp_0123456789abcdefghijABCDEFGHIJ012345"

// world is a server on the loopback whose clock the client shares.
type world struct {
	clock *clock.Fake
	url   string
	log   syncBuffer

	mu   sync.Mutex
	seen []sent
	nth  map[string]int
}

// sent is one request as the server saw it.
type sent struct {
	method, path, token string
	header              http.Header
	at                  time.Time
}

// serve answers with h; n counts the requests for the same path from 1.
func serve(t *testing.T, h func(w http.ResponseWriter, r *http.Request, n int)) *world {
	t.Helper()
	wd := &world{clock: &clock.Fake{}, nth: map[string]int{}}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		now := wd.clock.Now()
		wd.mu.Lock()
		key := r.Method + r.URL.RequestURI()
		wd.nth[key]++
		n := wd.nth[key]
		wd.seen = append(wd.seen, sent{r.Method, r.URL.RequestURI(), bearer(r), r.Header.Clone(), now})
		wd.mu.Unlock()
		w.Header().Set("Date", now.Format(http.TimeFormat))
		h(w, r, n)
	}))
	t.Cleanup(srv.Close)
	wd.url = srv.URL
	return wd
}

func bearer(r *http.Request) string {
	auth := r.Header.Get("Authorization")
	if len(auth) > len("Bearer ") {
		return auth[len("Bearer "):]
	}
	return auth
}

// open is a client of the world with these tokens.
func (wd *world) open(t *testing.T, s Settings, tokens string) *Client {
	t.Helper()
	c, err := Open(wd.url, s, Options{
		Clock:  wd.clock,
		Getenv: func(name string) string { return map[string]string{"GITHUB_TOKEN": tokens}[name] },
		Log:    slog.New(slog.NewTextHandler(&wd.log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (wd *world) requests() []sent {
	wd.mu.Lock()
	defer wd.mu.Unlock()
	return append([]sent(nil), wd.seen...)
}

// slept is the sum of all sleeps.
func (wd *world) slept() time.Duration {
	var sum time.Duration
	for _, d := range wd.clock.Slept() {
		sum += d
	}
	return sum
}

func get(t *testing.T, c *Client, address string) *Answer {
	t.Helper()
	a, err := c.Get(context.Background(), address, Known{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func say(w http.ResponseWriter, status int, body string) {
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
	}
	w.WriteHeader(status)
	fmt.Fprint(w, body)
}

// budgetHeaders says what is left of a budget.
func budgetHeaders(w http.ResponseWriter, resource string, limit, remaining int, reset time.Time) {
	h := w.Header()
	h.Set("X-RateLimit-Resource", resource)
	h.Set("X-RateLimit-Limit", strconv.Itoa(limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(remaining))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(reset.Unix(), 10))
}

// abort ends the connection at once, whatever was written or promised.
func abort() { panic(http.ErrAbortHandler) }

// syncBuffer is a buffer for several writers.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
