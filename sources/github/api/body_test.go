package api

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"benchmill/pipeline"
)

func page(items int) []byte {
	var list []map[string]any
	for i := range items {
		list = append(list, map[string]any{"number": i, "title": fmt.Sprintf("Größe %d <b>", i), "labels": []string{"a", "b"}})
	}
	b, _ := json.Marshal(list)
	return b
}

func zipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

// TestTruncation cuts a body at many places, in every way a body can be sent, and
// wants the whole one.
func TestTruncation(t *testing.T) {
	whole := page(20)
	ways := map[string]func(w http.ResponseWriter, cut int){
		"with a length": func(w http.ResponseWriter, cut int) {
			w.Header().Set("Content-Length", strconv.Itoa(len(whole)))
			w.Write(whole[:cut])
			if cut < len(whole) {
				w.(http.Flusher).Flush()
				abort()
			}
		},
		"in chunks": func(w http.ResponseWriter, cut int) {
			w.Write(whole[:cut])
			w.(http.Flusher).Flush()
			if cut < len(whole) {
				abort()
			}
		},
		"in chunks that end well": func(w http.ResponseWriter, cut int) { w.Write(whole[:cut]); w.(http.Flusher).Flush() },
		"until the connection ends": func(w http.ResponseWriter, cut int) {
			conn, _, _ := w.(http.Hijacker).Hijack()
			defer conn.Close()
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n")
			conn.Write(whole[:cut])
		},
		"compressed": func(w http.ResponseWriter, cut int) {
			z := zipped(whole)
			cut = cut * len(z) / len(whole)
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Length", strconv.Itoa(len(z)))
			w.Write(z[:cut])
			if cut < len(z) {
				w.(http.Flusher).Flush()
				abort()
			}
		},
	}
	for name, write := range ways {
		t.Run(name, func(t *testing.T) {
			wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
				w.Header().Set("Content-Type", "application/json; charset=utf-8")
				cut, _ := strconv.Atoi(r.URL.Query().Get("cut"))
				if n > 1 {
					cut = len(whole)
				}
				write(w, cut)
			})
			c := wd.open(t, Settings{}, "")
			cuts := int64(0)
			for cut := 0; cut < len(whole); cut += 1 + len(whole)/60 {
				if a := get(t, c, fmt.Sprintf("x?cut=%d", cut)); !bytes.Equal(a.Body, whole) {
					t.Fatalf("cut at %d: %d bytes were believed", cut, len(a.Body))
				}
				cuts++
			}
			// A connection that ends before the status has no body to cut.
			if st := c.Stats(); st.Truncated+st.Broken != cuts || st.Truncated < cuts-1 {
				t.Errorf("%d cuts, stats %+v", cuts, st)
			}
		})
	}
}

// TestShortDouble: a transport that is not net/http's may not hold a body against
// its length.
func TestShortDouble(t *testing.T) {
	tries := 0
	c := double(t, Settings{}, aToken, func(req *http.Request) (*http.Response, error) {
		tries++
		res := answer(200, nil, []string{`[]`, `[1,2,34]`}[min(tries, 2)-1])
		res.ContentLength = 8
		return res, nil
	})
	if a := get(t, c, "x"); string(a.Body) != `[1,2,34]` || c.Stats().Truncated != 1 {
		t.Errorf("%s, %+v", a.Body, c.Stats())
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// TestDisbelief: what comes with the status 200 and is not an answer.
func TestDisbelief(t *testing.T) {
	count := func(f func(Stats) int64) func(Stats) int64 { return f }
	var (
		pages     = count(func(s Stats) int64 { return s.HTML })
		malformed = count(func(s Stats) int64 { return s.Malformed })
		cut       = count(func(s Stats) int64 { return s.Truncated })
	)
	cases := []struct {
		name, kind, body string
		counted          func(Stats) int64
	}{
		{"page", "text/html; charset=utf-8", "<!DOCTYPE html><title>Whoa there!</title>", pages},
		{"page that claims to be JSON", "application/json", "\n <html>x</html>", pages},
		{"page that happens to be JSON", "text/html", "[]", pages},
		{"JSON labelled as text", "text/plain", "[]", malformed},
		{"no label", " ", "[]", malformed},
		{"archive", "application/x-gzip", "\x1f\x8b", malformed},
		{"not JSON", "application/json", "[1] 2", malformed},
		{"empty", "application/json", "", cut},
		{"open array", "application/json", `[{"a":1},`, cut},
		{"open text", "application/json", `["abc`, cut},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
				if n > 1 {
					say(w, 200, `[1]`)
					return
				}
				w.Header().Set("Content-Type", tc.kind)
				say(w, 200, tc.body)
			})
			c := wd.open(t, Settings{}, "")
			if a := get(t, c, "x"); string(a.Body) != `[1]` {
				t.Errorf("believed %q", a.Body)
			}
			if st := c.Stats(); tc.counted(st) != 1 || st.HTML+st.Malformed+st.Truncated != 1 {
				t.Errorf("stats %+v", st)
			}
		})
	}
}

func TestJSONLabels(t *testing.T) {
	for _, kind := range []string{"application/json", "Application/JSON;charset=utf-8", "application/vnd.github+json; x=", "application/problem+json"} {
		wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
			w.Header().Set("Content-Type", kind)
			say(w, 200, `[]`)
		})
		c := wd.open(t, Settings{}, "")
		if get(t, c, "x"); c.Stats().Requests != 1 {
			t.Errorf("%q was not believed", kind)
		}
	}
}

func TestGzip(t *testing.T) {
	whole := page(500)
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			t.Error("compression was not asked for")
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(zipped(whole))
	})
	c := wd.open(t, Settings{}, "")
	if a := get(t, c, "x"); !bytes.Equal(a.Body, whole) || c.Stats().Bytes != int64(len(whole)) {
		t.Errorf("%d bytes of %d; %+v", len(a.Body), len(whole), c.Stats())
	}
}

// TestBodyWithoutEnd: a few kilobytes that unpack to more than a body may have
// are given up at the bound, and not asked for again.
func TestBodyWithoutEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("unpacks 64 MiB")
	}
	bomb := zipped(bytes.Repeat([]byte(" "), maxBody+1))
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(bomb)
	})
	_, err := wd.open(t, Settings{}, "").Get(context.Background(), "x", Known{})
	if err == nil || !strings.Contains(err.Error(), "longer than 64 MiB") || pipeline.ClassOf(err) != pipeline.Permanent || len(wd.requests()) != 1 {
		t.Errorf("%v after %d requests", err, len(wd.requests()))
	}
}

func TestBrokenConnections(t *testing.T) {
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		switch {
		case n == 1:
			abort()
		case n == 2:
			conn, _, _ := w.(http.Hijacker).Hijack()
			io.WriteString(conn, "this is no HTTP\r\n\r\n")
			conn.Close()
		default:
			say(w, 200, `[]`)
		}
	})
	c := wd.open(t, Settings{}, "")
	get(t, c, "x")
	if st := c.Stats(); st.Broken != 2 || st.Requests != 3 {
		t.Errorf("stats %+v", st)
	}
}
