package dedup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"benchmill/internal/digest"
	"benchmill/internal/minhash"
	"benchmill/pipeline"
	"benchmill/schemas"
)

// AgainstConfig configures [Against].
type AgainstConfig struct {
	minhash.Params `yaml:",inline"`
	Likeness       `yaml:",inline"`
	Files          []pipeline.FileName `yaml:"files" doc:"texts of other datasets, as JSON lines: {\"dataset\": ..., \"id\": ..., \"text\": ...}"`
}

// Validate refuses missing files, which would find nothing, and what the
// permutations cannot find.
func (c *AgainstConfig) Validate() error {
	_, err := minhash.Choose(c.Permutations, c.Threshold, c.Recall)
	if len(c.Files) == 0 || slices.Contains(c.Files, "") {
		err = errors.Join(err, errors.New("files must name at least one file, and none of them \"\""))
	}
	return err
}

// Against finds texts that are in other datasets, exactly or nearly, and names the
// text there that is most like each: decontamination. Of equally similar ones it
// is the first by dataset and id. The signatures of the other datasets are held in
// memory, those of the texts are not.
//
// Version history:
//
//	1: first version
func Against() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "dedup.against", Version: 1, Scope: pipeline.Whole,
		Doc:       "Finds texts that are exactly or nearly in other datasets, and names the match.",
		In:        []pipeline.Port{{Name: "signatures", Schema: schemas.TextSignatures}},
		Out:       []pipeline.Port{{Name: "matches", Schema: schemas.TextMatches, ByPartition: true}},
		Flows:     []pipeline.Flow{{From: "signatures", To: []string{"matches"}}},
		Uses:      pipeline.Uses{Seed: true},
		NewConfig: func() any { return &AgainstConfig{Params: minhash.Defaults(), Likeness: likeness()} },
		Run:       against,
	}
}

func against(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[AgainstConfig](p)
	bands, err := minhash.Choose(c.Permutations, c.Threshold, c.Recall)
	if err != nil {
		return err
	}
	signer := newSigner(p, c.Params)
	foreign, err := c.read(ctx, p, signer)
	if err != nil {
		return err
	}
	signed := make([]minhash.Signature, len(foreign))
	for i, f := range foreign {
		signed[i] = f.signature
	}
	index := minhash.NewIndex(c.Params, bands, c.Threshold, signed)
	for s, err := range pipeline.In[schemas.TextSignature](ctx, p, "signatures") {
		if err == nil {
			err = errors.Join(ctx.Err(), sameMethod(s, signer.Method()), c.CheckMins(s.Signature), c.CheckSketch(s.Sketch))
		}
		if err != nil {
			return err
		}
		row := schemas.TextMatch{ID: s.ID, Partition: s.Partition, Kind: schemas.DuplicateNone}
		if m, ok := index.Find(c.comparable(minhash.Signature{
			Sum: digest.Digest(s.Sum), Tokens: int(s.Tokens), Shingles: int(s.Shingles), Mins: s.Signature, Sketch: s.Sketch,
		})); ok {
			f := foreign[m.Item]
			row.Kind, row.Dataset, row.Match, row.Similarity = kind(m.Exact), f.dataset, f.id, rounded(m.Similarity)
		}
		if err := pipeline.Emit(p, "matches", row); err != nil {
			return err
		}
	}
	return nil
}

// comparable takes the shingles from texts that are too short for near duplicates.
func (c *AgainstConfig) comparable(s minhash.Signature) minhash.Signature {
	if s.Tokens < c.minTokens() {
		s.Shingles = 0
	}
	return s
}

// foreign is a text of another dataset.
type foreign struct {
	dataset, id string
	signature   minhash.Signature
}

// read signs the texts of all files, in the order of dataset and id.
func (c *AgainstConfig) read(ctx context.Context, p *pipeline.Pass, signer *minhash.Signer) ([]foreign, error) {
	var out []foreign
	for _, file := range c.Files {
		data, err := p.Files.ReadFile(file)
		if err != nil {
			return nil, err
		}
		line := 0
		for text := range bytes.Lines(data) {
			line++
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if text = bytes.TrimSpace(text); len(text) == 0 {
				continue
			}
			f, err := parseForeign(text, signer)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, line, err)
			}
			f.signature = c.comparable(f.signature)
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%v: no texts", c.Files)
	}
	slices.SortStableFunc(out, func(a, b foreign) int {
		return slices.Compare([]string{a.dataset, a.id}, []string{b.dataset, b.id})
	})
	return out, nil
}

func parseForeign(line []byte, signer *minhash.Signer) (foreign, error) {
	var row struct {
		Dataset string  `json:"dataset"`
		ID      string  `json:"id"`
		Text    *string `json:"text"`
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&row); err != nil {
		return foreign{}, err
	}
	if _, err := d.Token(); err != io.EOF {
		return foreign{}, errors.New("more than one value on the line")
	}
	if row.Dataset == "" || row.ID == "" || row.Text == nil {
		return foreign{}, errors.New("a line needs dataset, id and text")
	}
	return foreign{row.Dataset, row.ID, signer.Sign([]byte(*row.Text))}, nil
}
