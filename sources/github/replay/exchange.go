package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"benchmill/internal/digest"
)

// kept are the headers of an answer that are recorded, in the order they are
// written.
var kept = []string{"Content-Type", "ETag", "Last-Modified", "Link", "Location"}

// exchange is one request and its answer.
type exchange struct {
	method string
	target string // relative to the API, with its query in canonical order
	query  string // of GraphQL
	vars   []byte // its variables: compact JSON, keys ascending
	status int
	header http.Header // of kept ones
	body   []byte
}

// key is what requests are matched by.
func (e *exchange) key() string {
	out := e.method + " " + e.target
	if e.method == http.MethodPost {
		out += " " + e.digest()
	}
	return out
}

// digest tells GraphQL queries with their variables apart.
func (e *exchange) digest() string {
	d := digest.New("benchmill/replay/1")
	d.String(e.query)
	d.String(string(e.vars))
	return d.Sum().Hex()[:16]
}

// name is the request for people, without secrets.
func (e *exchange) name() string {
	out := e.method + " " + e.target
	if e.method == http.MethodPost {
		first, _, _ := strings.Cut(strings.TrimSpace(e.query), "\n")
		out += fmt.Sprintf(" (%s, variables %s)", shorten(first, 60), shorten(string(e.vars), 200))
	}
	return redactAddress(out, "")
}

func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "..."
}

// enterprise is where GitHub Enterprise has its API.
const enterprise = "/api/v3"

// below is an address's path below the API, and the address of the API itself.
func below(u *url.URL) (path, base string) {
	path, base = u.EscapedPath(), u.Scheme+"://"+u.Host
	if rest, ok := strings.CutPrefix(path, enterprise+"/"); ok {
		path, base = "/"+rest, base+enterprise
	} else if path == "/api/graphql" {
		path, base = "/graphql", base+enterprise
	}
	if path == "" {
		path = "/"
	}
	return path, base
}

// target is an address below the API, with its query in canonical order.
func target(u *url.URL) string {
	path, _ := below(u)
	if u.RawQuery != "" {
		path += "?" + u.Query().Encode()
	}
	return path
}

// request is the exchange a request asks for, its answer left open.
func request(r *http.Request, body []byte) (*exchange, error) {
	e := &exchange{method: r.Method, target: target(r.URL), header: http.Header{}}
	if r.Method != http.MethodPost {
		return e, nil
	}
	var q struct {
		Query     string          `json:"query"`
		Variables json.RawMessage `json:"variables"`
	}
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, fmt.Errorf("%s: the body is no GraphQL query: %w", e.target, err)
	}
	if !utf8.ValidString(q.Query) {
		return nil, fmt.Errorf("%s: the query is not UTF-8", e.target)
	}
	e.query = q.Query
	var err error
	e.vars, err = canonical(q.Variables)
	return e, err
}

// canonical is JSON in compact form with ascending keys. Numbers keep their text.
func canonical(data []byte) ([]byte, error) {
	if len(data) == 0 || string(data) == "null" {
		return []byte("{}"), nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("variables: %w", err)
	}
	if d.More() {
		return nil, fmt.Errorf("variables: something after the object")
	}
	return json.Marshal(v)
}
