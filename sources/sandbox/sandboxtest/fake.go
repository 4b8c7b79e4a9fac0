package sandboxtest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"benchmill/pipeline"
	"benchmill/sources/sandbox"
)

// Fake is a sandbox whose programs are functions. It keeps the contract of a real
// one without its cost, and counts. It is safe for concurrent use.
type Fake struct {
	// Programs by what their pins say of them: the locator.
	Programs map[string]Program

	mu   sync.Mutex
	jobs []pipeline.Job
}

// Program is what a tool does. Its result is the exit code.
type Program func(ctx context.Context, p *Process) int

// Process is a running program of a [Fake].
type Process struct {
	Args           []string
	Files          map[string]string // of its folder, by path; its own copy, which the steps of a job share
	Stdout, Stderr Stream
	limits         pipeline.Limits
}

// Stream is an output of a process.
type Stream struct {
	text  string
	limit int64
}

// Jobs are those executed so far, in the order in which they began.
func (f *Fake) Jobs() []pipeline.Job {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.jobs
}

// struck ends a process that reached a limit.
type struck string

// Print writes to the output.
func (s *Stream) Print(args ...any) {
	if s.text += fmt.Sprint(args...); int64(len(s.text)) > s.limit {
		s.text = s.text[:s.limit]
		panic(struck(pipeline.StoppedOutput))
	}
}

// Forever ends the process as though it had run until its time was over.
func (p *Process) Forever() { panic(struck(pipeline.StoppedTime)) }

// Hold is the process holding so many bytes of memory.
func (p *Process) Hold(bytes int64) {
	if bytes > p.limits.Memory {
		panic(struck(pipeline.StoppedMemory))
	}
}

// Fill is the process writing so many bytes of files.
func (p *Process) Fill(bytes int64) {
	if p.limits.Total > 0 && bytes > p.limits.Total {
		panic(struck(pipeline.StoppedDisk))
	}
}

// Execute implements [pipeline.Sandbox]. A step is run as "-c", its script and its
// name.
func (f *Fake) Execute(ctx context.Context, what string, job pipeline.Job) (out pipeline.Outcome, err error) {
	if err := ctx.Err(); err != nil {
		return out, err
	}
	program, ok := f.Programs[job.Tool.Locator]
	if !ok {
		return out, fmt.Errorf("%s: no tool %s", what, job.Tool)
	}
	if err := sandbox.Check(job); err != nil {
		return out, fmt.Errorf("%s: %w", what, err)
	}
	f.mu.Lock()
	f.jobs = append(f.jobs, job)
	f.mu.Unlock()
	files := map[string]string{}
	place(files, job.Files)
	if len(job.Steps) == 0 {
		out = run(ctx, program, &Process{Args: job.Args, Files: files, limits: job.Limits})
	}
	for _, s := range job.Steps {
		place(files, s.Files)
		out = run(ctx, program, &Process{Args: []string{"-c", s.Script, s.Name}, Files: files, limits: job.Limits})
		if out.Step = s.Name; out.Exit != 0 || out.Stopped != "" {
			return out, ctx.Err()
		}
	}
	if out.Exit == 0 && out.Stopped == "" {
		out.Files = kept(files, job.Keep)
	}
	return out, ctx.Err()
}

// place puts files over those that are there.
func place(files map[string]string, list []pipeline.JobFile) {
	for _, f := range list {
		files[f.Path] = f.Text + f.Link
	}
}

// kept are the files that patterns name.
func kept(files map[string]string, patterns []string) []pipeline.JobFile {
	var out []pipeline.JobFile
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if slices.ContainsFunc(patterns, func(p string) bool { return sandbox.Match(p, name) }) {
			out = append(out, pipeline.JobFile{Path: name, Text: strings.ToValidUTF8(files[name], "\uFFFD")})
		}
	}
	return out
}

// run runs a program up to its end, or to a limit.
func run(ctx context.Context, program Program, p *Process) (out pipeline.Outcome) {
	p.Stdout.limit, p.Stderr.limit = p.limits.Output, p.limits.Output
	defer func() {
		out.Stdout, out.Stderr = strings.ToValidUTF8(p.Stdout.text, "\uFFFD"), strings.ToValidUTF8(p.Stderr.text, "\uFFFD")
		out.Used = &pipeline.Usage{}
		switch v := recover().(type) {
		case nil:
		case struck:
			out.Exit, out.Stopped = -1, string(v)
		default:
			panic(v)
		}
	}()
	out.Exit = program(ctx, p)
	return out
}
