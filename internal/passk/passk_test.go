package passk

import (
	"math"
	"math/bits"
	"testing"
)

// The share of all choices that hold a right sample, counted one by one.
func TestPassAt(t *testing.T) {
	for n := 1; n <= 12; n++ {
		for c := 0; c <= n; c++ {
			right := uint(1)<<c - 1
			for k := 1; k <= n; k++ {
				all, with := 0, 0
				for choice := range uint(1) << n {
					if bits.OnesCount(choice) == k {
						all++
						if choice&right != 0 {
							with++
						}
					}
				}
				got, err := PassAt(n, c, k)
				if want := float64(with) / float64(all); err != nil || math.Abs(got-want) > 1e-12 {
					t.Errorf("PassAt(%d, %d, %d) = %v, %v; counted %v", n, c, k, got, err, want)
				}
			}
		}
	}
}

// Large numbers neither overflow nor leave the range.
func TestPassAtLarge(t *testing.T) {
	for _, test := range []struct {
		n, c, k int
		want    float64
	}{{1_000_000, 1, 1, 1e-6}, {1_000_000, 500_000, 100, 1}, {1_000_000, 1, 500_000, 0.5}, {1_000_000, 0, 1_000_000, 0}} {
		if got, err := PassAt(test.n, test.c, test.k); err != nil || math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%+v: %v, %v", test, got, err)
		}
	}
}

func TestPassAtErrors(t *testing.T) {
	for _, test := range [][3]int{{0, 0, 1}, {1, 0, 0}, {1, 0, 2}, {1, 2, 1}, {1, -1, 1}, {-1, 0, 1}} {
		if got, err := PassAt(test[0], test[1], test[2]); err == nil {
			t.Errorf("%v: %v", test, got)
		}
	}
}
