package tokenizer

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// hfModel is the field model. An option that is set and not implemented is an
// error.
type hfModel struct {
	Type                    string           `json:"type"`
	Dropout                 *float64         `json:"dropout"`
	UnkToken                *string          `json:"unk_token"`
	ContinuingSubwordPrefix *string          `json:"continuing_subword_prefix"`
	EndOfWordSuffix         *string          `json:"end_of_word_suffix"`
	FuseUnk                 bool             `json:"fuse_unk"`
	ByteFallback            bool             `json:"byte_fallback"`
	IgnoreMerges            bool             `json:"ignore_merges"`
	Vocab                   map[string]int32 `json:"vocab"`
	Merges                  []hfMerge        `json:"merges"`
}

// hfMerge is "left right" or, in newer files, ["left", "right"].
type hfMerge struct {
	left, right string
	comment     bool // the first line of a list taken over from merges.txt
}

func (m *hfMerge) UnmarshalJSON(raw []byte) error {
	if raw[0] == '[' {
		var both []string
		if err := json.Unmarshal(raw, &both); err != nil {
			return err
		}
		if len(both) != 2 {
			return fmt.Errorf("a merge of %d tokens", len(both))
		}
		m.left, m.right = both[0], both[1]
		return nil
	}
	var line string
	if err := json.Unmarshal(raw, &line); err != nil {
		return err
	}
	if strings.HasPrefix(line, "#version") {
		m.comment = true
		return nil
	}
	var ok bool
	m.left, m.right, ok = strings.Cut(line, " ")
	if !ok || strings.Contains(m.right, " ") {
		return fmt.Errorf("a merge that is not two tokens: %.40q", line)
	}
	return nil
}

func parseModel(raw json.RawMessage) (*byteLevel, error) {
	if isNull(raw) {
		return nil, broken("model: missing")
	}
	var m hfModel
	if err := strict("model", raw, &m); err != nil {
		return nil, err
	}
	switch {
	case m.Type != "BPE" && (m.Type != "" || m.Merges == nil):
		return nil, broken("model.type: %.40q is not supported", m.Type)
	case m.Dropout != nil && *m.Dropout != 0:
		return nil, broken("model.dropout: %v is not supported", *m.Dropout)
	case m.ContinuingSubwordPrefix != nil && *m.ContinuingSubwordPrefix != "":
		return nil, broken("model.continuing_subword_prefix: %.40q is not supported", *m.ContinuingSubwordPrefix)
	case m.EndOfWordSuffix != nil && *m.EndOfWordSuffix != "":
		return nil, broken("model.end_of_word_suffix: %.40q is not supported", *m.EndOfWordSuffix)
	}
	for _, id := range m.Vocab {
		if id < 0 {
			return nil, broken("model.vocab: the id %d is negative", id)
		}
	}
	b := newByteLevel()
	missing := 0
	for i, char := range byteChars {
		id, ok := m.Vocab[string(char)]
		if !ok {
			id = -1 // the original drops what it has no token for
			missing++
		}
		b.bytes[i] = id
	}
	switch {
	case missing == len(b.bytes):
		return nil, broken("model.vocab: has no token for any byte")
	case missing > 0 && m.UnkToken != nil && *m.UnkToken != "":
		return nil, broken("model.unk_token: not supported when bytes have no token")
	case missing > 0 && m.ByteFallback:
		return nil, broken("model.byte_fallback: not supported when bytes have no token")
	}
	var err error
	if b.rules, err = mergeTable(m.Vocab, m.Merges); err != nil {
		return nil, err
	}
	if m.IgnoreMerges {
		b.whole = make(map[string]int32, len(m.Vocab))
		for token, id := range m.Vocab {
			if word, ok := rawBytes(token); ok {
				b.whole[word] = id
			}
		}
	}
	return b, nil
}

func mergeTable(vocab map[string]int32, list []hfMerge) (pairRules, error) {
	if len(list) > math.MaxInt32 {
		return nil, broken("model.merges: too many")
	}
	rules := make(pairRules, len(list))
	rank := int32(0)
	for i, m := range list {
		if m.comment {
			continue
		}
		left, okLeft := vocab[m.left]
		right, okRight := vocab[m.right]
		both, okBoth := vocab[m.left+m.right]
		if !okLeft || !okRight || !okBoth {
			return nil, broken("model.merges[%d]: %.40q, %.40q and what they make are not all in model.vocab", i, m.left, m.right)
		}
		rules[pairKey(left, right)] = pair{rank: rank, id: both}
		rank++
	}
	return rules, nil
}
