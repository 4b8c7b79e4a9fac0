package langtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"benchmill/stages/lang"
)

// A file is a source of the language under test.
type file struct {
	path  string
	src   []byte
	from  string // archive or sample it comes from
	lossy bool   // its functions do not survive StripComments
}

func (f file) String() string { return f.from + ": " + f.path }

// with is the same path with other bytes.
func (f file) with(what string, src []byte) file {
	f.from, f.src = f.from+", "+what, src
	return f
}

// samples are the files of the language in the repositories of the sample
// pipeline. None are found in a copy of the program without them.
func samples(t testing.TB, l *lang.Language) []file {
	root := repositoryRoot()
	if root == "" {
		return nil
	}
	var out []file
	top := filepath.Join(root, "pipelines", "sample", "_repos")
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || l.Syntax(filepath.ToSlash(path)) == nil {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(top, path)
		out = append(out, file{path: filepath.ToSlash(relative), src: src, from: "sample"})
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return out
}

// repositoryRoot is the folder of go.mod above the package under test, or "".
func repositoryRoot() string {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			break
		}
		dir = above
	}
	return ""
}
