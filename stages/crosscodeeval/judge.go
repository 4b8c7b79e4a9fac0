package crosscodeeval

import (
	"errors"
	"fmt"

	"benchmill/internal/treesitter"
	"benchmill/stages/crosscodeeval/metrics"
	"benchmill/stages/lang"
)

// Judge compares predictions with references (section 3.2): as the published
// evaluator does where that knows the language, else with the prediction cut by
// the rule that cut the reference.
type Judge struct {
	languages *lang.Set
	limits    treesitter.Limits
}

// NewJudge makes a judge for languages.
func NewJudge(languages *lang.Set) *Judge { return &Judge{languages, treesitter.DefaultLimits} }

// Score judges what was predicted to follow the prompt, the start of the file at
// path.
func (j *Judge) Score(language, path, prompt, prediction, reference string) (metrics.Score, error) {
	l := j.languages.Get(language)
	if l == nil {
		return metrics.Score{}, fmt.Errorf("%s: no language %q", path, language)
	}
	m := metricsOf(language)
	if m.Own {
		cut, err := j.cut(l, path, prompt, prediction)
		return m.Compare(cut, reference), err
	}
	syntax := l.Syntax(path)
	if syntax == nil {
		return metrics.Score{}, fmt.Errorf("%s: no file of %s", path, l.Title)
	}
	return m.Judge(prompt, prediction, reference, metrics.Parses(syntax.Grammar, j.limits))
}

// metricsOf is what the metrics know of a language; of one without an entry, not
// even its keywords.
func metricsOf(language string) *metrics.Language {
	if m := metrics.Languages[language]; m != nil {
		return m
	}
	return &metrics.Language{Name: language, Own: true}
}

// cut ends a prediction where its first statement ends, or nowhere.
func (j *Judge) cut(l *lang.Language, path, prompt, prediction string) (string, error) {
	if l.Statements == nil {
		return prediction, nil
	}
	t, err := l.ParseWhole(path, []byte(prompt+prediction), j.limits)
	switch {
	case errors.Is(err, treesitter.ErrTooLarge), errors.Is(err, treesitter.ErrTooMany),
		errors.Is(err, treesitter.ErrCostly), errors.Is(err, lang.ErrNotUTF8):
		return prediction, nil
	case err != nil:
		return "", fmt.Errorf("parsing a prediction: %w", err)
	}
	if end, ok := l.Statements.End(t, len(prompt)); ok {
		return prediction[:end-len(prompt)], nil
	}
	return prediction, nil
}
