package pipeline

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"benchmill/internal/digest"
)

// Seed is where the randomness of a task comes from: the pipeline's seed, the
// stage and a key, so that no draw depends on any other.
type Seed struct {
	Pipeline int64
	Stage    string
}

func (s Seed) digest(key string) digest.Digest {
	e := digest.New("benchmill/seed/1")
	e.Int(s.Pipeline)
	e.String(s.Stage)
	e.String(key)
	return e.Sum()
}

// Rand is a generator of its own for a key.
func (s Seed) Rand(key string) *rand.Rand {
	var seed [32]byte
	copy(seed[:], s.digest(key).Hex())
	return rand.New(rand.NewChaCha8(seed))
}

// Sample draws n of items without replacement by the hash of (seed, key), and
// returns them in the order drawn, all of them where there are no more than n.
// Whether an item is drawn depends on the keys alone, not on positions: one more
// item displaces at most one other.
func Sample[T any](s Seed, items []T, n int, key func(T) string) []T {
	type ticket struct {
		item T
		rank digest.Digest
	}
	tickets := make([]ticket, len(items))
	for i, item := range items {
		tickets[i] = ticket{item, s.digest(key(item))}
	}
	slices.SortFunc(tickets, func(a, b ticket) int { return cmp.Compare(a.rank, b.rank) })
	out := make([]T, min(n, len(tickets)))
	for i := range out {
		out[i] = tickets[i].item
	}
	return out
}
