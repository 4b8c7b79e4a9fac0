package tool_test

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

	"benchmill/pipeline"
	"benchmill/sources/sandbox"
	"benchmill/sources/tool"
)

// box answers every program with one text and notes which it was asked.
type box struct {
	says pipeline.Outcome

	mu   sync.Mutex
	jobs []pipeline.Job
	ran  []sandbox.Program
}

func (b *box) Run(ctx context.Context, p sandbox.Program, job pipeline.Job) (pipeline.Outcome, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ran, b.jobs = append(b.ran, p), append(b.jobs, job)
	return b.says, ctx.Err()
}

// program writes an executable file.
func program(t *testing.T, text string, path ...string) string {
	t.Helper()
	name := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

func nowhere(string) (string, error) { return "", errors.New("nowhere") }

func ref(name string) pipeline.Ref { return pipeline.Ref{Scheme: tool.Scheme, Locator: name} }

func TestVersions(t *testing.T) {
	for _, test := range []struct {
		name, want string
		says       pipeline.Outcome
	}{
		{"javac", "17.0.13", pipeline.Outcome{Stdout: "javac 17.0.13\n"}},
		{"javac", "1.8.0_392", pipeline.Outcome{Stderr: "Picked up something\njavac 1.8.0_392\n"}},
		{"mcs", "6.8.0.105", pipeline.Outcome{Stdout: "Mono C# compiler version 6.8.0.105\n"}},
		{"pylint", "3.2.7 astroid 3.2.4 python 3.11", pipeline.Outcome{Stdout: "pylint 3.2.7\nastroid 3.2.4\nPython 3.11.7 (main) [GCC 12.2.0]\n"}},
		{"pylint", "2.4.4 astroid 2.3.3 python 3.8", pipeline.Outcome{Stdout: "pylint 2.4.4,\nastroid 2.3.3\nPython 3.8.1\n"}},
		{"tsc", "5.4.5", pipeline.Outcome{Stdout: "Version 5.4.5\n"}},
		{"tsc", "", pipeline.Outcome{Stdout: "hello\n"}},
		{"tsc", "", pipeline.Outcome{Stdout: "Version 5.4.5\n", Exit: 1}},
		{"tsc", "", pipeline.Outcome{Stdout: "Version 5.4.5\n", Exit: -1, Stopped: pipeline.StoppedTime}},
	} {
		dir := t.TempDir()
		s := tool.New(tool.Options{Deps: []string{dir}, LookPath: nowhere, Box: &box{says: test.says}})
		program(t, "", dir, "bin", test.name)
		pin, err := s.Resolve(t.Context(), ref(test.name))
		if test.want == "" {
			if err == nil || !strings.Contains(err.Error(), "does not tell its version") {
				t.Errorf("%s, %+v: %v, %v", test.name, test.says, pin, err)
			}
			continue
		}
		if want := (pipeline.Pin{Scheme: "tool", Locator: test.name, Version: test.want}); err != nil || pin != want {
			t.Errorf("%v, %v; want %v", pin, err, want)
		}
	}
}

// A tool is looked for where the settings say, then among what was installed for
// the project, then in PATH.
func TestWhere(t *testing.T) {
	dir := t.TempDir()
	named := program(t, "", dir, "pipeline", "mine", "tsc")
	bin := program(t, "", dir, "deps", "bin", "tsc")
	npm := program(t, "", dir, "deps", "npm", "node_modules", ".bin", "tsc")
	inPath := program(t, "", dir, "path", "tsc")
	b := &box{says: pipeline.Outcome{Stdout: "Version 5.4.5"}}
	where := func(settings *tool.Settings) string {
		t.Helper()
		s := tool.New(tool.Options{
			Settings: settings, Root: filepath.Join(dir, "pipeline"), Deps: []string{filepath.Join(dir, "deps")}, Box: b,
			LookPath: func(string) (string, error) { return inPath, nil },
		})
		found, err := s.Find(t.Context(), "tsc")
		if err != nil {
			t.Fatal(err)
		}
		return found.Program.Path
	}
	if got := where(&tool.Settings{Paths: map[string]string{"tsc": "./mine/tsc"}}); got != named {
		t.Errorf("named: %s", got)
	}
	for _, want := range []string{bin, npm, inPath} {
		if got := where(nil); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if err := os.Chmod(want, 0o644); err != nil { // no program any more
			t.Fatal(err)
		}
	}
	s := tool.New(tool.Options{Settings: &tool.Settings{Paths: map[string]string{"tsc": "gone"}}, Root: dir, Box: b})
	if _, err := s.Find(t.Context(), "tsc"); err == nil || !strings.Contains(err.Error(), "sources.tool.paths") {
		t.Errorf("named, but not there: %v", err)
	}
}

// A program sees where it and what interprets it are installed, and no home.
func TestSees(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", filepath.Join(dir, "home"))
	at := func(path string) string { return filepath.Join(dir, path) }
	interpreter := program(t, "\x7fELF", at("runtime/3.1/bin/python3.1"))
	for link, to := range map[string]string{"venv/bin/python": "python3", "venv/bin/python3": interpreter} {
		if err := os.MkdirAll(filepath.Dir(at(link)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	node := program(t, "\x7fELF", at("node/bin/node"))
	for _, test := range []struct {
		name, path, text string
		see, bin         []string
	}{
		{"script of a venv", "venv/bin/pylint", "#!" + at("venv/bin/python") + " -I\n", []string{"runtime/3.1", "venv"}, nil},
		{"looked up", "x/node_modules/a/bin/tsc", "#!/usr/bin/env -S node --flag\n", []string{"node", "x/node_modules"}, []string{"node/bin"}},
		{"in the home", "home/bin/tool", "", []string{"home/bin"}, nil},
		{"bare in the home", "home/tool", "", []string{"home/tool"}, nil},
		{"elsewhere", "opt/tool/run", "no script", []string{"opt/tool"}, nil},
		{"system's interpreter", "opt/tool/sh", "#!/bin/sh\n", []string{"opt/tool"}, nil},
		{"long line", "opt/tool/long", "#!" + strings.Repeat("x", 1<<16), []string{"opt/tool"}, nil},
		{"interprets itself", "opt/tool/self", "#!" + at("opt/tool/self") + "\n", []string{"opt/tool"}, nil},
		{"interpreter lacks", "opt/tool/lacks", "#!/usr/bin/env no-such\n", []string{"opt/tool"}, nil},
	} {
		path := program(t, test.text, at(test.path))
		s := tool.New(tool.Options{
			Settings: &tool.Settings{Paths: map[string]string{"tsc": path}},
			LookPath: func(name string) (string, error) {
				if name == "node" {
					return node, nil
				}
				return nowhere(name)
			},
			Box: &box{says: pipeline.Outcome{Stdout: "Version 1"}},
		})
		found, err := s.Find(t.Context(), "tsc")
		if err != nil {
			t.Fatal(err)
		}
		relative := func(paths []string) []string {
			var out []string
			for _, p := range paths {
				if p, ok := strings.CutPrefix(p, dir+"/"); ok {
					out = append(out, p)
				}
			}
			slices.Sort(out)
			return slices.Compact(out)
		}
		if got := relative(found.Program.See); !slices.Equal(got, test.see) {
			t.Errorf("%s: sees %q, want %q", test.name, got, test.see)
		}
		if got := relative(found.Program.Bin); !slices.Equal(got, test.bin) {
			t.Errorf("%s: looks in %q, want %q", test.name, got, test.bin)
		}
	}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	path := program(t, "", dir, "bin", "tsc")
	b := &box{says: pipeline.Outcome{Stdout: "Version 5.4.5"}}
	s := tool.New(tool.Options{Deps: []string{dir}, LookPath: nowhere, Box: b})
	pin, err := s.Resolve(t.Context(), ref("tsc"))
	if err != nil {
		t.Fatal(err)
	}
	job := pipeline.Job{Tool: pin, Args: []string{"--noEmit", "a.ts"}, Files: []pipeline.JobFile{{Path: "a.ts"}}}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if out, err := s.Run(t.Context(), job); err != nil || out.Stdout != "Version 5.4.5" {
				t.Errorf("%+v, %v", out, err)
			}
		})
	}
	all.Wait()
	if len(b.jobs) != 5 || b.ran[4].Path != path || !slices.Equal(b.jobs[4].Args, job.Args) {
		t.Errorf("%d runs, the last of %s %v; want one for the version and four more", len(b.jobs), b.ran[4].Path, b.jobs[4].Args)
	}

	job.Tool.Version = "4.9.9"
	_, err = s.Run(t.Context(), job)
	if pipeline.ClassOf(err) != pipeline.Fatal {
		t.Errorf("another version: %v", err)
	} else {
		for _, want := range []string{"tsc", "4.9.9", "5.4.5", path, "benchmill update"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q does not say %q", err, want)
			}
		}
	}
	if len(b.jobs) != 5 {
		t.Error("it was run all the same")
	}
}

func TestNotThere(t *testing.T) {
	s := tool.New(tool.Options{LookPath: nowhere, Box: &box{}})
	_, err := s.Resolve(t.Context(), ref("mcs"))
	if pipeline.ClassOf(err) != pipeline.Permanent || !strings.Contains(err.Error(), "mcs is not installed: install Mono") {
		t.Errorf("not installed: %v", err)
	}
	_, err = s.Run(t.Context(), pipeline.Job{Tool: pipeline.Pin{Scheme: tool.Scheme, Locator: "mcs", Version: "1"}})
	if pipeline.ClassOf(err) != pipeline.Fatal {
		t.Errorf("to be run: %v", err)
	}
	if _, err := s.Resolve(t.Context(), ref("cc")); err == nil || !strings.Contains(err.Error(), `"cc"; known are javac, mcs, pylint, tsc`) {
		t.Errorf("unknown: %v", err)
	}
	for _, r := range []pipeline.Ref{{Scheme: "git", Locator: "tsc"}, {Scheme: "tool", Locator: "tsc", Name: "5"}} {
		if _, err := s.Resolve(t.Context(), r); err == nil {
			t.Errorf("%s was resolved", r)
		}
	}
	if err := s.Fetch(t.Context(), pipeline.Pin{Scheme: "tool", Locator: "tsc"}, io.Discard); err == nil {
		t.Error("a program was fetched")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Resolve(ctx, ref("mcs")); pipeline.ClassOf(err) != pipeline.Canceled {
		t.Errorf("canceled: %v", err)
	}
	if _, err := s.Run(ctx, pipeline.Job{Tool: pipeline.Pin{Scheme: tool.Scheme, Locator: "mcs"}}); pipeline.ClassOf(err) != pipeline.Canceled {
		t.Errorf("canceled: %v", err)
	}
}

func TestSettings(t *testing.T) {
	for _, s := range []tool.Settings{{Paths: map[string]string{"cc": "/usr/bin/cc"}}, {See: []string{"relative"}}, {See: []string{"/"}}} {
		if s.Validate() == nil {
			t.Errorf("%+v is fine", s)
		}
	}
	fine := tool.Settings{Paths: map[string]string{"mcs": "x"}, See: []string{"/opt/x"}}
	if err := fine.Validate(); err != nil {
		t.Error(err)
	}
}
