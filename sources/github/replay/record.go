package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"benchmill/internal/atomicfile"
)

// Recorder is a transport that keeps what goes through it. Requests are sent
// without conditions, since a 304 could not be replayed. Of several answers to one
// request the last counts, but for those that speak of a passing state: 5xx, 429
// and limits are not kept at all. It is safe for concurrent use.
type Recorder struct {
	// Through sends the requests; nil is [http.DefaultTransport].
	Through http.RoundTripper
	// Date is what replayed answers give as their Date; zero: none. It is given,
	// not taken from the answers, so that recording again gives the same bytes.
	Date time.Time

	mu        sync.Mutex
	exchanges map[string]*exchange
	numbers   map[string]string // of repositories -> owner/name
}

// RoundTrip sends a request and keeps the answer.
func (r *Recorder) RoundTrip(in *http.Request) (*http.Response, error) {
	through := r.Through
	if through == nil {
		through = http.DefaultTransport
	}
	out := in.Clone(in.Context())
	out.Header.Del("If-None-Match")
	out.Header.Del("If-Modified-Since")
	var sent []byte
	if in.Body != nil {
		var err error
		sent, err = io.ReadAll(in.Body)
		in.Body.Close()
		if err != nil {
			return nil, err
		}
		out.Body = io.NopCloser(bytes.NewReader(sent))
	}
	res, err := through.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil { // broken off: the reader sees the same
		res.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), failing{err}))
		return res, nil
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	if passing(res) {
		return res, nil
	}
	return res, r.keep(in, sent, res, body)
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// passing tells whether an answer speaks of the moment, not of what was asked.
func passing(res *http.Response) bool {
	limited := res.Header.Get("Retry-After") != "" || res.Header.Get("X-RateLimit-Remaining") == "0"
	return res.StatusCode >= 500 || res.StatusCode == http.StatusTooManyRequests || res.StatusCode == http.StatusNotModified ||
		res.StatusCode == http.StatusForbidden && limited
}

func (r *Recorder) keep(in *http.Request, sent []byte, res *http.Response, body []byte) error {
	e, err := request(in, sent)
	if err != nil {
		return err
	}
	_, token, _ := strings.Cut(in.Header.Get("Authorization"), " ")
	_, base := below(in.URL)
	e.target, e.query, e.vars = redactAddress(e.target, token), redact(e.query, token), []byte(redact(string(e.vars), token))
	e.status, e.body = res.StatusCode, []byte(redact(string(body), token))
	for _, name := range kept {
		if value := res.Header.Get(name); value != "" {
			e.header.Set(name, redactAddress(cut(name, value, base), token))
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.exchanges == nil {
		r.exchanges, r.numbers = map[string]*exchange{}, map[string]string{}
	}
	r.exchanges[e.key()] = e
	if name := repository.FindStringSubmatch(e.target); name != nil {
		if number := numbered.FindStringSubmatch(e.header.Get("Link") + " " + e.header.Get("Location")); number != nil {
			r.numbers[number[1]] = name[1] + "/" + name[2]
		}
	}
	return nil
}

var (
	repository = regexp.MustCompile(`^/repos/([^/?]+)/([^/?]+)`)
	numbered   = regexp.MustCompile(`/repositories/(\d+)`)
	plain      = regexp.MustCompile(`[^a-z0-9._-]`)
)

// topic names the file an exchange belongs into.
func (r *Recorder) topic(e *exchange) string {
	name := ""
	var about struct{ Owner, Name string } // of most queries
	if json.Unmarshal(e.vars, &about) == nil && about.Owner != "" && about.Name != "" {
		name = about.Owner + "/" + about.Name
	} else if m := repository.FindStringSubmatch(e.target); m != nil {
		name = m[1] + "/" + m[2]
	} else if m := numbered.FindStringSubmatch(e.target); m != nil {
		if name = r.numbers[m[1]]; name == "" {
			name = "repositories/" + m[1]
		}
	} else {
		name, _, _ = strings.Cut(strings.TrimPrefix(e.target, "/"), "/")
		name, _, _ = strings.Cut(name, "?")
	}
	name = strings.ReplaceAll(strings.ToLower(name), "/", "--")
	return strings.TrimLeft(plain.ReplaceAllString(name, "_"), ".")
}

// Save writes what was recorded into a folder, which it makes. Files of other
// topics stay.
func (r *Recorder) Save(dir string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	files := map[string]*file{}
	for _, e := range r.exchanges {
		name := r.topic(e)
		if name == "" {
			name = "root"
		}
		if files[name] == nil {
			files[name] = &file{date: r.Date}
		}
		files[name].exchanges = append(files[name].exchanges, e)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, f := range files {
		if err := atomicfile.Write(filepath.Join(dir, name+".txt"), f.print(), 0o644); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
