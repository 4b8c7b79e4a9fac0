package clangindex

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"benchmill/internal/libclang"
)

// A Reader reads translation units. It is safe for concurrent use.
type Reader interface {
	// Read reads what a unit has below root; see [libclang.Library.Read].
	Read(root string, c libclang.Command) (*libclang.Unit, error)
}

// What goes to a worker and comes back, one after the other.
type (
	request struct {
		Root    string
		Command libclang.Command
	}
	reply struct {
		Unit  *libclang.Unit
		Error string
	}
)

// Serve is the other end of [Workers]: it reads units until there are no more
// requests.
func Serve(l Reader, requests io.Reader, replies io.Writer) error {
	in, out := gob.NewDecoder(requests), gob.NewEncoder(replies)
	for {
		var q request
		if err := in.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		var r reply
		var err error
		if r.Unit, err = l.Read(q.Root, q.Command); err != nil {
			r.Error = err.Error()
		}
		if err := out.Encode(r); err != nil {
			return err
		}
	}
}

// Errors of [Workers].
var (
	ErrCrashed = errors.New("libclang crashed")
	ErrTime    = errors.New("libclang took too long")
)

// Workers reads units in processes of their own, so that code that crashes the
// parser, or keeps it busy for ever, costs one unit.
type Workers struct {
	command []string
	limit   time.Duration

	mu   sync.Mutex
	idle []*worker
}

// NewWorkers returns workers that are started with a command, which runs [Serve] on
// its standard input and output. A unit that takes longer than limit is given up.
func NewWorkers(command []string, limit time.Duration) *Workers {
	return &Workers{command: command, limit: limit}
}

type worker struct {
	process *exec.Cmd
	stdin   io.Closer
	in      *gob.Encoder
	out     *gob.Decoder
}

// Read implements [Reader].
func (w *Workers) Read(root string, c libclang.Command) (*libclang.Unit, error) {
	one, err := w.get()
	if err != nil {
		return nil, err
	}
	late := time.AfterFunc(w.limit, func() { _ = one.process.Process.Kill() })
	var r reply
	err = one.in.Encode(request{root, c})
	if err == nil {
		err = one.out.Decode(&r)
	}
	if !late.Stop() {
		err = ErrTime
	} else if err != nil {
		err = ErrCrashed
	}
	if err != nil {
		one.end()
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle = append(w.idle, one)
	if r.Unit == nil {
		return nil, errors.New(r.Error)
	}
	return r.Unit, nil
}

func (w *Workers) get() (*worker, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if last := len(w.idle) - 1; last >= 0 {
		one := w.idle[last]
		w.idle = w.idle[:last]
		return one, nil
	}
	process := exec.Command(w.command[0], w.command[1:]...)
	process.Env = append(os.Environ(), "GOMAXPROCS=1") // few threads: they count in a sandbox
	in, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, fmt.Errorf("a worker for libclang: %w", err)
	}
	return &worker{process: process, stdin: in, in: gob.NewEncoder(in), out: gob.NewDecoder(out)}, nil
}

// end ends a process that is of no more use.
func (w *worker) end() {
	_ = w.process.Process.Kill()
	_ = w.process.Wait()
}

// Close ends all processes. Nothing may be read any more.
func (w *Workers) Close() {
	for _, one := range w.idle {
		_ = one.stdin.Close()
		_ = one.process.Wait()
	}
	w.idle = nil
}
