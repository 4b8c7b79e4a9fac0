package github

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"

	"benchmill/internal/clock"
	"benchmill/internal/collection"
	"benchmill/pipeline"
	"benchmill/sources"
	"benchmill/sources/github/api"
	"benchmill/sources/github/mirror"
	"benchmill/sources/github/replay"
)

// Options is what a program lends to the sources.
type Options struct {
	Settings  *Settings           // nil: the defaults
	Mirrors   []sources.Mirror    // a replacement that is no URL is a folder of recorded conversations
	Root      string              // where relative folders are looked up
	Dir       string              // where mirrors of repositories are kept
	Getenv    func(string) string // nil: the environment
	Transport http.RoundTripper   // nil: the network
	Clock     clock.Clock         // nil: the wall clock
	Log       *slog.Logger        // nil: silent
}

// World holds what the sources share: a client for each API, and with it its
// budgets. It is safe for concurrent use.
type World struct {
	// Progress hears how many repositories a search has found and how many match;
	// set before the first search. nil: nobody listens.
	Progress func(found, total int64)

	o       Options
	mu      sync.Mutex
	clients map[string]*api.Client   // by base
	has     map[string]mirror.Counts // by the locator of the repository, in lower case
}

// New opens the world. It asks nobody.
func New(o Options) *World {
	if o.Settings == nil {
		o.Settings = NewSettings()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &World{o: o, clients: map[string]*api.Client{}, has: map[string]mirror.Counts{}}
}

// Sources are the sources of all schemes.
func (w *World) Sources() []sources.Source {
	return []sources.Source{&collected{w, IssuesScheme}, &collected{w, DetailsScheme}, &search{w}}
}

// Stats counts what was asked so far, by the address of the API. What recorded
// conversations answered was asked of nobody.
func (w *World) Stats() map[string]api.Stats {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := map[string]api.Stats{}
	for base, c := range w.clients {
		if _, folder := w.Where(base); !folder {
			out[base] = c.Stats()
		}
	}
	return out
}

// Tell tells how much the repositories of a search at the API at base have, for
// estimates.
func (w *World) Tell(base string, found []collection.Repository) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range found {
		w.has[strings.ToLower(base+"/repos/"+r.Repo)] = mirror.Counts{Issues: r.ClosedIssues, Pulls: r.Pulls}
	}
}

// counts is what was told of a repository, nil for nothing.
func (w *World) counts(locator string) *mirror.Counts {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c, ok := w.has[strings.ToLower(locator)]; ok {
		return &c
	}
	return nil
}

// Client is the client of the API at base, made when first asked for.
func (w *World) Client(base string) (*api.Client, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c := w.clients[base]; c != nil {
		return c, nil
	}
	settings, o := w.o.Settings.Settings, api.Options{Getenv: w.o.Getenv, Clock: w.o.Clock, Transport: w.o.Transport, Log: w.o.Log}
	asked, folder := w.Where(base)
	if folder {
		recorded, err := replay.Open(asked)
		if err != nil {
			return nil, pipeline.Mark(fmt.Errorf("recorded conversations of %s: %w", base, err), pipeline.Fatal)
		}
		o.Transport, asked, settings.TokensEnv = recorded, base, "none"
	}
	c, err := api.Open(asked, settings, o)
	if err == nil {
		w.clients[base] = c
	}
	return c, err
}

// Where is the address or, with folder set, the folder an API is read from.
func (w *World) Where(base string) (place string, folder bool) {
	place = strings.TrimSuffix(sources.Rewrite(w.o.Mirrors, base+"/"), "/")
	if strings.HasPrefix(place, "http://") || strings.HasPrefix(place, "https://") {
		return place, false
	}
	if !filepath.IsAbs(place) {
		place = filepath.Join(w.o.Root, place)
	}
	return place, true
}

func (w *World) mirror(base string) (*mirror.Mirror, error) {
	c, err := w.Client(base)
	if err != nil {
		return nil, err
	}
	return &mirror.Mirror{Dir: w.o.Dir, API: c, Base: base, Full: w.o.Settings.Refresh == Full, Log: w.o.Log}, nil
}

// split parts the locator of a repository.
func split(locator string) (base, repo string, err error) {
	base, repo, ok := strings.Cut(locator, "/repos/")
	owner, name, two := strings.Cut(repo, "/")
	if !ok || !two || owner == "" || name == "" || strings.Contains(name, "/") {
		return "", "", fmt.Errorf("%q is not of the form <api>/repos/<owner>/<name>", locator)
	}
	return base, repo, checkBase(base)
}

// checkBase refuses addresses that are none, and those that hold a secret.
func checkBase(base string) error {
	u, err := url.Parse(base)
	switch {
	case err != nil:
		return fmt.Errorf("the address of the API is not a URL")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("%s: the address of the API must begin with http:// or https:// and a host", u.Redacted())
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("%s://%s: the address of the API must hold no user, query or fragment", u.Scheme, u.Host)
	}
	return nil
}
