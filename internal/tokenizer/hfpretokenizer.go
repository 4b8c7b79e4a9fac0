package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"benchmill/internal/tokenizer/split"
)

// hfStage is one pre-tokenizer.
type hfStage struct {
	prefixSpace bool     // put a space before a piece that starts with none
	cut         hfCutter // nil: leave pieces whole
}

// hfCutter cuts the first piece off a text that is not empty, and says whether
// it stays in the text.
type hfCutter interface {
	next(s string) (n int, keep bool)
}

// hfKeep is a cutter that loses nothing.
type hfKeep struct{ split.Splitter }

func (k hfKeep) next(s string) (int, bool) { return k.Next(s), true }

// hfMatches cuts at the matches of an expression.
type hfMatches struct {
	re                  *regexp.Regexp
	dropMatch, dropRest bool
}

func (m hfMatches) next(s string) (int, bool) {
	at := m.re.FindStringIndex(s)
	switch {
	case at == nil:
		return len(s), !m.dropRest
	case at[0] > 0:
		return at[0], !m.dropRest
	}
	return at[1], !m.dropMatch
}

// maxNesting bounds Sequence inside Sequence.
const maxNesting = 8

// parsePreTokenizer reads the field pre_tokenizer into stages, of which ByteLevel
// must be the last: the others would otherwise see its byte characters.
func parsePreTokenizer(raw json.RawMessage) ([]hfStage, error) {
	var stages []hfStage
	byteLevels := 0
	err := parsePreTokenizers("pre_tokenizer", raw, 0, func(field string, s hfStage, byteLevel bool) error {
		if byteLevels > 0 {
			return broken("%s: not supported after ByteLevel", field)
		}
		if byteLevel {
			byteLevels++
		}
		stages = append(stages, s)
		return nil
	})
	if err == nil && byteLevels == 0 {
		err = broken("pre_tokenizer: only byte-level tokenizers are supported, and there is no ByteLevel")
	}
	return stages, err
}

func parsePreTokenizers(field string, raw json.RawMessage, depth int, add func(field string, s hfStage, byteLevel bool) error) error {
	if isNull(raw) {
		return nil
	}
	kind, err := jsonType(field, raw)
	if err != nil {
		return err
	}
	switch kind {
	case "Sequence":
		if depth == maxNesting {
			return broken("%s: nested too deeply", field)
		}
		var p struct {
			Type          string
			Pretokenizers []json.RawMessage
		}
		if err := strict(field, raw, &p); err != nil {
			return err
		}
		for i, inner := range p.Pretokenizers {
			if err := parsePreTokenizers(fmt.Sprintf("%s.pretokenizers[%d]", field, i), inner, depth+1, add); err != nil {
				return err
			}
		}
		return nil
	case "ByteLevel":
		var p struct {
			Type           string
			AddPrefixSpace *bool `json:"add_prefix_space"`
			TrimOffsets    bool  `json:"trim_offsets"` // offsets are not made here
			UseRegex       *bool `json:"use_regex"`
		}
		if err := strict(field, raw, &p); err != nil {
			return err
		}
		if p.AddPrefixSpace == nil {
			return broken("%s.add_prefix_space: missing", field)
		}
		s := hfStage{prefixSpace: *p.AddPrefixSpace}
		if p.UseRegex == nil || *p.UseRegex {
			s.cut = hfKeep{split.GPT2}
		}
		return add(field, s, true)
	case "Digits":
		var p struct {
			Type       string
			Individual *bool `json:"individual_digits"`
		}
		if err := strict(field, raw, &p); err != nil {
			return err
		}
		if p.Individual == nil {
			return broken("%s.individual_digits: missing", field)
		}
		return add(field, hfStage{cut: hfKeep{split.Digits{Individual: *p.Individual}}}, false)
	case "Split":
		cut, err := parseSplit(field, raw)
		if err != nil {
			return err
		}
		return add(field, hfStage{cut: cut}, false)
	}
	return broken("%s.type: %.40q is not supported", field, kind)
}

func parseSplit(field string, raw json.RawMessage) (hfCutter, error) {
	var p struct {
		Type    string
		Pattern struct {
			Regex, String *string
		}
		Behavior string
		Invert   bool
	}
	if err := strict(field, raw, &p); err != nil {
		return nil, err
	}
	if p.Behavior != "Isolated" && p.Behavior != "Removed" {
		return nil, broken("%s.behavior: %.40q is not supported", field, p.Behavior)
	}
	cut := hfMatches{}
	if p.Behavior == "Removed" {
		cut.dropMatch, cut.dropRest = !p.Invert, p.Invert
	}
	switch pattern := p.Pattern; {
	case pattern.Regex != nil && pattern.String == nil:
		// A published expression matches everywhere, so there is no rest to
		// drop; dropping its matches would drop the text.
		if known, ok := split.ByPattern(*pattern.Regex); ok && !cut.dropMatch {
			return hfKeep{known}, nil
		}
		re, err := compileOniguruma(*pattern.Regex)
		if err != nil {
			return nil, broken("%s.pattern.Regex: %w", field, err)
		}
		cut.re = re
	case pattern.String != nil && pattern.Regex == nil && *pattern.String != "":
		cut.re = regexp.MustCompile(regexp.QuoteMeta(*pattern.String))
	default:
		return nil, broken("%s.pattern: %w", field, errors.New("want one of Regex and String, not empty"))
	}
	return cut, nil
}
