package yabloco

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"benchmill/internal/bleu"
	"benchmill/pipeline"
	"benchmill/schemas"
)

// UniqueConfig configures [Unique].
type UniqueConfig struct {
	Window     int     `yaml:"window" min:"1" doc:"how many of the next longer candidates each is compared with"`
	Callers    int64   `yaml:"callers" min:"0" doc:"candidates whose numbers of callers differ by more are not compared"`
	Common     int     `yaml:"common" min:"0" doc:"nor are those that share fewer words"`
	Similarity float64 `yaml:"similarity" doc:"BLEU of words and pairs of words from which on the longer one is dropped, 0 to 1"`
	MaxWords   int     `yaml:"max_words" min:"1" doc:"of longer texts the first words are compared"`
}

// Validate implements the check of a config.
func (c *UniqueConfig) Validate() error {
	if c.Similarity <= 0 {
		return fmt.Errorf("similarity: %g is not above 0", c.Similarity)
	}
	return nil
}

// Unique keeps of candidates that nearly repeat each other the shortest ("near code
// duplicates"): by the published steps, or by the verdicts of dedup stages, which
// see other repositories too and cost less. Candidates that were dropped drop no
// others.
//
// Version history:
//
//	1: first version
func Unique() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "yabloco.unique", Version: 1,
		Doc: "Drops candidates whose name, docstring and code nearly repeat those of another.",
		In: []pipeline.Port{
			{Name: "candidates", Schema: schemas.BodyCandidates},
			{Name: "verdicts", Schema: schemas.TextVerdicts, Optional: true},
		},
		Out:   []pipeline.Port{{Name: "candidates", Schema: schemas.BodyCandidates}},
		Flows: []pipeline.Flow{{From: "candidates", To: []string{"candidates"}}},
		NewConfig: func() any {
			return &UniqueConfig{Window: 2999, Callers: 3, Common: 5, Similarity: 0.2, MaxWords: 1000}
		},
		Run: unique,
	}
}

func unique(ctx context.Context, p *pipeline.Pass) error {
	rows, err := pipeline.Collect[schemas.BodyCandidate](ctx, p, "candidates")
	if err != nil {
		return err
	}
	slices.SortFunc(rows, func(a, b schemas.BodyCandidate) int {
		return cmp.Or(cmp.Compare(a.Function.CodeLength, b.Function.CodeLength), compareByPlace(a, b))
	})
	repeated := pipeline.ConfigOf[UniqueConfig](p).repeats
	if _, ok := p.Inputs["verdicts"]; ok {
		repeated = func(ctx context.Context, rows []schemas.BodyCandidate) ([]repeat, error) { return judged(ctx, p, rows) }
	}
	drops, err := repeated(ctx, rows)
	if err != nil {
		return err
	}
	for i, row := range rows {
		if d := drops[i]; d.reason != "" {
			p.Drops.Drop("candidates", row.ID, d.reason, fmt.Sprintf("of %s, similarity %.2f", d.of, d.similarity))
		} else if err := pipeline.Emit(p, "candidates", row); err != nil {
			return err
		}
	}
	return nil
}

// repeat is what a candidate repeats; nothing where the reason is "".
type repeat struct {
	reason, of string
	similarity float64
}

// repeats compares each candidate with the next ones.
func (c *UniqueConfig) repeats(ctx context.Context, rows []schemas.BodyCandidate) ([]repeat, error) {
	var words bleu.Vocabulary
	profiles := make([]*bleu.Profile, len(rows))
	for i, row := range rows {
		tokens := strings.FieldsFunc(text(row), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		profiles[i] = words.Profile(tokens[:min(len(tokens), c.MaxWords)])
	}
	index := bleu.NewIndex(profiles)
	out := make([]repeat, len(rows))
	for i, row := range rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if out[i].reason != "" {
			continue
		}
		index.Similar(i, c.Window, c.Similarity, func(j int, similarity float64) {
			callers := rows[j].Function.CallsNum - row.Function.CallsNum
			if out[j].reason == "" && max(callers, -callers) <= c.Callers && profiles[i].Share(profiles[j], c.Common) {
				out[j] = repeat{reasonNearDuplicate, row.ID, similarity}
			}
		})
	}
	return out, nil
}

// judged takes what the dedup stages say. A candidate without a verdict is an error.
func judged(ctx context.Context, p *pipeline.Pass, rows []schemas.BodyCandidate) ([]repeat, error) {
	verdicts := map[string]repeat{}
	for v, err := range pipeline.In[schemas.TextVerdict](ctx, p, "verdicts") {
		if err != nil {
			return nil, err
		}
		reason := map[string]string{schemas.DuplicateExact: reasonDuplicate, schemas.DuplicateNear: reasonNearDuplicate}[v.Kind]
		verdicts[v.ID] = repeat{reason, v.DuplicateOf, v.Similarity}
	}
	out := make([]repeat, len(rows))
	for i, row := range rows {
		v, ok := verdicts[row.ID]
		if !ok {
			return nil, fmt.Errorf("candidate %s has no verdict: it was not among the texts compared", row.ID)
		}
		out[i] = v
	}
	return out, nil
}

// text is what of a candidate is compared: name, docstring and code.
func text(c schemas.BodyCandidate) string {
	return c.Function.Name + " " + c.Function.Docstring + " " + c.Code
}

// Texts hands candidates to the stages that find duplicates. The ID of a text is
// that of its candidate.
//
// Version history:
//
//	1: first version
func Texts() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "yabloco.texts", Version: 1,
		Doc:   "Hands name, docstring and code of candidates to the stages that find duplicates.",
		In:    []pipeline.Port{{Name: "candidates", Schema: schemas.BodyCandidates}},
		Out:   []pipeline.Port{{Name: "texts", Schema: schemas.Texts}},
		Flows: []pipeline.Flow{{From: "candidates", To: []string{"texts"}}},
		Run: func(ctx context.Context, p *pipeline.Pass) error {
			for c, err := range pipeline.In[schemas.BodyCandidate](ctx, p, "candidates") {
				if err != nil {
					return err
				}
				if err := pipeline.Emit(p, "texts", schemas.Text{ID: c.ID, Text: text(c)}); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
