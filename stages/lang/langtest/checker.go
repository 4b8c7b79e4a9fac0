package langtest

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

	"benchmill/internal/testdeps"
	"benchmill/stages/lang"
)

// Cases are the archives of testdata/bind by name, but for those whose comment says
// that the language's tool differs.
func Cases(t *testing.T, l *lang.Language) map[string]*txtar.Archive {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "bind", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	out := map[string]*txtar.Archive{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(archive.Comment), l.Checker.Tool+" differs") {
			out[strings.TrimSuffix(filepath.Base(file), ".txtar")] = archive
		}
	}
	return out
}

// Checker asks the language's real tool about the cases of testdata/bind, all of
// them as one repository in folders, and compares what it finds with the marks of
// the compat mode.
func Checker(t *testing.T, l *lang.Language) {
	run := Tool(t, l.Checker.Tool)
	var marked []lang.SourceFile
	for name, archive := range Cases(t, l) {
		for _, f := range archive.Files {
			marked = append(marked, lang.SourceFile{Path: path.Join(name, f.Name), Text: string(f.Data)})
		}
	}
	Checks(t, l, run, marked)
}

// Checks asks a tool about one repository, in whose files the expected uses are
// marked.
func Checks(t *testing.T, l *lang.Language, run lang.Run, repository []lang.SourceFile) {
	t.Helper()
	var files []lang.SourceFile
	for _, f := range repository {
		files = append(files, lang.SourceFile{Path: f.Path, Text: unmarked(f.Text)})
	}
	uses, skipped, err := l.Checker.Check(t.Context(), files, run)
	if err != nil || len(skipped) > 0 {
		t.Fatal(skipped, err)
	}
	compat := strings.NewReplacer(markExtended, "", endExtended, "")
	for i, f := range files {
		if got, want := marked(f.Text, uses[f.Path], uses[f.Path]), compat.Replace(repository[i].Text); got != want {
			t.Errorf("%s: %s differs\n%s", f.Path, l.Checker.Tool, difference([]byte(want), []byte(got)))
		}
	}
}

// Tool runs a program that "make deps" installed, or that stands in PATH, in folders
// of the test. Without it the test is skipped, loudly, and fails under CI.
func Tool(t *testing.T, name string) lang.Run {
	t.Helper()
	program := filepath.Join(testdeps.Folder(t), "bin", name)
	if _, err := os.Stat(program); err != nil {
		if program, err = exec.LookPath(name); err != nil {
			testdeps.Missing(t, name, "bindings are not compared with it")
		}
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
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LANG=C.UTF-8"}
		var stdout, stderr bytes.Buffer
		c.Stdout, c.Stderr = &stdout, &stderr
		err := c.Run()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			return lang.Output{}, err
		}
		return lang.Output{Exit: c.ProcessState.ExitCode(), Stdout: stdout.String(), Stderr: stderr.String()}, nil
	}
}
