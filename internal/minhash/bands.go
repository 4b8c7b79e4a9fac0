package minhash

import (
	"fmt"
	"math"
)

// Bands say which rows of a signature make a band. Two texts are candidates when
// all rows of some band agree.
type Bands struct{ Bands, Rows int }

// Probability is the chance that texts of a similarity are candidates.
func (b Bands) Probability(similarity float64) float64 {
	return 1 - math.Pow(1-math.Pow(similarity, float64(b.Rows)), float64(b.Bands))
}

// Choose returns, of all bands that bring a pair at the threshold together with at
// least the probability recall, those with the fewest candidates below the
// threshold: the smallest integral of the probability from 0 to the threshold.
func Choose(permutations int, threshold, recall float64) (Bands, error) {
	var best Bands
	least := math.Inf(1)
	for rows := 1; rows <= permutations; rows++ {
		needed := math.Ceil(math.Log1p(-recall) / math.Log1p(-math.Pow(threshold, float64(rows))))
		if !(needed*float64(rows) <= float64(permutations)) {
			continue
		}
		b := Bands{Bands: max(1, int(needed)), Rows: rows}
		if wrong := b.below(threshold); wrong < least {
			best, least = b, wrong
		}
	}
	if best.Bands == 0 {
		return best, fmt.Errorf("%d permutations cannot find %g of the pairs with a similarity of %g; use more, or ask for less", permutations, recall, threshold)
	}
	return best, nil
}

// below is the integral, by midpoints.
func (b Bands) below(threshold float64) (sum float64) {
	const steps = 1000
	for i := range steps {
		sum += b.Probability(threshold*(float64(i)+0.5)/steps) / steps
	}
	return sum
}

// key is the hash of a band of a signature and its number.
func (b Bands) key(band int, mins []byte) uint64 {
	h := mix(uint64(band) + base)
	for i := 4 * band * b.Rows; i < 4*(band+1)*b.Rows; i += 4 {
		h = mix(h ^ uint64(at(mins, i)))
	}
	return h
}
