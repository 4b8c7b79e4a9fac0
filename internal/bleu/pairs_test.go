package bleu

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPairs(t *testing.T) {
	var v Vocabulary
	profile := func(text string) *Profile { return v.Profile(Tokens(text)) }
	for _, test := range []struct {
		reference, hypothesis string
		common                int
		want                  float64
	}{
		{"a b c", "a b c", 3, 1},
		{"a b c", "c b a", 3, 0},                      // no pair in common
		{"a b c", "a b d", 2, math.Sqrt(2.0 / 3 / 2)}, // 2 of 3 words, 1 of 2 pairs
		{"a b", "a a a b", 2, math.Sqrt(2.0 / 4 / 3)}, // clipped
		{"a b c d", "a b", 2, math.Exp(1 - 4.0/2)},    // brief
		{"a b c d", "x y", 0, 0}, {"", "a b", 0, 0}, {"a", "", 0, 0}, {"a", "a", 1, 0},
	} {
		r, h := profile(test.reference), profile(test.hypothesis)
		if got := r.Pairs(h); math.Abs(got-test.want) > 1e-12 || !r.Share(h, test.common) || h.Share(r, test.common+1) {
			t.Errorf("%q, %q: %g, want %g and %d words in common", test.reference, test.hypothesis, got, test.want, test.common)
		}
	}
}

// The merged counts are those of a plain count.
func TestPairsAgainstCounting(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"a", "b", "c", "d", "e"}
	for range 500 {
		var v Vocabulary
		text := func() []string {
			out := make([]string, 1+r.IntN(12))
			for i := range out {
				out[i] = words[r.IntN(len(words))]
			}
			return out
		}
		reference, hypothesis := text(), text()
		score := brevity(len(reference), len(hypothesis))
		for n := 1; n <= 2; n++ {
			matched, grams := 0, ngrams(reference, n)
			for gram, count := range ngrams(hypothesis, n) {
				matched += min(count, grams[gram])
			}
			score *= math.Sqrt(float64(matched) / float64(max(1, len(hypothesis)-n+1)))
		}
		shared := 0
		for _, w := range words {
			if slices.Contains(reference, w) && slices.Contains(hypothesis, w) {
				shared++
			}
		}
		a, b := v.Profile(reference), v.Profile(hypothesis)
		if got := a.Pairs(b); math.Abs(got-score) > 1e-12 || !a.Share(b, shared) || a.Share(b, shared+1) {
			t.Fatalf("%q, %q: %g, want %g", reference, hypothesis, got, score)
		}
	}
}

// The index finds what comparing each with each does.
func TestIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	words := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	var v Vocabulary
	profiles := make([]*Profile, 60)
	for i := range profiles {
		tokens := make([]string, r.IntN(15))
		for k := range tokens {
			tokens[k] = words[r.IntN(len(words))]
		}
		profiles[i] = v.Profile(tokens)
	}
	x := NewIndex(profiles)
	const window, least = 20, 0.2
	total := 0
	for i := range profiles {
		found := map[int]float64{}
		x.Similar(i, window, least, func(j int, similarity float64) { found[j] = similarity })
		for j := range profiles {
			want := profiles[i].Pairs(profiles[j])
			got, ok := found[j]
			if within := j > i && j <= i+window && want >= least; ok != within || ok && got != want {
				t.Fatalf("%d and %d: %g, %v, want %g, %v", i, j, got, ok, want, within)
			}
		}
		total += len(found)
	}
	if total < 50 {
		t.Errorf("only %d are similar", total)
	}
}
