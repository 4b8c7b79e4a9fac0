package lineage

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// Commit is what history knows of a commit object.
type Commit struct {
	Tree    plumbing.Hash
	Parents []plumbing.Hash
	Time    int64 // of the committer, seconds since 1970
}

// History is the commits that lead to one, with what each changed. It does not
// change, and is safe for concurrent use.
//
// Commits are numbered along chains: from a commit by first parents back to one that
// is numbered already, or to a root. The next older commit of a chain has the next
// number.
type History struct {
	commits []node
	chains  []chain
	changes map[string][]touch // by path, ascending by number
	gone    map[int32]departed // against first parents
	pieces  cache
}

// node is one commit. Parents are numbers.
type node struct {
	id      plumbing.Hash
	tree    plumbing.Hash
	parents []int32
	time    int64
	chain   int32
	height  int32 // above every parent's
}

// chain is the numbers of its commits, from first up to end. Before leads on: the
// number of its last commit's first parent, or -1.
type chain struct{ first, end, before int32 }

// touch is a commit that changes a path against its first parent.
type touch struct {
	commit   int32
	old, new entry
}

// Read reads the history of a commit: all of it, or the mainline only, which follows
// first parents. parse reads a commit object.
func Read(ctx context.Context, store Store, id plumbing.Hash, mainline bool, parse func([]byte) (Commit, error)) (*History, error) {
	r := &reader{
		store: store, mainline: mainline, parse: parse, numbers: map[plumbing.Hash]int32{}, trees: &trees{store: store},
		history: &History{changes: map[string][]touch{}, gone: map[int32]departed{}},
	}
	if err := r.read(ctx, id); err != nil {
		return nil, err
	}
	r.history.setHeights()
	for _, touches := range r.history.changes {
		slices.SortFunc(touches, func(a, b touch) int { return int(a.commit - b.commit) })
	}
	return r.history, nil
}

type reader struct {
	store    Store
	mainline bool
	parse    func([]byte) (Commit, error)
	numbers  map[plumbing.Hash]int32
	parents  [][]plumbing.Hash // by number
	trees    *trees
	changes  int
	history  *History
}

// MaxChanges is how many changed files a history may have, over all commits; more are
// an error.
const MaxChanges = 32_000_000

func (r *reader) read(ctx context.Context, id plumbing.Hash) error {
	if err := r.chain(ctx, id); err != nil {
		return err
	}
	h := r.history
	// New chains join the end while they are looked at.
	for n := 0; n < len(h.commits); n++ {
		for _, p := range r.parents[n] {
			if _, known := r.numbers[p]; !known {
				if err := r.chain(ctx, p); err != nil {
					return err
				}
			}
			h.commits[n].parents = append(h.commits[n].parents, r.numbers[p])
		}
	}
	for i := range h.chains {
		c := &h.chains[i]
		if err := r.compare(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// chain numbers a commit and its first parents.
func (r *reader) chain(ctx context.Context, id plumbing.Hash) error {
	h := r.history
	c := chain{first: int32(len(h.commits)), before: -1}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		raw, err := r.store.Read(id, plumbing.CommitObject)
		if err != nil {
			return err
		}
		parsed, err := r.parse(raw)
		if err != nil {
			return fmt.Errorf("commit %s: %w", id, err)
		}
		parents := parsed.Parents
		if r.mainline && len(parents) > 1 {
			parents = parents[:1]
		}
		r.numbers[id] = int32(len(h.commits))
		r.parents = append(r.parents, parents)
		h.commits = append(h.commits, node{id: id, tree: parsed.Tree, time: parsed.Time, chain: int32(len(h.chains))})
		if len(parents) == 0 {
			break
		}
		if n, known := r.numbers[parents[0]]; known {
			c.before = n
			break
		}
		id = parents[0]
	}
	c.end = int32(len(h.commits))
	h.chains = append(h.chains, c)
	return nil
}

// compare finds what the commits of a chain changed.
func (r *reader) compare(ctx context.Context, c *chain) error {
	h := r.history
	for n := c.first; n < c.end; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		parent := h.firstParent(n)
		if parent < 0 {
			break // a root has made all it has
		}
		var d departed
		err := r.trees.diff(h.commits[parent].tree, h.commits[n].tree, func(c change) {
			h.changes[c.path] = append(h.changes[c.path], touch{n, c.old, c.new})
			d.add(c)
			r.changes++
		})
		if err == nil && r.changes > MaxChanges {
			err = fmt.Errorf("history changes more than %d files", MaxChanges)
		}
		if err != nil {
			return fmt.Errorf("commit %s: %w", h.commits[n].id, err)
		}
		if len(d.gone) > 0 {
			h.gone[n] = d
		}
	}
	return nil
}

// firstParent is -1 for a root.
func (h *History) firstParent(n int32) int32 {
	if p := h.commits[n].parents; len(p) > 0 {
		return p[0]
	}
	return -1
}

// setHeights gives each commit a height above those of its parents.
func (h *History) setHeights() {
	waiting := make([]int32, len(h.commits)) // children without a height, until it is their turn
	for i := range h.commits {
		for _, p := range h.commits[i].parents {
			waiting[p]++
		}
	}
	// Children first; then heights are given in the reverse of that order.
	order := make([]int32, 0, len(h.commits))
	for i := range h.commits {
		if waiting[i] == 0 {
			order = append(order, int32(i))
		}
	}
	for k := 0; k < len(order); k++ {
		for _, p := range h.commits[order[k]].parents {
			if waiting[p]--; waiting[p] == 0 {
				order = append(order, p)
			}
		}
	}
	for _, n := range slices.Backward(order) {
		c := &h.commits[n]
		for _, p := range c.parents {
			c.height = max(c.height, h.commits[p].height+1)
		}
	}
}

// lastTouch follows a path back by first parents, from commit n on, to the first
// commit that changes it; where none does, to the root, without a change.
func (h *History) lastTouch(n int32, path string) (touch, bool) {
	touches := h.changes[path]
	for {
		c := h.chains[h.commits[n].chain]
		i, _ := slices.BinarySearchFunc(touches, n, func(t touch, n int32) int { return int(t.commit - n) })
		if i < len(touches) && touches[i].commit < c.end {
			return touches[i], true
		}
		if c.before < 0 {
			return touch{commit: c.end - 1}, false
		}
		n = c.before
	}
}
