package lineage

import (
	"errors"
	"path"
	"slices"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// MaxPairs is how many pairs of a new file and one that is gone one commit may have
// for their contents to be compared.
const MaxPairs = 1 << 24

// departed is what a commit lacks of one parent, in the order of trees, and how many
// files it has that the parent lacks.
type departed struct {
	gone    []change
	created int
}

func (d *departed) add(c change) {
	switch {
	case c.new.kind == nothing:
		d.gone = append(d.gone, c)
	case c.old.kind == nothing:
		d.created++
	}
}

// origin is a file of a parent.
type origin struct {
	path string
	id   plumbing.Hash
}

// renamed finds what a file was called in a parent that has nothing at its path.
func (w *Walker) renamed(to string, id plumbing.Hash, d departed) (origin, bool, error) {
	if o, ok := sameContent(to, id, d.gone); ok || len(d.gone) == 0 || len(d.gone)*d.created > MaxPairs {
		return o, ok, nil
	}
	if i := onlyOfName(to, d.gone); i >= 0 {
		score, err := w.score(d.gone[i].old, id, nameScore)
		if err != nil || score >= nameScore {
			return origin{d.gone[i].path, d.gone[i].old.id}, err == nil, err
		}
	}
	return w.mostAlike(to, id, d.gone)
}

// identicalMost is how many candidates with the same content are looked at.
const identicalMost = 102

func sameContent(to string, id plumbing.Hash, gone []change) (out origin, ok bool) {
	seen := 0
	for _, c := range gone {
		if c.old.id != id || c.old.kind != file {
			continue
		}
		same := path.Base(c.path) == path.Base(to)
		if !ok || same {
			out, ok = origin{c.path, id}, true
		}
		if seen++; same || seen == identicalMost {
			break
		}
	}
	return out, ok
}

// onlyOfName is the candidate with the same last name as a path, if there is one and
// only one; else -1. Links and submodules count.
func onlyOfName(to string, gone []change) int {
	found := -1
	for i, c := range gone {
		if path.Base(c.path) != path.Base(to) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

type rated struct {
	change
	score    int
	sameName bool
}

// better orders candidates, best first.
func better(a, b rated) int {
	switch {
	case a.score != b.score:
		return b.score - a.score
	case a.sameName == b.sameName:
		return 0
	case a.sameName:
		return -1
	}
	return 1
}

const shortlist = 4 // candidates that are kept while all are looked at

// mostAlike compares a file with all candidates. Of equals the answer is that which
// stands first in the short list, where a newcomer takes the place of the worst: git's
// way, which is not always the first in the order of trees.
func (w *Walker) mostAlike(to string, id plumbing.Hash, gone []change) (origin, bool, error) {
	var list []rated
	for _, c := range gone {
		score, err := w.score(c.old, id, halfScore)
		if err != nil {
			return origin{}, false, err
		}
		r := rated{c, score, path.Base(c.path) == path.Base(to)}
		if len(list) < shortlist {
			list = append(list, r)
			continue
		}
		worst := 0
		for i := range list {
			if better(list[i], list[worst]) > 0 {
				worst = i
			}
		}
		if better(list[worst], r) > 0 {
			list[worst] = r
		}
	}
	slices.SortStableFunc(list, better)
	if len(list) == 0 || list[0].score < halfScore {
		return origin{}, false, nil
	}
	return origin{list[0].path, list[0].old.id}, true, nil
}

// score compares a candidate with a file. It is 0 where it is below least anyway.
func (w *Walker) score(candidate entry, id plumbing.Hash, least int) (int, error) {
	if candidate.kind != file {
		return 0, nil
	}
	a, err := w.pieces(candidate.id)
	if err != nil || a == nil {
		return 0, err
	}
	b, err := w.pieces(id)
	if err != nil || b == nil || !sizesAllow(a.size, b.size, least) {
		return 0, err
	}
	return a.score(b), nil
}

// pieces is nil for a content that is too large, or may be missing and is.
func (w *Walker) pieces(id plumbing.Hash) (*pieces, error) {
	if p, ok := w.shared.get(id); ok {
		return p, nil
	}
	content, err := w.content(id)
	if err != nil && !errors.Is(err, ErrTooLarge) && !(w.Partial && errors.Is(err, ErrMissing)) {
		return nil, err
	}
	var p *pieces
	if err == nil {
		p = piecesOf(content)
	}
	w.shared.put(id, p)
	return p, nil
}

// cache keeps the pieces of recent contents, for all walkers of a history.
type cache struct {
	mu            sync.Mutex
	recent, older map[plumbing.Hash]*pieces
	size          int
}

const cachedPieces = 4 << 20 // counts, in each of two generations

func (c *cache) get(id plumbing.Hash) (*pieces, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok := c.recent[id]
	if !ok {
		p, ok = c.older[id]
	}
	return p, ok
}

func (c *cache) put(id plumbing.Hash, p *pieces) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size > cachedPieces || c.recent == nil {
		c.older, c.recent, c.size = c.recent, map[plumbing.Hash]*pieces{}, 0
	}
	c.recent[id] = p
	if c.size++; p != nil {
		c.size += len(p.counts)
	}
}
