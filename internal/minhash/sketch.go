package minhash

import (
	"encoding/binary"
	"fmt"
	"math"
)

// margin is how many standard errors an estimate may lie below the threshold:
// 0.5% of pairs at the threshold lie further below.
const margin = 2.576

// CheckSketch reports what [Signer.Sign] cannot have made.
func (p Params) CheckSketch(sketch []byte) error {
	if len(sketch)%4 != 0 || len(sketch) > 4*p.Sketch {
		return fmt.Errorf("a sketch of %d bytes", len(sketch))
	}
	for i := 4; i < len(sketch); i += 4 {
		if at(sketch, i-4) >= at(sketch, i) {
			return fmt.Errorf("a sketch that does not ascend at byte %d", i)
		}
	}
	return nil
}

// CheckMins reports what [Signer.Sign] cannot have made.
func (p Params) CheckMins(mins []byte) error {
	if len(mins) != 4*p.Permutations {
		return fmt.Errorf("a signature of %d bytes, not %d", len(mins), 4*p.Permutations)
	}
	return nil
}

func at(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }

// Jaccard is the similarity of two texts by their sketches; exact says that both
// sketches hold all shingles (two shingles in 2^32 share a hash). A text without
// shingles is like nothing.
func (p Params) Jaccard(a, b []byte) (similarity float64, exact bool) {
	whole := 4 * p.Sketch
	exact = len(a) < whole && len(b) < whole
	// Of the union only the smallest hashes are known for certain: all, or as many
	// as a full sketch holds.
	limit := p.Sketch
	if exact {
		limit = math.MaxInt
	}
	union, both := 0, 0
	i, j := 0, 0
	for ; i < len(a) && j < len(b) && union < limit; union++ {
		switch x, y := at(a, i), at(b, j); {
		case x < y:
			i += 4
		case x > y:
			j += 4
		default:
			i, j, both = i+4, j+4, both+1
		}
	}
	union = min(limit, union+(len(a)-i+len(b)-j)/4)
	if union == 0 {
		return 0, exact
	}
	return float64(both) / float64(union), exact
}

// Similar reports whether two texts are as similar as a threshold asks: exactly so
// where their sketches hold all shingles, else unless the estimate is further below
// than chance explains.
func (p Params) Similar(a, b []byte, threshold float64) (similarity float64, ok bool) {
	similarity, exact := p.Jaccard(a, b)
	if !exact {
		threshold -= margin * math.Sqrt(threshold*(1-threshold)/float64(p.Sketch))
	}
	return similarity, similarity > 0 && similarity >= threshold-1e-9
}
