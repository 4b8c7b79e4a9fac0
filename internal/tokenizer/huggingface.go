package tokenizer

import (
	"golang.org/x/text/unicode/norm"
)

// huggingFace is a byte-level BPE tokenizer of a tokenizer.json: added tokens
// are found first, the text between them is normalized and cut by the
// pre-tokenizers, one after the other, and the pieces are merged.
type huggingFace struct {
	identity   string
	raw        *addedTokens // found in the text as it is
	normalized *addedTokens // found after normalization
	nfc        bool
	stages     []hfStage
	bpe        *byteLevel
}

func (h *huggingFace) Identity() string { return h.identity }

func (h *huggingFace) Encode(dst []int, text string) []int {
	h.each(text, func(ids []int32) {
		for _, id := range ids {
			dst = append(dst, int(id))
		}
	})
	return dst
}

func (h *huggingFace) Count(text string) int {
	count := 0
	h.each(text, func(ids []int32) { count += len(ids) })
	return count
}

// each calls emit with the tokens of the text, piece by piece.
func (h *huggingFace) each(text string, emit func([]int32)) {
	s := getScratch()
	defer putScratch(s)
	h.raw.split(replaceParts(text), emit, func(part string) {
		if h.nfc {
			part = norm.NFC.String(part)
		}
		h.normalized.split(part, emit, func(part string) {
			h.pieces(s, 0, part, emit)
		})
	})
}

// pieces cuts text by the stages from the given one on.
func (h *huggingFace) pieces(s *scratch, stage int, text string, emit func([]int32)) {
	if stage == len(h.stages) {
		emit(h.bpe.ids(s, text))
		return
	}
	st := &h.stages[stage]
	if st.prefixSpace && text[0] != ' ' {
		text = " " + text
	}
	if st.cut == nil {
		h.pieces(s, stage+1, text, emit)
		return
	}
	last := stage+1 == len(h.stages)
	for text != "" {
		n, keep := st.cut.next(text)
		switch {
		case !keep:
		case last:
			emit(h.bpe.ids(s, text[:n]))
		default:
			h.pieces(s, stage+1, text[:n], emit)
		}
		text = text[n:]
	}
}
