package artifacts

import (
	"io/fs"
	"os"
	"syscall"

	"benchmill/internal/atomicfile"
)

// FailWrites makes the given step (create, write, sync or close) of every new
// object of s fail with errno.
func FailWrites(s *Disk, step string, errno syscall.Errno) {
	s.newFile = func(dir string) (objectFile, error) {
		if step == "create" {
			return nil, &fs.PathError{Op: "open", Path: dir, Err: errno}
		}
		f, err := atomicfile.Create(dir, 0o444)
		return &failingFile{f, step, errno}, err
	}
}

type failingFile struct {
	*os.File
	step  string
	errno syscall.Errno
}

func (f *failingFile) fail(step string) error {
	if f.step != step {
		return nil
	}
	return &fs.PathError{Op: step, Path: f.Name(), Err: f.errno}
}

func (f *failingFile) Write(p []byte) (int, error) {
	if err := f.fail("write"); err != nil {
		n, _ := f.File.Write(p[:len(p)/2]) // a full disk takes a part
		return n, err
	}
	return f.File.Write(p)
}

func (f *failingFile) Sync() error {
	if err := f.fail("sync"); err != nil {
		return err
	}
	return f.File.Sync()
}

func (f *failingFile) Close() error {
	err := f.File.Close()
	if failed := f.fail("close"); failed != nil {
		return failed
	}
	return err
}
