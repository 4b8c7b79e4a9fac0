package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/text/unicode/norm"
)

// hfFile is what of a tokenizer.json matters to ids. Truncation, padding and
// post_processor belong to a model's input, decoder to the way back.
type hfFile struct {
	AddedTokens  []addedToken    `json:"added_tokens"`
	Normalizer   json.RawMessage `json:"normalizer"`
	PreTokenizer json.RawMessage `json:"pre_tokenizer"`
	Model        json.RawMessage `json:"model"`
}

func loadHuggingFace(data []byte) (Tokenizer, error) {
	var f hfFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, broken("%w", err)
	}
	h := &huggingFace{identity: identity("hf-bpe", rulesByteLevel, data)}
	var err error
	if h.nfc, err = parseNormalizer("normalizer", f.Normalizer, 0); err != nil {
		return nil, err
	}
	if h.stages, err = parsePreTokenizer(f.PreTokenizer); err != nil {
		return nil, err
	}
	if h.bpe, err = parseModel(f.Model); err != nil {
		return nil, err
	}
	if h.raw, h.normalized, err = parseAdded(f.AddedTokens, h.nfc); err != nil {
		return nil, err
	}
	return h, nil
}

// parseNormalizer reports whether text is to be brought into NFC, the one
// normalizer that is supported.
func parseNormalizer(field string, raw json.RawMessage, depth int) (nfc bool, err error) {
	if isNull(raw) {
		return false, nil
	}
	kind, err := jsonType(field, raw)
	if err != nil {
		return false, err
	}
	switch kind {
	case "NFC":
		var p struct{ Type string }
		return true, strict(field, raw, &p)
	case "Sequence":
		var p struct {
			Type        string
			Normalizers []json.RawMessage
		}
		if err := strict(field, raw, &p); err != nil {
			return false, err
		}
		if depth == maxNesting {
			return false, broken("%s: nested too deeply", field)
		}
		for i, inner := range p.Normalizers {
			n, err := parseNormalizer(fmt.Sprintf("%s.normalizers[%d]", field, i), inner, depth+1)
			if err != nil {
				return false, err
			}
			nfc = nfc || n
		}
		return nfc, nil
	}
	return false, broken("%s.type: %.40q is not supported", field, kind)
}

// parseAdded parts the added tokens into those of the raw and those of the
// normalized text.
func parseAdded(tokens []addedToken, nfc bool) (raw, normalized *addedTokens, err error) {
	var kept [2][]addedToken
	for i, t := range tokens {
		if t.ID < 0 {
			return nil, nil, broken("added_tokens[%d].id: %d is negative", i, t.ID)
		}
		if t.Content == "" {
			continue
		}
		if !t.Normalized {
			kept[0] = append(kept[0], t)
			continue
		}
		if nfc {
			t.Content = norm.NFC.String(t.Content)
		}
		kept[1] = append(kept[1], t)
	}
	return newAddedTokens(kept[0]), newAddedTokens(kept[1]), nil
}

func isNull(raw json.RawMessage) bool {
	return len(raw) == 0 || bytes.Equal(raw, []byte("null"))
}

// jsonType returns the field type of an object.
func jsonType(field string, raw json.RawMessage) (string, error) {
	var p struct{ Type *string }
	if err := json.Unmarshal(raw, &p); err != nil {
		return "", broken("%s: %w", field, err)
	}
	if p.Type == nil {
		return "", broken("%s: %w", field, errors.New("has no type"))
	}
	return *p.Type, nil
}

// strict decodes raw and refuses fields it does not know: an option that is not
// understood could change the ids.
func strict(field string, raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return broken("%s: %w", field, err)
	}
	return nil
}
