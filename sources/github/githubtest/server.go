package githubtest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Options are the settings of a [Server]. The zero value serves at the root of its
// address, without faults and practically without limits.
type Options struct {
	// Tokens name the account of each token there is; an unknown one is 401.
	// Empty: any token is good and of "tester".
	Tokens map[string]string
	// Limits are the budgets of every account.
	Limits Limits
	// Now is the server's clock: its Date, its reset times. nil: the real one.
	Now func() time.Time
	// Prefix is the path the API is served below, as "/api/v3" on GitHub
	// Enterprise; GraphQL is then at "/api/graphql".
	Prefix string
	// Names is the API's base address that bodies mention, for answers which are
	// to be the same on any port. "": where [Serve] serves, otherwise
	// "https://api.github.com". Link and Location name the host that was asked.
	Names  string
	Faults Faults
	// Heavy is how many nodes a GraphQL query may ask for before the server runs
	// out of time over it: a 502 with an error in JSON. 0: as many as GitHub allows.
	Heavy int
	// Hook is called with every request before it is answered, for tests that stop
	// a client at a certain request. Of the answer nothing is known yet.
	Hook func(Request)
}

// Server answers requests about a [World]. It is safe for concurrent use.
type Server struct {
	// URL is the base address of the API when it was started by [Serve].
	URL string

	world    *World
	options  Options
	names    names
	listener *httptest.Server
	budgets  budgets
	log      log
	faults   faultState
	rendered sync.Map // *Issue, *Comment or *Repository -> rendering
	orders   sync.Map // orderKey -> *order
	queries  sync.Map // query text -> *parsedQuery
	count    atomic.Int64
}

// New is a server that listens nowhere: a handler, or through [Server.Transport] a
// transport.
func New(w *World, o Options) *Server {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Names == "" {
		o.Names = "https://api.github.com"
	}
	s := &Server{world: w, options: o, names: namesOf(o.Names)}
	s.budgets.limits = o.Limits.orDefault()
	s.faults.set(o.Faults)
	return s
}

// Serve starts a server on a loopback address. The caller closes it.
func Serve(w *World, o Options) *Server {
	s := New(w, o)
	s.listener = httptest.NewServer(s)
	s.URL = s.listener.URL + o.Prefix
	if o.Names == "" {
		s.names = namesOf(s.URL)
	}
	return s
}

// Close ends a served server and its connections.
func (s *Server) Close() {
	if s.listener != nil {
		s.listener.CloseClientConnections()
		s.listener.Close()
	}
}

// SetFaults switches faults from now on; the zero value switches them off.
func (s *Server) SetFaults(f Faults) { s.faults.set(f) }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := s.count.Add(1)
	defer s.log.enter()()
	entry := Request{
		N: n, Method: r.Method, Path: r.URL.RequestURI(), At: s.options.Now(),
		Conditional: r.Header.Get("If-None-Match") != "" || r.Header.Get("If-Modified-Since") != "",
	}
	if s.options.Hook != nil {
		s.options.Hook(entry)
	}
	a, b := s.answer(r, &entry)
	body := a.sent()
	entry.Status, entry.Bytes = a.status, len(body)
	s.log.add(entry) // before the client can go on
	s.send(w, entry, a, body, b)
}

// answer is what to answer and the budget it was taken from.
func (s *Server) answer(r *http.Request, entry *Request) (answer, budget) {
	user, ok := s.user(r)
	if !ok {
		return failure(http.StatusUnauthorized, "Bad credentials"), budget{}
	}
	entry.User = user
	c := s.call(r)
	now := s.options.Now()
	if c.resource == "" {
		return s.route(c), s.budgets.state(user, "core", now)
	}
	b, ok := s.budgets.take(user, c.resource, now)
	if !ok {
		return exhausted(c.resource, user), b
	}
	c.budget = b
	a := s.route(c).conditional(r)
	if fault := s.faults.next(entry.N, c, a); fault != "" {
		entry.Fault = fault
		return s.faulty(fault, c, a, &b), b
	}
	if a.status == http.StatusNotModified {
		b = s.budgets.charge(user, c.resource, -1, now) // costs nothing
	} else if a.cost > 1 {
		b = s.budgets.charge(user, c.resource, a.cost-1, now)
	}
	return a, b
}

// user is the account that asks; "" is nobody.
func (s *Server) user(r *http.Request) (string, bool) {
	header := r.Header.Get("Authorization")
	_, token, _ := strings.Cut(header, " ")
	switch {
	case header == "":
		return "", true
	case token == "":
		return "", false
	case len(s.options.Tokens) == 0:
		return "tester", true
	}
	user, ok := s.options.Tokens[token]
	return user, ok
}

// transport answers without a connection.
type transport struct{ *Server }

// Transport asks the server without a socket, whatever host a request names. A
// connection that would be reset is an error.
func (s *Server) Transport() http.RoundTripper { return transport{s} }

func (t transport) RoundTrip(r *http.Request) (res *http.Response, err error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p == http.ErrAbortHandler {
			res, err = nil, errReset
		} else if p != nil {
			panic(p)
		}
	}()
	in := r.Clone(r.Context())
	if in.Body == nil {
		in.Body = http.NoBody
	}
	defer in.Body.Close()
	w := httptest.NewRecorder()
	t.ServeHTTP(w, in)
	res = w.Result()
	res.Request = r
	return res, nil
}
