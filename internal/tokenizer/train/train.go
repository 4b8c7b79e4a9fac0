// Package train learns the merges of a byte-level BPE vocabulary from text.
//
// Training is deterministic: the same words and counts give the same merges, in
// whatever order they were added.
package train

import (
	"container/heap"
	"maps"
	"slices"

	"benchmill/internal/tokenizer/mergefile"
)

// Options of a training.
type Options struct {
	Merges   int   // how many to learn, at most
	MaxToken int   // longest token to make, in bytes
	MinCount int64 // rarer words are left out, and rarer pairs not merged
}

// Train learns merges from words and the number of times each occurs. Every
// merge is the pair of neighbouring tokens that is most frequent at that time;
// of equally frequent ones the pair of the lower tokens. It may return fewer
// than asked for when nothing frequent enough is left.
func Train(words map[string]int64, o Options) []mergefile.Merge {
	t := newTrainer(words, o)
	var merges []mergefile.Merge
	for len(merges) < o.Merges && t.queue.Len() > 0 {
		top := heap.Pop(&t.queue).(ranked)
		state := t.pairs[top.pair]
		if state == nil || state.count != top.count {
			if state != nil && state.count >= o.MinCount {
				heap.Push(&t.queue, ranked{top.pair, state.count})
			}
			continue
		}
		merges = append(merges, top.pair)
		t.apply(top.pair, state)
	}
	return merges
}

type trainer struct {
	options Options
	words   []word
	sizes   []int // of each token, in bytes
	pairs   map[mergefile.Merge]*pairState
	queue   queue
}

type word struct {
	tokens []int32
	count  int64
}

// pairState counts a pair and remembers the words it was ever seen in.
type pairState struct {
	count int64
	words []int32
}

func newTrainer(words map[string]int64, o Options) *trainer {
	t := &trainer{options: o, pairs: map[mergefile.Merge]*pairState{}}
	for range 256 {
		t.sizes = append(t.sizes, 1)
	}
	for _, text := range slices.Sorted(maps.Keys(words)) {
		count := words[text]
		if count < o.MinCount || len(text) < 2 {
			continue
		}
		w := word{count: count, tokens: make([]int32, len(text))}
		for i := range len(text) {
			w.tokens[i] = int32(text[i])
		}
		t.words = append(t.words, w)
		t.add(int32(len(t.words)-1), w.count)
	}
	for p, s := range t.pairs {
		t.offer(p, s.count)
	}
	heap.Init(&t.queue)
	return t
}

// add counts the pairs of a word, or takes them back with a negative count.
func (t *trainer) add(index int32, count int64) {
	tokens := t.words[index].tokens
	for i := 1; i < len(tokens); i++ {
		p := mergefile.Merge{Left: tokens[i-1], Right: tokens[i]}
		s := t.pairs[p]
		if s == nil {
			s = &pairState{}
			t.pairs[p] = s
		}
		s.count += count
		if n := len(s.words); count > 0 && (n == 0 || s.words[n-1] != index) {
			s.words = append(s.words, index)
		}
	}
}

// offer puts a pair into the unordered queue if it may be merged.
func (t *trainer) offer(p mergefile.Merge, count int64) {
	if t.allowed(p, count) {
		t.queue = append(t.queue, ranked{p, count})
	}
}

func (t *trainer) allowed(p mergefile.Merge, count int64) bool {
	return count >= t.options.MinCount && t.sizes[p.Left]+t.sizes[p.Right] <= t.options.MaxToken
}

// apply makes the pair a new token in every word that has it.
func (t *trainer) apply(p mergefile.Merge, state *pairState) {
	made := int32(len(t.sizes))
	t.sizes = append(t.sizes, t.sizes[p.Left]+t.sizes[p.Right])
	affected := slices.Compact(slices.Sorted(slices.Values(state.words)))
	for _, index := range affected {
		w := &t.words[index]
		t.add(index, -w.count)
		w.tokens = replace(w.tokens, p, made)
		t.add(index, w.count)
	}
	delete(t.pairs, p)
	t.offerNew(affected, made)
}

// offerNew queues the pairs the new token is part of. Other pairs have only
// become rarer, which shows when they come up.
func (t *trainer) offerNew(affected []int32, made int32) {
	offered := map[mergefile.Merge]bool{}
	for _, index := range affected {
		tokens := t.words[index].tokens
		for i := 1; i < len(tokens); i++ {
			p := mergefile.Merge{Left: tokens[i-1], Right: tokens[i]}
			if (p.Left != made && p.Right != made) || offered[p] {
				continue
			}
			offered[p] = true
			if count := t.pairs[p].count; t.allowed(p, count) {
				heap.Push(&t.queue, ranked{p, count})
			}
		}
	}
}

// replace merges the pair from left to right, in place.
func replace(tokens []int32, p mergefile.Merge, made int32) []int32 {
	out := tokens[:0]
	for i := 0; i < len(tokens); i++ {
		if i+1 < len(tokens) && tokens[i] == p.Left && tokens[i+1] == p.Right {
			out = append(out, made)
			i++
			continue
		}
		out = append(out, tokens[i])
	}
	return out
}

type ranked struct {
	pair  mergefile.Merge
	count int64
}

// queue is a heap of pairs, the most frequent first.
type queue []ranked

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	a, b := q[i], q[j]
	if a.count != b.count {
		return a.count > b.count
	}
	if a.pair.Left != b.pair.Left {
		return a.pair.Left < b.pair.Left
	}
	return a.pair.Right < b.pair.Right
}

func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(ranked)) }

func (q *queue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}
