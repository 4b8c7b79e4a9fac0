package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"benchmill/pipeline"
	"benchmill/sources"
	"benchmill/sources/sandbox"
)

// Box runs programs in isolation: a [sandbox.Box], or its stand-in in tests.
type Box interface {
	Run(ctx context.Context, p sandbox.Program, job pipeline.Job) (pipeline.Outcome, error)
}

// Finder finds programs of this machine: a tool source.
type Finder interface {
	// Program finds a program by its name, with what it needs to see to run.
	Program(name string) (sandbox.Program, error)
}

// Images are what a container engine has: [sandbox.Containers].
type Images interface {
	// Answers says why no engine can be asked, or nil.
	Answers(ctx context.Context) error
	// Image is the digest of an image by its name.
	Image(ctx context.Context, name string) (string, error)
}

// Options is what a program lends to the source.
type Options struct {
	Programs Finder
	Box      Box
	// Images and ImageBox, which runs what is in them; nil: no image is ever used.
	Images   Images
	ImageBox Box
	// Self is where the program "benchmill" is; "": where this process's is.
	Self string
}

// Source pins runtimes and runs the steps of jobs in them. It is safe for concurrent
// use.
type Source struct {
	o Options

	mu    sync.Mutex
	found map[string]*finding // by locator
}

// finding is a runtime that is looked for, by one at a time.
type finding struct {
	mu sync.Mutex
	is *is // nil: not found yet
}

// is what a runtime is.
type is struct {
	version string
	program sandbox.Program
	box     Box
}

var _ sources.Runner = (*Source)(nil)

// New opens the source. It looks for nothing yet.
func New(o Options) *Source { return &Source{o: o, found: map[string]*finding{}} }

// Scheme implements [sources.Source].
func (s *Source) Scheme() string { return Scheme }

// Local implements [sources.Source].
func (s *Source) Local(pin pipeline.Pin) bool { return pin.Scheme == Scheme }

// Fetch implements [sources.Source]. Programs are run, not fetched.
func (s *Source) Fetch(ctx context.Context, pin pipeline.Pin, _ io.Writer) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return fmt.Errorf("%s is what runs programs, and has no bytes to fetch", pin)
}

// Resolve implements [sources.Source]: a runtime is pinned to what it is here. With
// an image that is "image debian:12 sha256:...", without "gcc 12.2.0, make 4.3".
func (s *Source) Resolve(ctx context.Context, ref pipeline.Ref) (pipeline.Pin, error) {
	pin := pipeline.Pin{Scheme: ref.Scheme, Locator: ref.Locator}
	if ref.Scheme != Scheme || ref.Name != "" {
		return pin, fmt.Errorf("%s is no runtime", ref)
	}
	r, err := s.find(ctx, ref.Locator)
	if err != nil {
		return pin, err
	}
	pin.Version = r.version
	return pin, nil
}

// Run implements [sources.Runner]: it runs the steps of a job.
func (s *Source) Run(ctx context.Context, job pipeline.Job) (pipeline.Outcome, error) {
	if job.Tool.Scheme != Scheme {
		return pipeline.Outcome{}, fmt.Errorf("%s is no runtime", job.Tool)
	}
	if len(job.Steps) == 0 {
		return pipeline.Outcome{}, fmt.Errorf("%s: a job without steps", job.Tool)
	}
	r, err := s.find(ctx, job.Tool.Locator)
	switch {
	case ctx.Err() != nil:
		return pipeline.Outcome{}, ctx.Err()
	case err != nil:
		return pipeline.Outcome{}, pipeline.Mark(err, pipeline.Fatal)
	case r.version != job.Tool.Version:
		return pipeline.Outcome{}, pipeline.Mark(fmt.Errorf(
			"runtime %[1]s: the lock wants %[2]q, and here it is %[3]q; install what the lock wants, or run \"benchmill update\" to work with what is here",
			job.Tool.Locator, job.Tool.Version, r.version), pipeline.Fatal)
	}
	out, err := r.box.Run(ctx, r.program, job)
	if err != nil {
		err = fmt.Errorf("runtime %s: %w", job.Tool.Locator, err)
	}
	return out, err
}

// find finds out what a runtime is here, once.
func (s *Source) find(ctx context.Context, locator string) (*is, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	needs, err := Parse(locator)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	f := s.found[locator]
	if f == nil {
		f = &finding{}
		s.found[locator] = f
	}
	s.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.is != nil {
		return f.is, nil
	}
	r, err := s.look(ctx, needs)
	if err != nil {
		return nil, fmt.Errorf("runtime %s: %w", locator, err)
	}
	f.is = r
	return r, nil
}

func (s *Source) look(ctx context.Context, n Needs) (*is, error) {
	if n.Image != "" && s.o.Images != nil && s.o.Images.Answers(ctx) == nil {
		digest, err := s.o.Images.Image(ctx, n.Image)
		if err != nil {
			return nil, err
		}
		r := &is{version: "image " + n.Image + " " + digest, box: s.o.ImageBox}
		r.program.Image = digest
		if self, err := s.self(n); err != nil {
			return nil, err
		} else if self != "" {
			r.program = with(r.program, shown(self))
		}
		return r, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.machine(ctx, n)
}

// self is where this program is, for needs that name it.
func (s *Source) self(n Needs) (string, error) {
	for _, p := range n.Programs {
		if p != self {
			continue
		}
		path := s.o.Self
		if path == "" {
			var err error
			if path, err = os.Executable(); err != nil {
				return "", err
			}
		}
		if !strings.HasSuffix(path, "/"+self) {
			return "", errors.New(path + " is not called " + self + ", so that steps would not find it")
		}
		return path, nil
	}
	return "", nil
}
