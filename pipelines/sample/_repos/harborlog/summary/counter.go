// Package summary counts, sorts and condenses records.
package summary

import (
	"cmp"
	"sort"
)

// Counter counts how often it was shown each key.
type Counter[K cmp.Ordered] struct {
	counts map[K]int
	total  int
}

// Count is a key and how often it was seen.
type Count[K cmp.Ordered] struct {
	Key K
	N   int
}

// NewCounter counts the keys that it is given right away.
func NewCounter[K cmp.Ordered](keys ...K) *Counter[K] {
	c := &Counter[K]{counts: map[K]int{}}
	for _, key := range keys {
		c.Add(key, 1)
	}
	return c
}

// Add counts a key n times more.
func (c *Counter[K]) Add(key K, n int) {
	c.counts[key] += n
	c.total += n
}

// Total is the sum of all counts.
func (c *Counter[K]) Total() int { return c.total }

// Top returns the n most frequent keys, all when n is negative; on a tie the smaller key first.
func (c *Counter[K]) Top(n int) []Count[K] {
	all := make([]Count[K], 0, len(c.counts))
	for key, seen := range c.counts {
		all = append(all, Count[K]{key, seen})
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].N != all[j].N {
			return all[i].N > all[j].N
		}
		return all[i].Key < all[j].Key
	})
	if n >= 0 && n < len(all) {
		all = all[:n]
	}
	return all
}

// CountBy counts what a function says about each item.
func CountBy[T any, K cmp.Ordered](items []T, key func(*T) K) *Counter[K] {
	c := NewCounter[K]()
	for i := range items {
		c.Add(key(&items[i]), 1)
	}
	return c
}
