package tokenizer

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

func loadSentencePiece(data []byte) (Tokenizer, error) {
	f, err := parseSentencePiece(data)
	if err != nil {
		return nil, err
	}
	types := map[uint64]string{1: "unigram", 3: "word", 4: "character"}
	switch {
	case f.modelType != spModelBPE && types[f.modelType] != "":
		return nil, broken("trainer_spec.model_type: a %s model is not supported, only BPE", types[f.modelType])
	case f.modelType != spModelBPE:
		return nil, broken("trainer_spec.model_type: %d is unknown", f.modelType)
	case f.spaceSuffix:
		return nil, broken("trainer_spec.treat_whitespace_as_suffix: not supported")
	case f.charsMap:
		return nil, broken("normalizer_spec.precompiled_charsmap: not supported")
	case f.rules:
		return nil, broken("normalizer_spec.normalization_rule_tsv: not supported")
	}
	t := &sentencePiece{
		identity: identity("sentencepiece", rulesSentencePiece, data),
		file:     *f,
		ids:      make(map[string]int32, len(f.pieces)),
		ranks:    mergeRanks(f.pieces),
		frozen:   make([]bool, len(f.pieces)),
		unknown:  -1,
		words:    newWordCache(),
	}
	t.file.pieces = nil
	if err := t.addPieces(f.pieces); err != nil {
		return nil, err
	}
	return t, nil
}

func (t *sentencePiece) addPieces(pieces []spPiece) error {
	for b := range t.bytes {
		t.bytes[b] = -1
	}
	seen := make(map[string]bool, len(pieces))
	for i, p := range pieces {
		if seen[p.text] {
			return broken("piece %d: %.40q is there twice", i, p.text)
		}
		seen[p.text] = true
		if err := t.addPiece(int32(i), p); err != nil {
			return broken("piece %d: %w", i, err)
		}
	}
	if t.unknown < 0 {
		return broken("no unknown piece")
	}
	if b := slices.Index(t.bytes[:], -1); t.file.byteFallback && b >= 0 {
		return broken("no piece for the byte 0x%02x", b)
	}
	if t.defined == nil {
		t.frozen = nil
	}
	slices.SortStableFunc(t.defined, func(a, b string) int { return len(b) - len(a) })
	return nil
}

func (t *sentencePiece) addPiece(id int32, p spPiece) error {
	switch p.kind {
	case spNormal, spUserDefined:
	case spUnknown:
		if t.unknown >= 0 {
			return fmt.Errorf("a second unknown piece")
		}
		t.unknown = id
		return nil
	case spByte:
		b := slices.IndexFunc(byteNames[:], func(name string) bool { return name == p.text })
		if b < 0 {
			return fmt.Errorf("%.40q is not a byte", p.text)
		}
		t.bytes[b] = id
		return nil
	case spControl:
		// Text never becomes a control piece, unless the piece is one character.
		if utf8.RuneCountInString(p.text) == 1 {
			return fmt.Errorf("a control piece of one character, %q, is not supported", p.text)
		}
		return nil
	default:
		return fmt.Errorf("unused pieces are not supported")
	}
	text := p.text
	if p.kind == spUserDefined && strings.Contains(text, " ") {
		return fmt.Errorf("a user-defined piece with a plain space, %.40q, is not supported", text)
	}
	if t.file.escape {
		if strings.Contains(text, " ") {
			return nil // no text has a plain space left to match it
		}
		text = strings.ReplaceAll(text, spMark, " ")
	}
	t.ids[text] = id
	t.longest = max(t.longest, int32(min(len(text), maxWord)))
	for i := 1; i < len(text); i++ {
		t.joined.add(text[i-1], text[i])
	}
	if p.kind == spUserDefined {
		t.frozen[id] = true
		t.defined = append(t.defined, text)
		t.starts[text[0]] = true
	}
	return nil
}

// byteNames are the pieces that stand for bytes.
var byteNames = func() (names [256]string) {
	for b := range names {
		names[b] = fmt.Sprintf("<0x%02X>", b)
	}
	return names
}()

// mergeRanks numbers the scores from the highest down; pieces of equal score
// have equal rank.
func mergeRanks(pieces []spPiece) []int32 {
	order := make([]int32, len(pieces))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		switch x, y := pieces[a].score, pieces[b].score; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	ranks := make([]int32, len(pieces))
	rank := int32(0)
	for n, i := range order {
		if n > 0 && pieces[i].score < pieces[order[n-1]].score {
			rank++
		}
		ranks[i] = rank
	}
	return ranks
}
