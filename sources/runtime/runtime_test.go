package runtime_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"benchmill/internal/testdeps"
	"benchmill/pipeline"
	"benchmill/sources"
	"benchmill/sources/runtime"
	"benchmill/sources/sandbox"
	"benchmill/sources/sourcetest"
	"benchmill/sources/tool"
)

// box answers scripts with texts, and notes what it ran.
type box struct {
	says map[string]pipeline.Outcome // by the last script

	mu   sync.Mutex
	jobs []pipeline.Job
	ran  []sandbox.Program
}

func (b *box) Run(ctx context.Context, p sandbox.Program, job pipeline.Job) (pipeline.Outcome, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ran, b.jobs = append(b.ran, p), append(b.jobs, job)
	last := job.Steps[len(job.Steps)-1]
	out, ok := b.says[last.Script]
	if !ok {
		return pipeline.Outcome{Exit: 127, Step: "find"}, ctx.Err()
	}
	if out.Step == "" {
		out.Step = last.Name
	}
	return out, ctx.Err()
}

// programs finds programs of a folder.
type programs string

func (dir programs) Program(name string) (sandbox.Program, error) {
	path := filepath.Join(string(dir), name)
	if _, err := os.Stat(path); err != nil {
		return sandbox.Program{}, errors.New(name + " is not installed")
	}
	return sandbox.Program{Path: path, See: []string{string(dir)}}, nil
}

// images are those of an engine.
type images struct {
	digest string
	dead   error
}

func (i images) Answers(ctx context.Context) error { return i.dead }

func (i images) Image(_ context.Context, name string) (string, error) {
	if name != "debian:12" {
		return "", errors.New("no image " + name)
	}
	return i.digest, nil
}

func installed(t *testing.T, names ...string) programs {
	t.Helper()
	dir := t.TempDir()
	for _, n := range names {
		if err := os.WriteFile(filepath.Join(dir, n), []byte("bytes of "+n), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return programs(dir)
}

func ref(locator string) pipeline.Ref { return pipeline.Ref{Scheme: runtime.Scheme, Locator: locator} }

func TestLocator(t *testing.T) {
	for _, n := range []runtime.Needs{
		{Programs: []string{"make", "gcc", "make"}}, {Image: "debian:12", Programs: []string{"tclsh"}},
		{Image: "r.example/a/b@sha256:00", Programs: []string{"g++", "clang-14"}},
	} {
		back, err := runtime.Parse(n.Locator())
		want := slices.Compact(slices.Sorted(slices.Values(n.Programs)))
		if err != nil || back.Image != n.Image || !slices.Equal(back.Programs, want) {
			t.Errorf("%s: %+v, %v", n.Locator(), back, err)
		}
	}
	if got := (runtime.Needs{Image: "debian:12", Programs: []string{"tclsh", "gcc"}}).Locator(); got != "image=debian:12 programs=gcc,tclsh" {
		t.Error(got)
	}
	for _, bad := range []string{
		"", "gcc", "programs=", "programs=b,a", "programs=a,a", "programs=a b", "programs=../a", "programs=a;b", "programs=-a", "image= programs=a",
		"image=-x programs=a", "image=x", "image=x  programs=a", "programs=a image=x", "programs=" + strings.Repeat("a,", 99) + "b", "image=a?b programs=a",
	} {
		if n, err := runtime.Parse(bad); err == nil {
			t.Errorf("%q is %+v", bad, n)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("image=debian:12 programs=gcc,make")
	f.Fuzz(func(t *testing.T, locator string) {
		if n, err := runtime.Parse(locator); err == nil && n.Locator() != locator {
			t.Errorf("%q is written %q", locator, n.Locator())
		}
	})
}

func TestVersions(t *testing.T) {
	self := filepath.Join(t.TempDir(), "benchmill")
	if err := os.WriteFile(self, []byte("self"), 0o755); err != nil {
		t.Fatal(err)
	}
	b := &box{says: map[string]pipeline.Outcome{
		"gcc --version":                   {Stdout: "gcc (Debian 12.2.0-14+deb12u1) 12.2.0\n"},
		"make --version":                  {Stderr: "GNU Make 4.3\n"},
		"tclsh --version":                 {Stderr: "cannot read --version of 8.6", Exit: 1},
		"odd --version":                   {Stdout: "odd, the latest"},
		"slow --version":                  {Exit: -1, Stopped: pipeline.StoppedTime},
		"hidden --version":                {Exit: 127, Step: "find"},
		"benchmill clang-index --version": {Stdout: "14.0.6"},
	}}
	s := runtime.New(runtime.Options{Programs: installed(t, "gcc", "make", "tclsh", "odd", "slow", "hidden"), Box: b, Self: self})
	for locator, want := range map[string]string{
		"programs=gcc,make":            "gcc 12.2.0, make 4.3",
		"image=debian:12 programs=gcc": "gcc 12.2.0",
		"programs=odd,slow,tclsh":      "odd 3ae57bb5da29, slow 403c83e553d0, tclsh 7260dc2c56ad",
		"programs=benchmill":           "benchmill ac8e51b307c8",
		"programs=hidden":              "error: hidden",
		"programs=gone":                "error: gone is not installed",
	} {
		pin, err := s.Resolve(t.Context(), ref(locator))
		if says, ok := strings.CutPrefix(want, "error: "); ok {
			if err == nil || !strings.Contains(err.Error(), says) || pipeline.ClassOf(err) != pipeline.Permanent {
				t.Errorf("%s: %v, %v", locator, pin, err)
			}
		} else if err != nil || pin.Version != want {
			t.Errorf("%s: %q, %v; want %q", locator, pin.Version, err, want)
		}
	}
	if last := b.ran[len(b.ran)-1]; len(last.See) == 0 {
		t.Errorf("it sees %+v", last)
	}
	s = runtime.New(runtime.Options{Box: b, Self: self + ".test"})
	if _, err := s.Resolve(t.Context(), ref("programs=benchmill")); err == nil || !strings.Contains(err.Error(), "is not called benchmill") {
		t.Errorf("under another name: %v", err)
	}
}

func TestImage(t *testing.T) {
	const digest = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
	machine, inImage := &box{says: map[string]pipeline.Outcome{"gcc --version": {Stdout: "1.2"}}}, &box{says: map[string]pipeline.Outcome{"make": {Stdout: "made"}}}
	open := func(i images) *runtime.Source {
		return runtime.New(runtime.Options{Programs: installed(t, "gcc"), Box: machine, Images: i, ImageBox: inImage})
	}
	s := open(images{digest: digest})
	pin, err := s.Resolve(t.Context(), ref("image=debian:12 programs=gcc"))
	if err != nil || pin.Version != "image debian:12 "+digest {
		t.Fatal(pin, err)
	}
	job := pipeline.Job{Tool: pin, Steps: []pipeline.JobStep{{Name: "make", Script: "make"}}}
	out, err := s.Run(t.Context(), job)
	if err != nil || out.Stdout != "made" || len(machine.jobs) > 0 || inImage.ran[0].Image != digest {
		t.Errorf("%+v, %v, %+v", out, err, inImage.ran)
	}
	if _, err := s.Resolve(t.Context(), ref("image=other programs=gcc")); err == nil || !strings.Contains(err.Error(), "no image other") {
		t.Errorf("unknown: %v", err)
	}
	// Where no engine answers, what the lock has is something else.
	s = open(images{dead: errors.New("nobody answers")})
	if _, err := s.Run(t.Context(), job); pipeline.ClassOf(err) != pipeline.Fatal || !strings.Contains(err.Error(), `"gcc 1.2"`) || !strings.Contains(err.Error(), "benchmill update") {
		t.Errorf("without an engine: %v", err)
	}
}

func TestContract(t *testing.T) {
	b := &box{says: map[string]pipeline.Outcome{"gcc --version": {Stdout: "1.2"}, "make": {Stdout: "made"}}}
	s := runtime.New(runtime.Options{Programs: installed(t, "gcc"), Box: b})
	if s.Scheme() != "runtime" {
		t.Error(s.Scheme())
	}
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			pin, err := s.Resolve(t.Context(), ref("programs=gcc"))
			if want := (pipeline.Pin{Scheme: "runtime", Locator: "programs=gcc", Version: "gcc 1.2"}); err != nil || pin != want || !s.Local(pin) {
				t.Errorf("%v, %v", pin, err)
			}
		})
	}
	all.Wait()
	if len(b.jobs) != 1 {
		t.Errorf("asked %d times", len(b.jobs))
	}
	pin := pipeline.Pin{Scheme: "runtime", Locator: "programs=gcc", Version: "gcc 1.2"}
	for _, r := range []pipeline.Ref{{Scheme: "git", Locator: "programs=gcc"}, {Scheme: "runtime", Locator: "programs=gcc", Name: "x"}, ref("gcc")} {
		if _, err := s.Resolve(t.Context(), r); pipeline.ClassOf(err) != pipeline.Permanent || err == nil {
			t.Errorf("%s: %v", r, err)
		}
	}
	if err := s.Fetch(t.Context(), pin, io.Discard); err == nil {
		t.Error("it was fetched")
	}
	if _, err := s.Run(t.Context(), pipeline.Job{Tool: pin, Args: []string{"x"}}); err == nil {
		t.Error("a job without steps")
	}
	other := pin
	other.Scheme = "tool"
	if _, err := s.Run(t.Context(), pipeline.Job{Tool: other}); err == nil || s.Local(other) {
		t.Error("of another scheme")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Resolve(ctx, ref("programs=gcc"))
	_, err2 := s.Run(ctx, pipeline.Job{Tool: pin, Steps: []pipeline.JobStep{{Name: "make", Script: "make"}}})
	err3 := s.Fetch(ctx, pin, io.Discard)
	for _, err := range []error{err, err2, err3} {
		if pipeline.ClassOf(err) != pipeline.Canceled {
			t.Errorf("canceled: %v", err)
		}
	}
}

func TestSource(t *testing.T) {
	dir := installed(t, "gcc")
	sourcetest.Run(t, sourcetest.Subject{
		New: func(*testing.T) sources.Source {
			return runtime.New(runtime.Options{Programs: dir, Box: &box{says: map[string]pipeline.Outcome{"gcc --version": {Stdout: "1.2"}}}})
		},
		Ref: ref("programs=gcc"), Local: true, Runs: true,
		UnknownRef: ref("programs=gone"),
		UnknownPin: pipeline.Pin{Scheme: runtime.Scheme, Locator: "programs=gone", Version: "gone 1"},
	})
}

func TestSettings(t *testing.T) {
	for engine, fine := range map[string]bool{"": true, "none": true, "unix:///run/x.sock": true, "tcp://x": false, "x": false} {
		if err := (&runtime.Settings{Engine: engine}).Validate(); (err == nil) != fine {
			t.Errorf("%q: %v", engine, err)
		}
	}
	none, images := runtime.Open(&runtime.Settings{Engine: "none"}, tool.New(tool.Options{}), nil, t.TempDir(), os.Getenv)
	if none == nil || images != nil {
		t.Error("there is an engine after all")
	}
	asked := ""
	if _, images = runtime.Open(nil, tool.New(tool.Options{}), nil, t.TempDir(), func(name string) string { asked = name; return "" }); images == nil || asked != "DOCKER_HOST" {
		t.Errorf("asked for %q", asked)
	}
}

// A runtime of this machine compiles and runs a program.
func TestReal(t *testing.T) {
	b := sandbox.New(t.TempDir(), sandbox.Engines()...)
	if _, err := b.Engine(t.Context()); err != nil {
		testdeps.Missing(t, "a sandbox", err.Error())
	}
	s := runtime.New(runtime.Options{Programs: tool.New(tool.Options{Box: b}), Box: b})
	pin, err := s.Resolve(t.Context(), ref("programs=gcc,make"))
	if err != nil {
		testdeps.Missing(t, "gcc or make", err.Error())
	}
	out, err := s.Run(t.Context(), pipeline.Job{
		Tool:   pin,
		Files:  []pipeline.JobFile{{Path: "Makefile", Text: "a: a.c\n\tgcc -o a a.c\n"}, {Path: "a.c", Text: "#include <stdio.h>\nint main(void) { puts(\"hello\"); }\n"}},
		Steps:  []pipeline.JobStep{{Name: "build", Script: "make", Shared: true}, {Name: "test", Script: "make; ./a"}},
		Limits: pipeline.Limits{Time: time.Minute, Memory: 2 << 30, Disk: 64 << 20, Output: 1 << 20, Processes: 256, Total: 256 << 20},
	})
	if err != nil || out.Exit != 0 || out.Stdout != "make: 'a' is up to date.\nhello\n" {
		t.Errorf("%s: %+v, %v", pin, out, err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}
