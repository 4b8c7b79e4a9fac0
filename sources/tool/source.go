package tool

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"benchmill/pipeline"
	"benchmill/sources"
	"benchmill/sources/sandbox"
)

// Options is what a program lends to the source.
type Options struct {
	Settings *Settings                         // nil: the defaults
	Root     string                            // where relative paths are looked up
	Deps     []string                          // folders as "make deps" makes them
	LookPath func(name string) (string, error) // nil: in PATH
	Box      Box
}

// Box runs programs in isolation: a [sandbox.Box], or its stand-in in tests.
type Box interface {
	Run(ctx context.Context, p sandbox.Program, job pipeline.Job) (pipeline.Outcome, error)
}

// Source finds tools and runs them. It is safe for concurrent use.
type Source struct {
	o Options

	found map[string]*finding // by name
}

// finding is a tool that is looked for, by one at a time.
type finding struct {
	known *known
	mu    sync.Mutex
	tool  *Tool // nil: not found yet
}

var _ sources.Runner = (*Source)(nil)

// Tool is a tool of this machine.
type Tool struct {
	Program sandbox.Program
	Version string
}

// New opens the source. It looks for nothing yet.
func New(o Options) *Source {
	o.Settings = cmp.Or(o.Settings, NewSettings())
	if o.LookPath == nil {
		o.LookPath = exec.LookPath
	}
	s := &Source{o: o, found: map[string]*finding{}}
	for i := range tools {
		s.found[tools[i].name] = &finding{known: &tools[i]}
	}
	return s
}

// Scheme implements [sources.Source].
func (s *Source) Scheme() string { return Scheme }

// Local implements [sources.Source].
func (s *Source) Local(pin pipeline.Pin) bool { return pin.Scheme == Scheme }

// Fetch implements [sources.Source]. Programs are run, not fetched.
func (s *Source) Fetch(ctx context.Context, pin pipeline.Pin, _ io.Writer) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return fmt.Errorf("%s is a program of this machine, and has no bytes to fetch", pin)
}

// Resolve implements [sources.Source]: a tool is pinned to the version it has.
func (s *Source) Resolve(ctx context.Context, ref pipeline.Ref) (pipeline.Pin, error) {
	pin := pipeline.Pin{Scheme: ref.Scheme, Locator: ref.Locator}
	if ref.Scheme != Scheme || ref.Name != "" {
		return pin, fmt.Errorf("%s is no tool", ref)
	}
	t, err := s.Find(ctx, ref.Locator)
	if err != nil {
		return pin, err
	}
	pin.Version = t.Version
	return pin, nil
}

// Run implements [sources.Runner].
func (s *Source) Run(ctx context.Context, job pipeline.Job) (pipeline.Outcome, error) {
	if job.Tool.Scheme != Scheme {
		return pipeline.Outcome{}, fmt.Errorf("%s is no tool", job.Tool)
	}
	t, err := s.Find(ctx, job.Tool.Locator)
	switch {
	case ctx.Err() != nil:
		return pipeline.Outcome{}, ctx.Err()
	case err != nil:
		return pipeline.Outcome{}, pipeline.Mark(err, pipeline.Fatal)
	case t.Version != job.Tool.Version:
		return pipeline.Outcome{}, pipeline.Mark(fmt.Errorf(
			"%[1]s: the lock wants version %[2]s, and %[3]s is version %[4]s; install %[2]s, or run \"benchmill update\" to work with %[4]s",
			job.Tool.Locator, job.Tool.Version, t.Program.Path, t.Version), pipeline.Fatal)
	}
	out, err := s.o.Box.Run(ctx, t.Program, job)
	if err != nil {
		err = fmt.Errorf("%s: %w", job.Tool.Locator, err)
	}
	return out, err
}

// Find finds a tool and asks its version, once.
func (s *Source) Find(ctx context.Context, name string) (*Tool, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f := s.found[name]
	if f == nil {
		return nil, fmt.Errorf("no tool is called %q; known are %s", name, strings.Join(Names(), ", "))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tool != nil {
		return f.tool, nil
	}
	path, err := s.locate(f.known)
	if err != nil {
		return nil, err
	}
	t := &Tool{Program: s.installed(path, f.known.see)}
	if t.Version, err = s.version(ctx, f.known, t.Program); err != nil {
		return nil, fmt.Errorf("%s (%s): %w", name, path, err)
	}
	f.tool = t
	return t, nil
}

// Program finds a program of any name where tools are looked for, with what it needs
// to see to run. Its version is not asked.
func (s *Source) Program(name string) (sandbox.Program, error) {
	path, err := s.locate(&known{name: name})
	if err != nil {
		return sandbox.Program{}, err
	}
	return s.installed(path, nil), nil
}

// version asks a tool, where it will run: what does not work there is found
// before anything is recorded.
func (s *Source) version(ctx context.Context, k *known, p sandbox.Program) (string, error) {
	out, err := s.o.Box.Run(ctx, p, pipeline.Job{Args: k.ask, Limits: pipeline.Limits{
		Time: time.Minute, Memory: 2 << 30, Disk: 64 << 20, Output: 64 << 10, Processes: 256,
	}})
	if err != nil {
		return "", err
	}
	said := out.Stdout + "\n" + out.Stderr // some say it here, some there
	match := k.says.FindStringSubmatchIndex(said)
	if out.Stopped != "" || out.Exit != 0 || match == nil {
		return "", fmt.Errorf("does not tell its version in the sandbox (exit code %d %s); sources.%s.paths names another program, sources.%[3]s.see what it needs to read: %.500s",
			out.Exit, out.Stopped, Scheme, strings.TrimSpace(said))
	}
	return string(k.says.ExpandString(nil, k.version, said, match)), nil
}
