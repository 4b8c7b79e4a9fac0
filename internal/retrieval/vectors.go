package retrieval

import (
	"context"
	"fmt"
	"math"

	"benchmill/internal/pytext"
)

// Vectors is the cosine between the vector of a query and those of chunks, which
// somebody else makes of their texts.
type Vectors struct {
	// Of returns a vector for each text, all of one length.
	Of func(ctx context.Context, texts []string) ([][]float32, error)
}

// Name is "cosine_sim", as released files are named.
func (Vectors) Name() string { return "cosine_sim" }

// Scores ranks by Text. A blank query is like nothing, and nobody is asked.
func (v Vectors) Scores(ctx context.Context, query string, chunks []Chunk) ([]float64, error) {
	scores := make([]float64, len(chunks))
	if pytext.Strip(query) == "" {
		return scores, ctx.Err()
	}
	texts := make([]string, 1, 1+len(chunks))
	texts[0] = query
	for i := range chunks {
		texts = append(texts, chunks[i].Text)
	}
	vectors, err := v.Of(ctx, texts)
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("%d vectors of %d texts", len(vectors), len(texts))
	}
	for i := range scores {
		if len(vectors[i+1]) != len(vectors[0]) {
			return nil, fmt.Errorf("vectors of %d and of %d numbers", len(vectors[0]), len(vectors[i+1]))
		}
		scores[i] = cosine(vectors[0], vectors[i+1])
	}
	return scores, ctx.Err()
}

// cosine is 0 where a vector has no length. Sums of products of float32 numbers
// neither overflow a float64 nor vanish.
func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab += float64(x * y)
		aa += float64(x * x)
		bb += float64(y * y)
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / (math.Sqrt(aa) * math.Sqrt(bb))
}
