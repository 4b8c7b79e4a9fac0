package api

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"benchmill/pipeline"
)

func TestGet(t *testing.T) {
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		w.Header().Set("ETag", `W/"abc"`)
		w.Header().Set("Last-Modified", "Wed, 01 Jan 2020 00:00:00 GMT")
		w.Header().Set("Link", "<http://"+r.Host+`/repos/o/n/issues?page=2>; rel="next", <http://`+r.Host+`/repos/o/n/issues?page=9>; rel="last"`)
		say(w, 200, `[{"number":1}]`)
	})
	c := wd.open(t, Settings{}, aToken)
	for _, address := range []string{"repos/o/n/issues?per_page=100", wd.url + "/repos/o/n/issues?per_page=100"} {
		a := get(t, c, address)
		want := Answer{ETag: `W/"abc"`, Modified: "Wed, 01 Jan 2020 00:00:00 GMT", Next: wd.url + "/repos/o/n/issues?page=2", URL: wd.url + "/repos/o/n/issues?per_page=100"}
		if string(a.Body) != `[{"number":1}]` || a.ETag != want.ETag || a.Modified != want.Modified || a.Next != want.Next || a.URL != want.URL || a.NotModified {
			t.Errorf("got %+v", a)
		}
		if a.Date.Before(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)) || a.Date.Year() != 2020 {
			t.Errorf("date %v is not the server's", a.Date)
		}
		if items, err := a.List(); err != nil || len(items) != 1 {
			t.Errorf("list: %v, %v", items, err)
		}
		if err := a.Object(&struct{}{}); err == nil {
			t.Error("an array passed for an object")
		}
	}
	s := wd.requests()[0]
	for name, want := range map[string]string{
		"Authorization": "Bearer " + aToken, "Accept": "application/vnd.github+json",
		"X-Github-Api-Version": "2022-11-28", "User-Agent": "benchmill",
		"If-None-Match": "", "Content-Type": "",
	} {
		if got := s.header.Get(name); got != want {
			t.Errorf("header %s is %q, want %q", name, got, want)
		}
	}
	if st := c.Stats(); st.Requests != 2 || st.Statuses[200] != 2 || st.Retries != 0 || st.Waits != 0 || st.Bytes != 28 {
		t.Errorf("stats %+v", st)
	}
}

// TestStatuses holds every status to what it means when it comes once, and when
// it always comes.
func TestStatuses(t *testing.T) {
	const once, always = 1, 1 << 30
	const ok = ""
	cases := []struct {
		name   string
		status int
		body   string
		header [2]string
		times  int
		err    string // of the end; "": it is answered
		class  pipeline.Class
		sent   int
	}{
		{name: "202", status: 202, body: `{}`, times: once, sent: 2},
		{name: "204", status: 204, times: always, err: "GitHub answers 204", sent: 3},
		{name: "304 unasked", status: 304, times: once, sent: 2},
		{name: "304 always", status: 304, times: always, err: "without a condition", class: pipeline.Transient, sent: 8},
		{name: "303", status: 303, times: always, err: "GitHub answers 303", sent: 3},
		{name: "400", status: 400, body: `{"message":"Bad"}`, times: always, err: "400 (Bad)", sent: 3},
		{name: "401", status: 401, body: `{"message":"Bad credentials"}`, times: always, err: "environment variable GITHUB_TOKEN was refused", class: pipeline.Fatal, sent: 3},
		{name: "403 once", status: 403, body: `{"message":"Forbidden"}`, times: once, sent: 2},
		{name: "403", status: 403, body: `{"message":"Forbidden"}`, times: always, err: "403 (Forbidden)", sent: 3},
		{name: "403 blocked", status: 403, body: `{"message":"Repository access blocked","block":{"reason":"abuse"}}`, times: always, err: "403 (Repository access blocked)", sent: 3},
		{name: "404 twice", status: 404, body: `{"message":"Not Found"}`, times: 2, sent: 3},
		{name: "404", status: 404, body: `{"message":"Not Found"}`, times: always, err: "404 (Not Found)", sent: 3},
		{name: "404 as text", status: 404, body: `not here`, header: [2]string{"Content-Type", "text/plain"}, times: always, err: "GitHub answers 404", sent: 3},
		{name: "404 as a page", status: 404, body: `<html>`, header: [2]string{"Content-Type", "text/html"}, times: always, err: "an HTML page (status 404)", class: pipeline.Transient, sent: 8},
		{name: "408", status: 408, times: once, sent: 2},
		{name: "409", status: 409, body: `{"message":"Git Repository is empty."}`, times: always, err: "409 (Git Repository is empty.)", sent: 3},
		{name: "410", status: 410, body: `{"message":"Issues are disabled for this repo"}`, times: always, err: "410 (Issues are disabled", sent: 3},
		{name: "422", status: 422, body: `{"message":"Validation Failed","errors":[{"message":"only the first 1000"}]}`, times: always, err: "422 (Validation Failed: only the first 1000)", sent: 3},
		{name: "451", status: 451, body: `{"message":"Repository access blocked","block":{}}`, times: always, err: "451 (Repository access blocked)", sent: 3},
		{name: "429 once", status: 429, times: once, sent: 2},
		{name: "429 as a page", status: 429, body: `<!DOCTYPE html>`, times: once, sent: 2},
		{name: "500 once", status: 500, body: `{}`, times: once, sent: 2},
		{name: "500", status: 500, body: `{"message":"oops"}`, times: always, err: "gave up after 8 tries: .*500: oops", class: pipeline.Transient, sent: 8},
		{name: "502 page", status: 502, body: `<html>`, times: 7, sent: 8},
		{name: "503", status: 503, times: 3, sent: 4},
		{name: "504", status: 504, times: 3, sent: 4},
		{name: "599", status: 599, times: once, sent: 2},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
				if n > tc.times {
					say(w, 200, `{"fine":true}`)
					return
				}
				if tc.header[0] != "" {
					w.Header().Set(tc.header[0], tc.header[1])
				}
				say(w, tc.status, tc.body)
			})
			c := wd.open(t, Settings{}, aToken)
			a, err := c.Get(context.Background(), "repos/o/n", Known{})
			if got := len(wd.requests()); got != tc.sent {
				t.Errorf("%d requests were sent, want %d", got, tc.sent)
			}
			if st := c.Stats(); st.Statuses[tc.status] != int64(min(tc.times, tc.sent)) || st.Retries != int64(tc.sent-1) {
				t.Errorf("stats %+v", st)
			}
			if tc.err == ok {
				if err != nil || string(a.Body) != `{"fine":true}` {
					t.Errorf("%v, %v", a, err)
				}
				return
			}
			first, last, _ := strings.Cut(tc.err, ".*")
			if err == nil || !strings.Contains(err.Error(), first) || !strings.Contains(err.Error(), last) {
				t.Fatalf("error %v, want %q", err, tc.err)
			}
			if !strings.Contains(err.Error(), wd.url+"/repos/o/n") {
				t.Errorf("%v does not name the address", err)
			}
			if got := pipeline.ClassOf(err); got != tc.class {
				t.Errorf("class %v, want %v", got, tc.class)
			}
			var s *StatusError
			if errors.As(err, &s) && (s.Status != tc.status || s.Date.Year() != 2020) {
				t.Errorf("status %d, date %v", s.Status, s.Date)
			}
			if !errors.As(err, &s) && tc.status >= 400 && tc.status < 500 && tc.class != pipeline.Transient {
				t.Errorf("%v is no StatusError", err)
			}
		})
	}
}

func TestRefusalsMustComeInARow(t *testing.T) {
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		switch n {
		case 1, 2, 4:
			say(w, 404, `{"message":"Not Found"}`)
		case 3:
			say(w, 500, `{}`)
		case 5:
			say(w, 410, `{}`)
		default:
			say(w, 200, `[]`)
		}
	})
	get(t, wd.open(t, Settings{}, ""), "repos/o/n")
	if n := len(wd.requests()); n != 6 {
		t.Errorf("%d requests", n)
	}
}

func TestFewTries(t *testing.T) {
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) { say(w, 404, `{}`) })
	_, err := wd.open(t, Settings{Tries: 1}, "").Get(context.Background(), "repos/o/n", Known{})
	var s *StatusError
	if !errors.As(err, &s) || len(wd.requests()) != 1 {
		t.Errorf("%v after %d requests", err, len(wd.requests()))
	}
}

func TestBackoffDoublesAndRepeatsItself(t *testing.T) {
	run := func(address string) []time.Duration {
		wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) { say(w, 502, ``) })
		c := wd.open(t, Settings{PointsPerMinute: 1 << 30}, "")
		c.Get(context.Background(), address, Known{})
		var out []time.Duration
		for _, d := range wd.clock.Slept() {
			if d > 100*time.Millisecond {
				out = append(out, d)
			}
		}
		return out
	}
	first := run("repos/o/n")
	if len(first) != 7 {
		t.Fatalf("slept %v", first)
	}
	for i, d := range first {
		if most := min(time.Second<<i, time.Minute); d < most/2 || d > most {
			t.Errorf("pause %d is %v", i+1, d)
		}
	}
	if other := run("repos/o/m"); other[0] == first[0] && other[1] == first[1] {
		t.Error("two addresses have the same pauses")
	}
	q := &question{url: mustURL("https://h/x")}
	if backoff(q, 3) != backoff(q, 3) {
		t.Error("the pauses of one address differ from run to run")
	}
}

func TestConditional(t *testing.T) {
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		w.Header().Set("ETag", `"v1"`)
		if r.Header.Get("If-None-Match") == `"v1"` && r.Header.Get("If-Modified-Since") == "yesterday" {
			w.WriteHeader(304)
			return
		}
		say(w, 200, `[]`)
	})
	c := wd.open(t, Settings{}, aToken)
	a, err := c.Get(context.Background(), "x", Known{ETag: `"v1"`, Modified: "yesterday"})
	if err != nil || !a.NotModified || a.Body != nil {
		t.Fatalf("%+v, %v", a, err)
	}
	if a.Known() != (Known{ETag: `"v1"`, Modified: "yesterday"}) {
		t.Errorf("known %+v", a.Known())
	}
	if a, err = c.Get(context.Background(), "x", Known{ETag: `"v0"`}); err != nil || a.NotModified || string(a.Body) != `[]` {
		t.Fatalf("%+v, %v", a, err)
	}
	if st := c.Stats(); st.Statuses[304] != 1 || st.Unasked != 0 {
		t.Errorf("stats %+v", st)
	}
}

func TestCancellation(t *testing.T) {
	cases := map[string]func(w http.ResponseWriter, r *http.Request, cancel func()){
		"before the answer": func(w http.ResponseWriter, r *http.Request, cancel func()) {
			cancel()
			<-r.Context().Done()
		},
		"in the middle of the body": func(w http.ResponseWriter, r *http.Request, cancel func()) {
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte(`[1,`))
			w.(http.Flusher).Flush()
			cancel()
			<-r.Context().Done()
		},
		"in a pause": func(w http.ResponseWriter, r *http.Request, cancel func()) {
			say(w, 502, "")
			cancel()
		},
	}
	for name, h := range cases {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) { h(w, r, cancel) })
			c := wd.open(t, Settings{Concurrency: 1}, aToken)
			_, err := c.Get(ctx, "repos/o/n", Known{})
			if !errors.Is(err, context.Canceled) || pipeline.ClassOf(err) != pipeline.Canceled || !strings.Contains(err.Error(), "/repos/o/n") {
				t.Errorf("%v, %v", err, pipeline.ClassOf(err))
			}
			if n := c.pool.accounts[0].budget(coreBudget).inflight; n != 0 {
				t.Errorf("%d requests still count as under way", n)
			}
			if len(c.slots) != 0 {
				t.Error("the slot is still taken")
			}
		})
	}
}

func TestDeadlineIsTransient(t *testing.T) {
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) { <-r.Context().Done() })
	ctx, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	_, err := wd.open(t, Settings{}, "").Get(ctx, "x", Known{})
	if !errors.Is(err, context.DeadlineExceeded) || pipeline.ClassOf(err) != pipeline.Transient {
		t.Errorf("%v, %v", err, pipeline.ClassOf(err))
	}
}

func TestHangingServer(t *testing.T) {
	tries := 0
	c := double(t, Settings{}, aToken, func(req *http.Request) (*http.Response, error) {
		if tries++; tries == 1 {
			<-req.Context().Done()
			return nil, req.Context().Err()
		}
		return answer(200, nil, `[]`), nil
	})
	c.timeout = time.Millisecond
	get(t, c, "x")
	if st := c.Stats(); st.Broken != 1 || st.Requests != 2 {
		t.Errorf("stats %+v", st)
	}
}

func TestAddresses(t *testing.T) {
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) { say(w, 200, `[]`) })
	c, err := Open(wd.url+"/api/v3/", Settings{TokensEnv: "none"}, Options{Clock: wd.clock})
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{
		"https://elsewhere.example/api/v3/x", "//elsewhere.example/api/v3/x", "../x", "/x", "../v3", "../v3x/y",
		"a/%2e%2e/%2e%2e/x", "http://u:p@" + strings.TrimPrefix(wd.url, "http://") + "/api/v3/x", "ftp:x", "\x7f", "https" + strings.TrimPrefix(wd.url, "http") + "/api/v3/x",
	} {
		if a, err := c.Get(context.Background(), bad, Known{}); err == nil {
			t.Errorf("%q was asked: %+v", bad, a)
		} else if strings.Contains(err.Error(), "u:p") {
			t.Errorf("%v holds the password", err)
		}
	}
	if n := len(wd.requests()); n != 0 {
		t.Fatalf("%d requests were sent", n)
	}
	get(t, c, "repos/o/n?q=a%2Fb")
	if got := wd.requests()[0].path; got != "/api/v3/repos/o/n?q=a%2Fb" {
		t.Errorf("asked %s", got)
	}
}
