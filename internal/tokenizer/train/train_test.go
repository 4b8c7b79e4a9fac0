package train

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"benchmill/internal/tokenizer/mergefile"
	"benchmill/internal/tokenizer/split"
)

func TestTrainByHand(t *testing.T) {
	// ab comes 5+3+3 times; then abc 5 and ab+ab 3; zz is too rare.
	words := map[string]int64{"abc": 5, "abab": 3, "zz": 1}
	got := Train(words, Options{Merges: 10, MaxToken: 16, MinCount: 2})
	want := []mergefile.Merge{{Left: 'a', Right: 'b'}, {Left: 256, Right: 'c'}, {Left: 256, Right: 256}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := Train(words, Options{Merges: 10, MaxToken: 2, MinCount: 2}); !reflect.DeepEqual(got, want[:1]) {
		t.Errorf("tokens of at most two bytes: got %v", got)
	}
	if got := Train(words, Options{Merges: 1, MaxToken: 16, MinCount: 2}); len(got) != 1 {
		t.Errorf("one merge: got %v", got)
	}
}

// slow counts all pairs anew for each merge.
func slow(words map[string]int64, o Options) []mergefile.Merge {
	type item struct {
		tokens []int32
		count  int64
	}
	var items []item
	for w, c := range words {
		if c < o.MinCount {
			continue
		}
		var tokens []int32
		for _, b := range []byte(w) {
			tokens = append(tokens, int32(b))
		}
		items = append(items, item{tokens, c})
	}
	var merges []mergefile.Merge
	for len(merges) < o.Merges {
		counts := map[mergefile.Merge]int64{}
		for _, it := range items {
			for i := 1; i < len(it.tokens); i++ {
				counts[mergefile.Merge{Left: it.tokens[i-1], Right: it.tokens[i]}] += it.count
			}
		}
		var best ranked
		for p, c := range counts {
			if r := (ranked{p, c}); c >= o.MinCount && (best.count == 0 || (queue{r, best}).Less(0, 1)) {
				best = r
			}
		}
		if best.count == 0 {
			break
		}
		made := int32(256 + len(merges))
		merges = append(merges, best.pair)
		for i := range items {
			items[i].tokens = replace(items[i].tokens, best.pair, made)
		}
	}
	return merges
}

func TestTrainAgainstCounting(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		words := map[string]int64{}
		for range 1 + rng.IntN(30) {
			var b strings.Builder
			for range 1 + rng.IntN(9) {
				b.WriteByte("abc"[rng.IntN(3)])
			}
			words[b.String()] += int64(1 + rng.IntN(5))
		}
		o := Options{Merges: 40, MaxToken: 1 << 10, MinCount: 2}
		if got, want := Train(words, o), slow(words, o); !reflect.DeepEqual(got, want) {
			t.Fatalf("words %v\n got %v\nwant %v", words, got, want)
		}
	}
}

func TestCorpusCountsLongLinesOnce(t *testing.T) {
	licence := "// " + strings.Repeat("all rights reserved ", 3) + "\n"
	c := NewCorpus(split.Llama3)
	c.Add(licence + "return nil\n")
	c.Add(licence + "return nil\n")
	if c.Words[" reserved"] != 3 || c.Words["return"] != 2 {
		t.Errorf(`" reserved" %d times, want 3; "return" %d times, want 2`, c.Words[" reserved"], c.Words["return"])
	}
	if want := int64(len(licence) + 2*len("return nil\n")); c.Bytes != want {
		t.Errorf("%d bytes, want %d", c.Bytes, want)
	}
}
