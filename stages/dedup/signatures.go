// Package dedup holds the stages that find texts which are the same or nearly so:
// among each other and in other datasets. It knows no language: a text is a row of
// [schemas.Texts], whatever made it.
//
// The stages say what duplicates what and drop nothing themselves: verdicts belong
// to partitions, and the stage that owns the texts drops them under a reason of
// its own. How texts are compared, and what is missed, is in internal/minhash.
package dedup

import (
	"context"

	"benchmill/internal/minhash"
	"benchmill/pipeline"
	"benchmill/schemas"
)

// SignaturesConfig configures [Signatures].
type SignaturesConfig struct {
	minhash.Params `yaml:",inline"`
}

// Signatures signs texts, one partition at a time: the heavy part of finding
// duplicates.
//
// Version history:
//
//	1: first version
func Signatures() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "dedup.signatures", Version: 1,
		Doc:       "Signs texts (MinHash), so that those that are nearly the same can be found.",
		In:        []pipeline.Port{{Name: "texts", Schema: schemas.Texts}},
		Out:       []pipeline.Port{{Name: "signatures", Schema: schemas.TextSignatures}},
		Flows:     []pipeline.Flow{{From: "texts", To: []string{"signatures"}}},
		Uses:      pipeline.Uses{Seed: true},
		NewConfig: func() any { return &SignaturesConfig{minhash.Defaults()} },
		Run:       signatures,
	}
}

func signatures(ctx context.Context, p *pipeline.Pass) error {
	signer := newSigner(p, pipeline.ConfigOf[SignaturesConfig](p).Params)
	for t, err := range pipeline.In[schemas.Text](ctx, p, "texts") {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		s := signer.Sign([]byte(t.Text))
		row := schemas.TextSignature{
			ID: t.ID, Partition: p.Partition, Method: signer.Method(), Sum: string(s.Sum),
			Tokens: int64(s.Tokens), Shingles: int64(s.Shingles), Signature: s.Mins, Sketch: s.Sketch,
		}
		if err := pipeline.Emit(p, "signatures", row); err != nil {
			return err
		}
	}
	return nil
}

// newSigner draws the same permutations in every stage of the family.
func newSigner(p *pipeline.Pass, params minhash.Params) *minhash.Signer {
	seed := pipeline.Seed{Pipeline: p.Seed.Pipeline, Stage: "dedup"}
	return minhash.New(params, seed.Rand("permutations").Uint64)
}
