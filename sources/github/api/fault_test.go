package api

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"
)

// faults are the ways in which one answer of ten goes wrong.
var faults = []struct {
	name string
	say  func(w http.ResponseWriter, r *http.Request, now time.Time, whole []byte)
}{
	{"301 to nowhere", func(w http.ResponseWriter, r *http.Request, now time.Time, _ []byte) {
		w.Header().Set("Location", "/repositories/404/issues?"+r.URL.RawQuery)
		say(w, 301, `{}`)
	}},
	{"302 to itself", func(w http.ResponseWriter, r *http.Request, now time.Time, _ []byte) {
		w.Header().Set("Location", r.URL.RequestURI())
		say(w, 302, `{}`)
	}},
	{"304", func(w http.ResponseWriter, r *http.Request, now time.Time, _ []byte) { w.WriteHeader(304) }},
	{"403", func(w http.ResponseWriter, r *http.Request, now time.Time, _ []byte) {
		say(w, 403, `{"message":"Forbidden"}`)
	}},
	{"403 secondary", func(w http.ResponseWriter, r *http.Request, now time.Time, _ []byte) {
		say(w, 403, `{"message":"secondary rate limit"}`)
	}},
	{"403 primary", func(w http.ResponseWriter, r *http.Request, now time.Time, _ []byte) {
		budgetHeaders(w, "core", 5000, 0, now.Add(time.Minute))
		say(w, 403, `{}`)
	}},
	{"404", func(w http.ResponseWriter, r *http.Request, now time.Time, _ []byte) {
		say(w, 404, `{"message":"Not Found"}`)
	}},
	{"410", func(w http.ResponseWriter, r *http.Request, now time.Time, _ []byte) { say(w, 410, `{}`) }},
	{"422", func(w http.ResponseWriter, r *http.Request, now time.Time, _ []byte) { say(w, 422, `{}`) }},
	{"429", func(w http.ResponseWriter, r *http.Request, now time.Time, _ []byte) {
		w.Header().Set("Retry-After", "2")
		say(w, 429, ``)
	}},
	{"451", func(w http.ResponseWriter, r *http.Request, now time.Time, _ []byte) { say(w, 451, `{}`) }},
	{"500", func(w http.ResponseWriter, r *http.Request, now time.Time, _ []byte) { say(w, 500, `{}`) }},
	{"502", func(w http.ResponseWriter, r *http.Request, now time.Time, _ []byte) {
		w.Header().Set("Content-Type", "text/html")
		say(w, 502, `<html>`)
	}},
	{"cut", func(w http.ResponseWriter, r *http.Request, now time.Time, whole []byte) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(whole)))
		w.Write(whole[:len(whole)/2])
		w.(http.Flusher).Flush()
		abort()
	}},
	{"cut and well ended", func(w http.ResponseWriter, r *http.Request, now time.Time, whole []byte) {
		say(w, 200, string(whole[:len(whole)-1]))
	}},
	{"page", func(w http.ResponseWriter, r *http.Request, now time.Time, _ []byte) {
		w.Header().Set("Content-Type", "text/html")
		say(w, 200, `<!DOCTYPE html>`)
	}},
	{"label", func(w http.ResponseWriter, r *http.Request, now time.Time, whole []byte) {
		w.Header().Set("Content-Type", "text/plain")
		say(w, 200, string(whole))
	}},
	{"link", func(w http.ResponseWriter, r *http.Request, now time.Time, whole []byte) {
		w.Header().Set("Link", `<http`)
		say(w, 200, string(whole))
	}},
	{"no answer", func(w http.ResponseWriter, r *http.Request, now time.Time, _ []byte) { abort() }},
	{"no HTTP", func(w http.ResponseWriter, r *http.Request, now time.Time, _ []byte) { raw(w, "oops\r\n\r\n") }},
}

// TestFaults: with one answer of ten wrong in some way, three hundred pages
// arrive as they are, linked as they are.
func TestFaults(t *testing.T) {
	const pages = 300
	for seed := range uint64(4) {
		var mu sync.Mutex
		random := rand.New(rand.NewPCG(seed, 1))
		happened := map[string]int{}
		var wd *world
		wd = serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
			if r.URL.Path != "/repos/o/n/issues" {
				say(w, 404, `{"message":"Not Found"}`)
				return
			}
			number, _ := strconv.Atoi(r.URL.Query().Get("page"))
			whole := page(1 + number%5)
			mu.Lock()
			wrong := random.IntN(10) == 0
			f := faults[random.IntN(len(faults))]
			if wrong {
				happened[f.name]++
			}
			mu.Unlock()
			if wrong {
				f.say(w, r, wd.clock.Now(), whole)
				return
			}
			if number < pages {
				w.Header().Set("Link", fmt.Sprintf(`<%s/repos/o/n/issues?page=%d>; rel="next"`, wd.url, number+1))
			}
			say(w, 200, string(whole))
		})
		c := wd.open(t, Settings{}, aToken)
		numbers := make(chan int)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for number := range numbers {
					a, err := c.Get(context.Background(), fmt.Sprintf("repos/o/n/issues?page=%d", number), Known{})
					if err != nil {
						t.Errorf("seed %d, page %d: %v", seed, number, err)
						continue
					}
					next := fmt.Sprintf("%s/repos/o/n/issues?page=%d", wd.url, number+1)
					if number == pages {
						next = ""
					}
					if !bytes.Equal(a.Body, page(1+number%5)) || a.Next != next {
						t.Errorf("seed %d, page %d is %.80s, then %q", seed, number, a.Body, a.Next)
					}
				}
			})
		}
		for number := 1; number <= pages; number++ {
			numbers <- number
		}
		close(numbers)
		wg.Wait()
		total := 0
		for _, n := range happened {
			total += n
		}
		if total < pages/20 {
			t.Errorf("seed %d: only %d faults, %v", seed, total, happened)
		}
		if st := c.Stats(); st.Retries < int64(total)/2 {
			t.Errorf("seed %d: %d faults, stats %+v", seed, total, st)
		}
	}
}

// TestEveryFaultAlone: each of them, once, changes nothing.
func TestEveryFaultAlone(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			whole := page(3)
			var wd *world
			wd = serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
				switch {
				case r.URL.Path != "/repos/o/n/issues":
					say(w, 404, `{}`)
				case n == 1:
					f.say(w, r, wd.clock.Now(), whole)
				default:
					say(w, 200, string(whole))
				}
			})
			if a := get(t, wd.open(t, Settings{}, aToken), "repos/o/n/issues?page=1"); !bytes.Equal(a.Body, whole) {
				t.Errorf("%s", a.Body)
			}
		})
	}
}

// TestStatsAreASnapshot, and the zero options reach the real world.
func TestStatsAreASnapshot(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { say(w, 200, `[]`) }))
	defer srv.Close()
	c, err := Open(srv.URL, Settings{TokensEnv: "none", PointsPerMinute: 1 << 30}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	before := c.Stats()
	get(t, c, "x")
	after := c.Stats()
	after.Statuses[200] = 99
	if before.Requests != 0 || len(before.Statuses) != 0 || c.Stats().Statuses[200] != 1 {
		t.Errorf("%+v, %+v", before, c.Stats())
	}
}
