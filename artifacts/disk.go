package artifacts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"benchmill/internal/atomicfile"
	"benchmill/internal/digest"
	"benchmill/pipeline"
)

// Disk is a [Store] in a local folder:
//
//	store.json          the version of this layout
//	objects/ab/abcd...  one read-only file per object, named by its digest
//	tmp/<process>/      objects being written; see [Disk.RemoveTemp]
//	damaged/            objects whose bytes had changed, for people to look at
//
// Several processes may use one folder at a time, also for writing. A folder
// that cannot be written can still be opened and read. Errors of a full or
// read-only disk are [ErrFull] or [ErrReadOnly] and are marked fatal.
type Disk struct {
	dir  string
	temp tempDirs

	mu       sync.Mutex
	verified map[verifiedKey]*verification

	newFile func(dir string) (objectFile, error) // replaced in tests to fail on purpose
}

// objectFile is what an object writer needs of its file.
type objectFile interface {
	io.WriteCloser
	Name() string
	Sync() error
}

// verifiedKey names bytes that were hashed once: a file that was changed or
// replaced has another time or another inode.
type verifiedKey struct {
	digest  digest.Digest
	size    int64
	modTime time.Time
	inode   uint64
}

type verification struct {
	done chan struct{} // closed when err is set
	err  error
}

var _ Store = (*Disk)(nil)

// OpenStore opens the store in dir and makes it where there is none. A store
// whose layout is newer than this program is [ErrNewer].
func OpenStore(dir string) (*Disk, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", dir, err)
	}
	if err := openLayout(abs); err != nil {
		return nil, fmt.Errorf("open store %s: %w", dir, err)
	}
	return &Disk{
		dir:      abs,
		temp:     tempDirs{root: filepath.Join(abs, "tmp")},
		verified: map[verifiedKey]*verification{},
		newFile: func(dir string) (objectFile, error) {
			f, err := atomicfile.Create(dir, 0o444)
			if err != nil {
				return nil, err // not a typed nil
			}
			return f, nil
		},
	}, nil
}

// Dir is the absolute path of the store's folder.
func (s *Disk) Dir() string { return s.dir }

func (s *Disk) path(d digest.Digest) (string, error) {
	if _, err := digest.Parse(string(d)); err != nil {
		return "", fmt.Errorf("store: %w", err)
	}
	hex := d.Hex()
	return filepath.Join(s.dir, "objects", hex[:2], hex), nil
}

// Create implements [Store]. The object is written to a temporary file of this
// process; it is gone after Discard and after any error of Write or Commit.
func (s *Disk) Create(ctx context.Context) (Writer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	dir, err := s.TempDir()
	if err != nil {
		return nil, err
	}
	f, err := s.newFile(dir)
	if err != nil {
		return nil, s.fail("create an object", err)
	}
	return &diskWriter{store: s, file: f, hash: digest.NewHasher()}, nil
}

// Open implements [Store]. Within one process the same unchanged file is hashed
// once; a change that keeps size, modification time and inode goes unseen.
func (s *Disk) Open(ctx context.Context, d digest.Digest) (Object, error) {
	path, err := s.path(d)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("object %s: %w", d, ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("object %s: %w", d, err)
	}
	info, err := f.Stat()
	if err == nil {
		err = s.verify(ctx, f, info, d)
	}
	if err != nil {
		f.Close()
		if errors.Is(err, ErrDamaged) {
			s.setAside(path, info)
		}
		return nil, fmt.Errorf("object %s: %w", d, err)
	}
	return &diskObject{File: f, size: info.Size()}, nil
}

// verify hashes f unless this process did so before. Callers that come at the
// same time wait for the first.
func (s *Disk) verify(ctx context.Context, f *os.File, info fs.FileInfo, d digest.Digest) error {
	key := verifiedKey{digest: d, size: info.Size(), modTime: info.ModTime(), inode: inodeOf(info)}
	for {
		s.mu.Lock()
		v, known := s.verified[key]
		if !known {
			v = &verification{done: make(chan struct{})}
			s.verified[key] = v
		}
		s.mu.Unlock()
		if !known {
			v.err = checkBytes(ctx, f, d)
			if v.err != nil {
				s.mu.Lock()
				delete(s.verified, key) // a failure is never remembered
				s.mu.Unlock()
			}
			close(v.done)
			return v.err
		}
		select {
		case <-v.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if v.err == nil || errors.Is(v.err, ErrDamaged) {
			return v.err
		}
		// The first caller gave up or could not read; that says nothing here.
	}
}

func checkBytes(ctx context.Context, r io.Reader, d digest.Digest) error {
	got, _, err := digest.OfReader(&contextReader{ctx, r})
	if err != nil {
		return err
	}
	if got != d {
		return fmt.Errorf("%w: its bytes have the digest %s", ErrDamaged, got)
	}
	return nil
}

type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (r *contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// setAside moves a damaged object out of the way, unless somebody replaced it
// meanwhile. Where that fails (a read-only store) the object stays, and stays
// refused, since it never counts as verified.
func (s *Disk) setAside(path string, damaged fs.FileInfo) {
	if now, err := os.Stat(path); err != nil || !os.SameFile(now, damaged) {
		return
	}
	dir := filepath.Join(s.dir, "damaged")
	if os.MkdirAll(dir, 0o755) == nil {
		_ = os.Rename(path, filepath.Join(dir, filepath.Base(path)))
	}
}

// Stat implements [Store].
func (s *Disk) Stat(ctx context.Context, d digest.Digest) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	path, err := s.path(d)
	if err != nil {
		return 0, err
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("object %s: %w", d, ErrNotFound)
	}
	if err != nil {
		return 0, fmt.Errorf("object %s: %w", d, err)
	}
	return info.Size(), nil
}

// Remove implements [Store]. Objects that are open stay readable.
func (s *Disk) Remove(ctx context.Context, d digest.Digest) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	path, err := s.path(d)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s.fail("remove object "+string(d), err)
	}
	return nil
}

// Walk implements [Store]. Objects that come or go meanwhile may be missed;
// yield may remove objects. Files that are not named like objects are passed by.
func (s *Disk) Walk(ctx context.Context, yield func(d digest.Digest, size int64) error) error {
	root := filepath.Join(s.dir, "objects")
	shards, err := readDir(root)
	if err != nil {
		return fmt.Errorf("walk store %s: %w", s.dir, err)
	}
	for _, shard := range shards {
		entries, err := readDir(filepath.Join(root, shard.Name()))
		if err != nil {
			return fmt.Errorf("walk store %s: %w", s.dir, err)
		}
		for _, e := range entries {
			if err := ctx.Err(); err != nil {
				return err
			}
			d, err := digest.Parse("sha256:" + e.Name())
			if err != nil || d.Hex()[:2] != shard.Name() {
				continue
			}
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return fmt.Errorf("walk store %s: %w", s.dir, err)
			}
			if err := yield(d, info.Size()); err != nil {
				return err
			}
		}
	}
	return nil
}

// readDir lists a folder by name; what is not there or no folder is empty.
func readDir(dir string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	return entries, err
}

// fail names the store in an error and classifies it.
func (s *Disk) fail(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("store %s: %s: %w", s.dir, doing, diskError(err))
}

// diskError adds [ErrFull] or [ErrReadOnly] where err means that, and marks it
// as fatal: every other task would fail alike.
func diskError(err error) error {
	switch why := atomicfile.Explain(err); {
	case errors.Is(why, atomicfile.ErrFull), errors.Is(why, atomicfile.ErrQuota):
		return pipeline.Mark(fmt.Errorf("%w: %w", ErrFull, err), pipeline.Fatal)
	case errors.Is(why, atomicfile.ErrReadOnly), errors.Is(why, atomicfile.ErrPermission):
		return pipeline.Mark(fmt.Errorf("%w: %w", ErrReadOnly, err), pipeline.Fatal)
	}
	return err
}

func inodeOf(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ino
	}
	return 0
}

type diskObject struct {
	*os.File
	size int64
}

func (o *diskObject) Size() int64 { return o.size }
