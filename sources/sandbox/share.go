package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"

	"benchmill/internal/digest"
	"benchmill/pipeline"
)

// Most folders that are kept for the jobs to come, their bytes together, and the
// files and folders in one.
const (
	maxShelf        = 8
	maxShelfBytes   = 8 << 30
	maxShelfEntries = 1 << 19
)

// shelf keeps folders as they are after shared steps, under the digest of all that
// made them. The one that was not used for longest goes first. It is safe for
// concurrent use.
type shelf struct {
	mu    sync.Mutex
	dir   string // made when first needed
	made  int
	kept  map[digest.Digest]*kept
	clock int64
}

// kept is a folder on the shelf, or one that is about to be.
type kept struct {
	done  chan struct{} // closed once it is known whether there is one
	dir   string        // "": there is none
	never bool          // it cannot be copied: everyone makes their own
	out   pipeline.Outcome
	used  pipeline.Usage
	bytes int64
	users int
	last  int64
}

// share makes the folder as it is after shared steps: it copies the one on the
// shelf, or waits for whoever is making it, or makes it and puts a copy there. What
// comes of it is what comes of running the steps, and the time they took counts.
func (r *run) share(ctx context.Context, steps []pipeline.JobStep) (pipeline.Outcome, error) {
	e := digest.New("benchmill/sandbox/shared/1")
	if err := e.Value(r.prefix(steps)); err != nil {
		return pipeline.Outcome{}, err
	}
	key, shelf := e.Sum(), &r.box.shared
	for {
		k, mine := shelf.claim(key)
		if mine {
			return r.make(ctx, key, k, steps)
		}
		select {
		case <-ctx.Done():
			shelf.release(k)
			return pipeline.Outcome{}, ctx.Err()
		case <-k.done:
		}
		if k.never {
			shelf.release(k)
			return r.alone(ctx, steps)
		}
		if k.dir != "" {
			defer shelf.release(k)
			r.used = k.used
			_, err := copyTree(k.dir, r.folder.work(), r.folder.user, maxShelfBytes, maxShelfEntries)
			return r.room(k.out, err)
		}
		shelf.release(k) // it came to nothing: the next one tries
	}
}

// alone runs shared steps after what is shared before them.
func (r *run) alone(ctx context.Context, steps []pipeline.JobStep) (pipeline.Outcome, error) {
	last := len(steps) - 1
	out, done, err := r.begin(ctx, append(append([]pipeline.JobStep{}, steps[:last]...), unshared(steps[last])))
	if err != nil || failed(out) {
		return out, err
	}
	return r.steps(ctx, out, steps[done:])
}

func unshared(s pipeline.JobStep) pipeline.JobStep { s.Shared = false; return s }

// make runs shared steps and puts a copy of the folder on the shelf.
func (r *run) make(ctx context.Context, key digest.Digest, k *kept, steps []pipeline.JobStep) (pipeline.Outcome, error) {
	defer r.box.shared.release(k)
	defer close(k.done)
	out, err := r.alone(ctx, steps)
	if err == nil && !failed(out) {
		k.out, k.used = out, r.used
		err = r.box.keep(k, r.folder.work())
		if errors.Is(err, errNoCopy) || errors.Is(err, syscall.ENOSPC) {
			k.never, err = true, nil
		}
	}
	if k.dir == "" && !k.never {
		r.box.shared.forget(key)
	}
	return out, err
}

// keep puts a copy of a folder on the shelf.
func (b *Box) keep(k *kept, work string) error {
	dir, err := b.shared.place(func() (string, error) { return b.makeDir("shared-") })
	if err != nil {
		return err
	}
	bytes, err := copyTree(work, dir, -1, maxShelfBytes, maxShelfEntries)
	if err != nil {
		return errors.Join(err, removeAll(dir))
	}
	b.shared.mu.Lock()
	k.dir, k.bytes = dir, bytes
	b.shared.mu.Unlock()
	return b.shared.tidy()
}

// claim finds a folder, or makes who asks the one to make it. It must be released.
func (s *shelf) claim(key digest.Digest) (k *kept, mine bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = map[digest.Digest]*kept{}
	}
	k = s.kept[key]
	if mine = k == nil; mine {
		k = &kept{done: make(chan struct{})}
		s.kept[key] = k
	}
	s.clock++
	k.users, k.last = k.users+1, s.clock
	return k, mine
}

func (s *shelf) release(k *kept) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k.users--
}

func (s *shelf) forget(key digest.Digest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.kept, key)
}

// place makes an empty folder on the shelf.
func (s *shelf) place(root func() (string, error)) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir == "" {
		dir, err := root()
		if err != nil {
			return "", err
		}
		s.dir = dir
	}
	s.made++
	dir := filepath.Join(s.dir, strconv.Itoa(s.made))
	return dir, os.Mkdir(dir, 0o700)
}

// tidy removes the folders that are too many, but none that is in use.
func (s *shelf) tidy() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		var bytes int64
		var oldest digest.Digest
		for key, k := range s.kept {
			bytes += k.bytes
			if k.users == 0 && (oldest == "" || k.last < s.kept[oldest].last) {
				oldest = key
			}
		}
		if oldest == "" || len(s.kept) <= maxShelf && bytes <= maxShelfBytes {
			return nil
		}
		if dir := s.kept[oldest].dir; dir != "" {
			if err := removeAll(dir); err != nil {
				return err
			}
		}
		delete(s.kept, oldest)
	}
}

func (s *shelf) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	dir := s.dir
	s.dir, s.kept = "", nil
	if dir == "" {
		return nil
	}
	return removeAll(dir)
}
