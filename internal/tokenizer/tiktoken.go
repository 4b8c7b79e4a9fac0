package tokenizer

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"

	"benchmill/internal/tokenizer/split"
)

// tiktokenSplitters has the splitter of each encoding, as version 0.14 of the
// tiktoken library cuts. Special tokens are part of no encoding here: their text
// is encoded like any other, which is the library's encode_ordinary.
var tiktokenSplitters = map[string]split.Splitter{
	"cl100k_base": split.CL100K,
	"o200k_base":  split.O200K,
	"p50k_base":   split.GPT2,
	"r50k_base":   split.GPT2,
}

// loadTiktoken reads a rank file: one token a line, its bytes in base64, a
// space, and its rank, which is both its id and its place in the order of
// merges.
func loadTiktoken(encoding string, data []byte) (Tokenizer, error) {
	cut, ok := tiktokenSplitters[encoding]
	if !ok {
		return nil, fmt.Errorf("has no encoding %q (one of %s)", encoding, strings.Join(encodingNames(), ", "))
	}
	ranks, longest, err := parseRanks(data)
	if err != nil {
		return nil, err
	}
	bpe := newByteLevel()
	bpe.whole = ranks
	bpe.rules = &rankRules{ranks: ranks, longest: int32(min(longest, maxWord))}
	for b := range bpe.bytes {
		rank, ok := ranks[string([]byte{byte(b)})]
		if !ok {
			return nil, broken("no token for the byte 0x%02x", b)
		}
		bpe.bytes[b] = rank
	}
	label := "tiktoken:" + strings.TrimSuffix(encoding, "_base")
	return &plain{identity: identity(label, rulesByteLevel, data), cut: cut, bpe: bpe}, nil
}

// parseRanks returns the rank of each token and the length of the longest.
func parseRanks(data []byte) (ranks map[string]int32, longest int, err error) {
	ranks = make(map[string]int32, bytes.Count(data, []byte{'\n'})+1)
	used := make(map[int32]bool, len(ranks))
	number := 0
	for line := range bytes.Lines(data) {
		number++
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			continue
		}
		text, digits, ok := bytes.Cut(line, []byte{' '})
		if !ok {
			return nil, 0, broken("line %d: want a token in base64, a space and a rank", number)
		}
		token, err := base64.StdEncoding.AppendDecode(nil, text)
		if err != nil {
			return nil, 0, broken("line %d: token: %w", number, err)
		}
		rank, err := strconv.ParseUint(string(digits), 10, 32)
		if err != nil || rank > math.MaxInt32 {
			return nil, 0, broken("line %d: rank %.20q is not a number below 2^31", number, digits)
		}
		if len(token) == 0 {
			return nil, 0, broken("line %d: the token is empty", number)
		}
		if _, ok := ranks[string(token)]; ok {
			return nil, 0, broken("line %d: the token %.40q is there twice", number, token)
		}
		if used[int32(rank)] {
			return nil, 0, broken("line %d: the rank %d is there twice", number, rank)
		}
		ranks[string(token)], used[int32(rank)] = int32(rank), true
		longest = max(longest, len(token))
	}
	if len(ranks) == 0 {
		return nil, 0, broken("no tokens")
	}
	return ranks, longest, nil
}

// rankRules merges whatever makes a token, the one of lowest rank first.
type rankRules struct {
	ranks   map[string]int32
	longest int32 // in bytes
}

func (r *rankRules) merge(word string, left, right *symbol) (rank, id int32) {
	size := left.size + right.size
	if size > r.longest {
		return -1, 0
	}
	if rank, ok := r.ranks[word[left.start:left.start+size]]; ok {
		return rank, rank
	}
	return -1, 0
}
