package metrics

import (
	"errors"
	"fmt"
	"strings"

	"benchmill/internal/pytext"
	"benchmill/internal/treesitter"
)

// CutAtMark ends a prediction after its first ';', '{' or '}', wherever that
// stands, in a string too. A prediction that begins with one of them stays
// whole: the evaluator takes position 0 for "not found".
func CutAtMark(prediction string) string {
	if i := strings.IndexAny(prediction, ";{}"); i > 0 {
		return prediction[:i+1]
	}
	return prediction
}

// MaxLines is how many line ends of a prediction [CutAtLine] tries. The
// published predictions have 50 tokens, so only hostile ones have more.
const MaxLines = 200

// CutAtLine ends a prediction before the first line end up to which prompt and
// prediction parse, and takes white space off its end. A first character is
// always taken, even where it is a line end. A prediction for which no line end
// will do stays whole, and so does what comes after the last one: the evaluator
// asks for the next character.
func CutAtLine(prompt, prediction string, parses func(code string) (bool, error)) (string, error) {
	for at, lines := 1, 0; at < len(prediction) && lines < MaxLines; lines++ {
		i := strings.IndexByte(prediction[at:], '\n')
		if i < 0 {
			break
		}
		at += i
		ok, err := parses(prompt + prediction[:at])
		if err != nil {
			return "", err
		}
		if ok {
			return strings.TrimRightFunc(prediction[:at], pytext.IsSpace), nil
		}
		at++
	}
	return prediction, nil
}

// Parses reports whether code parses without an ERROR node. A node that the
// parser made up to go on, as for a bracket never closed, is no error, as in the
// evaluator. Code that is too large or too costly does not parse.
func Parses(g *treesitter.Grammar, limits treesitter.Limits) func(code string) (bool, error) {
	return func(code string) (bool, error) {
		t, err := treesitter.Parse([]byte(code), g, nil, limits)
		switch {
		case errors.Is(err, treesitter.ErrTooLarge), errors.Is(err, treesitter.ErrTooMany), errors.Is(err, treesitter.ErrCostly):
			return false, nil
		case err != nil:
			return false, fmt.Errorf("metrics: parsing a prediction: %w", err)
		}
		for i := range t.Nodes { // an error may be empty, so bytes do not tell
			if t.Kind(int32(i)) == "ERROR" {
				return false, nil
			}
		}
		return true, nil
	}
}
