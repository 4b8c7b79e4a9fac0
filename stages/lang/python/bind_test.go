package python

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"benchmill/internal/testdeps"
	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
	"benchmill/stages/lang/langtest"
)

func TestBind(t *testing.T) { langtest.Bind(t, Language()) }

// TestDeep binds nesting beyond all bounds.
func TestDeep(t *testing.T) {
	const n = 20_000
	for _, text := range []string{
		"a" + strings.Repeat(".b", n),
		strings.Repeat("(", n) + strings.Repeat(")", n),
		strings.Repeat("lambda: ", n) + "a",
		"if a: b\n" + strings.Repeat("elif a is None: b\n", n),
		strings.Repeat("a = ", n) + "b",
		"x: " + strings.Repeat("a[", n) + strings.Repeat("]", n),
	} {
		tree, err := Language().ParseWhole("a.py", []byte(text), treesitter.DefaultLimits)
		if err == nil {
			bindFile("a.py", tree)
		}
	}
}

// pylint runs it in a folder of the test, or skips the test loudly.
func pylint(t *testing.T) lang.Run {
	t.Helper()
	program := filepath.Join(testdeps.Folder(t), "bin", "pylint")
	if _, err := os.Stat(program); err != nil {
		testdeps.Missing(t, "pylint", "bindings are not compared with it")
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
		c.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + dir, "PYTHONDONTWRITEBYTECODE=1"}
		var stdout, stderr bytes.Buffer
		c.Stdout, c.Stderr = &stdout, &stderr
		err := c.Run()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			return lang.Output{}, err
		}
		return lang.Output{Exit: c.ProcessState.ExitCode(), Stdout: stdout.String(), Stderr: stderr.String()}, nil
	}
}

// TestPylint compares the marks of the cases with what pylint says, but for those
// that say that it differs. Cases with the same other files are one repository to
// it, in which main.py has the name of the case.
func TestPylint(t *testing.T) {
	run := pylint(t)
	cases, err := filepath.Glob("testdata/bind/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal("no cases", err)
	}
	repositories := map[string]map[string]string{}
	for _, c := range cases {
		archive, err := txtar.ParseFile(c)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(archive.Comment), "pylint differs") {
			continue
		}
		main := archive.Files[0]
		archive.Comment, archive.Files = nil, archive.Files[1:]
		key := string(txtar.Format(archive))
		if repositories[key] == nil {
			repositories[key] = map[string]string{}
			for _, f := range archive.Files {
				repositories[key][f.Name] = string(f.Data)
			}
		}
		name := strings.TrimSuffix(filepath.Base(c), ".txtar") + ".py"
		repositories[key][path.Join(path.Dir(main.Name), name)] = string(main.Data)
	}
	for _, repository := range repositories {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			var files []lang.SourceFile
			for p, text := range repository {
				files = append(files, lang.SourceFile{Path: p, Text: all.Replace(text)})
			}
			uses, skipped, err := check(t.Context(), files, run)
			if err != nil || len(skipped) > 0 {
				t.Fatal(skipped, err)
			}
			for _, f := range files {
				if got, want := marked(f.Text, uses[f.Path]), extended.Replace(repository[f.Path]); got != want {
					t.Errorf("%s: pylint says\n%s", f.Path, differing(want, got))
				}
			}
		})
	}
}

var (
	extended = strings.NewReplacer("⟪", "", "⟫", "")
	all      = strings.NewReplacer("⟦", "", "⟧", "", "⟪", "", "⟫", "")
)

// marked is a text with marks around uses.
func marked(text string, uses []bind.Use) string {
	for _, u := range slices.Backward(uses) {
		text = text[:u.Start] + "⟦" + text[u.Start:u.End] + "⟧" + text[u.End:]
	}
	return text
}

// differing lists the lines of two texts that differ.
func differing(want, got string) string {
	var b strings.Builder
	g := strings.Split(got, "\n")
	for i, line := range strings.Split(want, "\n") {
		if i < len(g) && line != g[i] {
			b.WriteString("- " + line + "\n+ " + g[i] + "\n")
		}
	}
	return b.String()
}

// TestSameFile binds each case twice: a file is a function of its bytes.
func TestSameFile(t *testing.T) {
	cases, _ := filepath.Glob("testdata/bind/*.txtar")
	for _, c := range cases {
		text, err := os.ReadFile(c)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := Language().ParseWhole("a.py", text, treesitter.DefaultLimits)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(bindFile("a.py", tree), bindFile("a.py", tree)) {
			t.Errorf("%s is bound in two ways", c)
		}
	}
}
