package tokenizer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// slowPairs merges symbols by the definition: the pair of lowest rank, of equals
// the leftmost, until no pair is a rule.
func slowPairs(rules pairRules, ids []int32) []int32 {
	ids = slices.Clone(ids)
	for {
		best, bestRank := -1, int32(0)
		for i := 1; i < len(ids); i++ {
			if p, ok := rules[pairKey(ids[i-1], ids[i])]; ok && (best < 0 || p.rank < bestRank) {
				best, bestRank = i, p.rank
			}
		}
		if best < 0 {
			return ids
		}
		ids[best-1] = rules[pairKey(ids[best-1], ids[best])].id
		ids = slices.Delete(ids, best, best+1)
	}
}

// TestMergeAgainstDefinition draws rules whose order is random, so that merges
// take each other's symbols, and whose ranks may be equal.
func TestMergeAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for range 300 {
		rules := pairRules{}
		next := int32(3)
		for range 25 {
			rules[pairKey(rng.Int32N(next), rng.Int32N(next))] = pair{rank: rng.Int32N(12), id: next}
			next++
		}
		for range 10 {
			word := make([]int32, 1+rng.IntN(3*scanLimit))
			for i := range word {
				word[i] = rng.Int32N(3)
			}
			want := slowPairs(rules, word)
			for name, merge := range map[string]func(*scratch){
				"heap":   func(s *scratch) { s.mergeHeap(rules, "") },
				"either": func(s *scratch) { s.merge(rules, "") },
			} {
				var s scratch
				for i, id := range word {
					s.symbols = append(s.symbols, symbol{start: int32(i), size: 1, id: id})
				}
				merge(&s)
				var got []int32
				end := int32(0)
				for _, sym := range s.symbols {
					if sym.start != end {
						t.Fatalf("%s: a symbol starts at %d, the one before ends at %d", name, sym.start, end)
					}
					end = sym.start + sym.size
					got = append(got, sym.id)
				}
				if !slices.Equal(got, want) || int(end) != len(word) {
					t.Fatalf("%s: %v becomes %v, want %v", name, word, got, want)
				}
			}
		}
	}
}

// countingRules counts the questions asked of a vocabulary.
type countingRules struct {
	merges
	asked int
}

func (c *countingRules) merge(word string, left, right *symbol) (rank, id int32) {
	c.asked++
	return c.merges.merge(word, left, right)
}

// TestHostileWords encodes words made to be slow. Work is counted, not timed: a
// word of n bytes may ask for at most 3n pairs, one for each neighbour at first
// and two for each merge. (Scanning all pairs for every merge asks no more, but
// would need hours for these words.)
func TestHostileWords(t *testing.T) {
	const size = 1 << 17
	random := make([]byte, size)
	rng := rand.New(rand.NewPCG(15, 16))
	for i := range random {
		random[i] = byte(rng.Uint32())
	}
	words := []string{
		strings.Repeat("a", size),
		strings.Repeat(" ", size),
		strings.Repeat("\n", size),
		strings.Repeat("=", size),
		strings.Repeat("ab", size/2),
		strings.Repeat("the", size/3),
		strings.Repeat("e\u0301", size/3),
		strings.Repeat("'s", size/2),
		strings.Repeat("\xf0\x9f", size/2),
		strings.Repeat("1", size),
		string(random),
	}
	for _, tok := range small(t) {
		var rules *countingRules
		wrap := func(m merges) merges { rules = &countingRules{merges: m}; return rules }
		switch t := tok.Tokenizer.(type) {
		case *plain:
			bpe := *t.bpe
			bpe.rules, bpe.whole = wrap(bpe.rules), nil
			tok.Tokenizer = &plain{identity: t.identity, cut: t.cut, bpe: &bpe}
		case *huggingFace:
			h, bpe := *t, *t.bpe
			bpe.rules = wrap(bpe.rules)
			h.bpe = &bpe
			tok.Tokenizer = &h
		}
		for _, word := range words {
			if rules != nil {
				rules.asked = 0
			}
			ids := tok.Encode(nil, word)
			valid := strings.ReplaceAll(tok.prefix+replaceParts(word), " ", "▁")
			if tok.prefix != "" {
				valid = strings.ReplaceAll(tok.prefix+replaceBytes(word), " ", "▁")
			}
			if got := strings.ReplaceAll(decode(tok, ids), " ", "▁"); got != valid {
				t.Errorf("%s: %.10q... does not come back", tok.name, word)
			}
			if rules != nil && rules.asked > 3*len(replaceParts(word)) {
				t.Errorf("%s: %.10q... of %d bytes asks for %d pairs", tok.name, word, len(word), rules.asked)
			}
		}
	}
}

// TestWordCache checks that words of one slot replace each other and never
// answer for each other.
func TestWordCache(t *testing.T) {
	c := newWordCache()
	c.slots = c.slots[:2]
	var buf [wordIDsMax]int32
	rng := rand.New(rand.NewPCG(17, 18))
	hits := 0
	for range 20_000 {
		word := strings.Repeat("ab", longWordMax)[:rng.IntN(longWordMax+8)]
		if rng.IntN(2) == 0 && word != "" {
			b := []byte(word)
			b[rng.IntN(len(b))] = 'c'
			word = string(b)
		}
		want := idsOf(word)
		if got, ok := c.get(word, &buf); ok {
			hits++
			if !slices.Equal(got, want) {
				t.Fatalf("%q: got %v, want %v", word, got, want)
			}
		}
		c.put(word, want)
		if got, ok := c.get(word, &buf); ok && !slices.Equal(got, want) {
			t.Fatalf("%q put: got %v, want %v", word, got, want)
		} else if !ok && len(word) > 0 && len(word) <= longWordMax && (len(want) <= wordIDsMax || len(word) > wordKeyMax) {
			t.Fatalf("%q is not kept", word)
		}
	}
	if hits == 0 {
		t.Error("nothing was ever found")
	}
}

// idsOf makes ids that differ from word to word, of every count.
func idsOf(word string) []int32 {
	var ids []int32
	for i := range len(word) % (wordIDsMax + 2) {
		ids = append(ids, int32(len(word)*1000+i)*int32(1+strings.IndexByte(word+"c", 'c')))
	}
	return ids
}

func TestPackWord(t *testing.T) {
	seen := map[string]string{}
	for n := range wordKeyMax + 1 {
		for i := range n {
			word := strings.Repeat("x", i) + "y" + strings.Repeat("x", n-i-1)
			key := fmt.Sprint(n, packWord(word))
			if other, ok := seen[key]; ok {
				t.Errorf("%q and %q are packed alike", word, other)
			}
			seen[key] = word
		}
	}
}

func TestLines(t *testing.T) {
	for _, tok := range small(t) {
		counter := &countingTokenizer{Tokenizer: tok}
		lines := LineCounter(counter)
		long := strings.Repeat("long ", 1000)
		for range 3 {
			for _, line := range []string{"", "\treturn nil", "  ", "a\r", long} {
				if got, want := lines.Count(line), tok.Count(line+"\n"); got != want {
					t.Errorf("%s: %.20q counts %d, want %d", tok.name, line, got, want)
				}
			}
		}
		if want := 4 + 3; counter.calls != want {
			t.Errorf("%s: %d calls, want %d: short lines once, the long one each time", tok.name, counter.calls, want)
		}
	}
}

type countingTokenizer struct {
	Tokenizer
	calls int
}

func (c *countingTokenizer) Count(text string) int {
	c.calls++
	return c.Tokenizer.Count(text)
}
