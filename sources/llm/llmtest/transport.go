package llmtest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
)

// RoundTrip makes a Server the transport of a client: the same answers without a
// network, for tests in a bubble of time.
func (s *Server) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if r.Body != nil {
		r.Body.Close()
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	res := w.Result()
	res.Request = r
	if n, err := strconv.Atoi(res.Header.Get("Content-Length")); err == nil && n > w.Body.Len() {
		res.Body = io.NopCloser(io.MultiReader(bytes.NewReader(w.Body.Bytes()), brokenOff{}))
	}
	return res, nil
}

type brokenOff struct{}

func (brokenOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
