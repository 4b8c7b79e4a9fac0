package sandboxtest

import (
	"context"
	"fmt"
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
	Files          map[string]string // of its folder, by path; its own copy
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

// Execute implements [pipeline.Sandbox].
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
	l := job.Limits
	p := &Process{Args: job.Args, Files: map[string]string{}, Stdout: Stream{limit: l.Output}, Stderr: Stream{limit: l.Output}, limits: l}
	for _, file := range job.Files {
		p.Files[file.Path] = file.Text
	}
	f.mu.Lock()
	f.jobs = append(f.jobs, job)
	f.mu.Unlock()
	defer func() {
		out.Stdout, out.Stderr = strings.ToValidUTF8(p.Stdout.text, "\uFFFD"), strings.ToValidUTF8(p.Stderr.text, "\uFFFD")
		switch v := recover().(type) {
		case nil:
		case struck:
			out.Exit, out.Stopped = -1, string(v)
		default:
			panic(v)
		}
	}()
	out.Exit = program(ctx, p)
	return out, ctx.Err()
}
