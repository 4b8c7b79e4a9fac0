package tokenizer

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
)

// memo is a bounded map that forgets: each key has one slot, and the last one
// stored there stays. It takes no locks. The seed of its hash is random, which
// changes what is forgotten and never what is answered.
type memo[V any] struct {
	seed   maphash.Seed
	slots  []atomic.Pointer[memoEntry[V]]
	maxKey int // longer keys are not kept, in bytes
}

type memoEntry[V any] struct {
	key   string
	value V
}

// newMemo makes a memo of 1<<bits slots.
func newMemo[V any](bits, maxKey int) *memo[V] {
	return &memo[V]{
		seed:   maphash.MakeSeed(),
		slots:  make([]atomic.Pointer[memoEntry[V]], 1<<bits),
		maxKey: maxKey,
	}
}

func (m *memo[V]) slot(key string) *atomic.Pointer[memoEntry[V]] {
	return &m.slots[maphash.String(m.seed, key)&uint64(len(m.slots)-1)]
}

func (m *memo[V]) get(key string) (V, bool) {
	if len(key) <= m.maxKey {
		if e := m.slot(key).Load(); e != nil && e.key == key {
			return e.value, true
		}
	}
	var zero V
	return zero, false
}

// put keeps a copy of the key, which may be a small part of a long text.
func (m *memo[V]) put(key string, value V) {
	if len(key) <= m.maxKey {
		m.slot(key).Store(&memoEntry[V]{strings.Clone(key), value})
	}
}
