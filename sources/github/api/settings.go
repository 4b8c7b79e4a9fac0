package api

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
	"time"

	"benchmill/pipeline"
)

// Settings say how GitHub is asked, never what it answers: nothing of them joins
// a key. Editors get a JSON Schema made from the doc tags.
type Settings struct {
	TokensEnv       string        `yaml:"tokens_env" hash:"-" doc:"Environment variable that holds one or more tokens, separated by commas or blanks, for every API that is asked; empty: GITHUB_TOKEN, then GH_TOKEN, for api.github.com, and GH_ENTERPRISE_TOKEN, then GITHUB_ENTERPRISE_TOKEN, for any other host; \"none\": GitHub is asked without a token."`
	Concurrency     int           `yaml:"concurrency" hash:"-" doc:"Most requests under way at the same time, at most 100; 0: 16."`
	PointsPerMinute int           `yaml:"points_per_minute" hash:"-" doc:"Most requests sent a minute; 0: 900, which is GitHub's own bound."`
	MaxWait         time.Duration `yaml:"max_wait" hash:"-" doc:"Longest wait the server may impose, such as 20m; a request that would have to wait longer fails for now. 0: 1h5m, a little over the longest window of GitHub."`
	Tries           int           `yaml:"tries" hash:"-" doc:"How often one request is sent before it counts as failed, and refusals are believed after three; 0: 8."`
}

const (
	defaultConcurrency = 16
	mostConcurrency    = 100 // GitHub's bound for one user
	defaultPoints      = 900
	defaultMaxWait     = 65 * time.Minute
	defaultTries       = 8
	// noTokens in tokens_env says that GitHub is asked as nobody.
	noTokens = "none"
)

// tokenEnvs are read, in this order, when tokens_env is empty. As in GitHub's own
// command line, a token for github.com goes to no other company's server, nor one
// of theirs to github.com. Servers on this machine are for tests.
func tokenEnvs(base string) []string {
	if u, err := url.Parse(base); err == nil && (strings.EqualFold(u.Hostname(), "api.github.com") || isLoopback(base)) {
		return []string{"GITHUB_TOKEN", "GH_TOKEN"}
	}
	return []string{"GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"}
}

// tokenForm is what may stand in an Authorization header (RFC 6750).
var tokenForm = regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`)

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Validate reports everything wrong with the settings, one line for each.
func (s *Settings) Validate() error {
	var errs []error
	if s.TokensEnv != "" && (!envName.MatchString(s.TokensEnv) || secretLike.MatchString(s.TokensEnv)) {
		errs = append(errs, errors.New("tokens_env: not the name of an environment variable; tokens themselves must not stand here"))
	}
	for _, n := range []struct {
		key   string
		value int64
	}{
		{"concurrency", int64(s.Concurrency)}, {"points_per_minute", int64(s.PointsPerMinute)},
		{"max_wait", int64(s.MaxWait)}, {"tries", int64(s.Tries)},
	} {
		if n.value < 0 {
			errs = append(errs, fmt.Errorf("%s: must not be negative", n.key))
		}
	}
	if s.Concurrency > mostConcurrency {
		errs = append(errs, fmt.Errorf("concurrency: GitHub allows %d requests at the same time", mostConcurrency))
	}
	return errors.Join(errs...)
}

func (s Settings) withDefaults() Settings {
	s.Concurrency = cmp.Or(s.Concurrency, defaultConcurrency)
	s.PointsPerMinute = cmp.Or(s.PointsPerMinute, defaultPoints)
	s.MaxWait = cmp.Or(s.MaxWait, defaultMaxWait)
	s.Tries = cmp.Or(s.Tries, defaultTries)
	return s
}

// TokenEnv names the environment variable the tokens for the API at base are read
// from: the one the settings name, else the first usual one that is set, else the
// first usual one; which ones are usual depends on the host. It is "" when GitHub
// is asked without a token.
func (s *Settings) TokenEnv(base string, getenv func(string) string) string {
	switch s.TokensEnv {
	case noTokens:
		return ""
	case "":
		envs := tokenEnvs(base)
		for _, env := range envs {
			if len(splitTokens(getenv(env))) > 0 {
				return env
			}
		}
		return envs[0]
	}
	return s.TokensEnv
}

// MissingToken is the fatal error of a GitHub that cannot be asked because there
// is no usable token, or nil. A server on this machine may do without.
func (s *Settings) MissingToken(base string, getenv func(string) string) error {
	env := s.TokenEnv(base, getenv)
	if env == "" {
		return nil
	}
	tokens := splitTokens(getenv(env))
	if len(tokens) == 0 && !isLoopback(base) {
		return pipeline.Mark(fmt.Errorf("%s: the environment variable %s is empty; it must hold a token (tokens_env: %s asks without one, 60 times an hour)",
			base, env, noTokens), pipeline.Fatal)
	}
	for i, t := range tokens {
		if !tokenForm.MatchString(t) {
			return pipeline.Mark(fmt.Errorf("%s: %s holds a character no token has", base, tokenLabel(env, i, len(tokens))), pipeline.Fatal)
		}
	}
	return nil
}

// splitTokens takes the tokens out of an environment variable, each once.
func splitTokens(text string) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) }) {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}

// tokenLabel names a token without telling it.
func tokenLabel(env string, i, of int) string {
	if of == 1 {
		return env
	}
	return fmt.Sprintf("%s, %d of %d", env, i+1, of)
}

// parseBase checks the address of a REST API and gives it without a final slash.
func parseBase(base string) (*url.URL, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, errors.New("the address of the GitHub API is not a URL") // the parser's words quote the text, which may hold a password
	}
	shown := u.Scheme + "://" + u.Host + u.Path
	switch {
	case u.User != nil:
		return nil, errors.New("the address of the GitHub API must not hold a user or a password")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("the address of the GitHub API must begin with https:// (or http://) and a host, not %q", shown)
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.Opaque != "":
		return nil, fmt.Errorf("%s: the address of the GitHub API must not hold a query or a fragment", shown)
	case strings.EqualFold(u.Host, "github.com") || strings.EqualFold(u.Host, "www.github.com"):
		return nil, fmt.Errorf("%s is GitHub's web site; its API is https://api.github.com", shown)
	case dotted(u.Path):
		return nil, fmt.Errorf("%s: the address of the GitHub API must not go up", shown)
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), ""
	u.Host = strings.ToLower(u.Host)
	return u, nil
}

func isLoopback(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	host := u.Hostname()
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host).IsLoopback()
}
