package githubtest

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"benchmill/internal/digest"
)

// answer is what a handler gives; the server adds what all answers have.
type answer struct {
	status   int
	body     []byte
	header   http.Header
	modified time.Time // Last-Modified, none when zero
	cost     int       // points, where it is more than one
	etag     string
	// broken says how the answer breaks off, as a fault.
	broken string
}

const (
	documentation = "https://docs.github.com/rest"
	jsonType      = "application/json; charset=utf-8"
)

func ok(body []byte) answer { return answer{status: http.StatusOK, body: body} }

// failure is a refusal in GitHub's words.
func failure(status int, message string) answer {
	return answer{status: status, body: new(object).add("message", message).add("documentation_url", documentation).
		add("status", strconv.Itoa(status)).end()}
}

func notFound() answer { return failure(http.StatusNotFound, "Not Found") }

// invalid is a refusal of parameters.
func invalid(resource, field, message string) answer {
	e := new(object).add("resource", resource).add("field", field).add("code", "invalid").add("message", message).end()
	return answer{status: http.StatusUnprocessableEntity, body: new(object).add("message", "Validation Failed").
		add("errors", list([]raw{e})).add("documentation_url", documentation).add("status", "422").end()}
}

func redirect(status int, to string) answer {
	message := map[int]string{301: "Moved Permanently", 302: "Found", 307: "Temporary Redirect"}[status]
	return answer{
		status: status, header: http.Header{"Location": {to}},
		body: new(object).add("message", message).add("url", to).add("documentation_url", documentation).end(),
	}
}

// conditional gives an answer its ETag, and turns it into a 304 for who has it.
func (a answer) conditional(r *http.Request) answer {
	if r.Method != http.MethodGet || a.status != http.StatusOK {
		return a
	}
	h := digest.NewHasher()
	io.WriteString(h, r.Header.Get("Accept")+"\n")
	h.Write(a.body)
	a.etag = `W/"` + h.Digest().Hex() + `"`
	same := false
	if known := r.Header.Get("If-None-Match"); known != "" {
		for tag := range strings.SplitSeq(known, ",") {
			tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
			same = same || tag == "*" || tag == strings.TrimPrefix(a.etag, "W/")
		}
	} else if since, err := http.ParseTime(r.Header.Get("If-Modified-Since")); err == nil && !a.modified.IsZero() {
		same = !a.modified.After(since)
	}
	if same {
		return answer{status: http.StatusNotModified, etag: a.etag, modified: a.modified}
	}
	return a
}

// sent is as much of the body as is sent.
func (a answer) sent() []byte {
	switch {
	case a.status == http.StatusNotModified || a.broken == FaultReset:
		return nil
	case a.broken == FaultTruncated:
		return a.body[:len(a.body)/2]
	}
	return a.body
}

// send writes an answer, whole or broken.
func (s *Server) send(w http.ResponseWriter, entry Request, a answer, body []byte, b budget) {
	h := w.Header()
	h.Set("Server", "github.com")
	h.Set("Date", s.options.Now().UTC().Format(http.TimeFormat))
	h.Set("X-GitHub-Request-Id", fmt.Sprintf("F00D:%06X:%06X", entry.N, entry.N*7))
	h.Set("X-GitHub-Media-Type", "github.v3; format=json")
	h.Set("Vary", "Accept, Authorization, Cookie, X-GitHub-OTP,Accept-Encoding, Accept, X-Requested-With")
	if a.status != http.StatusNotModified {
		h.Set("Content-Type", jsonType)
	}
	if entry.User != "" {
		h.Set("X-OAuth-Scopes", "public_repo")
	}
	b.write(h)
	if a.etag != "" {
		h.Set("ETag", a.etag)
		h.Set("Cache-Control", "private, max-age=60, s-maxage=60")
	}
	if !a.modified.IsZero() {
		h.Set("Last-Modified", a.modified.UTC().Format(http.TimeFormat))
	}
	for name, values := range a.header {
		if values == nil {
			h.Del(name)
		} else {
			h[name] = values
		}
	}
	if a.broken == FaultReset {
		reset(w)
		return
	}
	if a.status != http.StatusNotModified {
		h.Set("Content-Length", strconv.Itoa(len(a.body)))
	}
	w.WriteHeader(a.status)
	if entry.Method != http.MethodHead {
		w.Write(body) // a client that is gone is no matter
	}
}

var errReset = errors.New("connection reset by peer")

// reset ends a connection rudely.
func reset(w http.ResponseWriter) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		if tcp, ok := conn.(*net.TCPConn); ok {
			tcp.SetLinger(0)
		}
		conn.Close()
		return
	}
	panic(http.ErrAbortHandler)
}
