// Package sandboxtest is the conformance suite of what runs jobs, and a fake.
package sandboxtest

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"benchmill/pipeline"
)

// Subject is a sandbox under test. Its tool is a POSIX shell, or what behaves
// like one for the scripts of this suite (see [Shell]).
type Subject struct {
	New  func(t *testing.T) pipeline.Sandbox
	Tool pipeline.Pin
	// Steps is the tool of jobs with steps; the scheme decides nothing here.
	Steps pipeline.Pin
	// Running counts the processes of this machine with an argument; nil: there
	// are none.
	Running func(t *testing.T, argument string) int
	// Left lists what jobs left on the disk; nil: they write none.
	Left func(t *testing.T) []string
}

// limits are generous: a case tightens the one it is about.
func limits() pipeline.Limits {
	return pipeline.Limits{Time: time.Minute, Memory: 512 << 20, Disk: 16 << 20, Output: 1 << 20, Processes: 64}
}

// Run checks the contract of a sandbox.
func Run(t *testing.T, s Subject) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			job := pipeline.Job{Tool: s.Tool, Args: append([]string{"-c", c.script, "sh"}, c.args...), Files: c.files, Limits: limits()}
			if c.limit != nil {
				c.limit(&job.Limits)
			}
			out, err := s.New(t).Execute(t.Context(), c.name, job)
			if err != nil {
				t.Fatal(err)
			}
			c.check(t, out)
			s.clean(t, c.marker)
		})
	}
	t.Run("refused", s.refused)
	t.Run("outside", s.outside)
	t.Run("network", s.network)
	t.Run("canceled", s.canceled)
	t.Run("steps", s.steps)
	t.Run("harm", s.harm)
	t.Run("concurrent", s.concurrent)
}

func (s Subject) job(script string, args ...string) pipeline.Job {
	return pipeline.Job{Tool: s.Tool, Args: append([]string{"-c", script, "sh"}, args...), Limits: limits()}
}

// clean fails where a job left processes or files.
func (s Subject) clean(t *testing.T, marker string) {
	t.Helper()
	if marker != "" && s.Running != nil {
		if n := s.Running(t, marker); n > 0 {
			t.Errorf("%d processes run on", n)
		}
	}
}

// refused are jobs that never start.
func (s Subject) refused(t *testing.T) {
	box := s.New(t)
	for name, files := range map[string][]string{
		"upwards": {"../x"}, "upwards inside": {"a/../../x"}, "absolute": {"/x"}, "empty": {""}, "empty part": {"a//b"}, "dot": {"./a"},
		"NUL": {"a\x00b"}, "git": {".git/config"}, "not UTF-8": {"\xff"}, "long": {strings.Repeat("a/", 4000) + "b"},
		"twice": {"a", "a"}, "file and folder": {"a/b/c", "a/b"}, "deep": {strings.Repeat("a/", 300) + "b"},
	} {
		job := s.job(scriptHello)
		for _, f := range files {
			job.Files = append(job.Files, pipeline.JobFile{Path: f, Text: "text"})
		}
		if out, err := box.Execute(t.Context(), name, job); err == nil {
			t.Errorf("%s: no error, %+v", name, out)
		} else if pipeline.ClassOf(err) != pipeline.Permanent {
			t.Errorf("%s: the error is %s: %v", name, pipeline.ClassOf(err), err)
		}
	}
	for name, limit := range map[string]func(l *pipeline.Limits){
		"time": func(l *pipeline.Limits) { l.Time = 0 }, "memory": func(l *pipeline.Limits) { l.Memory = 0 }, "disk": func(l *pipeline.Limits) { l.Disk = -1 },
		"output": func(l *pipeline.Limits) { l.Output = 0 }, "processes": func(l *pipeline.Limits) { l.Processes = 0 },
	} {
		job := s.job(scriptHello)
		limit(&job.Limits)
		if _, err := box.Execute(t.Context(), name, job); err == nil {
			t.Errorf("no limit of %s: no error", name)
		}
	}
	if s.Left != nil {
		if left := s.Left(t); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// outside: what lies elsewhere on the machine can neither be read nor written.
func (s Subject) outside(t *testing.T) {
	dir := t.TempDir()
	secret, fresh := filepath.Join(dir, "secret"), filepath.Join(dir, "fresh")
	if err := os.WriteFile(secret, []byte("do not read me"), 0o666); err != nil {
		t.Fatal(err)
	}
	paths := []string{
		secret, fresh, "/etc/passwd", "/benchmill-was-here", "/usr/benchmill-was-here", "/etc/benchmill-was-here", "/dev/benchmill-was-here", "/dev/shm/benchmill-was-here",
	}
	out, err := s.New(t).Execute(t.Context(), "outside", s.job(scriptOutside, paths...))
	if err != nil {
		t.Fatal(err)
	}
	if out.Stdout != "" {
		t.Errorf("it reads or writes %.500q", out.Stdout)
	}
	if data, err := os.ReadFile(secret); err != nil || string(data) != "do not read me" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := os.Lstat(fresh); err == nil {
		t.Error("it made a file outside of its folder")
	}
}

// network: not even this machine can be reached, where somebody listens, but a job
// reaches itself.
func (s Subject) network(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	out, err := s.New(t).Execute(t.Context(), "network", s.job(scriptNetwork, port))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(out.Stdout); got != "lo" {
		t.Errorf("it has %q: %s", got, out.Stderr)
	}
	if s.Left == nil {
		return // it runs no real programs
	}
	out, err = s.New(t).Execute(t.Context(), "loopback", s.job(scriptLoopback))
	if err != nil || out.Exit != 0 || out.Stdout != "served\n127.0.0.1 localhost\n::1 localhost\n" {
		t.Errorf("loopback: %+v, %v", out, err)
	}
}

func (s Subject) canceled(t *testing.T) {
	box := s.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel) // whenever that is, the answer is the same
	_, err := box.Execute(ctx, "canceled", s.job(scriptWait, markerCanceled))
	if pipeline.ClassOf(err) != pipeline.Canceled {
		t.Errorf("in the middle: %v", err)
	}
	_, err = box.Execute(ctx, "canceled", s.job(scriptHello))
	if pipeline.ClassOf(err) != pipeline.Canceled {
		t.Errorf("before it began: %v", err)
	}
	s.clean(t, markerCanceled)
}

// concurrent jobs see their own folders.
func (s Subject) concurrent(t *testing.T) {
	box := s.New(t)
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			job := s.job(scriptOwn)
			job.Files = []pipeline.JobFile{{Path: "mine", Text: fmt.Sprint(i)}}
			out, err := box.Execute(t.Context(), "concurrent", job)
			if err != nil || out.Stdout != fmt.Sprint(i)+"mine\n" {
				t.Errorf("job %d: %+v, %v", i, out, err)
			}
		})
	}
	all.Wait()
	if s.Left != nil {
		if left := s.Left(t); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}
