package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"benchmill/pipeline"
)

// player answers from what was recorded.
type player struct {
	answers map[string]*exchange
	dates   map[*exchange]time.Time
}

// Open reads the conversations in a folder. The transport is safe for concurrent
// use. A request that was not recorded is a fatal error that names it.
func Open(dir string) (http.RoundTripper, error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, err
	}
	p, err := OpenFS(os.DirFS(dir))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return p, nil
}

// OpenFS is [Open] for files that lie elsewhere, such as in the program.
func OpenFS(fsys fs.FS) (http.RoundTripper, error) {
	names, err := fs.Glob(fsys, "*.txt")
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, errors.New("no recorded conversation")
	}
	p := &player{map[string]*exchange{}, map[*exchange]time.Time{}}
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		f, err := parse(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, e := range f.exchanges {
			if p.answers[e.key()] != nil {
				return nil, fmt.Errorf("%s: %s is in another file as well", name, e.name())
			}
			p.answers[e.key()], p.dates[e] = e, f.date
		}
	}
	return p, nil
}

// RoundTrip answers one request.
func (p *player) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	var sent []byte
	if r.Body != nil {
		var err error
		sent, err = io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			return nil, err
		}
	}
	asked, err := request(r, sent)
	if err != nil {
		return nil, pipeline.Mark(fmt.Errorf("replay: %w", err), pipeline.Fatal)
	}
	e := p.answers[asked.key()]
	if e == nil {
		return nil, pipeline.Mark(fmt.Errorf("replay: no answer was recorded to %s", asked.name()), pipeline.Fatal)
	}
	_, base := below(r.URL)
	status, body, header := e.status, e.body, http.Header{}
	for name, values := range e.header {
		header[name] = []string{absolute(name, values[0], base)}
	}
	if date := p.dates[e]; !date.IsZero() {
		header.Set("Date", date.Format(http.TimeFormat))
	}
	if unchanged(r, e) {
		status, body = http.StatusNotModified, nil
		header.Del("Content-Type")
	} else {
		header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", status, http.StatusText(status)), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: r,
	}, nil
}

// unchanged tells whether a request knows the recorded answer already.
func unchanged(r *http.Request, e *exchange) bool {
	if r.Method != http.MethodGet || e.status != http.StatusOK {
		return false
	}
	weak := func(tag string) string { return strings.TrimPrefix(strings.TrimSpace(tag), "W/") }
	if known := r.Header.Get("If-None-Match"); known != "" {
		for tag := range strings.SplitSeq(known, ",") {
			if own := e.header.Get("ETag"); own != "" && (weak(tag) == weak(own) || weak(tag) == "*") {
				return true
			}
		}
		return false
	}
	since, err := http.ParseTime(r.Header.Get("If-Modified-Since"))
	modified, err2 := http.ParseTime(e.header.Get("Last-Modified"))
	return err == nil && err2 == nil && !modified.After(since)
}
