package tokenizer

import "sync"

// scratch is the working memory of one Encode or Count.
type scratch struct {
	symbols []symbol
	heap    []candidate
	ids     []int32
	few     [wordIDsMax]int32 // tokens of a cached word
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func getScratch() *scratch { return scratches.Get().(*scratch) }

// putScratch gives working memory back unless a giant word made it large.
func putScratch(s *scratch) {
	if cap(s.symbols) <= 1<<14 && cap(s.heap) <= 1<<14 && cap(s.ids) <= 1<<14 {
		scratches.Put(s)
	}
}

// candidate is a pair of neighbours that a rule merges.
type candidate struct {
	rank, left int32 // lowest first
	size, id   int32 // of both together
}

func (c candidate) before(d candidate) bool {
	return c.rank < d.rank || c.rank == d.rank && c.left < d.left
}

// push and pop keep s.heap a binary heap. container/heap would allocate for
// every element.
func (s *scratch) push(c candidate) {
	s.heap = append(s.heap, c)
	i := len(s.heap) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !c.before(s.heap[parent]) {
			break
		}
		s.heap[i] = s.heap[parent]
		i = parent
	}
	s.heap[i] = c
}

func (s *scratch) pop() candidate {
	top := s.heap[0]
	last := len(s.heap) - 1
	c := s.heap[last]
	s.heap = s.heap[:last]
	if last == 0 {
		return top
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && s.heap[child+1].before(s.heap[child]) {
			child++
		}
		if !s.heap[child].before(c) {
			break
		}
		s.heap[i] = s.heap[child]
		i = child
	}
	s.heap[i] = c
	return top
}
