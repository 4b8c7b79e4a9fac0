package bleu

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func score(reference, hypothesis string) float64 {
	return NewReference(Tokens(reference)).Sentence(Tokens(hypothesis))
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// TestByHand compares with values worked out from the definition.
func TestByHand(t *testing.T) {
	smooth := func(k, h float64) float64 { return math.Log(h) / (math.Pow(2, k) * 5) }
	for _, test := range []struct {
		name, reference, hypothesis string
		want                        float64
	}{
		{"identical", "a b c d", "a b c d", 1},
		{"identical and long", "a b c d e f a b", "a b c d e f a b", 1},
		{"white space does not count", "a b\n\tc  d", " a b c d ", 1},
		{"disjoint", "a b c d", "e f g h", 0},
		{"empty hypothesis", "a b", "", 0},
		{"empty reference", "", "a b", 0},
		{"both empty", "", "", 0},
		{"one token", "a", "a", 1},
		{"one token of four", "a b c d", "a", math.Exp(1 - 4.0)},
		{"one wrong token", "a", "b", 0},
		// Two matching tokens: no 3-gram and no 4-gram, one imagined of each.
		{"two tokens", "a b", "a b", math.Pow(1*1*smooth(1, 2)*smooth(2, 2), 0.25)},
		{"three tokens", "a b c", "a b c", math.Pow(smooth(1, 3), 0.25)},
		// Five tokens, the last one wrong: 4/5, 3/4, 2/3 and 1/2.
		{"last wrong", "a b c d e", "a b c d x", math.Pow(4.0/5*3/4*2/3*1/2, 0.25)},
		// Too short by one: brevity penalty, all else matches.
		{"too short", "a b c d e", "a b c d", math.Exp(1 - 5.0/4)},
		{"too long", "a b c d", "a b c d e", math.Pow(4.0/5*3/4*2/3*1/2, 0.25)},
		// The third "a" of the hypothesis has no match; neither has any longer n-gram but "a a".
		{"clipped", "a a b c", "a a a a", math.Pow(2.0/4*1/3*smooth(1, 4)/2*smooth(2, 4)/1, 0.25)},
		// Only unigrams match: 2-, 3- and 4-grams are smoothed one after another.
		{"other order", "a b c d", "d c b a", math.Pow(1*smooth(1, 4)/3*smooth(2, 4)/2*smooth(3, 4)/1, 0.25)},
	} {
		if got := score(test.reference, test.hypothesis); !near(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// naive follows the published formulas word by word, without counting anything
// beforehand: modified precision with clipping (Papineni et al. 2002), smoothing
// method 4 (Chen and Cherry 2014), the mean over the precisions that are above 0.
func naive(reference, hypothesis []string) float64 {
	h := len(hypothesis)
	if h == 0 || len(reference) == 0 {
		return 0
	}
	count := func(tokens, gram []string) int {
		n := 0
		for i := 0; i+len(gram) <= len(tokens); i++ {
			if slices.Equal(tokens[i:i+len(gram)], gram) {
				n++
			}
		}
		return n
	}
	var p [5]float64
	k := 1
	for n := 1; n <= 4; n++ {
		matched := 0
		var seen [][]string
		for i := 0; i+n <= h; i++ {
			gram := hypothesis[i : i+n]
			if slices.ContainsFunc(seen, func(s []string) bool { return slices.Equal(s, gram) }) {
				continue
			}
			seen = append(seen, gram)
			matched += min(count(hypothesis, gram), count(reference, gram))
		}
		total := float64(max(1, h-n+1))
		if n == 1 && matched == 0 {
			return 0
		}
		p[n] = float64(matched) / total
		if matched == 0 && h > 1 {
			p[n] = 1 / (math.Pow(2, float64(k)) * 5 / math.Log(float64(h))) / total
			k++
		}
	}
	sum := 0.0
	for _, v := range p[1:] {
		if v > 0 {
			sum += 0.25 * math.Log(v)
		}
	}
	penalty := 1.0
	if h <= len(reference) {
		penalty = math.Exp(1 - float64(len(reference))/float64(h))
	}
	return penalty * math.Exp(sum)
}

func TestAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	text := func() []string {
		out := make([]string, r.IntN(15))
		for i := range out {
			out[i] = string(rune('a' + r.IntN(4)))
		}
		return out
	}
	for range 20_000 {
		reference, hypothesis := text(), text()
		got, want := NewReference(reference).Sentence(hypothesis), naive(reference, hypothesis)
		if !near(got, want) || got < 0 || got > 1+1e-12 {
			t.Fatalf("%q against %q: %v, want %v", hypothesis, reference, got, want)
		}
	}
}

// A reference can be used again, and the counting leaves the tokens alone.
func TestReferenceIsReusable(t *testing.T) {
	tokens := Tokens("def f ( x ) : return x")
	before := slices.Clone(tokens)
	r := NewReference(tokens)
	first := r.Sentence(Tokens("def f ( y ) : return y"))
	if r.Sentence(Tokens("other words")); r.Sentence(Tokens("def f ( y ) : return y")) != first || !slices.Equal(tokens, before) {
		t.Error("the second comparison differs")
	}
	if got := r.Sentence(tokens); got != 1 {
		t.Errorf("with itself: %v", got)
	}
	if n := len(Tokens("a\u00a0b\u2003c\x00d")); n != 3 {
		t.Errorf("%d tokens", n)
	}
}
