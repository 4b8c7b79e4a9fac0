package git

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// keptRefs are the references of a mirror that keep fetched commits.
const keptRefs = "refs/benchmill/"

// whole returns the path of a repository with a commit and its history, to be read
// until done is called. Errors are marked.
func (d *Dates) whole(ctx context.Context, loc location, id plumbing.Hash) (path string, done func(), err error) {
	done = func() {}
	if loc.local() {
		return loc.path, done, nil
	}
	tr := new(trace)
	f := &fetcher{source: d.Source, trace: tr, loc: loc, id: id}
	if d.o.HistoryDir != "" {
		f.dir = filepath.Join(d.o.HistoryDir, mirrorName(loc.url))
		f.mirror = f.dir
		unlock := d.fetching.lock(f.dir)
		defer unlock()
		if err := os.MkdirAll(f.dir, 0o755); err != nil {
			return "", nil, fail(ctx, loc, "history", nil, fatalError{err})
		}
		if f.path = f.dir; f.arrived() == nil {
			return f.path, done, nil
		}
	} else {
		if f.dir, err = os.MkdirTemp(d.o.TempDir, "benchmill-git-"); err != nil {
			return "", nil, fail(ctx, loc, "history", nil, fatalError{err})
		}
		// What cannot be removed is left to the system: the dates were found.
		done = func() { _ = os.RemoveAll(f.dir) }
	}
	if err := bounded(withTrace(ctx, tr), f.dir, d.o.Limits.MaxFetchBytes, f.run); err != nil {
		done()
		return "", nil, fail(ctx, loc, "fetch the history of "+id.String(), tr, err)
	}
	return f.path, done, nil
}

// mirrorName is the folder of a URL's mirror.
func mirrorName(url string) string {
	sum := sha256.Sum256([]byte(url))
	return hex.EncodeToString(sum[:16]) + ".git"
}

// locks lets one at a time work on a name.
type locks struct {
	mu    sync.Mutex
	names map[string]*sync.Mutex
}

func (l *locks) lock(name string) (unlock func()) {
	l.mu.Lock()
	if l.names == nil {
		l.names = map[string]*sync.Mutex{}
	}
	m := l.names[name]
	if m == nil {
		m = new(sync.Mutex)
		l.names[name] = m
	}
	l.mu.Unlock()
	m.Lock()
	return m.Unlock
}
