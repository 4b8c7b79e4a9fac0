// Package bleu computes sentence BLEU as RepoQA's scorer uses it.
package bleu

import (
	"math"
	"strings"
)

const order = 4

// Tokens splits at white space.
func Tokens(text string) []string { return strings.Fields(text) }

// Reference is a tokenised reference with its n-grams counted once, to compare
// many hypotheses with.
type Reference struct {
	length int
	counts [order]map[string]int
}

// NewReference counts the n-grams of a reference.
func NewReference(tokens []string) *Reference {
	r := &Reference{length: len(tokens)}
	for n := range order {
		r.counts[n] = ngrams(tokens, n+1)
	}
	return r
}

func ngrams(tokens []string, n int) map[string]int {
	counts := make(map[string]int, max(0, len(tokens)-n+1))
	for i := 0; i+n <= len(tokens); i++ {
		counts[strings.Join(tokens[i:i+n], "\x00")]++ // tokens of source text hold no NUL
	}
	return counts
}

// Sentence is BLEU-4 of a hypothesis against one reference, 0 to 1: the
// geometric mean of modified n-gram precisions with uniform weights, times the
// brevity penalty (Papineni et al. 2002). Precisions without a match are
// smoothed by method 4 of Chen and Cherry (2014): 1/(2^k * 5/ln(h)) over the
// number of n-grams for the k-th of them, where h is the length of the
// hypothesis. With one token there is nothing to smooth by, and longer n-grams
// are left out of the mean, as the widely used implementation in NLTK does.
// A hypothesis without a single matching token scores 0.
func (r *Reference) Sentence(hypothesis []string) float64 {
	h := len(hypothesis)
	if h == 0 || r.length == 0 {
		return 0
	}
	var logs float64
	zeros := 1.0
	for n := range order {
		matched, total := 0, 0
		for gram, count := range ngrams(hypothesis, n+1) {
			total += count
			matched += min(count, r.counts[n][gram])
		}
		if n == 0 && matched == 0 {
			return 0
		}
		total = max(1, total) // a hypothesis shorter than n has one imagined n-gram
		precision := float64(matched) / float64(total)
		if matched == 0 {
			if h <= 1 {
				continue
			}
			precision = 1 / (math.Pow(2, zeros) * 5 / math.Log(float64(h))) / float64(total)
			zeros++
		}
		logs += math.Log(precision) / order
	}
	return brevity(r.length, h) * math.Exp(logs)
}

func brevity(reference, hypothesis int) float64 {
	if hypothesis > reference {
		return 1
	}
	return math.Exp(1 - float64(reference)/float64(hypothesis))
}
