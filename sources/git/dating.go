package git

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"golang.org/x/sync/errgroup"

	"benchmill/internal/linedates"
	"benchmill/sources/git/lineage"
)

// dating is the finding of dates in one local repository.
type dating struct {
	dates   *Dates
	program string // "": go-git reads
	path    string
	id      plumbing.Hash
}

// dated is a file of the commit, and what there is to say about it.
type dated struct {
	linedates.File
	raw  string // its path as stored
	blob plumbing.Hash
}

// find dates the lines of the file at a path, or of all files for "". Commits in the
// runs are those of the history.
func (j dating) find(ctx context.Context, path string) ([]linedates.File, *lineage.History, error) {
	r, err := j.reader(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer r.close()
	files, err := j.files(ctx, r, path)
	if err != nil {
		return nil, nil, err
	}
	h, err := j.history(ctx, r)
	if err == nil {
		err = j.date(ctx, r, h, files)
	}
	if err != nil {
		return nil, nil, incomplete(err)
	}
	out := make([]linedates.File, len(files))
	for i, f := range files {
		out[i] = f.File
	}
	return out, h, nil
}

var errFound = errors.New("found")

// files lists the files of the commit that are no links, or the one at a path.
func (j dating) files(ctx context.Context, r objectReader, path string) ([]dated, error) {
	raw, err := r.Read(j.id, plumbing.CommitObject)
	if err != nil {
		return nil, err
	}
	c, err := parseCommit(raw)
	if err != nil {
		return nil, err
	}
	var out []dated
	read := func(id plumbing.Hash, kind plumbing.ObjectType, _ int64) ([]byte, error) { return r.Read(id, kind) }
	w := &treeWalk{read: read, limits: j.dates.o.Limits, only: path, skip: func(place, string) error { return nil }}
	w.visit = func(e treeEntry, at place) error {
		if e.mode&modeType != modeFile || path != "" && path != at.shown {
			return nil
		}
		out = append(out, dated{File: linedates.File{Path: at.shown}, raw: at.raw, blob: e.id})
		if path != "" {
			return errFound
		}
		return nil
	}
	if err := w.folder(ctx, c.tree, place{}); err != nil && err != errFound {
		return nil, err
	}
	return out, nil
}

// history reads the history of the commit, or takes the one that was read before.
func (j dating) history(ctx context.Context, r objectReader) (*lineage.History, error) {
	read := func() (*lineage.History, error) {
		return lineage.Read(ctx, r, j.id, !j.dates.blame, parseLineage)
	}
	if !j.dates.blame {
		return read()
	}
	return j.dates.histories.get(ctx, j.path+"@"+j.id.String(), read)
}

// date finds the commits of the files' lines, several files at a time.
func (j dating) date(ctx context.Context, r objectReader, h *lineage.History, files []dated) error {
	if len(files) == 1 {
		w := h.NewWalker(r)
		w.Partial = j.dates.partial
		return files[0].date(ctx, w, r)
	}
	g, ctx := errgroup.WithContext(ctx)
	next := make(chan *dated)
	g.Go(func() error {
		defer close(next)
		for i := range files {
			select {
			case next <- &files[i]:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range min(len(files), runtime.GOMAXPROCS(0)) {
		g.Go(func() error {
			r, err := j.reader(ctx)
			if err != nil {
				return err
			}
			defer r.close()
			w := h.NewWalker(r)
			w.Partial = j.dates.partial
			for f := range next {
				if err := f.date(ctx, w, r); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}

func (f *dated) date(ctx context.Context, w *lineage.Walker, r objectReader) error {
	content, err := r.Read(f.blob, plumbing.BlobObject)
	switch {
	case errors.Is(err, lineage.ErrTooLarge):
		f.Kind = linedates.Oversized
		return nil
	case w.Partial && errors.Is(err, lineage.ErrMissing):
		f.Kind = linedates.Missing
		return nil
	case err != nil:
		return named(place{shown: f.Path}, err)
	case lineage.IsBinary(content):
		f.Kind = linedates.Binary
		return nil
	}
	f.Kind = linedates.Text
	runs, err := w.Lines(ctx, f.raw, f.blob, content)
	if w.Partial && errors.Is(err, lineage.ErrMissing) {
		f.Kind = linedates.Missing
		return nil
	}
	if err != nil {
		return err
	}
	for _, run := range runs {
		f.Runs = append(f.Runs, linedates.Run{Lines: run.Lines, Commit: run.Commit})
	}
	return nil
}

// number lists the commits that the runs name, ascending by id, and renames them.
func number(files []linedates.File, h *lineage.History) ([]linedates.Commit, []linedates.File) {
	var commits []linedates.Commit
	var old []int
	seen := map[int]int{} // by the number in the history; then the new one
	for _, f := range files {
		for _, r := range f.Runs {
			if _, ok := seen[r.Commit]; !ok {
				seen[r.Commit] = 0
				old = append(old, r.Commit)
			}
		}
	}
	slices.SortFunc(old, func(a, b int) int {
		x, _ := h.Commit(a)
		y, _ := h.Commit(b)
		return strings.Compare(x.String(), y.String())
	})
	for i, n := range old {
		id, at := h.Commit(n)
		seen[n] = i
		commits = append(commits, linedates.Commit{ID: id.String(), Time: time.Unix(at, 0).UTC()})
	}
	for _, f := range files {
		for i := range f.Runs {
			f.Runs[i].Commit = seen[f.Runs[i].Commit]
		}
	}
	return commits, files
}

const keptHistories = 4

// histories keeps the histories that were used last; one that several ask for is
// read once.
type histories struct {
	mu   sync.Mutex
	kept []*kept // the one used last comes last
}

type kept struct {
	key     string
	mu      sync.Mutex // held while it is read
	history *lineage.History
}

func (h *histories) get(ctx context.Context, key string, read func() (*lineage.History, error)) (*lineage.History, error) {
	k := h.use(key)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.history != nil || ctx.Err() != nil {
		return k.history, ctx.Err()
	}
	var err error
	k.history, err = read()
	return k.history, err
}

func (h *histories) use(key string) *kept {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.IndexFunc(h.kept, func(k *kept) bool { return k.key == key })
	k := &kept{key: key}
	if i >= 0 {
		k = h.kept[i]
		h.kept = slices.Delete(h.kept, i, i+1)
	} else if len(h.kept) == keptHistories {
		h.kept = slices.Delete(h.kept, 0, 1)
	}
	h.kept = append(h.kept, k)
	return k
}
