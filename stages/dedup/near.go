package dedup

import (
	"context"
	"errors"
	"fmt"
	"math"

	"benchmill/internal/digest"
	"benchmill/internal/minhash"
	"benchmill/pipeline"
	"benchmill/schemas"
)

// Likeness says when texts are nearly the same.
type Likeness struct {
	Near      bool    `yaml:"near" doc:"near duplicates too; false: only texts that are the same but for white space"`
	Threshold float64 `yaml:"threshold" min:"0.05" max:"1" doc:"Jaccard similarity of their shingles from which texts are nearly the same"`
	Recall    float64 `yaml:"recall" min:"0.5" max:"0.999999" doc:"probability that a pair at the threshold is found"`
	MinTokens int     `yaml:"min_tokens" min:"0" doc:"shorter texts have exact duplicates only"`
}

// likeness has the threshold that is usual for code, and recall to spare, since
// bands are not all that can miss a pair.
func likeness() Likeness { return Likeness{Near: true, Threshold: 0.8, Recall: 0.995, MinTokens: 10} }

// minTokens is how long texts are that can have near duplicates.
func (l Likeness) minTokens() int {
	if !l.Near {
		return math.MaxInt
	}
	return l.MinTokens
}

// NearConfig configures [Near].
type NearConfig struct {
	minhash.Params `yaml:",inline"`
	Likeness       `yaml:",inline"`
	Memory         int64 `yaml:"memory_mb" min:"1" max:"65536" hash:"-" doc:"buffers; smaller ones mean more passes over the signatures, and the same rows"`
}

// Validate refuses what the permutations cannot find.
func (c *NearConfig) Validate() error {
	_, err := minhash.Choose(c.Permutations, c.Threshold, c.Recall)
	return err
}

// Near finds the texts of all partitions that are the same or nearly so, and says
// which one of each set stays; see [minhash.Clusters]. Verdicts do not depend on
// how the texts are parted. A new text changes verdicts, and so runs partitions,
// only where it joins a set.
//
// Version history:
//
//	1: first version
func Near() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "dedup.near", Version: 1, Scope: pipeline.Whole,
		Doc:   "Finds exact and near duplicates among all texts (MinHash LSH), and says which of them stay.",
		In:    []pipeline.Port{{Name: "signatures", Schema: schemas.TextSignatures}},
		Out:   []pipeline.Port{{Name: "verdicts", Schema: schemas.TextVerdicts, ByPartition: true}},
		Flows: []pipeline.Flow{{From: "signatures", To: []string{"verdicts"}}},
		Uses:  pipeline.Uses{Seed: true}, // to know signatures of other permutations
		NewConfig: func() any {
			return &NearConfig{Params: minhash.Defaults(), Likeness: likeness(), Memory: 256}
		},
		Run: near,
	}
}

func near(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[NearConfig](p)
	bands, err := minhash.Choose(c.Permutations, c.Threshold, c.Recall)
	if err != nil {
		return err
	}
	in, ok := p.Inputs["signatures"]
	if !ok {
		return errors.New("stage dedup.near has no input \"signatures\"")
	}
	t := &table{p: p, n: int(in.Rows()), method: newSigner(p, c.Params).Method()}
	clusters, err := minhash.Cluster(ctx, t, minhash.Options{
		Params: c.Params, Bands: bands, Threshold: c.Threshold, MinTokens: c.minTokens(), Memory: c.Memory << 20,
	})
	if err != nil {
		return err
	}
	if clusters.Skipped > 0 {
		p.Drops.Note("pairs_of_large_buckets_not_compared", clusters.Skipped)
	}
	position := 0
	for s, err := range pipeline.In[schemas.TextSignature](ctx, p, "signatures") {
		if err != nil {
			return err
		}
		v := clusters.Of(position)
		position++
		row := schemas.TextVerdict{ID: s.ID, Partition: s.Partition, DuplicateOf: v.DuplicateOf, Kind: schemas.DuplicateNone}
		if v.DuplicateOf != "" {
			row.Kind, row.Similarity = kind(v.Exact), rounded(v.Similarity)
		}
		if err := pipeline.Emit(p, "verdicts", row); err != nil {
			return err
		}
	}
	return nil
}

func kind(exact bool) string {
	if exact {
		return schemas.DuplicateExact
	}
	return schemas.DuplicateNear
}

// rounded has the digits that people read.
func rounded(similarity float64) float64 { return math.Round(similarity*1e4) / 1e4 }

// table reads the signatures of a pass.
type table struct {
	p      *pipeline.Pass
	n      int
	method string
}

func (t *table) Len() int { return t.n }

func (t *table) Scan(ctx context.Context, yield func(minhash.Record) error) error {
	for s, err := range pipeline.In[schemas.TextSignature](ctx, t.p, "signatures") {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = sameMethod(s, t.method)
		}
		if err == nil {
			err = yield(minhash.Record{ID: s.ID, Sum: digest.Digest(s.Sum), Tokens: int(s.Tokens), Mins: s.Signature, Sketch: s.Sketch})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sameMethod refuses signatures that were made otherwise than this stage's own.
func sameMethod(s schemas.TextSignature, method string) error {
	if s.Method != method {
		return fmt.Errorf("text %s is signed with %q, this stage is set to %q; give dedup stages the same settings", s.ID, s.Method, method)
	}
	return nil
}
