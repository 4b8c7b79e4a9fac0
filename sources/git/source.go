package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"benchmill/pipeline"
	"benchmill/sources"
)

// Schemes of this source's refs and pins.
const (
	Scheme = "git"
	// PartialScheme is for repositories that may lack files, such as clones made
	// with a filter: what is missing is listed as skipped instead of failing. Its
	// bytes depend on what the repository lacks, so its pins are other pins.
	PartialScheme = "git-partial"
)

// Values of Options.Accelerator.
const (
	AcceleratorAuto  = "auto"  // the git program fetches, where there is one
	AcceleratorNever = "never" // go-git does everything
)

// Options says where and how to fetch. Apart from Limits nothing in it decides
// what a pin's bytes are.
type Options struct {
	Mirrors     []sources.Mirror // applied to locators before use; may hold credentials
	Offline     bool             // refuse everything but local repositories
	Accelerator string           // AcceleratorAuto, which "" means too, or AcceleratorNever
	Dir         string           // where relative paths start; "" is the working directory
	TempDir     string           // where fetched repositories stand while they are read; "" is the system's place
	// HistoryDir is where remote repositories with all of their history are kept for
	// [Dates], for the next fetch to begin with; "": each pin fetches all anew.
	HistoryDir string
	Limits     Limits
}

// Source fetches commits of git repositories.
type Source struct {
	o       Options
	scheme  string
	program string // path of the git program, or ""
	http    *http.Client
}

var _ sources.Source = (*Source)(nil)

// New returns a source. It is safe for concurrent use.
func New(o Options) *Source { return newSource(o, Scheme) }

// NewPartial returns a source of [PartialScheme].
func NewPartial(o Options) *Source { return newSource(o, PartialScheme) }

func newSource(o Options, scheme string) *Source {
	o.Limits = o.Limits.withDefaults()
	s := &Source{o: o, scheme: scheme, http: &http.Client{Transport: roundTripper{http.DefaultTransport}}}
	if o.Accelerator != AcceleratorNever {
		s.program = findProgram()
	}
	return s
}

// Scheme returns [Scheme] or [PartialScheme].
func (s *Source) Scheme() string { return s.scheme }

// Local reports whether the pin's locator, mirrors applied, is a path or a file
// URL. Nothing is ever fetched on behalf of a local repository, not even what a
// partial clone lacks.
func (s *Source) Local(pin pipeline.Pin) bool {
	loc, err := s.find(pin.Locator)
	return err == nil && pin.Scheme == s.scheme && loc.local()
}

// Resolve pins a branch, a tag, HEAD or "" (the default branch), any reference
// by its full name, or a full commit id. Names are looked up in git's order:
// refs/NAME, then tags, then branches, then remote branches, so that a tag wins
// over a branch of the same name. Annotated tags give the commit they lead to.
// A full commit id in a local repository must exist there; in a remote one it
// is believed, and Fetch finds out.
//
// A name that does not exist is an error with the nearest ones that do.
func (s *Source) Resolve(ctx context.Context, ref pipeline.Ref) (pipeline.Pin, error) {
	tr := new(trace)
	loc, id, err := s.resolve(withTrace(ctx, tr), ref)
	if loc.local() {
		tr = nil
	}
	if err != nil {
		return pipeline.Pin{}, fail(ctx, loc, fmt.Sprintf("resolve %q", ref.Name), tr, err)
	}
	return pipeline.Pin{Scheme: s.scheme, Locator: ref.Locator, Version: id.String()}, nil
}

func (s *Source) resolve(ctx context.Context, ref pipeline.Ref) (location, plumbing.Hash, error) {
	loc, err := s.locate(ref.Scheme, ref.Locator)
	if err != nil {
		return loc, plumbing.ZeroHash, err
	}
	if err := ctx.Err(); err != nil {
		return loc, plumbing.ZeroHash, err
	}
	resolve := s.resolveRemote
	if loc.local() {
		resolve = s.resolveLocal
	}
	id, err := resolve(ctx, loc, ref.Name)
	return loc, id, err
}

// Fetch writes the snapshot of a commit. The format is documented in package
// [benchmill/internal/snapshot]. After an error what was written is of no use.
func (s *Source) Fetch(ctx context.Context, pin pipeline.Pin, w io.Writer) error {
	doing := "fetch " + pin.Version
	loc, err := s.locate(pin.Scheme, pin.Locator)
	if err != nil {
		return fail(ctx, loc, doing, nil, err)
	}
	id, err := commitID(pin.Version)
	if err != nil {
		return fail(ctx, loc, doing, nil, err)
	}
	if err := ctx.Err(); err != nil {
		return fail(ctx, loc, doing, nil, err)
	}
	path := loc.path
	if !loc.local() {
		dir, err := os.MkdirTemp(s.o.TempDir, "benchmill-git-")
		if err != nil {
			return fail(ctx, loc, doing, nil, fatalError{err})
		}
		// What cannot be removed is left to the system: the commit was fetched.
		defer os.RemoveAll(dir)
		tr := new(trace)
		if path, err = s.fetch(withTrace(ctx, tr), tr, loc, dir, id); err != nil {
			return fail(ctx, loc, doing, tr, err)
		}
	}
	return fail(ctx, loc, doing, nil, export(ctx, path, id, s.o.Limits, s.scheme == PartialScheme, w))
}

// find applies the mirrors and the folder that relative paths start from.
func (s *Source) find(locator string) (location, error) {
	loc, err := locate(s.o.Mirrors, locator)
	if err == nil && loc.local() && !filepath.IsAbs(loc.path) {
		loc.path = filepath.Join(s.o.Dir, loc.path)
	}
	return loc, err
}

// locate takes a locator apart and refuses what these options rule out.
func (s *Source) locate(scheme, locator string) (location, error) {
	loc, err := s.find(locator)
	switch {
	case err != nil:
		return loc, err
	case scheme != s.scheme:
		return loc, fmt.Errorf("the scheme is %q, not %q", scheme, s.scheme)
	case s.o.Offline && !loc.local():
		return loc, errors.New("offline: the repository is not a local one; a mirror can name a local copy")
	}
	return loc, nil
}

// commitID reads the version of a pin.
func commitID(version string) (plumbing.Hash, error) {
	hex := strings.Trim(version, "0123456789abcdef") == ""
	switch {
	case hex && len(version) == 64:
		return plumbing.ZeroHash, errSHA256
	case hex && len(version) == 40:
		return plumbing.NewHash(version), nil
	case hex && len(version) >= 4:
		return plumbing.ZeroHash, errors.New("a short commit id can come to mean another commit: give all 40 digits")
	}
	return plumbing.ZeroHash, errors.New("a commit id has 40 lower-case hexadecimal digits")
}
