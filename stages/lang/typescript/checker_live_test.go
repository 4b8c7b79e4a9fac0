package typescript

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"benchmill/stages/lang"
)

// tsc runs the compiler in a folder of the test, or skips it loudly.
func tsc(t *testing.T) lang.Run {
	t.Helper()
	program, err := exec.LookPath("tsc")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("tsc is not installed")
		}
		t.Skip("SKIPPED: tsc is not installed, so that bindings are not compared with it")
	}
	return func(ctx context.Context, args []string, files []lang.SourceFile) (lang.Output, error) {
		dir := t.TempDir()
		for _, f := range files {
			p := filepath.Join(dir, f.Path)
			if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, []byte(f.Text), 0o644)); err != nil {
				return lang.Output{}, err
			}
		}
		c := exec.CommandContext(ctx, program, args...)
		c.Dir = dir
		var stdout, stderr bytes.Buffer
		c.Stdout, c.Stderr = &stdout, &stderr
		err := c.Run()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			return lang.Output{}, err
		}
		return lang.Output{Exit: c.ProcessState.ExitCode(), Stdout: stdout.String(), Stderr: stderr.String()}, nil
	}
}

// TestTSC compares the marks of the cases with what tsc says. All are one
// repository to it, in folders.
func TestTSC(t *testing.T) {
	run := tsc(t)
	cases, err := filepath.Glob("testdata/bind/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal("no cases", err)
	}
	extended := strings.NewReplacer("⟪", "", "⟫", "")
	unmarked := strings.NewReplacer("⟦", "", "⟧", "", "⟪", "", "⟫", "")
	var files []lang.SourceFile
	want := map[string]string{}
	for _, c := range cases {
		archive, err := txtar.ParseFile(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			p := path.Join(strings.TrimSuffix(filepath.Base(c), ".txtar"), f.Name)
			files = append(files, lang.SourceFile{Path: p, Text: unmarked.Replace(string(f.Data))})
			want[p] = extended.Replace(string(f.Data))
		}
	}
	uses, skipped, err := Language().Checker.Check(t.Context(), files, run)
	if err != nil || len(skipped) > 0 {
		t.Fatal(skipped, err)
	}
	for _, f := range files {
		var marked strings.Builder
		at := 0
		for _, u := range uses[f.Path] {
			marked.WriteString(f.Text[at:u.Start] + "⟦" + f.Text[u.Start:u.End] + "⟧")
			at = u.End
		}
		if got := marked.String() + f.Text[at:]; got != want[f.Path] {
			w, g := strings.Split(want[f.Path], "\n"), strings.Split(got, "\n")
			for i := range min(len(w), len(g)) {
				if w[i] != g[i] {
					t.Errorf("%s: marked, and as tsc has it:\n- %s\n+ %s", f.Path, w[i], g[i])
				}
			}
		}
	}
}
