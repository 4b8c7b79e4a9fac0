package tokenizer

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// spMark is how SentencePiece writes a space. Here it is the other way round:
// pieces and text are kept with the plain space, so that most text is encoded
// where it lies.
const spMark = "▁"

// sentencePiece is a BPE tokenizer of SentencePiece. The original merges a text
// as a whole. Here it is cut wherever two bytes meet that no piece has side by
// side, as before a space: no merge can reach over such a cut, so the
// parts, called words, are merged one by one with the same result.
type sentencePiece struct {
	identity string
	file     spFile // without its pieces
	ids      map[string]int32
	ranks    []int32  // of each piece: its place in the order of merges
	frozen   []bool   // of each piece: it is in defined
	defined  []string // user-defined pieces, longest first: found first, never merged
	starts   [256]bool
	longest  int32 // piece, in bytes
	unknown  int32
	bytes    [256]int32
	joined   byteMatrix // which bytes are side by side in a piece
	words    *wordCache
}

func (t *sentencePiece) Identity() string { return t.identity }

func (t *sentencePiece) Encode(dst []int, text string) []int {
	t.each(text, func(ids []int32) {
		for _, id := range ids {
			dst = append(dst, int(id))
		}
	})
	return dst
}

func (t *sentencePiece) Count(text string) int {
	count := 0
	t.each(text, func(ids []int32) { count += len(ids) })
	return count
}

// each calls emit with the tokens of the text, word by word.
func (t *sentencePiece) each(text string, emit func([]int32)) {
	text = t.normalize(text)
	s := getScratch()
	defer putScratch(s)
	prefix := t.file.dummyPrefix
	unknown := false
	for text != "" {
		end := t.wordEnd(text)
		word := text[:end]
		if prefix {
			// The prefix goes to the first word alone, to leave a long text
			// where it lies.
			prefix = false
			if t.joined.has(' ', text[0]) {
				word = " " + word
			} else {
				word, end = " ", 0
			}
		}
		text = text[end:]
		ids := t.wordIDs(s, word)
		if !t.file.byteFallback {
			ids, unknown = t.joinUnknown(ids, unknown)
		}
		emit(ids)
	}
}

// normalize applies the model's normalizer, except for the prefix.
func (t *sentencePiece) normalize(text string) string {
	text = replaceBytes(text)
	if t.file.squeeze {
		text = squeezeSpaces(text)
	}
	if t.file.escape && strings.Contains(text, spMark) {
		text = strings.ReplaceAll(text, spMark, " ")
	}
	if t.file.squeeze {
		text = strings.TrimRight(text, " ")
	}
	return text
}

// squeezeSpaces drops spaces at the start and all but one of each run.
func squeezeSpaces(text string) string {
	text = strings.TrimLeft(text, " ")
	if !strings.Contains(text, "  ") {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := range len(text) {
		if text[i] != ' ' || text[i-1] != ' ' {
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// wordEnd returns the end of the first word of text.
func (t *sentencePiece) wordEnd(text string) int {
	for i := 1; i < len(text); i++ {
		if !t.joined.has(text[i-1], text[i]) && utf8.RuneStart(text[i]) {
			return i
		}
	}
	return len(text)
}

// byteMatrix is a set of pairs of bytes.
type byteMatrix [1 << 10]uint64

func (m *byteMatrix) has(a, b byte) bool {
	return m[int(a)<<2|int(b>>6)]>>(b&63)&1 != 0
}

func (m *byteMatrix) add(a, b byte) { m[int(a)<<2|int(b>>6)] |= 1 << (b & 63) }

// wordIDs returns the tokens of a word. The result belongs to the cache or to s
// and holds until the next call.
func (t *sentencePiece) wordIDs(s *scratch, word string) []int32 {
	if ids, ok := t.words.get(word, &s.few); ok {
		return ids
	}
	s.ids = s.ids[:0]
	for rest := word; rest != ""; {
		n := len(rest)
		if n > maxWord {
			for n = maxWord; !utf8.RuneStart(rest[n]); n-- {
			}
		}
		t.mergePart(s, rest[:n])
		rest = rest[n:]
	}
	t.words.put(word, s.ids)
	return s.ids
}

func (t *sentencePiece) mergePart(s *scratch, part string) {
	s.symbols = s.symbols[:0]
	for i := 0; i < len(part); {
		w := t.definedPrefix(part[i:])
		if w == 0 {
			_, w = utf8.DecodeRuneInString(part[i:])
		}
		id, ok := t.ids[part[i:i+w]]
		if !ok {
			id = -1
		}
		s.symbols = append(s.symbols, symbol{start: int32(i), size: int32(w), id: id})
		i += w
	}
	s.merge(t, part)
	for i := range s.symbols {
		sym := &s.symbols[i]
		if sym.id >= 0 {
			s.ids = append(s.ids, sym.id)
			continue
		}
		if !t.file.byteFallback {
			s.ids = append(s.ids, t.unknown)
			continue
		}
		char := part[sym.start : sym.start+sym.size]
		if char == " " && t.file.escape {
			char = spMark
		}
		for _, b := range []byte(char) {
			s.ids = append(s.ids, t.bytes[b])
		}
	}
}

// definedPrefix returns the length of the longest user-defined piece that text
// starts with, or 0.
func (t *sentencePiece) definedPrefix(text string) int {
	if t.starts[text[0]] {
		for _, piece := range t.defined {
			if strings.HasPrefix(text, piece) {
				return len(piece)
			}
		}
	}
	return 0
}

// merge implements merges: whatever makes a piece, the highest score first.
func (t *sentencePiece) merge(word string, left, right *symbol) (rank, id int32) {
	size := left.size + right.size
	if size > t.longest || t.isFrozen(left.id) || t.isFrozen(right.id) {
		return -1, 0
	}
	if id, ok := t.ids[word[left.start:left.start+size]]; ok {
		return t.ranks[id], id
	}
	return -1, 0
}

func (t *sentencePiece) isFrozen(id int32) bool {
	return t.frozen != nil && id >= 0 && t.frozen[id]
}

// joinUnknown makes a run of unknown characters one token, also from one word to
// the next; the second argument and result say whether the run goes on. It
// leaves ids as they are.
func (t *sentencePiece) joinUnknown(ids []int32, unknown bool) ([]int32, bool) {
	if !slices.Contains(ids, t.unknown) {
		return ids, unknown && len(ids) == 0
	}
	joined := make([]int32, 0, len(ids))
	for _, id := range ids {
		if id != t.unknown || !unknown {
			joined = append(joined, id)
		}
		unknown = id == t.unknown
	}
	return joined, unknown
}
