package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"benchmill/pipeline"
)

func mustURL(text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil {
		panic(err)
	}
	return u
}

func TestRedirects(t *testing.T) {
	for _, status := range []int{301, 302, 307, 308} {
		wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
			if strings.HasPrefix(r.URL.Path, "/repos/old/name") {
				w.Header().Set("Location", "/repositories/7"+strings.TrimPrefix(r.URL.RequestURI(), "/repos/old/name"))
				say(w, status, `{"message":"Moved"}`)
				return
			}
			if bearer(r) != aToken {
				t.Error("the same host got no token")
			}
			say(w, 200, `[]`)
		})
		c := wd.open(t, Settings{}, aToken)
		if a := get(t, c, "repos/old/name/issues?page=1"); a.URL != wd.url+"/repositories/7/issues?page=1" {
			t.Errorf("%d: answered by %s", status, a.URL)
		}
		get(t, c, "repos/Old/Name/comments?page=2") // names have no case
		var paths []string
		for _, s := range wd.requests() {
			paths = append(paths, s.path)
		}
		want := "/repos/old/name/issues?page=1 /repositories/7/issues?page=1 /repositories/7/comments?page=2"
		if status == 302 || status == 307 {
			want = "/repos/old/name/issues?page=1 /repositories/7/issues?page=1 /repos/Old/Name/comments?page=2"
		}
		if got := strings.Join(paths, " "); got != want {
			t.Errorf("%d: asked %s, want %s", status, got, want)
		}
		if st := c.Stats(); st.Statuses[status] != 1 || st.Retries != 0 {
			t.Errorf("stats %+v", st)
		}
	}
}

// TestRememberedNameIsForgotten when it leads nowhere any more.
func TestRememberedNameIsForgotten(t *testing.T) {
	back := false
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		switch {
		case r.URL.Path == "/repositories/7/issues" && back:
			say(w, 404, `{}`)
		case r.URL.Path == "/repos/o/n/issues" && !back:
			w.Header().Set("Location", "/repositories/7/issues")
			say(w, 301, `{}`)
		default:
			say(w, 200, `[]`)
		}
	})
	c := wd.open(t, Settings{}, "")
	get(t, c, "repos/o/n/issues")
	back = true
	if a := get(t, c, "repos/o/n/issues"); a.URL != wd.url+"/repos/o/n/issues" {
		t.Errorf("answered by %s", a.URL)
	}
}

// TestOtherHostsGetNoToken, in any form of being another.
func TestOtherHostsGetNoToken(t *testing.T) {
	var got []http.Header
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Clone())
		if r.URL.Path == "/on" {
			http.Redirect(w, r, "/there", 302)
			return
		}
		budgetHeaders(w, "core", 1, 0, time.Now().Add(time.Hour)) // says nothing about ours
		say(w, 200, `[1]`)
	}))
	defer other.Close()
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		w.Header().Set("Location", other.URL+"/on")
		say(w, 302, ``)
	})
	c := wd.open(t, Settings{}, aToken)
	for range 2 {
		if a := get(t, c, "repos/o/n/x"); string(a.Body) != `[1]` {
			t.Errorf("%s", a.Body)
		}
	}
	if len(got) != 4 {
		t.Errorf("the other host got %d requests", len(got))
	}
	for _, h := range got {
		if h.Get("Authorization") != "" {
			t.Error("another host got the token")
		}
	}
}

func TestRedirectsThatLeadNowhere(t *testing.T) {
	for name, tc := range map[string]struct{ location, want string }{
		"to itself":    {"/repos/o/n", "more than 5 redirects"},
		"in a circle":  {"/repos/a/b", "more than 5 redirects"},
		"to nothing":   {"", "a redirect without an address"},
		"to no scheme": {"ftp://127.0.0.1/x", "not safe to follow"},
		"to a script":  {"javascript:alert(1)", "not safe to follow"},
		"to nonsense":  {"http://[::1", "no address"},
	} {
		t.Run(name, func(t *testing.T) {
			wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
				to := tc.location
				if to == "/repos/a/b" && r.URL.Path == to {
					to = "/repos/o/n"
				}
				if to != "" {
					w.Header().Set("Location", to)
				}
				say(w, 301, `{}`)
			})
			_, err := wd.open(t, Settings{}, aToken).Get(context.Background(), "repos/o/n", Known{})
			if err == nil || !strings.Contains(err.Error(), tc.want) || pipeline.ClassOf(err) != pipeline.Permanent {
				t.Errorf("%v, want %s", err, tc.want)
			}
			if n := len(wd.requests()); n > 3*(1+mostHops) {
				t.Errorf("%d requests", n)
			}
		})
	}
}

func TestFiveRedirectsAreFollowed(t *testing.T) {
	wd := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if hops := len(r.URL.Query()["hop"]); hops < mostHops {
			w.Header().Set("Location", r.URL.RequestURI()+"&hop=1")
			say(w, 302, ``)
			return
		}
		say(w, 200, `[]`)
	})
	if get(t, wd.open(t, Settings{}, ""), "x?a=1"); len(wd.requests()) != 6 {
		t.Errorf("%d requests", len(wd.requests()))
	}
}

// TestNoWayDown: a page that was asked for with encryption is never fetched
// without.
func TestNoWayDown(t *testing.T) {
	c := &Client{hide: newRedactor(nil)}
	if to, problem := c.target(mustURL("https://api.github.com/x"), "http://api.github.com/x"); problem == "" {
		t.Errorf("followed to %s", to)
	}
	if to, problem := c.target(mustURL("https://api.github.com/x"), "https://u:p@h/x#y"); problem != "" || to.String() != "https://h/x" {
		t.Errorf("%s, %s", to, problem)
	}
}

func TestOnlyRenamesAreRemembered(t *testing.T) {
	c, err := Open("https://h/api/v3", Settings{TokensEnv: "none"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	from := mustURL("https://h/api/v3/repos/o/n/issues")
	for to, want := range map[string]string{
		"https://h/api/v3/repositories/12/issues":   "https://h/api/v3/repositories/12/issues",
		"https://h/api/v3/repos/a/b/issues":         "https://h/api/v3/repos/a/b/issues",
		"https://h/api/v3/repos/a/b/other":          "",
		"https://h/api/v3/repos/a/issues":           "",
		"https://h/api/v3/user/issues":              "",
		"https://elsewhere/api/v3/repos/a/b/issues": "",
		"https://h/login":                           "",
	} {
		c.moved.names = nil
		c.moved.remember(c.path(from), c.path(mustURL(to)))
		if want == "" {
			want = from.String()
		}
		if got := c.present(mustURL(from.String() + "?q=%2F")).String(); got != want+"?q=%2F" {
			t.Errorf("after a redirect to %s: %s", to, got)
		}
	}
}
