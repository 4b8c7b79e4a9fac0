package policy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

func sourceFiles(n int) (out []schemas.File) {
	for i := range n {
		out = append(out, schemas.File{Path: fmt.Sprintf("f%03d", i), Text: fmt.Sprint("text ", i)})
	}
	return out
}

// noise is content that no compression makes smaller.
func noise(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(rng.Uint32())
	}
	return out
}

func TestBounds(t *testing.T) {
	snapshot := []schemas.Entry{
		{Path: "empty", Kind: schemas.KindFile},
		{Path: "lines", Kind: schemas.KindFile, Size: 100_000, Content: bytes.Repeat([]byte("line\n"), 20_000)},
		{Path: "noise", Kind: schemas.KindFile, Size: 10_000, Content: noise(10_000)},
		{Path: "oversized", Kind: schemas.KindOversized, Size: 5_000},
	}
	for _, test := range []struct {
		name           string
		files          int
		config         *BoundsConfig
		reason, detail string
	}{
		{"fewest", 10, nil, "", ""},
		{"too few", 9, nil, reasonFewFiles, "9 files"},
		{"most", 50, nil, "", ""},
		{"too many", 51, nil, reasonManyFiles, "51 files"},
		{"any number", 51, &BoundsConfig{}, "", ""},
		{"small enough", 1, &BoundsConfig{MaxBytes: 16_000}, "", ""},
		{"too large", 1, &BoundsConfig{MaxBytes: 15_000}, reasonLarge, "more than 15000 bytes compressed"},
	} {
		job := stagetest.Job{Stage: Bounds(), Inputs: map[string]any{"files": sourceFiles(test.files), "snapshot": snapshot}}
		if test.config != nil {
			job.Config = test.config
		}
		r, err := stagetest.Run(t.Context(), job)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		rows := stagetest.Rows[schemas.File](r, "files")
		if test.reason == "" {
			if !reflect.DeepEqual(rows, sourceFiles(test.files)) {
				t.Errorf("%s: %d files, %v", test.name, len(rows), r.Reasons())
			}
			continue
		}
		if len(rows) != 0 || r.Reasons()[test.reason] != test.files || r.Dropped[0].Detail != test.detail {
			t.Errorf("%s: %d files, %v", test.name, len(rows), r.Dropped)
		}
	}
}

func TestBoundsErrors(t *testing.T) {
	job := stagetest.Job{Stage: Bounds(), Config: &BoundsConfig{MaxBytes: 1}, Inputs: map[string]any{"files": sourceFiles(1)}}
	if _, err := stagetest.Run(t.Context(), job); err == nil || !strings.Contains(err.Error(), "snapshot") {
		t.Errorf("%v", err)
	}
	job.Inputs["snapshot"] = []schemas.Entry{{Path: "a", Size: 1, Content: []byte("a")}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := stagetest.Run(ctx, job); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if (&BoundsConfig{MinFiles: 3, MaxFiles: 2}).Validate() == nil || (&BoundsConfig{MinFiles: 3}).Validate() != nil {
		t.Error("bounds are not checked")
	}
}
