package java

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// javac runs the compiler in a folder of the test, or skips it loudly.
func javac(t *testing.T) lang.Run {
	t.Helper()
	program, err := exec.LookPath("javac")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("javac is not installed")
		}
		t.Skip("SKIPPED: javac is not installed, so that bindings are not compared with it")
	}
	return func(ctx context.Context, args []string, files []lang.SourceFile) (lang.Output, error) {
		dir := t.TempDir()
		for _, f := range files {
			p := filepath.Join(dir, f.Path)
			if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
				return lang.Output{}, err
			}
			if err := os.WriteFile(p, []byte(f.Text), 0o644); err != nil {
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

// TestJavac compares the marks of the cases with what javac says, but for those
// that say that it is not asked. All are one repository to it, in folders.
func TestJavac(t *testing.T) {
	run := javac(t)
	cases, err := filepath.Glob("testdata/bind/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal("no cases", err)
	}
	var files []lang.SourceFile
	want := map[string]string{}
	for _, c := range cases {
		archive, err := txtar.ParseFile(c)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(archive.Comment), "javac is not asked") {
			continue
		}
		for _, f := range archive.Files {
			p := path.Join(strings.TrimSuffix(filepath.Base(c), ".txtar"), f.Name)
			files = append(files, lang.SourceFile{Path: p, Text: unmarked.Replace(string(f.Data))})
			want[p] = extended.Replace(string(f.Data))
		}
	}
	uses, skipped, err := check(t.Context(), files, run)
	if err != nil || len(skipped) > 0 {
		t.Fatal(skipped, err)
	}
	for _, f := range files {
		if got := markUses(f.Text, uses[f.Path]); got != want[f.Path] {
			t.Errorf("%s: javac finds\n%s", f.Path, lines(want[f.Path], got))
		}
	}
}

var (
	unmarked = strings.NewReplacer("⟦", "", "⟧", "", "⟪", "", "⟫", "")
	extended = strings.NewReplacer("⟪", "", "⟫", "")
)

func markUses(text string, uses []bind.Use) string {
	for _, u := range slices.Backward(uses) {
		text = text[:u.Start] + "⟦" + text[u.Start:u.End] + "⟧" + text[u.End:]
	}
	return text
}

// lines are those that differ.
func lines(want, got string) string {
	var b strings.Builder
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			b.WriteString("- " + w[i] + "\n+ " + g[i] + "\n")
		}
	}
	return b.String()
}
