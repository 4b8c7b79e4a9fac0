package yabloco

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"benchmill/schemas"
)

// BenchmarkUnique compares as many candidates as a repository of two million lines
// has, each of a hundred words.
func BenchmarkUnique(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	rows := make([]schemas.BodyCandidate, 6000)
	for i := range rows {
		var body strings.Builder
		for range 100 {
			n := r.ExpFloat64() * 200 // some words are everywhere
			fmt.Fprintf(&body, "w%d ", int(n))
		}
		rows[i] = candidateOf(fmt.Sprint("f", i), body.String(), int64(i/400), 0)
	}
	c := Unique().NewConfig().(*UniqueConfig)
	for b.Loop() {
		if _, err := c.repeats(b.Context(), rows); err != nil {
			b.Fatal(err)
		}
	}
}
