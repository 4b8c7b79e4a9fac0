package minhash

import (
	"cmp"
	"slices"
	"sort"

	"benchmill/internal/digest"
)

// Match is a text of an index.
type Match struct {
	Item       int // in the order of [NewIndex]
	Similarity float64
	Exact      bool // the same tokens
}

// Index finds the texts of a table that others resemble. It holds its signatures
// in memory; those that are looked up come one at a time. Lookups may run at the
// same time.
type Index struct {
	params    Params
	bands     Bands
	threshold float64
	sketches  [][]byte
	sums      map[digest.Digest][]int
	entries   []entry
}

// most bounds the work for a bucket of many texts.
const most = 256

type entry struct {
	key  uint64
	item uint32
}

// NewIndex indexes texts signed with p.
func NewIndex(p Params, bands Bands, threshold float64, signatures []Signature) *Index {
	x := &Index{params: p, bands: bands, threshold: threshold, sums: map[digest.Digest][]int{}}
	for i, s := range signatures {
		x.sketches = append(x.sketches, s.Sketch)
		x.sums[s.Sum] = append(x.sums[s.Sum], i)
		if s.Shingles == 0 || len(x.sums[s.Sum]) > 1 {
			continue // nothing to compare, or compared already
		}
		for band := range bands.Bands {
			x.entries = append(x.entries, entry{bands.key(band, s.Mins), uint32(i)})
		}
	}
	slices.SortFunc(x.entries, func(a, b entry) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.item, b.item)) })
	return x
}

// Find returns the text most like s, of equals the first: one with the same
// tokens before all others. At most 256 texts of a bucket are compared.
func (x *Index) Find(s Signature) (best Match, ok bool) {
	if same := x.sums[s.Sum]; len(same) > 0 {
		return Match{Item: same[0], Similarity: 1, Exact: true}, true
	}
	if s.Shingles == 0 {
		return best, false
	}
	seen := map[uint32]bool{}
	for band := range x.bands.Bands {
		key := x.bands.key(band, s.Mins)
		first := sort.Search(len(x.entries), func(i int) bool { return x.entries[i].key >= key })
		for i := first; i < len(x.entries) && x.entries[i].key == key && i < first+most; i++ {
			item := x.entries[i].item
			if seen[item] {
				continue
			}
			seen[item] = true
			similarity, similar := x.params.Similar(s.Sketch, x.sketches[item], x.threshold)
			if similar && (!ok || similarity > best.Similarity || similarity == best.Similarity && int(item) < best.Item) {
				best, ok = Match{Item: int(item), Similarity: similarity}, true
			}
		}
	}
	return best, ok
}
