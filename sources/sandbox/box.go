package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"benchmill/internal/snapshot"
	"benchmill/pipeline"
)

// Program is an installed program.
type Program struct {
	Path string   // absolute
	See  []string // where it is installed, outside of the system's folders
	Bin  []string // folders of the programs it starts, likewise
}

// A Box runs jobs, each in a folder of its own. It is safe for concurrent use.
type Box struct {
	temp    string
	engines []Engine

	mu     sync.Mutex
	engine Engine
}

// New returns a box that makes its folders in temp ("": where temporary files
// lie). When it is first needed, it chooses among the engines.
func New(temp string, engines ...Engine) *Box { return &Box{temp: temp, engines: engines} }

// Engine is the engine the box uses.
func (b *Box) Engine(ctx context.Context) (Engine, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.engine == nil {
		e, err := Choose(ctx, b.temp, b.engines)
		if err != nil {
			return nil, err
		}
		b.engine = e
	}
	return b.engine, nil
}

// Run runs a job whose tool is the program p. Its output is valid UTF-8: other
// bytes are replaced.
func (b *Box) Run(ctx context.Context, p Program, job pipeline.Job) (out pipeline.Outcome, err error) {
	if err := Check(job); err != nil {
		return out, err
	}
	e, err := b.Engine(ctx)
	if err != nil {
		return out, err
	}
	temp, err := filepath.Abs(cmp.Or(b.temp, os.TempDir()))
	if err != nil {
		return out, err
	}
	dir, err := os.MkdirTemp(temp, "job-") // 0700: what lies in it may be open to all
	if err != nil {
		return out, err
	}
	defer func() {
		if e := removeAll(dir); err == nil {
			err = e
		}
	}()
	s := Spec{
		Work: filepath.Join(dir, "work"), Temp: filepath.Join(dir, "tmp"), See: p.See, Path: p.Bin,
		Argv: append([]string{p.Path}, job.Args...), Limits: job.Limits,
	}
	if err = errors.Join(mkdir(s.Work), mkdir(s.Temp)); err != nil {
		return out, err
	}
	if err = write(s.Work, job.Files); err != nil {
		return out, err
	}
	out, err = e.Run(ctx, s)
	out.Stdout, out.Stderr = strings.ToValidUTF8(out.Stdout, "\uFFFD"), strings.ToValidUTF8(out.Stderr, "\uFFFD")
	return out, err
}

// Longest path of a file, in bytes and in parts. The system opens none that is
// much longer, and every part costs.
const maxPath, maxParts = 4000, 200

// Check refuses a job that no engine needs to see: limits that are none, arguments
// that cannot be passed on, files that cannot lie in one folder.
func Check(job pipeline.Job) error {
	l := job.Limits
	if l.Time <= 0 || l.Memory <= 0 || l.Disk <= 0 || l.Output <= 0 || l.Processes <= 0 {
		return fmt.Errorf("a job without limits: %+v", l)
	}
	for _, a := range job.Args {
		if strings.Contains(a, "\x00") {
			return fmt.Errorf("NUL in the argument %q of a job", a)
		}
	}
	files, folders := map[string]bool{}, map[string]bool{}
	for _, f := range job.Files {
		if err := snapshot.CheckPath(f.Path); err != nil {
			return fmt.Errorf("file of a job: %w", err)
		}
		if len(f.Path) > maxPath || strings.Count(f.Path, "/") >= maxParts {
			return fmt.Errorf("file of a job: a path of %d bytes and %d parts", len(f.Path), strings.Count(f.Path, "/")+1)
		}
		if files[f.Path] {
			return fmt.Errorf("file of a job: %q is there twice", f.Path)
		}
		files[f.Path] = true
		for dir := path.Dir(f.Path); dir != "." && !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	for name := range files {
		if folders[name] {
			return fmt.Errorf("file of a job: %q is a folder of another", name)
		}
	}
	return nil
}

// write puts the files into a folder. They are open to whoever the engine runs
// the program as.
func write(dir string, files []pipeline.JobFile) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	made := map[string]bool{".": true}
	var folder func(name string) error
	folder = func(name string) error {
		if made[name] {
			return nil
		}
		made[name] = true
		if err := folder(path.Dir(name)); err != nil {
			return err
		}
		if err := root.Mkdir(name, 0o700); err != nil {
			return err
		}
		return root.Chmod(name, 0o777)
	}
	for _, f := range files {
		if err := folder(path.Dir(f.Path)); err != nil {
			return fmt.Errorf("file of a job: %w", err)
		}
		w, err := root.OpenFile(f.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return fmt.Errorf("file of a job: %w", err)
		}
		_, err = w.WriteString(f.Text)
		if err := errors.Join(err, w.Chmod(0o666), w.Close()); err != nil {
			return err
		}
	}
	return nil
}

func mkdir(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	return os.Chmod(dir, 0o777)
}

// removeAll removes a folder, also one whose owner has locked parts of it.
func removeAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	// A folder is unlocked before it is read.
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(p, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}
