package tokenizer

// symbol is a part of a word that is one token so far.
type symbol struct {
	start, size int32 // in bytes of the word; size 0 once merged into another
	id          int32
	prev, next  int32 // indexes of the neighbours, -1 at the ends
}

// merges is a vocabulary's merge rules.
type merges interface {
	// merge returns the rank and the id of the token that two neighbours make
	// together, or a negative rank when they make none.
	merge(word string, left, right *symbol) (rank, id int32)
}

// maxWord bounds what is merged at once, in bytes, so that positions fit and
// memory stays bounded; see the package comment.
const maxWord = 64 << 20

// scanLimit is the number of symbols up to which looking at all pairs for each
// merge is faster than keeping a heap of them.
const scanLimit = 40

// merge applies the rules to s.symbols: always the pair of lowest rank, of
// equals the leftmost, until no rule applies. The result is in s.symbols; their
// links are not kept.
func (s *scratch) merge(rules merges, word string) {
	if len(s.symbols) <= scanLimit {
		s.mergeScanning(rules, word)
	} else {
		s.mergeHeap(rules, word)
	}
}

func (s *scratch) mergeScanning(rules merges, word string) {
	syms := s.symbols
	if len(syms) < 2 {
		return
	}
	var buf [scanLimit]pair
	pairs := buf[:len(syms)-1]
	look := func(i int) {
		pairs[i].rank, pairs[i].id = rules.merge(word, &syms[i], &syms[i+1])
	}
	for i := range pairs {
		look(i)
	}
	for {
		best := -1
		for i, p := range pairs {
			if p.rank >= 0 && (best < 0 || p.rank < pairs[best].rank) {
				best = i
			}
		}
		if best < 0 {
			s.symbols = syms
			return
		}
		syms[best].size += syms[best+1].size
		syms[best].id = pairs[best].id
		syms = append(syms[:best+1], syms[best+2:]...)
		pairs = append(pairs[:best], pairs[best+1:]...)
		if best > 0 {
			look(best - 1)
		}
		if best < len(pairs) {
			look(best)
		}
	}
}

type pair struct{ rank, id int32 }

// mergeHeap does the same for long words: a linked list of symbols and a heap of
// the pairs that could merge, some of which are stale when they come up.
func (s *scratch) mergeHeap(rules merges, word string) {
	syms := s.symbols
	s.heap = s.heap[:0]
	look := func(left, right int32) {
		if left < 0 || right < 0 {
			return
		}
		if rank, id := rules.merge(word, &syms[left], &syms[right]); rank >= 0 {
			s.push(candidate{rank: rank, left: left, size: syms[left].size + syms[right].size, id: id})
		}
	}
	for i := range syms {
		syms[i].prev, syms[i].next = int32(i-1), int32(i+1)
	}
	syms[len(syms)-1].next = -1
	for i := range int32(len(syms) - 1) {
		look(i, i+1)
	}
	for len(s.heap) > 0 {
		c := s.pop()
		left := &syms[c.left]
		// A candidate is stale when either side has changed. Boundaries only
		// ever vanish, so two symbols of the same start and the same total size
		// are the same two.
		if left.size == 0 || left.next < 0 {
			continue
		}
		right := &syms[left.next]
		if left.size+right.size != c.size {
			continue
		}
		left.size, left.id, left.next = c.size, c.id, right.next
		right.size = 0
		if left.next >= 0 {
			syms[left.next].prev = c.left
		}
		look(left.prev, c.left)
		look(c.left, left.next)
	}
	kept := syms[:0]
	for _, sym := range syms {
		if sym.size > 0 {
			kept = append(kept, sym)
		}
	}
	s.symbols = kept
}
