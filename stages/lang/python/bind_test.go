package python

import (
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"benchmill/internal/treesitter"
	"benchmill/stages/lang"
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

// TestPylint compares the marks of the cases with what pylint says. Cases with the
// same other files are one repository to it, in which main.py has the name of the
// case.
func TestPylint(t *testing.T) {
	run := langtest.Tool(t, "pylint")
	repositories := map[string][]lang.SourceFile{}
	for name, archive := range langtest.Cases(t, Language()) {
		main := archive.Files[0]
		archive.Comment, archive.Files = nil, archive.Files[1:]
		key := string(txtar.Format(archive))
		if repositories[key] == nil {
			for _, f := range archive.Files {
				repositories[key] = append(repositories[key], lang.SourceFile{Path: f.Name, Text: string(f.Data)})
			}
		}
		main.Name = path.Join(path.Dir(main.Name), name+".py")
		repositories[key] = append(repositories[key], lang.SourceFile{Path: main.Name, Text: string(main.Data)})
	}
	for _, repository := range repositories {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			langtest.Checks(t, Language(), run, repository)
		})
	}
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
