package artifacts

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"benchmill/internal/atomicfile"
	"benchmill/internal/digest"
)

var (
	errDiscarded = errors.New("object was discarded")
	errCommitted = errors.New("object is committed already")
)

// diskWriter writes one object. After its end (Commit, Discard or an error) end
// says what later calls return.
type diskWriter struct {
	store *Disk
	file  objectFile
	hash  *digest.Hasher
	size  int64

	done      bool
	end       error         // why it ended, or nil after Commit
	committed digest.Digest // set by Commit
}

// Write implements [Writer].
func (w *diskWriter) Write(p []byte) (int, error) {
	if w.done {
		if w.end == nil {
			return 0, errCommitted
		}
		return 0, w.end
	}
	n, err := w.file.Write(p)
	w.hash.Write(p[:n])
	w.size += int64(n)
	if err != nil {
		return n, w.abort(err)
	}
	return n, nil
}

// Commit implements [Writer]. A second call returns what the first one did.
func (w *diskWriter) Commit() (digest.Digest, error) {
	if w.done {
		return w.committed, w.end
	}
	d := w.hash.Digest()
	path, err := w.store.path(d)
	if err != nil {
		return "", w.abort(err)
	}
	if err := w.publish(path); err != nil {
		return "", w.abort(err)
	}
	w.done, w.committed = true, d
	return d, nil
}

func (w *diskWriter) publish(path string) error {
	shard := filepath.Dir(path)
	if info, err := os.Stat(path); err == nil && info.Size() == w.size {
		if err := w.remove(); err != nil {
			return err
		}
		// Whoever wrote it may not have come to this yet.
		return atomicfile.SyncDir(shard)
	}
	if err := w.file.Sync(); err != nil {
		return err
	}
	if err := w.file.Close(); err != nil {
		return err
	}
	if err := atomicfile.MkdirAll(shard); err != nil {
		return err
	}
	if err := os.Rename(w.file.Name(), path); err != nil {
		return err
	}
	return atomicfile.SyncDir(shard)
}

// Discard implements [Writer].
func (w *diskWriter) Discard() error {
	if w.done {
		return nil
	}
	w.done, w.end = true, errDiscarded
	return w.store.fail("discard an object", w.remove())
}

// abort drops the object for good because of err.
func (w *diskWriter) abort(err error) error {
	w.done, w.end = true, w.store.fail("write an object", err)
	_ = w.remove() // the first error is the one to tell
	return w.end
}

func (w *diskWriter) remove() error {
	w.file.Close()
	if err := os.Remove(w.file.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
