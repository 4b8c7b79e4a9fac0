package retrieval

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// of gives each text the vector of its name.
func of(vectors map[string][]float32) Vectors {
	return Vectors{func(_ context.Context, texts []string) ([][]float32, error) {
		out := make([][]float32, len(texts))
		for i, text := range texts {
			out[i] = vectors[text]
		}
		return out, nil
	}}
}

func TestVectors(t *testing.T) {
	v := of(map[string][]float32{
		"q": {3, 4}, "same": {30, 40}, "opposite": {-3, -4}, "across": {-4, 3}, "none": {0, 0},
		"tiny": {math.SmallestNonzeroFloat32, 0}, "huge": {math.MaxFloat32, 0},
	})
	got, err := v.Scores(t.Context(), "q", chunksOf("same", "opposite", "across", "none", "tiny", "huge"))
	if want := []float64{1, -1, 0, 0, 0.6, 0.6}; err != nil || !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }) {
		t.Errorf("%v, want %v (%v)", got, want, err)
	}
	if got, err := v.Scores(t.Context(), "none", chunksOf("q")); err != nil || got[0] != 0 {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := (Vectors{}).Scores(t.Context(), " \n", chunksOf("q", "c")); err != nil || !slices.Equal(got, []float64{0, 0}) {
		t.Errorf("blank: %v, %v", got, err)
	}
}

func TestVectorsRefuse(t *testing.T) {
	down := errors.New("down")
	for name, v := range map[string]Vectors{
		"down":                          {func(context.Context, []string) ([][]float32, error) { return nil, down }},
		"1 vectors of 2 texts":          {func(context.Context, []string) ([][]float32, error) { return make([][]float32, 1), nil }},
		"vectors of 2 and of 1 numbers": of(map[string][]float32{"q": {1, 2}, "c": {1}}),
	} {
		if _, err := v.Scores(t.Context(), "q", chunksOf("c")); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
