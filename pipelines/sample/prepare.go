package sample

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-billy/v5/osfs"
	git "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/rogpeppe/go-internal/lockedfile"

	"benchmill/internal/atomicfile"
)

// layout is the version of what [Prepare] writes around the objects.
//
//	1: a bare repository with one pack and the branch main
const layout = 1

const (
	markerName = "benchmill-sample" // in a repository's folder; says what it was made of
	lockName   = ".prepare.lock"
	tempPrefix = ".prepare-" // not that of the lock
)

var branch = plumbing.NewBranchReferenceName("main")

// Prepare writes every sample repository as a bare git repository to
// dir/owner/name and returns their list, as [Repositories] does. With a mirror
// from [Host] to dir and a slash, the URLs of the list lead there.
//
// A repository that is there already, made of the same commit, is not touched:
// when all are, Prepare writes nothing. An outdated one is replaced. A folder at
// that place that Prepare did not make is an error and stays as it is.
//
// Several processes may prepare the same dir at the same time; one works, the
// others wait. A repository appears whole or not at all. Killed at any instant,
// Prepare may leave temporary files, or nothing where it was about to replace an
// outdated repository; the next call makes that good. Between repositories it
// heeds ctx.
func Prepare(ctx context.Context, dir string) ([]Repository, error) {
	all, err := buildAll(embedded)
	if err != nil {
		return nil, err
	}
	if err := prepare(ctx, dir, all); err != nil {
		return nil, fmt.Errorf("prepare sample: %w", atomicfile.Explain(err))
	}
	return list(all), nil
}

func prepare(ctx context.Context, dir string, all []*built) error {
	if missing, err := outdated(dir, all); err != nil || len(missing) == 0 {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(dir, lockName)).Lock()
	if err != nil {
		return err
	}
	defer unlock()
	if err := sweep(dir); err != nil {
		return err
	}
	missing, err := outdated(dir, all) // another process may have been at work before the lock was ours
	if err != nil {
		return err
	}
	for _, b := range missing {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := b.place(dir); err != nil {
			return fmt.Errorf("%s: %w", b.Repo, err)
		}
	}
	return nil
}

// outdated picks the repositories that have to be written.
func outdated(dir string, all []*built) ([]*built, error) {
	var out []*built
	for _, b := range all {
		target := b.path(dir)
		marker, err := os.ReadFile(filepath.Join(target, markerName))
		switch {
		case err == nil && string(marker) == b.marker():
		case err == nil:
			out = append(out, b)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		default:
			if _, err := os.Lstat(target); err == nil {
				return nil, fmt.Errorf("%s exists and is no sample repository; remove it or prepare the sample elsewhere", target)
			}
			out = append(out, b)
		}
	}
	return out, nil
}

// sweep removes what killed processes left. Whoever calls it holds the lock, so
// none of it is in use.
func sweep(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), tempPrefix) {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *built) path(dir string) string { return filepath.Join(dir, filepath.FromSlash(b.Repo)) }

// marker is what the marker file holds. The commit's id is a digest of all files
// and of the whole recipe that history depends on.
func (b *built) marker() string { return fmt.Sprintf("%d %s\n", layout, b.Commit) }

// place writes the repository aside and moves it to its place.
func (b *built) place(dir string) error {
	temp, err := os.MkdirTemp(dir, tempPrefix+"*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	fresh, old, target := filepath.Join(temp, "new"), filepath.Join(temp, "old"), b.path(dir)
	if err := b.write(fresh); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	if err := os.Rename(target, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, target); err != nil {
		return err
	}
	return atomicfile.SyncDir(filepath.Dir(target))
}

// write makes a bare repository of the objects in a new folder and flushes it.
func (b *built) write(dir string) error {
	s := filesystem.NewStorage(osfs.New(dir), cache.NewObjectLRU(0))
	if _, err := git.InitWithOptions(s, nil, git.InitOptions{DefaultBranch: branch}); err != nil {
		return err
	}
	pack, err := s.PackfileWriter()
	if err != nil {
		return err
	}
	const noDeltas = 0 // they save little on so few versions and cost most of the time
	_, err = packfile.NewEncoder(pack, b.objects, false).Encode(b.ids(), noDeltas)
	if err := errors.Join(err, pack.Close()); err != nil {
		return err
	}
	if err := s.SetReference(plumbing.NewHashReference(branch, plumbing.NewHash(b.Commit))); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, markerName), []byte(b.marker()), 0o644); err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return atomicfile.SyncDir(path) // opens, flushes and closes a file just as well
	})
}
