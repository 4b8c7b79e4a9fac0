// Package atomicfile replaces small files so that a reader sees the old bytes
// or the new ones and never a part of either, even after a power cut.
//
// Bytes go to a temporary file, are flushed to the disk, and take the name by a
// rename; then the folder itself is flushed. A process killed on the way leaves
// a file whose name starts with [TempPrefix] and nothing else.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// TempPrefix starts the name of every temporary file of this package.
const TempPrefix = ".tmp-"

// Reasons why a disk refuses to be written; test with errors.Is. They say what
// to do about it in words, where the system's own text does not.
var (
	ErrFull       = errors.New("no space left on the disk")
	ErrQuota      = errors.New("the disk quota of this user is used up")
	ErrReadOnly   = errors.New("the file system is mounted read-only")
	ErrPermission = errors.New("no permission to write here")
)

// Write gives path the content data. The temporary file lies beside path, in a
// folder that is made where it is missing. The mode of a new file is perm less
// the umask, also where a file is replaced.
func Write(path string, data []byte, perm fs.FileMode) error {
	return WriteVia(filepath.Dir(path), path, data, perm)
}

// WriteVia is [Write] with the temporary file in the folder tempDir, which must
// be on the same file system as path: a place that is swept of leftovers.
//
// The folder of path is made where it is missing.
func WriteVia(tempDir, path string, data []byte, perm fs.FileMode) (err error) {
	if err := MkdirAll(filepath.Dir(path)); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	f, err := Create(tempDir, perm)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = fmt.Errorf("write %s: %w", path, Explain(err))
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return Publish(f, path)
}

// Create opens a new, empty temporary file for writing in dir.
func Create(dir string, perm fs.FileMode) (*os.File, error) {
	for range 1000 {
		name := TempPrefix + strconv.FormatUint(rand.Uint64(), 36)
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		return f, Explain(err)
	}
	return nil, fmt.Errorf("create a temporary file in %s: every name tried is taken", dir)
}

// Publish flushes and closes f and moves it to path, replacing what is there.
// After an error the temporary file may still exist under its own name.
func Publish(f *os.File, path string) error {
	if err := f.Sync(); err != nil {
		return Explain(err)
	}
	if err := f.Close(); err != nil {
		return Explain(err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return Explain(err)
	}
	return SyncDir(filepath.Dir(path))
}

// MkdirAll makes a folder and those above it where they are missing, and flushes
// the folder above each one it made: a file is only as lasting as its folder.
func MkdirAll(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && info.IsDir() {
		return nil
	}
	if err == nil {
		return fmt.Errorf("make folder %s: a file is in its place", dir)
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := MkdirAll(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return Explain(err)
	}
	return SyncDir(parent)
}

// SyncDir flushes a folder, so that the names in it survive a power cut.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return Explain(err)
	}
	defer d.Close()
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil // some network file systems cannot flush a folder; there is nothing better to do
	}
	return Explain(err)
}

// Explain adds [ErrFull], [ErrQuota], [ErrReadOnly] or [ErrPermission] to an
// error of the system that means it, and returns any other error as it is.
func Explain(err error) error {
	var reason error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC):
		reason = ErrFull
	case errors.Is(err, syscall.EDQUOT):
		reason = ErrQuota
	case errors.Is(err, syscall.EROFS):
		reason = ErrReadOnly
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		reason = ErrPermission
	}
	if reason == nil || errors.Is(err, reason) {
		return err
	}
	return fmt.Errorf("%w: %w", reason, err)
}
