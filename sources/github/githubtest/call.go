package githubtest

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"benchmill/internal/digest"
)

// call is one request on its way to an answer.
type call struct {
	names
	s        *Server
	r        *http.Request
	origin   string // of this API as the client named it, with the prefix
	path     string // below the API, with names for numbers: "/repos/o/n/issues"
	rest     string // of a repository's path: "/issues"
	alias    bool   // the repository was asked for by its number
	q        url.Values
	params   map[string]string
	repo     *Repository
	resource string // the budget, "" for none
	budget   budget // after this request
	body     []byte // of a POST
}

// maxQuery bounds a GraphQL request's body.
const maxQuery = 1 << 20

func (s *Server) call(r *http.Request) *call {
	c := &call{s: s, r: r, names: s.names, q: r.URL.Query(), resource: "core"}
	scheme := r.URL.Scheme // of a request that came through a Transport
	if scheme == "" {
		scheme = "http"
	}
	c.origin = scheme + "://" + r.Host + s.options.Prefix
	path, below := strings.CutPrefix(r.URL.EscapedPath(), s.options.Prefix)
	switch {
	case r.URL.Path == s.graphqlPath():
		c.path, c.resource = "/graphql", "graphql"
		c.body, _ = io.ReadAll(io.LimitReader(r.Body, maxQuery))
	case !below:
		c.path = "/nothing"
	default:
		c.path = path
		switch {
		case strings.HasPrefix(path, "/search/"):
			c.resource = "search"
		case path == "/rate_limit":
			c.resource = ""
		}
	}
	c.findRepository()
	return c
}

// graphqlPath is "/graphql", and "/api/graphql" beside "/api/v3".
func (s *Server) graphqlPath() string {
	return strings.TrimSuffix(s.options.Prefix, "/v3") + "/graphql"
}

// findRepository resolves the name or number in the path.
func (c *call) findRepository() {
	w := c.s.world
	w.mu.RLock()
	defer w.mu.RUnlock()
	if id, ok := strings.CutPrefix(c.path, "/repositories/"); ok {
		id, rest, _ := strings.Cut(id, "/")
		n, _ := strconv.ParseInt(id, 10, 64)
		if c.repo = w.byID[n]; c.repo != nil {
			c.alias, c.rest = true, rest
		}
	} else if name, ok := strings.CutPrefix(c.path, "/repos/"); ok {
		if parts := strings.SplitN(name, "/", 3); len(parts) > 1 {
			c.repo = w.byName[strings.ToLower(parts[0]+"/"+parts[1])]
			c.rest = strings.Join(parts[2:], "")
		}
	}
	if c.repo != nil && c.rest != "" {
		c.rest = "/" + c.rest
	}
}

// renamed tells whether the repository was asked for by a former name.
func (c *call) renamed() bool {
	return !c.alias && !strings.HasPrefix(strings.ToLower(c.path)+"/", "/repos/"+strings.ToLower(c.repo.FullName())+"/")
}

// address names what is asked for, the same under every name of a repository.
func (c *call) address() string {
	out := c.r.Method + " " + c.path
	if c.repo != nil {
		out = c.r.Method + " " + digits(c.repo.ID) + c.rest
	}
	if c.r.URL.RawQuery != "" {
		out += "?" + c.r.URL.RawQuery
	}
	if len(c.body) > 0 {
		out += " " + digest.Of(c.body).Hex()
	}
	return out
}

// numbered is the address of the repository by its number.
func (c *call) numbered() string {
	return c.origin + "/repositories/" + digits(c.repo.ID) + c.rest
}

func withQuery(address, query string) string {
	if query == "" {
		return address
	}
	return address + "?" + query
}

// otherAddress is what is asked for under the repository's other name.
func (c *call) otherAddress() string {
	if c.alias {
		return withQuery(c.origin+"/repos/"+c.repo.FullName()+c.rest, c.r.URL.RawQuery)
	}
	return withQuery(c.numbered(), c.r.URL.RawQuery)
}

// page answers with one page of total items, each rendered by item, and the Link
// header.
func (c *call) page(total int, item func(int) raw) answer {
	size, number := c.pageOf()
	from := min((number-1)*size, total)
	to := min(from+size, total)
	items := make([]raw, 0, to-from)
	for k := from; k < to; k++ {
		items = append(items, item(k))
	}
	out := ok(list(items))
	out.header = c.links(number, max((total+size-1)/size, 1))
	return out
}

// pageOf is the asked page: its size and number, from 1.
func (c *call) pageOf() (size, number int) {
	size, number = 30, 1
	if n, err := strconv.Atoi(c.q.Get("per_page")); err == nil && n > 0 {
		size = min(n, 100)
	}
	if n, err := strconv.Atoi(c.q.Get("page")); err == nil && n > 0 {
		number = min(n, 1<<30/size)
	}
	return size, number
}

// links is the Link header of a page. Repositories are named by number in it, as
// GitHub does.
func (c *call) links(number, last int) http.Header {
	base := c.origin + c.path
	if c.repo != nil {
		base = c.numbered()
	}
	var b bytes.Buffer
	link := func(n int, rel string) {
		q := url.Values{}
		for name, values := range c.q {
			q[name] = values
		}
		q.Set("page", strconv.Itoa(n))
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString("<" + base + "?" + q.Encode() + `>; rel="` + rel + `"`)
	}
	if number > 1 {
		link(min(number-1, last), "prev")
	}
	if number < last {
		link(number+1, "next")
		link(last, "last")
	}
	if number > 1 {
		link(1, "first")
	}
	if b.Len() == 0 {
		return nil
	}
	return http.Header{"Link": {b.String()}}
}

// moment is a time in a parameter; bad is the refusal of one that is none.
func (c *call) moment(name string) (at time.Time, bad *answer) {
	text := c.q.Get(name)
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		a := invalid("Parameter", name, "is not a date and time")
		return time.Time{}, &a
	}
	return at, nil
}
