package artifacts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const lockName = "lock"

// tempDirs gives the process a folder of its own under root and finds those of
// processes that are no more. The owner holds a lock (flock) on a file in its
// folder; the system frees it however the process ends.
type tempDirs struct {
	root string

	mu   sync.Mutex
	own  string
	lock *os.File // kept open as long as the process lives
}

// TempDir is a folder for temporary files of this process on the file system of
// the store, made at the first call. It is swept once the process is gone; see
// [Disk.RemoveTemp].
func (s *Disk) TempDir() (string, error) {
	dir, err := s.temp.get()
	return dir, s.fail("make a temporary folder", err)
}

// RemoveTemp removes the temporary files of processes that ended without doing
// so, where they are unchanged for olderThan, and says how many files and bytes
// that were. Files of living processes stay, whatever their age.
func (s *Disk) RemoveTemp(olderThan time.Duration) (files int, bytes int64, err error) {
	files, bytes, err = s.temp.sweep(time.Now().Add(-olderThan))
	return files, bytes, s.fail("remove temporary files", err)
}

// Close removes the temporary folder of this process with all that is in it.
// The store can be used on; a writer that is still open fails.
func (s *Disk) Close() error {
	return s.fail("remove the temporary folder", s.temp.drop())
}

func (t *tempDirs) drop() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.own == "" {
		return nil
	}
	err := errors.Join(os.RemoveAll(t.own), t.lock.Close())
	t.own, t.lock = "", nil
	return err
}

func (t *tempDirs) get() (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.own != "" {
		return t.own, nil
	}
	if err := os.MkdirAll(t.root, 0o755); err != nil {
		return "", err
	}
	for range 1000 {
		dir, err := os.MkdirTemp(t.root, strconv.Itoa(os.Getpid())+"-")
		if err != nil {
			return "", err
		}
		lock, err := lockDir(dir)
		if err != nil {
			return "", err
		}
		if lock != nil {
			t.own, t.lock = dir, lock
			return dir, nil
		}
		// A sweep took the new folder before it was locked.
	}
	return "", errors.New("every new folder was removed before it could be locked")
}

// lockDir takes the lock of a temporary folder without waiting. It returns nil
// and no error where somebody else has it or the folder is gone.
func lockDir(dir string) (*os.File, error) {
	path := filepath.Join(dir, lockName)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = flock(f)
	if errors.Is(err, unix.EWOULDBLOCK) {
		f.Close()
		return nil, nil
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	// The lock counts only while the name still leads to this file: a sweep may
	// have removed the folder between the two calls above.
	mine, err := f.Stat()
	if err == nil {
		var now fs.FileInfo
		if now, err = os.Stat(path); err == nil && os.SameFile(mine, now) {
			return f, nil
		}
	}
	f.Close()
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return nil, err
}

func flock(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

func (t *tempDirs) sweep(before time.Time) (files int, bytes int64, err error) {
	entries, err := readDir(t.root)
	if err != nil {
		return 0, 0, err
	}
	for _, e := range entries {
		n, size, err := sweepDir(filepath.Join(t.root, e.Name()), before)
		files, bytes = files+n, bytes+size
		if err != nil {
			return files, bytes, err
		}
	}
	return files, bytes, nil
}

// sweepDir removes one temporary folder if its owner is gone and nothing in it
// changed since before.
func sweepDir(dir string, before time.Time) (files int, bytes int64, err error) {
	entries, err := readDir(dir)
	if err != nil {
		return 0, 0, err
	}
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, err
	}
	if !info.IsDir() || info.ModTime().After(before) {
		return 0, 0, nil
	}
	for _, e := range entries {
		if e.Name() == lockName {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return 0, 0, nil // its owner is at work
		}
		if err != nil {
			return 0, 0, err
		}
		if info.ModTime().After(before) {
			return 0, 0, nil
		}
		files, bytes = files+1, bytes+info.Size()
	}
	lock, err := lockDir(dir)
	if lock == nil || err != nil {
		return 0, 0, err
	}
	defer lock.Close()
	for _, e := range entries {
		if e.Name() != lockName {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return 0, 0, err
			}
		}
	}
	// The lock goes last, so that a sweep that is killed leaves a folder that
	// the next one recognises.
	if err := os.RemoveAll(dir); err != nil {
		return 0, 0, err
	}
	return files, bytes, nil
}
