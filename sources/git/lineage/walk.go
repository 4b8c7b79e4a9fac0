package lineage

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/go-git/go-git/v5/plumbing"

	"benchmill/sources/git/linediff"
)

// Run is lines in a row that one commit made.
type Run struct {
	Lines  int
	Commit int // see [History.Commit]
}

// Commit returns the id and the time of a commit of a [Run]: of its committer, in
// seconds since 1970.
func (h *History) Commit(n int) (plumbing.Hash, int64) {
	return h.commits[n].id, h.commits[n].time
}

// Walker finds the origins of files of one history. It is not safe for concurrent
// use; several may work on one history.
type Walker struct {
	// Partial says that contents may be missing: they are then no origin of a renamed
	// file. Where a version is missing, the answer is an error all the same.
	Partial bool

	history *History
	store   Store
	trees   *trees
	shared  *cache
	recent  [contents]struct {
		id      plumbing.Hash
		content []byte
		text    *linediff.Text // where it was asked for
	}
	oldest int
}

const contents = 4 // that a walker keeps: versions of one file follow each other

// NewWalker returns a walker that reads from a store of its own.
func (h *History) NewWalker(store Store) *Walker {
	return &Walker{history: h, store: store, trees: &trees{store: store}, shared: &h.pieces}
}

// content reads a file.
func (w *Walker) content(id plumbing.Hash) ([]byte, error) {
	i, err := w.load(id)
	if err != nil {
		return nil, err
	}
	return w.recent[i].content, nil
}

// text reads a file and cuts it into lines.
func (w *Walker) text(id plumbing.Hash) (*linediff.Text, error) {
	i, err := w.load(id)
	if err != nil {
		return nil, err
	}
	r := &w.recent[i]
	if r.text == nil {
		r.text = linediff.NewText(r.content)
	}
	return r.text, nil
}

// load reads a file into recent, unless it is there.
func (w *Walker) load(id plumbing.Hash) (int, error) {
	for i := range w.recent {
		if w.recent[i].content != nil && w.recent[i].id == id {
			return i, nil
		}
	}
	content, err := w.store.Read(id, plumbing.BlobObject)
	if err != nil {
		return 0, err
	}
	i := w.oldest
	w.oldest = (i + 1) % contents
	w.recent[i].id, w.recent[i].content, w.recent[i].text = id, content, nil
	return i, nil
}

// span is lines of the file that is asked about, from line final on, which stand in
// some version of it from line at on.
type span struct{ final, at, lines int32 }

// version is a file as a commit made it, with the lines that came from there or
// before.
type version struct {
	commit int32
	path   string
	id     plumbing.Hash
	touch  touch
	lines  []span
}

// Lines finds the commit of every line of a file of the history's first commit.
// content is the file's.
func (w *Walker) Lines(ctx context.Context, path string, id plumbing.Hash, content []byte) ([]Run, error) {
	n := linediff.Lines(content)
	if n == 0 {
		return nil, nil
	}
	q := &queue{walker: w, known: map[place]*version{}, made: make([]int32, n)}
	q.pass(0, path, id, []span{{0, 0, int32(n)}})
	for len(q.waiting) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v := heap.Pop(q).(*version)
		delete(q.known, place{v.commit, v.path})
		if err := q.ask(v); err != nil {
			return nil, fmt.Errorf("%q at %s: %w", v.path, w.history.commits[v.commit].id, err)
		}
	}
	var runs []Run
	for _, c := range q.made {
		if k := len(runs) - 1; k >= 0 && runs[k].Commit == int(c) {
			runs[k].Lines++
		} else {
			runs = append(runs, Run{1, int(c)})
		}
	}
	return runs, nil
}

type place struct {
	commit int32
	path   string
}

// queue holds the versions that have lines to be passed on, those first that no
// other one can pass lines to.
type queue struct {
	walker  *Walker
	waiting []*version
	known   map[place]*version
	made    []int32 // the answer, by line
}

func (q *queue) Len() int { return len(q.waiting) }
func (q *queue) Less(i, j int) bool {
	return q.height(i) > q.height(j) || q.height(i) == q.height(j) && q.waiting[i].commit < q.waiting[j].commit
}
func (q *queue) Swap(i, j int)    { q.waiting[i], q.waiting[j] = q.waiting[j], q.waiting[i] }
func (q *queue) Push(x any)       { q.waiting = append(q.waiting, x.(*version)) }
func (q *queue) height(i int) int { return int(q.walker.history.commits[q.waiting[i].commit].height) }

func (q *queue) Pop() any {
	last := len(q.waiting) - 1
	v := q.waiting[last]
	q.waiting = q.waiting[:last]
	return v
}

// pass gives lines to a file of a commit, or rather to the commit before it that made
// the file so.
func (q *queue) pass(commit int32, path string, id plumbing.Hash, lines []span) {
	t, ok := q.walker.history.lastTouch(commit, path)
	if !ok { // a root
		q.make(t.commit, lines)
		return
	}
	at := place{t.commit, path}
	if v := q.known[at]; v != nil {
		v.lines = append(v.lines, lines...)
		return
	}
	v := &version{commit: t.commit, path: path, id: id, touch: t, lines: lines}
	q.known[at] = v
	heap.Push(q, v)
}

// make says that a commit made lines.
func (q *queue) make(commit int32, lines []span) {
	for _, s := range lines {
		for i := range s.lines {
			q.made[s.final+i] = commit
		}
	}
}

// ask asks the parents of the commit that made a version for its lines.
func (q *queue) ask(v *version) error {
	parents := q.walker.history.commits[v.commit].parents
	origins, whole, err := q.walker.origins(v, parents)
	if err != nil {
		return err
	}
	if whole >= 0 {
		q.pass(parents[whole], origins[whole].path, v.id, v.lines)
		return nil
	}
	slices.SortFunc(v.lines, func(a, b span) int { return int(a.at - b.at) })
	lines := v.lines
	var asked []plumbing.Hash
	for i, o := range origins {
		if len(lines) == 0 {
			break
		}
		if o.id.IsZero() || slices.Contains(asked, o.id) {
			continue
		}
		asked = append(asked, o.id)
		blocks, err := q.walker.blocks(o.id, v.id)
		if err != nil {
			return err
		}
		theirs, rest := split(lines, blocks)
		if lines = rest; len(theirs) > 0 {
			q.pass(parents[i], o.path, o.id, theirs)
		}
	}
	q.make(v.commit, lines)
	return nil
}

// origins is the file of each parent that a version may come from, without an id
// where there is none, and which of them is the same file, or -1.
func (w *Walker) origins(v *version, parents []int32) (out []origin, whole int, err error) {
	out = make([]origin, len(parents))
	missing := make([]bool, len(parents))
	for i, p := range parents {
		found := v.touch.old
		if i > 0 {
			if found, err = w.trees.find(w.history.commits[p].tree, v.path); err != nil {
				return nil, -1, err
			}
		}
		switch found.kind {
		case nothing:
			missing[i] = true
		case file:
			out[i] = origin{v.path, found.id}
		}
		if out[i].id == v.id {
			return out, i, nil
		}
	}
	for i := range parents {
		if !missing[i] {
			continue
		}
		d, err := w.departed(v.commit, i)
		if err != nil {
			return nil, -1, err
		}
		o, ok, err := w.renamed(v.path, v.id, d)
		if err != nil {
			return nil, -1, err
		}
		if ok {
			out[i] = o
		}
		if out[i].id == v.id {
			return out, i, nil
		}
	}
	return out, -1, nil
}

// departed is what a commit lacks of its i-th parent.
func (w *Walker) departed(commit int32, i int) (d departed, err error) {
	h := w.history
	if i == 0 {
		return h.gone[commit], nil
	}
	err = w.trees.diff(h.commits[h.commits[commit].parents[i]].tree, h.commits[commit].tree, d.add)
	return d, err
}

// blocks compares two contents. One that is too large shares no line.
func (w *Walker) blocks(old, new plumbing.Hash) ([]linediff.Block, error) {
	a, err := w.text(old)
	if err == nil {
		var b *linediff.Text
		if b, err = w.text(new); err == nil {
			return linediff.Blocks(a, b), nil
		}
	}
	if errors.Is(err, ErrTooLarge) {
		err = nil
	}
	return nil, err
}

// split parts lines of a new version, ascending, into those that blocks have, as they
// stand in the old one, and the rest.
func split(lines []span, blocks []linediff.Block) (theirs, rest []span) {
	for _, s := range lines {
		// The first block that ends behind the beginning of the lines.
		k := sort.Search(len(blocks), func(k int) bool { return blocks[k].New+blocks[k].Lines > int(s.at) })
		for ; k < len(blocks) && s.lines > 0; k++ {
			b := blocks[k]
			if before := min(int32(b.New)-s.at, s.lines); before > 0 {
				rest = append(rest, span{s.final, s.at, before})
				s = span{s.final + before, s.at + before, s.lines - before}
			}
			inside := min(int32(b.New+b.Lines)-s.at, s.lines)
			if inside > 0 {
				theirs = append(theirs, span{s.final, s.at + int32(b.Old-b.New), inside})
				s = span{s.final + inside, s.at + inside, s.lines - inside}
			}
		}
		if s.lines > 0 {
			rest = append(rest, s)
		}
	}
	return theirs, rest
}
