package train

import (
	"hash/fnv"
	"strings"

	"benchmill/internal/tokenizer/split"
)

// Corpus counts the words of texts.
type Corpus struct {
	Words map[string]int64
	Bytes int64 // of the text counted
	cut   split.Splitter
	lines map[uint64]struct{} // long lines counted before
}

// longLine is the length from which a line counts once however often it comes,
// so that licence headers do not become tokens.
const longLine = 40

// NewCorpus returns an empty corpus whose words are the pieces of a splitter.
func NewCorpus(cut split.Splitter) *Corpus {
	return &Corpus{
		Words: map[string]int64{},
		cut:   cut,
		lines: map[uint64]struct{}{},
	}
}

// Add counts the words of a text without the long lines that came before. Those
// are known by a 64-bit hash.
func (c *Corpus) Add(text string) {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if key := strings.TrimSpace(line); len(key) >= longLine {
			h := hash(key)
			if _, ok := c.lines[h]; ok {
				continue
			}
			c.lines[h] = struct{}{}
		}
		kept.WriteString(line)
	}
	text = kept.String()
	c.Bytes += int64(len(text))
	for text != "" {
		n := c.cut.Next(text)
		if _, ok := c.Words[text[:n]]; ok {
			c.Words[text[:n]]++
		} else {
			c.Words[strings.Clone(text[:n])] = 1
		}
		text = text[n:]
	}
}

func hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}
