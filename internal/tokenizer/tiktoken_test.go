package tokenizer

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// slowRanks merges a word as the format defines it: of all neighbours whose
// bytes together are a token, the one of lowest rank, again and again.
func slowRanks(ranks map[string]int32, word string) []int {
	if rank, ok := ranks[word]; ok {
		return []int{int(rank)}
	}
	parts := strings.Split(word, "")
	parts = parts[:0]
	for i := range len(word) {
		parts = append(parts, word[i:i+1])
	}
	for {
		best, bestRank := -1, int32(0)
		for i := 1; i < len(parts); i++ {
			if rank, ok := ranks[parts[i-1]+parts[i]]; ok && (best < 0 || rank < bestRank) {
				best, bestRank = i, rank
			}
		}
		if best < 0 {
			break
		}
		parts[best-1] += parts[best]
		parts = slices.Delete(parts, best, best+1)
	}
	var ids []int
	for _, p := range parts {
		ids = append(ids, int(ranks[p]))
	}
	return ids
}

// randomRanks makes a vocabulary of all bytes and random tokens over a small
// alphabet, whose ranks follow no order, so that merges block each other.
func randomRanks(rng *rand.Rand) []string {
	var tokens []string
	for b := range 256 {
		tokens = append(tokens, string([]byte{byte(b)}))
	}
	for _, i := range rng.Perm(120) {
		token := ""
		for n := 2 + i%6; n > 0; n-- {
			token += string("abc "[rng.IntN(4)])
		}
		if !slices.Contains(tokens, token) {
			tokens = append(tokens, token)
		}
	}
	return tokens
}

func TestTiktokenAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 40 {
		tokens := randomRanks(rng)
		ranks := map[string]int32{}
		for i, token := range tokens {
			ranks[token] = int32(i)
		}
		for name, cut := range tiktokenSplitters {
			tok, err := Load(KindTiktoken, name, rankFile(tokens))
			if err != nil {
				t.Fatal(err)
			}
			for range 30 {
				var b strings.Builder
				for range rng.IntN(150) {
					b.WriteByte("aaabbc "[rng.IntN(7)])
				}
				var want []int
				for rest := b.String(); rest != ""; {
					n := cut.Next(rest)
					want = append(want, slowRanks(ranks, rest[:n])...)
					rest = rest[n:]
				}
				checkIDs(t, tok, b.String(), want)
			}
		}
	}
}

// TestTiktokenTail holds the one difference between the library's cl100k_base
// and the expression it was published with.
func TestTiktokenTail(t *testing.T) {
	var tokens []string
	for b := range 256 {
		tokens = append(tokens, string([]byte{byte(b)}))
	}
	tok, err := Load(KindTiktoken, "cl100k_base", rankFile(append(tokens, "\n ")))
	if err != nil {
		t.Fatal(err)
	}
	checkIDs(t, tok, "a\n ", []int{'a', 256})
	checkIDs(t, tok, "a\n a", []int{'a', '\n', ' ', 'a'})
}

func TestTiktokenRefuses(t *testing.T) {
	bytes := string(rankFile(embeddedTokens(t)[:256]))
	for name, c := range map[string]struct{ data, want string }{
		"no space":      {"YQ==\n", "line 1: want a token"},
		"not base64":    {"YQ== 0\n!! 1\n", "line 2: token: illegal base64"},
		"rank":          {"YQ== x\n", `line 1: rank "x" is not a number`},
		"negative rank": {"YQ== -1\n", "line 1: rank"},
		"large rank":    {"YQ== 2147483648\n", "line 1: rank"},
		"empty token":   {" 1\n", "line 1: the token is empty"},
		"token twice":   {"YQ== 1\n\nYQ== 2\n", `line 3: the token "a" is there twice`},
		"rank twice":    {"YQ== 1\nYg== 1\n", "line 2: the rank 1 is there twice"},
		"byte missing":  {strings.Replace(bytes, "YQ== 97\n", "", 1), "no token for the byte 0x61"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Load(KindTiktoken, "cl100k_base", []byte(c.data)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	if _, err := Load(KindTiktoken, "cl100k_base", []byte(strings.ReplaceAll(bytes, "\n", "\r\n"))); err != nil {
		t.Errorf("line ends of Windows: %v", err)
	}
}
