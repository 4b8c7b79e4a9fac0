package repoqa

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

// function makes one of a single file "f", at a global offset.
func function(name string, at, length int64) schemas.Function {
	return schemas.Function{Path: "f", Name: name, StartByte: at, EndByte: at + length, GlobalStartByte: at, GlobalEndByte: at + length, StartLine: at / 10, EndLine: at/10 + 1}
}

func draw(t *testing.T, c *NeedlesConfig, total int64, seed int64, functions ...schemas.Function) *stagetest.Result {
	t.Helper()
	slices.SortFunc(functions, schemasOrder)
	r, err := stagetest.Run(t.Context(), stagetest.Job{Stage: Needles(), Config: c, Seed: seed, Inputs: map[string]any{
		"repository": []schemas.Repository{{Repo: "o/r", Commit: strings.Repeat("1", 40), Language: "python"}},
		"functions":  functions,
		"order":      []schemas.OrderedFile{{Path: "e", Bytes: 0}, {Path: "f", Bytes: total}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func schemasOrder(a, b schemas.Function) int { return int(a.StartByte - b.StartByte) }

func chunks(r *stagetest.Result) map[string]int64 {
	out := map[string]int64{}
	for _, n := range stagetest.Rows[schemas.Needle](r, "needles") {
		out[n.Name] = n.Chunk
	}
	return out
}

func TestNeedleChunks(t *testing.T) {
	var functions []schemas.Function
	for i := int64(0); i < 103; i += 2 {
		functions = append(functions, function(fmt.Sprintf("f%03d", i), i, 1))
	}
	// 103 bytes in 10 chunks: chunk i begins at the first byte b with 10*b/103 = i.
	paper := chunks(draw(t, &NeedlesConfig{Chunks: 10, PerRepository: 100, MaxBytes: 10, Compat: "paper"}, 103, 1, slices.Clone(functions)...))
	if want := map[string]int64{"f000": 0, "f012": 1, "f022": 2, "f032": 3, "f042": 4, "f052": 5, "f062": 6, "f074": 7, "f084": 8, "f094": 9}; !maps.Equal(paper, want) {
		t.Errorf("%v", paper)
	}
	// Upstream: 10 bytes each, and a remainder of 3 makes an eleventh.
	upstream := chunks(draw(t, &NeedlesConfig{Chunks: 10, PerRepository: 100, MaxBytes: 10, Compat: "upstream"}, 103, 1, slices.Clone(functions)...))
	if want := map[string]int64{"f000": 0, "f010": 1, "f020": 2, "f030": 3, "f040": 4, "f050": 5, "f060": 6, "f070": 7, "f080": 8, "f090": 9, "f100": 10}; !maps.Equal(upstream, want) {
		t.Errorf("%v", upstream)
	}
	// Fewer bytes than chunks.
	for _, compat := range []string{"paper", "upstream"} {
		if got := chunks(draw(t, &NeedlesConfig{Chunks: 64, PerRepository: 9, MaxBytes: 9, Compat: compat}, 3, 1, function("a", 0, 1), function("b", 2, 1))); len(got) != 2 {
			t.Errorf("%s: %v", compat, got)
		}
	}
}

func TestNeedleRules(t *testing.T) {
	c := &NeedlesConfig{Chunks: 4, PerRepository: 10, MaxBytes: 2000, Compat: "paper"}
	r := draw(t, c, 40_000, 1,
		function("twice", 0, 10), function("twice", 30_000, 10),
		function("long", 100, 2001), function("exact", 3000, 2000), function("later", 6000, 5),
		function("second", 10_000, 5),
		function("third", 20_000, 5), function("inside", 20_001, 2),
	)
	if got := chunks(r); !maps.Equal(got, map[string]int64{"exact": 0, "second": 1, "third": 2}) {
		t.Errorf("%v", got)
	}
	if want := map[string]int{"repeated_name": 2, "too_long": 1, "not_first_in_chunk": 2}; !maps.Equal(r.Reasons(), want) {
		t.Errorf("%v, want %v", r.Reasons(), want)
	}
	if r.Notes["needles_missing"] != 7 {
		t.Errorf("%v", r.Notes)
	}
	for i, n := range stagetest.Rows[schemas.Needle](r, "needles") {
		if n.Index != int64(i) || n.Needles != 3 {
			t.Errorf("%+v", n)
		}
	}
	if r := draw(t, c, 0, 1); len(stagetest.Rows[schemas.Needle](r, "needles")) > 0 || r.Notes["needles_missing"] != 10 {
		t.Errorf("of nothing: %v", r.Notes)
	}
}

// Another function moves at most one needle, and no other's place in the draw.
func TestNeedleDrawIsStable(t *testing.T) {
	c := &NeedlesConfig{Chunks: 64, PerRepository: 10, MaxBytes: 2000, Compat: "paper"}
	var functions []schemas.Function
	for i := range int64(64) {
		functions = append(functions, function(fmt.Sprintf("f%d", i), i*100, 10))
	}
	names := func(seed int64, functions ...schemas.Function) []string {
		r := draw(t, c, 6400, seed, functions...)
		var out []string
		for _, n := range stagetest.Rows[schemas.Needle](r, "needles") {
			out = append(out, n.Name)
		}
		return out
	}
	differ := 0
	for seed := range int64(20) {
		all := names(seed, slices.Clone(functions)...)
		if len(all) != 10 {
			t.Fatalf("%q", all)
		}
		fewer := names(seed, slices.Clone(functions[1:])...)
		gone := 0
		for _, n := range all {
			if !slices.Contains(fewer, n) {
				gone++
			}
		}
		if gone > 1 {
			t.Errorf("seed %d: %d needles moved", seed, gone)
		}
		if !slices.Equal(all, names(seed+1000, slices.Clone(functions)...)) {
			differ++
		}
	}
	if differ < 19 {
		t.Error("the seed has no effect")
	}
}
