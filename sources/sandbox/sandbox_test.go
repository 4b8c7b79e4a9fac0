package sandbox_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"benchmill/pipeline"
	"benchmill/sources/sandbox"
	"benchmill/sources/sandbox/sandboxtest"
)

// shell runs every job with /bin/sh.
type shell struct{ box *sandbox.Box }

func (s shell) Execute(ctx context.Context, _ string, job pipeline.Job) (pipeline.Outcome, error) {
	return s.box.Run(ctx, sandbox.Program{Path: "/bin/sh"}, job)
}

func TestEngines(t *testing.T) {
	if len(sandbox.Engines()) == 0 {
		t.Skip("this system has no engine")
	}
	for _, e := range sandbox.Engines() {
		t.Run(e.Name(), func(t *testing.T) {
			if _, err := sandbox.Choose(t.Context(), t.TempDir(), []sandbox.Engine{e}); err != nil {
				if os.Getenv("CI") != "" {
					t.Fatal(err)
				}
				t.Skip(err)
			}
			t.Run("killed", func(t *testing.T) { testKilled(t, e.Name()) })
			temp := t.TempDir()
			t.Run("installation", func(t *testing.T) { testInstallation(t, sandbox.New(temp, e)) })
			subject := func(open func(string, ...sandbox.Engine) *sandbox.Box) sandboxtest.Subject {
				return sandboxtest.Subject{
					New: func(t *testing.T) pipeline.Sandbox {
						box := open(temp, e)
						t.Cleanup(func() {
							if err := box.Close(); err != nil {
								t.Error(err)
							}
						})
						return shell{box}
					},
					Running: running,
					Left: func(t *testing.T) []string {
						left, err := filepath.Glob(filepath.Join(temp, "*"))
						if err != nil {
							t.Fatal(err)
						}
						return left
					},
				}
			}
			sandboxtest.Run(t, subject(sandbox.New))
			t.Run("on disk", func(t *testing.T) { sandboxtest.RunDisk(t, subject(sandbox.NewOnDisk)) })
		})
	}
}

// A program sees its installation, and cannot change it, whoever may.
func testInstallation(t *testing.T, box *sandbox.Box) {
	dir := filepath.Join(t.TempDir(), "with a 'space'")
	program := filepath.Join(dir, "program")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, []byte("#!/bin/sh\ncat \"$0\" | wc -l; (: >>\"$0\") 2>/dev/null && echo changed; (: >\"$0.new\") 2>/dev/null && echo added; exit 5\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(dir, 0o777), os.Chmod(program, 0o777)); err != nil {
		t.Fatal(err)
	}
	job := pipeline.Job{Limits: pipeline.Limits{Time: time.Minute, Memory: 1 << 30, Disk: 1 << 20, Output: 1 << 20, Processes: 1 << 40}}
	for _, see := range [][]string{{dir}, {dir, program, dir + "/gone", "/usr"}} {
		out, err := box.Run(t.Context(), sandbox.Program{Path: program, See: see}, job)
		if err != nil || out.Stdout != "2\n" || out.Exit != 5 {
			t.Errorf("%q: %+v, %v", see, out, err)
		}
	}
	if out, err := box.Run(t.Context(), sandbox.Program{Path: program}, job); err != nil || out.Exit != 127 {
		t.Errorf("not seen: %+v, %v", out, err)
	}
}

// Who is killed in the middle of a job takes it along.
func testKilled(t *testing.T, name string) {
	const marker = "86405.25"
	cmd := exec.Command(os.Args[0], "-test.run=^TestHelper$")
	cmd.Env = append(os.Environ(), "SANDBOX_TEST_ENGINE="+name, "SANDBOX_TEST_TEMP="+t.TempDir(), "SANDBOX_TEST_ARGUMENT="+marker)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	until(t, func() bool { return sleeping(t, marker) == 2 })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-ended
	until(t, func() bool { return running(t, marker) == 0 })
}

// TestHelper is no test: it runs a job for [testKilled], in a process of its own.
func TestHelper(t *testing.T) {
	name := os.Getenv("SANDBOX_TEST_ENGINE")
	if name == "" {
		return
	}
	for _, e := range sandbox.Engines() {
		if e.Name() == name {
			out, err := sandbox.New(os.Getenv("SANDBOX_TEST_TEMP"), e).Run(t.Context(), sandbox.Program{Path: "/bin/sh"}, pipeline.Job{
				Args:   []string{"-c", `sleep "$1" & setsid sleep "$1" & wait`, "sh", os.Getenv("SANDBOX_TEST_ARGUMENT")},
				Limits: pipeline.Limits{Time: time.Hour, Memory: 1 << 30, Disk: 1 << 20, Output: 1 << 20, Processes: 10},
			})
			t.Error("it ended", out, err)
		}
	}
}

// until waits for something that happens in other processes.
func until(t *testing.T, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not happen")
		}
	}
}

// Without an engine nothing is run, and it is said what to do.
func TestNoEngine(t *testing.T) {
	job := pipeline.Job{Args: []string{"-c", "exit 0"}, Limits: pipeline.Limits{Time: time.Minute, Memory: 1, Disk: 1, Output: 1, Processes: 1}}
	for _, engines := range [][]sandbox.Engine{nil, {broken{}}} {
		_, err := sandbox.New(t.TempDir(), engines...).Run(t.Context(), sandbox.Program{Path: "/bin/sh"}, job)
		if pipeline.ClassOf(err) != pipeline.Fatal || !strings.Contains(err.Error(), "install bubblewrap") || engines != nil && !strings.Contains(err.Error(), "broken: out of order") {
			t.Errorf("%v", err)
		}
	}
}

// broken is an engine that cannot run anything.
type broken struct{}

func (broken) Name() string { return "broken" }

func (broken) Run(context.Context, sandbox.Spec) (pipeline.Outcome, error) {
	return pipeline.Outcome{}, errors.New("out of order")
}

// running counts the processes with an argument.
func running(t *testing.T, argument string) int {
	return processes(t, func(command []byte) bool { return bytes.Contains(command, []byte("\x00"+argument+"\x00")) })
}

// sleeping counts those that do nothing but sleep so long.
func sleeping(t *testing.T, seconds string) int {
	return processes(t, func(command []byte) bool { return string(command) == "sleep\x00"+seconds+"\x00" })
}

func processes(t *testing.T, is func(command []byte) bool) int {
	n := 0
	names, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil || len(names) == 0 {
		t.Fatal("no processes can be seen", err)
	}
	for _, name := range names {
		if data, err := os.ReadFile(name); err == nil && is(data) {
			n++
		}
	}
	return n
}
