package effects_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/sources/effects"
	"benchmill/sources/sourcetest"
)

// runner is a source whose only program repeats its first file.
type runner struct {
	*sourcetest.Fake
	before  func(ctx context.Context) error
	answers *pipeline.Outcome // nil: it repeats its first file

	mu   sync.Mutex
	runs int
}

func (r *runner) Run(ctx context.Context, job pipeline.Job) (pipeline.Outcome, error) {
	r.mu.Lock()
	r.runs++
	r.mu.Unlock()
	if r.before != nil {
		if err := r.before(ctx); err != nil {
			return pipeline.Outcome{}, err
		}
	}
	if r.answers != nil {
		return *r.answers, nil
	}
	return pipeline.Outcome{Exit: 3, Stdout: job.Files[0].Text, Stopped: pipeline.StoppedTime, Used: &pipeline.Usage{Time: 1}}, nil
}

func newRunner(t *testing.T) (*world, *runner) {
	w := newWorld(t, true)
	r := &runner{Fake: sourcetest.NewFake("tool", true)}
	w.Sources = append(w.Sources, r)
	return w, r
}

func aJob() pipeline.Job {
	return pipeline.Job{
		Tool: pipeline.Pin{Scheme: "tool", Locator: "cat", Version: "1"}, Args: []string{"a"},
		Files:  []pipeline.JobFile{{Path: "a", Text: "a long text of a file"}},
		Limits: pipeline.Limits{Time: time.Second, Memory: 1, Disk: 1, Output: 1, Processes: 1},
	}
}

var outcome = pipeline.Outcome{Exit: 3, Stdout: "a long text of a file", Stopped: pipeline.StoppedTime, Used: &pipeline.Usage{Time: 1}}

func TestJobOnce(t *testing.T) {
	w, r := newRunner(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if out, err := w.Execute(t.Context(), "test", aJob()); err != nil || !reflect.DeepEqual(out, outcome) {
				t.Errorf("%+v, %v", out, err)
			}
		})
	}
	all.Wait()
	if r.runs != 1 {
		t.Errorf("run %d times", r.runs)
	}
	w.Frozen = true
	if out, err := w.Execute(t.Context(), "test", aJob()); err != nil || !reflect.DeepEqual(out, outcome) {
		t.Errorf("frozen: %+v, %v", out, err)
	}
}

// Everything in a job decides its outcome.
func TestJobKey(t *testing.T) {
	w, r := newRunner(t)
	for n, change := range []func(j *pipeline.Job){
		func(*pipeline.Job) {},
		func(j *pipeline.Job) { j.Tool.Version = "2" },
		func(j *pipeline.Job) { j.Args = []string{"b"} },
		func(j *pipeline.Job) { j.Files[0].Path = "b" },
		func(j *pipeline.Job) { j.Files[0].Text = "b" },
		func(j *pipeline.Job) { j.Files = append(j.Files, pipeline.JobFile{Path: "b"}) },
		func(j *pipeline.Job) { j.Limits.Time++ },
		func(j *pipeline.Job) { j.Limits.Memory++ },
		func(j *pipeline.Job) { j.Limits.Disk++ },
		func(j *pipeline.Job) { j.Limits.Output++ },
		func(j *pipeline.Job) { j.Limits.Processes++ },
		func(j *pipeline.Job) { j.Limits.Total++ },
		func(j *pipeline.Job) { j.Files[0].Executable = true },
		func(j *pipeline.Job) { j.Files[0].Link = "b" },
		func(j *pipeline.Job) { j.Keep = []string{"b"} },
		func(j *pipeline.Job) { j.Steps = steps("a", "b", "c") },
		func(j *pipeline.Job) { j.Steps = steps("b", "b", "c") },
		func(j *pipeline.Job) { j.Steps = steps("a", "c", "c") },
		func(j *pipeline.Job) { j.Steps = steps("a", "b", "d") },
		func(j *pipeline.Job) { j.Steps = append(steps("a", "b", "c"), steps("a", "b", "c")...) },
		func(j *pipeline.Job) { j.Steps = steps("a", "b", "c"); j.Files[0].Text = "b" },
		func(j *pipeline.Job) { j.Steps = steps("a", "b", "c"); j.Files[0].Executable = true },
	} {
		job := aJob()
		change(&job)
		if _, err := w.Execute(t.Context(), "test", job); err != nil || r.runs != n+1 {
			t.Errorf("change %d: run %d times, %v", n, r.runs, err)
		}
	}
}

func steps(name, script, text string) []pipeline.JobStep {
	return []pipeline.JobStep{{Name: name, Script: script, Files: []pipeline.JobFile{{Path: "s", Text: text}}}}
}

// What decides nothing is in no key: that a step is shared, and the order of files.
// And the keys of jobs without steps are what they were.
func TestJobKeyStays(t *testing.T) {
	key := func(change func(j *pipeline.Job)) digest.Digest {
		t.Helper()
		job := aJob()
		change(&job)
		k, err := effects.JobKey(job)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	const plain = "sha256:a4ed9cb33a318ef3628fdaa06cdd35c3f677543fc294c04126a893e493b78257"
	if got := key(func(*pipeline.Job) {}); got != plain {
		t.Errorf("%s, want %s", got, plain)
	}
	with := func(shared bool, names ...string) digest.Digest {
		return key(func(j *pipeline.Job) {
			j.Steps, j.Files = steps("a", "b", "c"), nil
			j.Steps[0].Shared = shared
			for _, n := range names {
				j.Files = append(j.Files, pipeline.JobFile{Path: n, Text: n})
			}
		})
	}
	if with(true, "x", "y") != with(false, "y", "x") {
		t.Error("what decides nothing is in the key")
	}
}

// The record of a job with steps is small, however many files there are.
func TestJobRecordOfSteps(t *testing.T) {
	w, _ := newRunner(t)
	job := aJob()
	job.Steps = steps("build", "make all", "text")
	for i := range 3000 {
		job.Files = append(job.Files, pipeline.JobFile{Path: fmt.Sprint("file", i)})
	}
	out, err := w.Execute(t.Context(), "who asks", job)
	if err != nil || out.Used == nil {
		t.Fatal(out, err)
	}
	records, err := filepath.Glob(filepath.Join(w.dir, "job", "*", "*.json"))
	if err != nil || len(records) != 1 {
		t.Fatal(records, err)
	}
	data, err := os.ReadFile(records[0])
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 2000 || !strings.Contains(string(data), "make all") || !strings.Contains(string(data), `"files": 3001`) || !strings.Contains(string(data), `"used"`) {
		t.Errorf("%d bytes: %.2000s", len(data), data)
	}
}

// A record holds the digests of the files, not the files.
func TestJobRecord(t *testing.T) {
	w, _ := newRunner(t)
	job := aJob()
	job.Files = append(job.Files, pipeline.JobFile{Path: "large", Text: strings.Repeat("all of a repository ", 1000)})
	if _, err := w.Execute(t.Context(), "who asks", job); err != nil {
		t.Fatal(err)
	}
	records, err := filepath.Glob(filepath.Join(w.dir, "job", "*", "*.json"))
	if err != nil || len(records) != 1 {
		t.Fatal(records, err)
	}
	data, err := os.ReadFile(records[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"who asks"`, `"large"`, string(digest.Of([]byte(job.Files[1].Text)))} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the record does not say %s", want)
		}
	}
	if strings.Contains(string(data), "repository") || len(data) > 2000 {
		t.Errorf("the record holds the files: %d bytes", len(data))
	}
}

func TestJobFails(t *testing.T) {
	w, r := newRunner(t)
	w.Frozen = true
	_, err := w.Execute(t.Context(), "who asks", aJob())
	var m *pipeline.MissingEffect
	if !errors.As(err, &m) || pipeline.ClassOf(err) != pipeline.Fatal || !strings.Contains(m.Effect, "tool cat@1 (who asks)") || r.runs != 0 {
		t.Errorf("frozen: %v, run %d times", err, r.runs)
	}
	w.Frozen = false
	broken := pipeline.Mark(errors.New("no sandbox here"), pipeline.Fatal)
	r.before = func(context.Context) error { return broken }
	if _, err := w.Execute(t.Context(), "who asks", aJob()); !errors.Is(err, broken) || !strings.Contains(err.Error(), "who asks") {
		t.Errorf("broken: %v", err)
	}
	r.before = nil
	if out, err := w.Execute(t.Context(), "test", aJob()); err != nil || !reflect.DeepEqual(out, outcome) {
		t.Errorf("afterwards: %+v, %v", out, err)
	}
	job := aJob()
	job.Tool.Scheme = "fake"
	if _, err := w.Execute(t.Context(), "test", job); err == nil || !strings.Contains(err.Error(), "nothing runs fake cat@1") {
		t.Errorf("of a source that runs nothing: %v", err)
	}
}

// Who gives up does not take along those who wait for the same.
func TestJobCanceled(t *testing.T) {
	w, r := newRunner(t)
	ctx, cancel := context.WithCancel(t.Context())
	begun := make(chan struct{})
	first := true
	r.before = func(ctx context.Context) error {
		if first {
			first = false
			close(begun)
			<-ctx.Done()
		}
		return ctx.Err()
	}
	var all sync.WaitGroup
	all.Go(func() {
		if _, err := w.Execute(ctx, "impatient", aJob()); pipeline.ClassOf(err) != pipeline.Canceled {
			t.Errorf("impatient: %v", err)
		}
	})
	<-begun
	all.Go(func() {
		if out, err := w.Execute(t.Context(), "patient", aJob()); err != nil || !reflect.DeepEqual(out, outcome) {
			t.Errorf("patient: %+v, %v", out, err)
		}
	})
	cancel()
	all.Wait()
}
