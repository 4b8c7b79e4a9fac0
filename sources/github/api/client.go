package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/go-github/v62/github"
	"golang.org/x/time/rate"

	"benchmill/internal/clock"
	"benchmill/pipeline"
)

// exchangeTimeout bounds one exchange, from the first byte out to the last byte
// in. GitHub itself gives up after ten seconds.
const exchangeTimeout = 2 * time.Minute

// Options is what a program lends to a client. The zero value is the real world.
type Options struct {
	Getenv    func(string) string // nil: [os.Getenv]
	Clock     clock.Clock         // nil: the wall clock
	Transport http.RoundTripper   // nil: one of the client's own
	Log       *slog.Logger        // hears of waits and repetitions; nil: silent
}

// Client asks one GitHub. It is safe for concurrent use. One GitHub should have
// one client in a process, since its budgets and bounds are counted here.
type Client struct {
	base      *url.URL // without a final slash
	endpoint  *url.URL // of GraphQL
	settings  Settings // with defaults
	missing   error    // why nothing can be asked
	clock     clock.Clock
	log       *slog.Logger
	transport http.RoundTripper
	timeout   time.Duration
	rest      *github.Client // builds requests; sends none

	tokens []*token
	hide   *redactor
	pool   *pool
	slots  chan struct{} // a place for each request under way
	pace   *rate.Limiter
	moved  moved
	stats  counter

	announced atomic.Value // the last wait told to log

	naming chan struct{} // held by who learns the tokens' users
	named  bool          // guarded by naming
}

// Open returns the client of the GitHub whose REST API lies at base, such as
// https://api.github.com or https://host/api/v3. It sends nothing and needs no
// token yet: a missing one is the fatal error of the first request, so that a run
// that has to ask nothing needs none. [Settings.MissingToken] tells beforehand.
func Open(base string, s Settings, o Options) (*Client, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	u, err := parseBase(base)
	if err != nil {
		return nil, err
	}
	getenv := o.Getenv
	if getenv == nil {
		getenv = os.Getenv
	}
	c := &Client{
		base:      u,
		endpoint:  graphEndpoint(u),
		settings:  s.withDefaults(),
		missing:   s.MissingToken(base, getenv),
		clock:     o.Clock,
		log:       cmp.Or(o.Log, slog.New(slog.DiscardHandler)),
		transport: o.Transport,
		timeout:   exchangeTimeout,
		naming:    make(chan struct{}, 1),
	}
	if c.clock == nil {
		c.clock = clock.Wall{}
	}
	if c.transport == nil {
		c.transport = newTransport(c.settings.Concurrency)
	}
	c.slots = make(chan struct{}, c.settings.Concurrency)
	// One at a time: no minute then sees more than its share.
	c.pace = rate.NewLimiter(rate.Limit(c.settings.PointsPerMinute)/60, 1)

	c.rest = github.NewClient(nil)
	c.rest.UserAgent = "benchmill"
	c.rest.BaseURL = u.JoinPath("/")

	env := s.TokenEnv(base, getenv)
	secrets := splitTokens(getenv(env))
	for i, secret := range secrets {
		c.tokens = append(c.tokens, &token{secret: secret, label: tokenLabel(env, i, len(secrets))})
	}
	if u.Scheme != "https" && len(secrets) > 0 && !isLoopback(base) {
		return nil, fmt.Errorf("%s: tokens are not sent over a connection without encryption; use https:// or tokens_env: %s", base, noTokens)
	}
	c.hide = newRedactor(secrets)
	c.pool = newPool(c.tokens)
	return c, nil
}

// newTransport keeps as many connections as there may be requests.
func newTransport(concurrency int) http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = concurrency
	t.MaxResponseHeaderBytes = 1 << 20
	return t
}

// Get asks for one address: absolute and below the base, or relative to it
// ("repos/o/n/issues?per_page=100"). With a known answer it asks only for news.
//
// Requests are repeated as often as the settings say; reads may therefore be sent
// several times. A refusal that was repeated is a [*StatusError], permanent, but
// for 401, which is fatal; what did not pass in all tries is transient; a wait
// beyond [Settings.MaxWait] is transient and says when the budget is back.
func (c *Client) Get(ctx context.Context, address string, known Known) (*Answer, error) {
	u, err := c.resolve(address)
	if err != nil {
		return nil, err
	}
	if err := c.nameUsers(ctx); err != nil {
		return nil, err
	}
	r, err := c.ask(ctx, &question{method: http.MethodGet, url: u, known: known})
	if err != nil {
		return nil, err
	}
	a := &Answer{
		NotModified: r.status == http.StatusNotModified,
		ETag:        r.header.Get("ETag"),
		Modified:    r.header.Get("Last-Modified"),
		Next:        r.next,
		URL:         c.hide.text(withoutUser(r.url)),
		Date:        dateOf(r.header),
	}
	if a.NotModified {
		a.ETag, a.Modified = cmp.Or(a.ETag, known.ETag), cmp.Or(a.Modified, known.Modified)
	} else {
		a.Body = r.body
	}
	return a, nil
}

// Stats is a snapshot of what was counted so far.
func (c *Client) Stats() Stats { return c.stats.snapshot() }

// resolve makes an address absolute and refuses it when it is not below the base.
func (c *Client) resolve(address string) (*url.URL, error) {
	u, err := c.base.JoinPath("/").Parse(address)
	if err != nil {
		return nil, fmt.Errorf("%q is not an address", c.hide.words(address))
	}
	if !c.below(u) {
		return nil, fmt.Errorf("%s is not below %s", c.hide.url(u), c.base)
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

// ours reports whether an address is on the base's own host, by the same scheme:
// the only place tokens are sent to.
func (c *Client) ours(u *url.URL) bool { return origin(u) == origin(c.base) }

func (c *Client) below(u *url.URL) bool {
	return c.ours(u) && u.User == nil && u.Opaque == "" && !dotted(u.Path) &&
		strings.HasPrefix(u.EscapedPath(), c.base.EscapedPath()+"/")
}

// path is the escaped path of an address below the base, without a first slash;
// "" elsewhere.
func (c *Client) path(u *url.URL) string {
	if !c.below(u) {
		return ""
	}
	return strings.TrimPrefix(u.EscapedPath(), c.base.EscapedPath()+"/")
}

func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// dotted reports whether a decoded path has steps that go up or nowhere.
func dotted(path string) bool {
	for step := range strings.SplitSeq(path, "/") {
		if step == "." || step == ".." {
			return true
		}
	}
	return false
}

// ended is the error of a request whose context has ended.
func (c *Client) ended(ctx context.Context, at *url.URL) error {
	err := fmt.Errorf("%s: %w", c.hide.url(at), context.Cause(ctx))
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return pipeline.Mark(err, pipeline.Transient)
	}
	return pipeline.Mark(err, pipeline.Canceled)
}

func (c *Client) sleep(ctx context.Context, at *url.URL, d time.Duration) error {
	err := c.clock.Sleep(ctx, d)
	if ctx.Err() != nil {
		return c.ended(ctx, at)
	}
	return err
}

// pause waits, and counts it, for a failure or a limit to pass.
func (c *Client) pause(ctx context.Context, at *url.URL, d time.Duration) error {
	if err := c.sleep(ctx, at, d); err != nil {
		return err
	}
	if d > 0 {
		c.stats.add(func(s *Stats) { s.Waits++; s.Waited += d })
	}
	return nil
}
