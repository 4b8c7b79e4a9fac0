// Package minhashtest makes up functions for tests and measurements of
// deduplication: originals, copies spaced otherwise, and copies changed to a known
// similarity.
package minhashtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// Of each ten functions six are originals, three are changed copies of these, of a
// similarity of 0.75 to 1, and the tenth is an original too but, in every fifth
// ten, a copy that differs in white space.
const group = 10

// Shingle is the number of tokens that [Function] computes similarities for.
const Shingle = 5

// Function is the i-th function of a corpus, the same at every call.
func Function(seed uint64, i int) string {
	r := random(seed, i)
	switch place := i % group; {
	case place >= 6 && place < 9:
		tokens := original(random(seed, i-place+r.IntN(6)))
		change(r, tokens, 0.75+0.25*r.Float64())
		return spell(r, tokens)
	case place == 9 && i/group%5 == 0:
		return spell(r, original(random(seed, i-place+r.IntN(6))))
	}
	return spell(r, original(r))
}

// random is the generator of one function; an original uses no more of it than
// [original] does.
func random(seed uint64, i int) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(i))) }

// original are the tokens of a function of 60 to 250 tokens.
func original(r *rand.Rand) []string {
	tokens := strings.Fields("func " + name(r) + " ( " + name(r) + " , " + name(r) + " ) {")
	for want := 60 + r.IntN(180); len(tokens) < want; {
		a, b, c := name(r), name(r), name(r)
		form := [...]string{"%s = %s ( %s )", "if %s < %s { return %s }", "%s . %s = %s", "for %s : %s { %s ( ) }", "%s + = %s * %s", "return %s [ %s ] . %s"}[r.IntN(6)]
		tokens = append(tokens, strings.Fields(fmt.Sprintf(form, a, b, c))...)
	}
	return append(tokens, "}")
}

// name is one of 5000 names, distributed as names are: the n-th is 1/n as frequent
// as the first.
func name(r *rand.Rand) string { return fmt.Sprintf("name%d", int(math.Pow(5000, r.Float64()))) }

// change replaces tokens until the Jaccard similarity to what they were is about
// what is asked: each replaced token changes Shingle shingles.
func change(r *rand.Rand, tokens []string, similarity float64) {
	n := float64(len(tokens)) * (1 - similarity) / (1 + similarity) / Shingle
	for range int(math.Round(n)) {
		tokens[r.IntN(len(tokens))] = fmt.Sprintf("other%d", r.IntN(1e9))
	}
}

// spell writes tokens with white space of any kind between them.
func spell(r *rand.Rand, tokens []string) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(t)
		b.WriteString([...]string{" ", " ", " ", "\n\t", "\r\n"}[r.IntN(5)])
	}
	return b.String()
}
