package replay_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"benchmill/internal/clock"
	"benchmill/internal/testdeps"
	"benchmill/sources/github/api"
	"benchmill/sources/github/replay"
)

const (
	token  = "ghp_fixturefixturefixturefixturefixture1"
	github = "https://api.github.com"
)

// exchange is one of a scenario of the @octokit/fixtures.
type exchange struct {
	Scope    string          `json:"scope"`
	Method   string          `json:"method"`
	Path     string          `json:"path"`
	Status   int             `json:"status"`
	Response json.RawMessage `json:"response"`
	Binary   bool            `json:"responseIsBinary"`
	Headers  map[string]any  `json:"headers"`
}

func (e *exchange) host() string {
	u, _ := url.Parse(e.Scope)
	return u.Hostname()
}

func (e *exchange) isJSON() bool {
	return strings.HasPrefix(fmt.Sprint(e.Headers["content-type"]), "application/json")
}

// body is what was sent; JSON stands as it is in the file, else it is a string.
func (e *exchange) body(t *testing.T) []byte {
	var text string
	if json.Unmarshal(e.Response, &text) != nil {
		var out bytes.Buffer
		if err := json.Compact(&out, e.Response); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	if e.Binary {
		if data, err := hex.DecodeString(text); err == nil {
			return data
		}
	}
	return []byte(text)
}

// scenario plays the exchanges of a file, in which a request may come twice: the
// one to be asked about counts.
type scenario struct {
	t         *testing.T
	exchanges []exchange
	asked     *exchange
	mu        sync.Mutex
	leaked    []string // hosts other than the API's that were given a token
}

func canonical(path string) string {
	u, err := url.Parse(path)
	if err != nil {
		return path
	}
	return u.Path + "?" + u.Query().Encode()
}

func (s *scenario) find(host, path string) *exchange {
	fits := func(e *exchange) bool {
		get := e.Method == "get" || e == s.asked // refusals of writes are played as refusals of reads
		return get && e.host() == host && canonical(e.Path) == canonical(path)
	}
	if fits(s.asked) {
		return s.asked
	}
	for k := range s.exchanges {
		if fits(&s.exchanges[k]) {
			return &s.exchanges[k]
		}
	}
	return nil
}

func (s *scenario) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.URL.Hostname() != "api.github.com" && r.Header.Get("Authorization") != "" {
		s.leaked = append(s.leaked, r.URL.Hostname())
	}
	res := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}}, Request: r}
	body := []byte(`{"login":"octokit-fixture-user-a","id":1}`)
	if r.URL.Path != "/user" {
		e := s.find(r.URL.Hostname(), r.URL.RequestURI())
		if e == nil {
			return nil, fmt.Errorf("not in the scenario: %s", r.URL)
		}
		res.StatusCode, res.Header, body = e.Status, http.Header{}, e.body(s.t)
		for name, value := range e.Headers {
			if name != "content-length" { // of the body before names in it were made neutral
				res.Header.Set(name, fmt.Sprint(value))
			}
		}
	}
	res.Status = fmt.Sprintf("%d %s", res.StatusCode, http.StatusText(res.StatusCode))
	res.Body, res.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return res, nil
}

func client(t *testing.T, through http.RoundTripper) (*api.Client, *clock.Fake) {
	t.Helper()
	c := &clock.Fake{Start: time.Date(2017, 10, 10, 16, 0, 0, 0, time.UTC)} // as the recordings say
	out, err := api.Open(github, api.Settings{}, api.Options{
		Getenv:    func(name string) string { return map[string]string{"GITHUB_TOKEN": token}[name] },
		Transport: through, Clock: c,
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, c
}

// TestFixtures has conversations that GitHub really had come back through our
// client as they were: once as they were published, once recorded and replayed.
func TestFixtures(t *testing.T) {
	dir := testdeps.NPM(t, "@octokit/fixtures/scenarios/api.github.com", "recorded conversations of GitHub are not replayed")
	paths, err := filepath.Glob(filepath.Join(dir, "*", "normalized-fixture.json"))
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d scenarios in %s: %v", len(paths), dir, err)
	}
	asked := 0
	for _, path := range paths {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var all []exchange
			if err := json.Unmarshal(data, &all); err != nil {
				t.Fatal(err)
			}
			for k := range all {
				e := &all[k]
				if e.host() != "api.github.com" || e.Method != "get" && e.Status < 400 {
					continue
				}
				asked++
				s := &scenario{t: t, exchanges: all, asked: e}
				recorder := &replay.Recorder{Through: s}
				check(t, s, e, recorder)
				folder := t.TempDir()
				if err := recorder.Save(folder); err != nil {
					t.Fatal(err)
				}
				player, err := replay.Open(folder)
				if err != nil {
					t.Fatal(err)
				}
				check(t, s, e, player)
				if len(s.leaked) > 0 {
					t.Errorf("a token went to %v", s.leaked)
				}
			}
		})
	}
	if asked < 28 {
		t.Errorf("only %d exchanges were asked for", asked)
	}
}

// check asks for one exchange through a client and compares the answer.
func check(t *testing.T, s *scenario, e *exchange, through http.RoundTripper) {
	t.Helper()
	c, clock := client(t, through)
	began := clock.Now()
	a, err := c.Get(context.Background(), github+e.Path, api.Known{})
	end := e
	for hops := 0; end != nil && end.Status/100 == 3 && hops < 5; hops++ {
		to, err := url.Parse(fmt.Sprint(end.Headers["location"]))
		if err != nil {
			t.Fatal(err)
		}
		end = s.find(to.Hostname(), to.RequestURI())
	}
	if end == nil {
		t.Fatalf("%s leads nowhere", e.Path)
	}
	var refused *api.StatusError
	switch {
	case end.Status >= 400:
		if !errors.As(err, &refused) || refused.Status != end.Status {
			t.Errorf("%s: %v, want a %d", e.Path, err, end.Status)
		}
	case !end.isJSON():
		if err == nil || strings.Contains(err.Error(), token) {
			t.Errorf("%s: %v, want an error about %v", e.Path, err, end.Headers["content-type"])
		}
	case err != nil:
		t.Errorf("%s: %v", e.Path, err)
	default:
		if !bytes.Equal(a.Body, end.body(t)) {
			t.Errorf("%s: the body differs:\n%.300s\nwant\n%.300s", e.Path, a.Body, end.body(t))
		}
		if next := next(end); a.Next != next {
			t.Errorf("%s: next is %q, want %q", e.Path, a.Next, next)
		}
	}
	// The recordings give reset times in milliseconds: nobody may wait that long.
	if waited := clock.Now().Sub(began); waited > time.Hour {
		t.Errorf("%s: the client waited %s", e.Path, waited)
	}
}

// next is the address of the next page, as recorded.
func next(e *exchange) string {
	link, _ := e.Headers["link"].(string)
	parts := strings.Split(link, ", ")
	at := slices.IndexFunc(parts, func(p string) bool { return strings.HasSuffix(p, `rel="next"`) })
	if at < 0 {
		return ""
	}
	address, _, _ := strings.Cut(strings.TrimPrefix(parts[at], "<"), ">")
	return address
}

// TestFixturePages follows the pages of a recorded list from first to last.
func TestFixturePages(t *testing.T) {
	path := testdeps.NPM(t, "@octokit/fixtures/scenarios/api.github.com/paginate-issues/normalized-fixture.json", "a recorded list is not followed")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := &scenario{t: t}
	if err := json.Unmarshal(data, &s.exchanges); err != nil {
		t.Fatal(err)
	}
	s.asked = &s.exchanges[0]
	c, _ := client(t, s)
	var numbers []int
	for address := "repos/octokit-fixture-org/paginate-issues/issues?per_page=3"; address != ""; {
		a, err := c.Get(context.Background(), address, api.Known{})
		if err != nil {
			t.Fatal(err)
		}
		var issues []struct{ Number int }
		if err := json.Unmarshal(a.Body, &issues); err != nil {
			t.Fatal(err)
		}
		for _, i := range issues {
			numbers = append(numbers, i.Number)
		}
		address = a.Next
	}
	if len(numbers) != 13 || numbers[0] != 13 || numbers[12] != 1 || !slices.IsSortedFunc(numbers, func(a, b int) int { return b - a }) {
		t.Errorf("issues %v, want 13 down to 1", numbers)
	}
}
