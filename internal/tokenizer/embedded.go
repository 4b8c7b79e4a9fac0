package tokenizer

import (
	_ "embed"
	"sync"

	"benchmill/internal/tokenizer/mergefile"
	"benchmill/internal/tokenizer/split"
)

//go:generate go run ./train/cmd -o embedded.bpe.gz

// embeddedFile is in the format of package mergefile.
//
//go:embed embedded.bpe.gz
var embeddedFile []byte

// Embedded returns the tokenizer inside the program: byte-level BPE of some
// 8,000 tokens trained on source code, with numbers in groups of three digits.
// It needs no file and no network, and is meant for defaults, tests and budgets
// that no model's tokenizer is prescribed for.
func Embedded() Tokenizer { return embedded() }

var embedded = sync.OnceValue(func() Tokenizer {
	f, err := mergefile.Read(embeddedFile)
	if err != nil {
		panic("tokenizer: the embedded vocabulary is damaged: " + err.Error())
	}
	bpe := newByteLevel()
	for b := range bpe.bytes {
		bpe.bytes[b] = int32(b)
	}
	rules := make(pairRules, len(f.Merges))
	for i, m := range f.Merges {
		rules[pairKey(m.Left, m.Right)] = pair{rank: int32(i), id: int32(256 + i)}
	}
	bpe.rules = rules
	return &plain{
		identity: identity("embedded", rulesByteLevel, f.Canonical()),
		cut:      split.Llama3,
		bpe:      bpe,
	}
})
