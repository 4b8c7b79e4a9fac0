package tokenizer

import "benchmill/internal/tokenizer/split"

// byteLevel merges the bytes of words: the part that all byte-level BPE
// tokenizers share.
type byteLevel struct {
	bytes [256]int32       // the token of each byte; -1: the byte vanishes
	rules merges           // which tokens become one
	whole map[string]int32 // words that are tokens as they stand; may be nil
	words *wordCache
}

func newByteLevel() *byteLevel { return &byteLevel{words: newWordCache()} }

// ids returns the tokens of a word. The result belongs to the cache or to s and
// holds until the next call.
func (b *byteLevel) ids(s *scratch, word string) []int32 {
	if len(word) == 1 {
		if id := b.bytes[word[0]:][:1]; id[0] >= 0 {
			return id
		}
		return nil
	}
	if ids, ok := b.words.get(word, &s.few); ok {
		return ids
	}
	s.ids = s.ids[:0]
	if id, ok := b.whole[word]; ok {
		s.ids = append(s.ids, id)
	} else {
		for rest := word; rest != ""; {
			part := rest[:min(len(rest), maxWord)]
			rest = rest[len(part):]
			b.mergePart(s, part)
		}
	}
	b.words.put(word, s.ids)
	return s.ids
}

func (b *byteLevel) mergePart(s *scratch, part string) {
	s.symbols = s.symbols[:0]
	for i := range len(part) {
		if id := b.bytes[part[i]]; id >= 0 {
			s.symbols = append(s.symbols, symbol{start: int32(i), size: 1, id: id})
		}
	}
	s.merge(b.rules, part)
	for i := range s.symbols {
		s.ids = append(s.ids, s.symbols[i].id)
	}
}

// pairRules merges by the ids of the neighbours, as rule lists are written.
type pairRules map[uint64]pair

func pairKey(left, right int32) uint64 { return uint64(uint32(left))<<32 | uint64(uint32(right)) }

func (r pairRules) merge(_ string, left, right *symbol) (rank, id int32) {
	if p, ok := r[pairKey(left.id, right.id)]; ok {
		return p.rank, p.id
	}
	return -1, 0
}

// plain is a tokenizer that only cuts and merges.
type plain struct {
	identity string
	cut      split.Splitter
	bpe      *byteLevel
}

func (p *plain) Identity() string { return p.identity }

func (p *plain) Encode(dst []int, text string) []int {
	text = replaceParts(text)
	s := getScratch()
	defer putScratch(s)
	for text != "" {
		n := p.cut.Next(text)
		for _, id := range p.bpe.ids(s, text[:n]) {
			dst = append(dst, int(id))
		}
		text = text[n:]
	}
	return dst
}

func (p *plain) Count(text string) int {
	text = replaceParts(text)
	s := getScratch()
	defer putScratch(s)
	count := 0
	for text != "" {
		n := p.cut.Next(text)
		count += len(p.bpe.ids(s, text[:n]))
		text = text[n:]
	}
	return count
}
