package tokenizer

import (
	"math/bits"
	"sync/atomic"
)

// wordCache remembers the tokens of words. Like memo it has one slot a word,
// forgets what another word overwrites, and takes no locks; unlike it, short
// words and their tokens lie in the slot itself, one cache line long, where
// looking up is several times as fast as merging and leaves nothing to the
// garbage collector. Longer words go to a memo.
type wordCache struct {
	slots []wordSlot
	long  *memo[[]int32]
}

// wordSlot is written under a version, which is odd in between: a reader that
// sees the same even version before and after has read one whole entry.
type wordSlot struct {
	head atomic.Uint64 // version, number of tokens, length of the word
	key  [3]atomic.Uint64
	ids  [4]atomic.Uint64 // two tokens each
}

const (
	wordSlotBits = 17 // 8 MiB
	wordKeyMax   = 24 // longest word of a slot, in bytes
	wordIDsMax   = 8  // most tokens of a slot

	longWordBits = 12
	longWordMax  = 128 // longest word of the memo, in bytes

	headVersion = 1 << 16 // the unit of the version
)

func newWordCache() *wordCache {
	return &wordCache{
		slots: make([]wordSlot, 1<<wordSlotBits),
		long:  newMemo[[]int32](longWordBits, longWordMax),
	}
}

// get returns the tokens of a word, written to buf or shared.
func (c *wordCache) get(word string, buf *[wordIDsMax]int32) ([]int32, bool) {
	if len(word) > wordKeyMax {
		return c.long.get(word)
	}
	key := packWord(word)
	s := c.slot(key, len(word))
	head := s.head.Load()
	if int(head&0xff) != len(word) || head&headVersion != 0 ||
		s.key[0].Load() != key[0] || s.key[1].Load() != key[1] || s.key[2].Load() != key[2] {
		return nil, false
	}
	n := int(head >> 8 & 0xff)
	for i := 0; i < n; i += 2 {
		two := s.ids[i/2].Load()
		buf[i], buf[i+1] = int32(uint32(two)), int32(uint32(two>>32))
	}
	if s.head.Load() != head {
		return nil, false
	}
	return buf[:n], true
}

// put copies the word and its tokens, if they are few enough.
func (c *wordCache) put(word string, ids []int32) {
	if len(word) > wordKeyMax {
		if len(word) <= longWordMax {
			c.long.put(word, append([]int32(nil), ids...))
		}
		return
	}
	if len(word) == 0 || len(ids) > wordIDsMax {
		return
	}
	key := packWord(word)
	s := c.slot(key, len(word))
	head := s.head.Load()
	writing := head | headVersion
	if head == writing || !s.head.CompareAndSwap(head, writing) {
		return // someone else is writing here
	}
	for i := range key {
		s.key[i].Store(key[i])
	}
	for i := 0; i < len(ids); i += 2 {
		two := uint64(uint32(ids[i]))
		if i+1 < len(ids) {
			two |= uint64(uint32(ids[i+1])) << 32
		}
		s.ids[i/2].Store(two)
	}
	next := (writing>>16 + 1) << 16
	s.head.Store(next | uint64(len(ids))<<8 | uint64(len(word)))
}

func (c *wordCache) slot(key [3]uint64, size int) *wordSlot {
	h := key[0] ^ bits.RotateLeft64(key[1]*0x9e3779b97f4a7c15, 32) ^ key[2]*0xc2b2ae3d27d4eb4f ^ uint64(size)<<56
	hi, lo := bits.Mul64(h, 0xd6e8feb86659fd93)
	return &c.slots[(hi^lo)&uint64(len(c.slots)-1)]
}

// packWord reads a word of at most 24 bytes into numbers. Parts may overlap; for
// words of one length, equal numbers mean equal words.
func packWord(word string) (key [3]uint64) {
	n := len(word)
	switch {
	case n >= 8:
		key[0] = load64(word)
		key[1] = load64(word[n-8:])
		if n > 16 {
			key[2] = load64(word[8:])
		}
	case n >= 4:
		key[0] = uint64(load32(word)) | uint64(load32(word[n-4:]))<<32
	case n > 0:
		key[0] = uint64(word[0]) | uint64(word[n/2])<<8 | uint64(word[n-1])<<16
	}
	return key
}

func load32(s string) uint32 {
	_ = s[3]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

func load64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
