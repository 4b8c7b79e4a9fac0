package tool_test

import (
	"strings"
	"testing"
	"time"

	"benchmill/internal/testdeps"
	"benchmill/pipeline"
	"benchmill/sources/sandbox"
	"benchmill/sources/tool"
)

// Every tool that is known works inside of the sandbox.
func TestReal(t *testing.T) {
	box := sandbox.New(t.TempDir(), sandbox.Engines()...)
	if _, err := box.Engine(t.Context()); err != nil {
		testdeps.Missing(t, "a sandbox", err.Error())
	}
	s := tool.New(tool.Options{Deps: []string{testdeps.Folder(t)}, Box: box})
	for _, test := range []struct {
		tool       string
		args       []string
		file, text string
		want       string // in what it says of a mistake
	}{
		{"javac", []string{"A.java"}, "A.java", "class A { int x = missing; }", "cannot find symbol"},
		{"mcs", []string{"-t:library", "A.cs"}, "A.cs", "class A { int x = missing; }", "CS0103"},
		{"pylint", []string{"--disable=all", "--enable=E", "a.py"}, "a.py", "print(missing)\n", "undefined-variable"},
		{"tsc", []string{"--noEmit", "a.ts"}, "a.ts", "export const x = missing;\n", "TS2304"},
	} {
		t.Run(test.tool, func(t *testing.T) {
			t.Parallel()
			pin, err := s.Resolve(t.Context(), pipeline.Ref{Scheme: tool.Scheme, Locator: test.tool})
			if err != nil {
				testdeps.Missing(t, test.tool, err.Error())
			}
			out, err := s.Run(t.Context(), pipeline.Job{
				Tool: pin, Args: test.args, Files: []pipeline.JobFile{{Path: test.file, Text: test.text}},
				Limits: pipeline.Limits{Time: 5 * time.Minute, Memory: 4 << 30, Disk: 64 << 20, Output: 1 << 20, Processes: 256},
			})
			if err != nil {
				t.Fatal(err)
			}
			if out.Exit == 0 || out.Stopped != "" || !strings.Contains(out.Stdout+out.Stderr, test.want) {
				t.Errorf("%s says nothing of %s: %+v", pin, test.want, out)
			}
		})
	}
}
