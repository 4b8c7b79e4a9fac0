package find

import (
	"context"
	"fmt"
	"maps"

	"benchmill/internal/ghquery"
	"benchmill/pipeline"
)

const (
	// shown is how many results of a search GitHub shows.
	shown = 1000
	// rounds is how often a slice is asked again when its numbers do not agree.
	rounds = 3
)

// slice is a part of a search.
type slice struct{ created, stars ghquery.Range }

// node is a slice that was searched: a leaf, or two halves that are its whole.
type node struct {
	slice
	total  int64 // as GitHub counted last
	have   int64 // repositories found in it
	lost   int64 // counted in the whole, not in the halves, and never shown
	top    int64 // most stars seen
	halves []*node
	// ids are the repositories of a slice of one second. Its halves are by stars,
	// and a repository that gains one can be seen in both.
	ids map[int64]bool
}

func (n *node) instant() bool { return n.created.From == n.created.To }

// missing is how many repositories were given up, in all of the slice.
func (n *node) missing() int64 {
	sum := n.lost
	for _, half := range n.halves {
		sum += half.missing()
	}
	return sum
}

// agrees reports whether all that GitHub counts is accounted for.
func (n *node) agrees() bool { return n.have+n.missing() >= n.total }

// split halves a slice, by time as long as that is possible. Stars are halved
// below the most that were seen; the upper half keeps the open end, so what rises
// above it meanwhile is not lost.
func (n *node) split() (low, high slice, ok bool) {
	c, st := n.created, n.stars
	if a, b, ok := c.Halves(c.From + (c.To-c.From)/2); ok {
		return slice{a, st}, slice{b, st}, true
	}
	top := max(st.From, min(st.To, n.top))
	a, b, ok := st.Halves(st.From + (top-st.From)/2)
	return slice{c, a}, slice{c, b}, ok
}

// sum adds up the halves.
func (n *node) sum() {
	n.have = 0
	for _, half := range n.halves {
		n.have += half.have
	}
	if n.instant() {
		n.ids = map[int64]bool{}
		for _, half := range n.halves {
			maps.Copy(n.ids, half.ids)
		}
		n.have = int64(len(n.ids))
	}
}

// explore finds everything in a slice.
func (s *search) explore(ctx context.Context, all slice) (*node, error) {
	n := &node{slice: all}
	seen := map[int64]bool{}
	for range rounds {
		if err := s.walk(ctx, n, seen); err != nil {
			return nil, err
		}
		if n.have = int64(len(seen)); n.total > shown || n.agrees() {
			break
		}
	}
	if n.instant() {
		n.ids = seen
	}
	if n.total <= shown && n.agrees() {
		return n, nil
	}
	// Too much to be shown, or shown otherwise on every page: smaller slices have
	// fewer pages, down to one.
	low, high, ok := n.split()
	if !ok && n.total > shown {
		return nil, fmt.Errorf("GitHub counts %d repositories in %q and shows %d; they cannot be told apart by creation time and stars", n.total, s.text(all), shown)
	}
	if !ok {
		return n, s.giveUp(n)
	}
	for _, half := range []slice{low, high} {
		part, err := s.explore(ctx, half)
		if err != nil {
			return nil, err
		}
		n.halves = append(n.halves, part)
	}
	if n.instant() && n.stars != s.query.Stars {
		n.sum() // settled with its whole second
		return n, nil
	}
	return n, s.settle(ctx, n)
}

// settle compares what the halves of a slice hold with what GitHub counts in it,
// and asks again where that is more, the whole first: most often a repository
// went while the halves were read. Halves of a second are both read again, since
// a repository that gained a star can have hidden from either.
func (s *search) settle(ctx context.Context, n *node) (err error) {
	for range rounds {
		if n.sum(); n.agrees() {
			return nil
		}
		if err := s.recount(ctx, n); err != nil || n.agrees() {
			return err
		}
		for i, half := range n.halves {
			if n.instant() {
				n.halves[i], err = s.explore(ctx, half.slice)
			} else {
				n.halves[i], err = s.again(ctx, half)
			}
			if err != nil {
				return err
			}
		}
	}
	if n.sum(); !n.agrees() {
		return s.giveUp(n)
	}
	return nil
}

// again asks again for what a slice lacks, if anything.
func (s *search) again(ctx context.Context, n *node) (*node, error) {
	if err := s.recount(ctx, n); err != nil || n.agrees() {
		return n, err
	}
	if n.halves != nil {
		return n, s.settle(ctx, n)
	}
	return s.explore(ctx, n.slice)
}

// recount asks how many repositories GitHub counts in a slice now.
func (s *search) recount(ctx context.Context, n *node) error {
	p, _, err := s.page(ctx, s.address(n.slice, 1))
	if err == nil {
		n.total = p.total
	}
	return err
}

// giveUp counts what GitHub does not show as lost: an error, at once, when that
// is more than is tolerated, for a server that counts anything would be asked for
// every second there was.
func (s *search) giveUp(n *node) error {
	lost := n.total - n.have - n.missing()
	n.lost += lost
	s.lost += lost
	s.log().Warn("GitHub counts repositories it does not show", "number", lost, "query", s.text(n.slice))
	if s.lost > s.Tolerance {
		return pipeline.Mark(fmt.Errorf("GitHub counts %d repositories in %q and shows %d, however often it is asked", n.total, s.text(n.slice), n.total-lost), pipeline.Transient)
	}
	return nil
}

// text is what GitHub is asked for a slice.
func (s *search) text(sl slice) string { return s.query.Slice(sl.created, sl.stars) }

// walk reads the pages of a slice, the first alone where there are too many, and
// adds what it sees.
func (s *search) walk(ctx context.Context, n *node, seen map[int64]bool) error {
	const size = 100
	address := s.address(n.slice, size)
	for pages := 1; address != ""; pages++ {
		p, next, err := s.page(ctx, address)
		if err != nil {
			return err
		}
		n.total = p.total
		for _, i := range p.items {
			seen[i.ID] = true
			s.found[i.ID] = i
			n.top = max(n.top, i.Stars)
		}
		if s.total == 0 {
			s.total = p.total
		}
		if s.Progress != nil {
			s.Progress(int64(len(s.found)), s.total)
		}
		if n.total > shown {
			return nil
		}
		if next != "" && pages == shown/size {
			return fmt.Errorf("GitHub names more pages than it can show: %s", next)
		}
		address = next
	}
	return nil
}
