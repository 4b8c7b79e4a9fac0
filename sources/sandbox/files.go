package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"benchmill/pipeline"
)

// writer puts files into a folder in which a program may have been: it follows no
// link there, and leads nothing out.
type writer struct {
	root  *os.Root
	user  int // who is to own them, or -1: who writes them
	ready map[string]bool
}

// put puts files into a folder, over what is there. They are open to whoever the
// engine runs the program as.
func put(dir string, files []pipeline.JobFile, user int) error {
	if len(files) == 0 {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	w := writer{root, user, map[string]bool{".": true}}
	for _, f := range files {
		if err := w.put(f); err != nil {
			return fmt.Errorf("file of a job: %w", err)
		}
	}
	return nil
}

func (w *writer) put(f pipeline.JobFile) error {
	if err := w.folder(path.Dir(f.Path)); err != nil {
		return err
	}
	if err := w.clear(f.Path); err != nil {
		return err
	}
	if f.Link != "" {
		if err := w.root.Symlink(f.Link, f.Path); err != nil {
			return err
		}
		return w.own(f.Path)
	}
	out, err := w.root.OpenFile(f.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o666)
	if f.Executable {
		mode = 0o777
	}
	_, err = out.WriteString(f.Text)
	if err := errors.Join(err, out.Chmod(mode), out.Close()); err != nil {
		return err
	}
	return w.own(f.Path)
}

// folder makes a folder, where something else may be.
func (w *writer) folder(name string) error {
	if w.ready[name] {
		return nil
	}
	if err := w.folder(path.Dir(name)); err != nil {
		return err
	}
	w.ready[name] = true
	info, err := w.root.Lstat(name)
	if err == nil && info.IsDir() {
		if info.Mode().Perm()&0o700 == 0o700 {
			return nil
		}
		return w.root.Chmod(name, 0o777) // a program may have locked it
	}
	if err := w.clear(name); err != nil {
		return err
	}
	if err := errors.Join(w.root.Mkdir(name, 0o700), w.root.Chmod(name, 0o777)); err != nil {
		return err
	}
	return w.own(name)
}

// clear removes what has a name.
func (w *writer) clear(name string) error {
	info, err := w.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return removeAll(filepath.Join(w.root.Name(), filepath.FromSlash(name)))
	}
	return w.root.Remove(name)
}

func (w *writer) own(name string) error {
	if w.user < 0 {
		return nil
	}
	return w.root.Lchown(name, w.user, w.user)
}

func mkdir(dir string, user int) error {
	if err := errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o777)); err != nil || user < 0 {
		return err
	}
	return os.Lchown(dir, user, user)
}
