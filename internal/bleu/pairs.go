package bleu

import (
	"math"
	"slices"
	"sort"
)

// Vocabulary numbers words, so that texts can be compared by numbers. The zero
// value is ready to use.
type Vocabulary struct{ words map[string]uint32 }

// Profile is a text as a pair comparison sees it: how often it has each word and
// each pair of words that follow each other.
type Profile struct {
	length       int
	words, pairs []counted
}

type counted struct {
	gram  uint64
	count int
}

// Profile counts the words of a text.
func (v *Vocabulary) Profile(tokens []string) *Profile {
	if v.words == nil {
		v.words = map[string]uint32{}
	}
	words := make([]uint64, len(tokens))
	for i, t := range tokens {
		id, ok := v.words[t]
		if !ok {
			id = uint32(len(v.words))
			v.words[t] = id
		}
		words[i] = uint64(id)
	}
	pairs := make([]uint64, max(0, len(words)-1))
	for i := range pairs {
		pairs[i] = words[i]<<32 | words[i+1]
	}
	return &Profile{len(tokens), count(words), count(pairs)}
}

func count(grams []uint64) []counted {
	slices.Sort(grams)
	var out []counted
	for _, g := range grams {
		if n := len(out); n > 0 && out[n-1].gram == g {
			out[n-1].count++
		} else {
			out = append(out, counted{g, 1})
		}
	}
	return out
}

// Share reports whether two texts share at least so many different words.
func (p *Profile) Share(o *Profile, least int) bool {
	a, b := p.words, o.words
	for ; least > 0 && len(a) > 0 && len(b) > 0; a, b = after(a, b) {
		if a[0].gram == b[0].gram {
			least--
		}
	}
	return least <= 0
}

// Pairs is BLEU-2 of a hypothesis against p, 0 to 1: the geometric mean of the
// modified precisions of words and of pairs, times the brevity penalty. Nothing is
// smoothed: without a pair in common it is 0. Profiles are of one vocabulary.
func (p *Profile) Pairs(hypothesis *Profile) float64 {
	pairs := matched(p.pairs, hypothesis.pairs)
	if pairs == 0 {
		return 0
	}
	return p.bound(hypothesis, pairs) * math.Sqrt(float64(matched(p.words, hypothesis.words))/float64(hypothesis.length))
}

// bound is what BLEU-2 is at most, given how many pairs are in common.
func (p *Profile) bound(hypothesis *Profile, pairs int) float64 {
	return brevity(p.length, hypothesis.length) * math.Sqrt(float64(pairs)/float64(hypothesis.length-1))
}

// Index finds texts that are similar without comparing each with each: only those
// that share pairs of words are looked at. It is not safe for concurrent use.
type Index struct {
	profiles []*Profile
	holders  map[uint64][]counted // of each pair: texts, ascending, and how often each has it
	shared   []int                // pairs in common with the text at hand; 0 between calls
}

// NewIndex indexes profiles of one vocabulary.
func NewIndex(profiles []*Profile) *Index {
	x := &Index{profiles, map[uint64][]counted{}, make([]int, len(profiles))}
	for i, p := range profiles {
		for _, g := range p.pairs {
			x.holders[g.gram] = append(x.holders[g.gram], counted{uint64(i), g.count})
		}
	}
	return x
}

// Similar calls found with each of the next window texts after text i whose BLEU-2
// against it, see [Profile.Pairs], is at least least, which is above 0. Their order
// depends on the texts alone.
func (x *Index) Similar(i, window int, least float64, found func(j int, similarity float64)) {
	p := x.profiles[i]
	var touched []int
	for _, g := range p.pairs {
		holders := x.holders[g.gram]
		from := sort.Search(len(holders), func(k int) bool { return holders[k].gram > uint64(i) })
		for _, h := range holders[from:] {
			if h.gram > uint64(i+window) {
				break
			}
			j := int(h.gram)
			if x.shared[j] == 0 {
				touched = append(touched, j)
			}
			x.shared[j] += min(g.count, h.count)
		}
	}
	for _, j := range touched {
		if p.bound(x.profiles[j], x.shared[j]) >= least {
			if similarity := p.Pairs(x.profiles[j]); similarity >= least {
				found(j, similarity)
			}
		}
		x.shared[j] = 0
	}
}

// matched is how many grams of b are in a, each at most as often as there.
func matched(a, b []counted) int {
	n := 0
	for ; len(a) > 0 && len(b) > 0; a, b = after(a, b) {
		if a[0].gram == b[0].gram {
			n += min(a[0].count, b[0].count)
		}
	}
	return n
}

// after leaves the smaller of the first grams out, or both where they are the same.
func after(a, b []counted) (_, _ []counted) {
	x, y := a[0].gram, b[0].gram
	if x <= y {
		a = a[1:]
	}
	if y <= x {
		b = b[1:]
	}
	return a, b
}
