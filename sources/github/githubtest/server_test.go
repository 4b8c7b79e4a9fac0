package githubtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

var day = time.Date(2022, 5, 1, 0, 0, 0, 0, time.UTC)

// get asks a served fake, with the token "t"; redirects are answers.
func get(t *testing.T, s *Server, path string, header ...string) (*http.Response, []byte) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, path, nil)
	if strings.HasPrefix(path, "/") {
		r, err = http.NewRequest(http.MethodGet, s.URL+path, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer t")
	for k := 0; k+1 < len(header); k += 2 {
		r.Header.Set(header[k], header[k+1])
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return res, body
}

func serve(t *testing.T, w *World, o Options) *Server {
	s := Serve(w, o)
	t.Cleanup(s.Close)
	return s
}

// small is a repository of n issues, a day apart, one comment each.
func small(n int) (*World, *Repository) {
	w := NewWorld()
	r := w.AddRepository(&Repository{Owner: "o", Name: "n", Created: day, Commits: []Commit{{ID: objectID("c"), Message: "m", Committed: day}}})
	for k := range n {
		at := day.AddDate(0, 0, k)
		w.AddIssue(r, &Issue{Title: fmt.Sprint("issue ", k+1), Created: at, Author: w.User("ada"), Comments: []*Comment{{Body: "c", Created: at}}})
	}
	return w, r
}

var nextLink = regexp.MustCompile(`<([^>]*)>; rel="next"`)

func next(res *http.Response) string {
	if m := nextLink.FindStringSubmatch(res.Header.Get("Link")); m != nil {
		return m[1]
	}
	return ""
}

// numbers are those of the items of a page.
func numbers(t *testing.T, body []byte) (out []int) {
	t.Helper()
	var items []struct{ Number int }
	if err := json.Unmarshal(body, &items); err != nil {
		t.Fatalf("%v: %.200s", err, body)
	}
	for _, i := range items {
		out = append(out, i.Number)
	}
	return out
}

func TestPages(t *testing.T) {
	w, r := small(10)
	s := serve(t, w, Options{})
	var got []int
	pages := 0
	for address := s.URL + "/repos/o/n/issues?state=all&sort=updated&direction=desc&per_page=4"; address != ""; pages++ {
		res, body := get(t, s, address)
		got = append(got, numbers(t, body)...)
		if address = next(res); address != "" && !strings.HasPrefix(address, fmt.Sprintf("%s/repositories/%d/issues?", s.URL, r.ID)) {
			t.Errorf("the next page is %s", address)
		}
		if pages == 0 { // the last one moves to the front: the next page repeats one and misses none
			w.Edit(r.Issue(1), day.AddDate(1, 0, 0), func(i *Issue) { i.Title = "new" })
		}
	}
	if want := "[10 9 8 7 7 6 5 4 3 2]"; fmt.Sprint(got) != want || pages != 3 {
		t.Errorf("%v on %d pages, want %s", got, pages, want)
	}
	if res, body := get(t, s, "/repos/o/n/issues?page=99"); string(body) != "[]" || next(res) != "" || !strings.Contains(res.Header.Get("Link"), `rel="first"`) {
		t.Errorf("past the end: %s, Link %s", body, res.Header.Get("Link"))
	}
	for query, want := range map[string]string{
		"state=all&sort=updated&per_page=2":               "[1 10]",
		"state=all&sort=created&direction=asc&per_page=2": "[1 2]",
		"state=closed": "[]",
		"since=2022-05-09T00:00:00Z&direction=asc":            "[1 9 10]",
		"state=all&sort=comments&direction=asc&per_page=1":    "[1]",
		"state=open&labels=none":                              "[]",
		"state=all&per_page=1000&direction=asc&sort=created&": "[1 2 3 4 5 6 7 8 9 10]",
	} {
		if _, body := get(t, s, "/repos/o/n/issues?"+query); fmt.Sprint(numbers(t, body)) != want {
			t.Errorf("%s: %v, want %s", query, numbers(t, body), want)
		}
	}
}

func TestConditional(t *testing.T) {
	w, r := small(3)
	s := serve(t, w, Options{})
	const path = "/repos/o/n/issues?state=all"
	res, _ := get(t, s, path)
	tag, used := res.Header.Get("ETag"), res.Header.Get("X-RateLimit-Used")
	res, body := get(t, s, path, "If-None-Match", tag)
	if res.StatusCode != 304 || len(body) > 0 || res.Header.Get("ETag") != tag || res.Header.Get("X-RateLimit-Used") != used {
		t.Errorf("%d, %d bytes, ETag %s, used %s after %s", res.StatusCode, len(body), res.Header.Get("ETag"), res.Header.Get("X-RateLimit-Used"), used)
	}
	changes := map[string]func(){
		"a comment":          func() { w.AddComment(r.Issue(1), &Comment{Created: day}) },
		"a title":            func() { w.Edit(r.Issue(2), day, func(i *Issue) { i.Title = "x" }) },
		"the old name again": func() { w.Rename(r, "o/m"); w.Rename(r, "o/n") }, // changes nothing
		"a deleted user":     func() { w.DeleteUser(w.User("ada")) },
		"an issue less":      func() { w.DeleteIssue(r.Issue(3)) },
		"a closing":          func() { w.Close(r.Issue(1), day, nil) },
		"an issue more":      func() { w.AddIssue(r, &Issue{Created: day}) },
		"a reopening, later": func() { w.Reopen(r.Issue(1), day.AddDate(0, 1, 0), nil) },
	}
	for what, change := range changes {
		res, _ := get(t, s, path)
		change()
		if res, _ := get(t, s, path, "If-None-Match", res.Header.Get("ETag")); (res.StatusCode == 200) == (what == "the old name again") {
			t.Errorf("after %s: %d", what, res.StatusCode)
		}
	}
	res, _ = get(t, s, "/repos/o/n/issues/1")
	if res, _ := get(t, s, "/repos/o/n/issues/1", "If-Modified-Since", res.Header.Get("Last-Modified")); res.StatusCode != 304 {
		t.Errorf("not modified since: %d", res.StatusCode)
	}
	c := s.Counts()
	if c.NotModified != 3 || c.ByStatus[304] != 3 || c.Requests != len(s.Log()) {
		t.Errorf("counts %+v", c)
	}
}

// hands is a clock moved by hand.
type hands struct {
	mu  sync.Mutex
	now time.Time
}

func (h *hands) Now() time.Time { h.mu.Lock(); defer h.mu.Unlock(); return h.now }

func (h *hands) move(d time.Duration) { h.mu.Lock(); defer h.mu.Unlock(); h.now = h.now.Add(d) }

func TestLimits(t *testing.T) {
	w, _ := small(1)
	clock := &hands{now: day.Add(time.Millisecond)}
	s := serve(t, w, Options{
		Now: clock.Now, Tokens: map[string]string{"t": "one", "u": "one", "v": "two"},
		Limits: Limits{Core: Limit{2, time.Hour}, Search: Limit{1, time.Minute}, GraphQL: Limit{1, time.Hour}},
	})
	status := func(path, token string) int {
		t.Helper()
		res, _ := get(t, s, path, "Authorization", "token "+token)
		return res.StatusCode
	}
	for k, step := range []struct {
		path, token string
		want        int
	}{
		{"/user", "t", 200}, {"/user", "u", 200}, {"/user", "t", 403}, {"/user", "v", 200}, {"/rate_limit", "t", 200}, {"/user", "x", 401},
		{"/search/repositories?q=stars:>=0", "t", 200}, {"/search/repositories?q=stars:>=0", "t", 403},
	} {
		if got := status(step.path, step.token); got != step.want {
			t.Errorf("step %d: %d, want %d", k, got, step.want)
		}
	}
	res, _ := get(t, s, "/user")
	if h := res.Header; h.Get("X-RateLimit-Remaining") != "0" || h.Get("X-RateLimit-Reset") != fmt.Sprint(day.Add(time.Hour).Unix()) || h.Get("X-RateLimit-Resource") != "core" {
		t.Errorf("headers %v", h)
	}
	if got := res.Header.Get("Date"); got != day.Format(http.TimeFormat) {
		t.Errorf("Date is %s", got)
	}
	clock.move(time.Hour)
	if got := status("/user", "t"); got != 200 {
		t.Errorf("after the reset: %d", got)
	}
	if data, errs := query(t, s, `{ viewer { login } }`, nil); data == nil || errs != nil {
		t.Errorf("%v %v", data, errs)
	}
	if data, errs := query(t, s, `{ viewer { login } }`, nil); data != nil || !strings.Contains(fmt.Sprint(errs), "RATE_LIMITED") {
		t.Errorf("%v %v", data, errs)
	}
}

func TestRedirects(t *testing.T) {
	w, r := small(1)
	w.Rename(r, "new/name")
	s := serve(t, w, Options{Prefix: "/api/v3"})
	res, body := get(t, s, "/repos/O/N/issues?state=all&page=1")
	want := fmt.Sprintf("%s/repositories/%d/issues?state=all&page=1", s.URL, r.ID)
	if res.StatusCode != 301 || res.Header.Get("Location") != want || !strings.Contains(string(body), want) {
		t.Errorf("%d to %s, want %s", res.StatusCode, res.Header.Get("Location"), want)
	}
	if res, body := get(t, s, want); res.StatusCode != 200 || !strings.Contains(string(body), s.URL+"/repos/new/name/issues/1") {
		t.Errorf("%d: %.300s", res.StatusCode, body)
	}
	if res, _ := get(t, s, "/repos/NEW/name"); res.StatusCode != 200 {
		t.Errorf("another case: %d", res.StatusCode)
	}
	for path, want := range map[string]int{"/repositories/1": 404, "/repos/new": 404, "/repos/new/name/teapots": 404, "/": 404, "/repos/new/name/issues/x": 404} {
		if res, _ := get(t, s, path); res.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, res.StatusCode, want)
		}
	}
	post, err := http.Post(strings.TrimSuffix(s.URL, "/v3")+"/graphql", "application/json", strings.NewReader(`{"query":"{viewer{login}}"}`))
	if err != nil || post.StatusCode != 200 {
		t.Fatalf("GraphQL of an enterprise: %v %v", post, err)
	}
	post.Body.Close()
}

// Reading while the world changes is safe, and every answer is whole.
func TestConcurrent(t *testing.T) {
	w, r := small(50)
	s := serve(t, w, Options{Faults: Faults{Share: 0.05, Kinds: []string{FaultMissing, FaultInternal}}})
	var group sync.WaitGroup
	for k := range 4 {
		group.Go(func() {
			for n := range 30 {
				_, body := get(t, s, fmt.Sprintf("/repos/o/n/issues?state=all&page=%d", n%3))
				if !json.Valid(body) {
					t.Errorf("%.100s", body)
				}
				query(t, s, `{ repository(owner:"o", name:"n") { issues(first: 20) { nodes { title comments(first: 2) { nodes { body } } } } } }`, nil)
			}
		})
		group.Go(func() {
			for n := range 100 {
				i := r.Issues[(n+k)%50]
				w.AddComment(i, &Comment{Created: day.AddDate(1, 0, n)})
				w.Edit(i, day.AddDate(1, 0, n), func(i *Issue) { i.Title += "!" })
			}
		})
	}
	group.Wait()
	if c := s.Counts(); c.Requests != 240 || c.Peak < 1 {
		t.Errorf("%+v", c)
	}
}

func TestHookAndTransport(t *testing.T) {
	w, _ := small(1)
	var seen []string
	s := New(w, Options{Hook: func(r Request) { seen = append(seen, fmt.Sprint(r.N, " ", r.Path)) }})
	r, _ := http.NewRequest(http.MethodGet, "https://api.github.com/repos/o/n/issues?per_page=1&page=1", nil)
	res, err := s.Transport().RoundTrip(r)
	if err != nil || res.StatusCode != 200 {
		t.Fatalf("%v %v", res, err)
	}
	body, _ := io.ReadAll(res.Body)
	if !strings.Contains(string(body), `"https://api.github.com/repos/o/n/issues/1"`) || fmt.Sprint(seen) != "[1 /repos/o/n/issues?per_page=1&page=1]" {
		t.Errorf("hook saw %v, body %.200s", seen, body)
	}
	s.SetFaults(Faults{Share: 1, Kinds: []string{FaultReset}})
	if _, err := s.Transport().RoundTrip(r); err == nil {
		t.Error("no error from a reset connection")
	}
}

// A former name redirects until somebody else takes it.
func TestNamesTakenAgain(t *testing.T) {
	w, r := small(1)
	w.Rename(r, "o/m")
	other := w.AddRepository(&Repository{Owner: "O", Name: "n", Created: day})
	s := serve(t, w, Options{})
	if _, body := get(t, s, "/repos/o/n"); !strings.Contains(string(body), fmt.Sprintf(`"id":%d,`, other.ID)) {
		t.Errorf("%.200s", body)
	}
	defer func() {
		if recover() == nil {
			t.Error("a name was given twice")
		}
	}()
	w.AddRepository(&Repository{Owner: "o", Name: "M"})
}
