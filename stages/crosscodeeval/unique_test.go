package crosscodeeval

import (
	"slices"
	"strings"
	"testing"

	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/stages/dedup"
)

func exampleOf(references ...string) (out []schemas.CompletionExample) {
	for i, r := range references {
		out = append(out, schemas.CompletionExample{ID: string(rune('a' + i)), Path: "f", Name: "n", CursorByte: int64(i), Prompt: "p ", Reference: r, RightContext: " r"})
	}
	return out
}

func uniqueJob(examples []schemas.CompletionExample, more map[string]any) stagetest.Job {
	in := map[string]any{"repository": repository("python"), "examples": examples}
	for port, rows := range more {
		in[port] = rows
	}
	return stagetest.Job{Stage: Unique(), Inputs: in}
}

func dropsOf(r *stagetest.Result) (out []string) {
	for _, d := range r.Dropped {
		out = append(out, d.Reason+" "+d.Detail)
	}
	return out
}

func TestUnique(t *testing.T) {
	examples := exampleOf("one", "two", " one\n", "three")
	for _, test := range []struct {
		name string
		more map[string]any
		want []string
	}{
		{"alone", nil, []string{"duplicate of a"}},
		{"verdicts", map[string]any{"verdicts": []schemas.TextVerdict{
			{ID: "a", Kind: schemas.DuplicateExact, DuplicateOf: "z"}, {ID: "b", Kind: schemas.DuplicateNear, DuplicateOf: "y", Similarity: 0.875},
			{ID: "c", Kind: schemas.DuplicateNone}, {ID: "d", Kind: schemas.DuplicateNone},
		}}, []string{"duplicate of z", "near_duplicate of y, similarity 0.88"}},
		{"matches", map[string]any{"matches": []schemas.TextMatch{
			{ID: "a", Kind: schemas.DuplicateNone}, {ID: "b", Kind: schemas.DuplicateExact, Dataset: "other", Match: "7"},
			{ID: "c", Kind: schemas.DuplicateNone}, {ID: "d", Kind: schemas.DuplicateNear, Dataset: "other", Match: "8", Similarity: 0.9},
		}}, []string{"in_dataset other 7", "duplicate of a", "near_in_dataset other 8, similarity 0.90"}},
	} {
		r := run(t, uniqueJob(examples, test.more))
		if got := dropsOf(r); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		for _, e := range exampleRows(r) {
			if !slices.Contains(examples, e) {
				t.Errorf("%s: changed to %+v", test.name, e)
			}
		}
	}
}

// An example that was not compared is an error, not unique.
func TestUniqueNotCompared(t *testing.T) {
	for port, rows := range map[string]any{
		"verdicts": []schemas.TextVerdict{{ID: "a", Kind: schemas.DuplicateNone}},
		"matches":  []schemas.TextMatch{{ID: "a", Kind: schemas.DuplicateNone}},
	} {
		_, err := stagetest.Run(t.Context(), uniqueJob(exampleOf("one", "two"), map[string]any{port: rows}))
		if err == nil || !strings.Contains(err.Error(), "example b") {
			t.Errorf("%s: %v", port, err)
		}
	}
}

func TestTexts(t *testing.T) {
	for of, want := range map[string]string{"reference": "one", "prompt": "p ", "file": "p one r"} {
		r := run(t, stagetest.Job{Stage: Texts(), Config: &TextsConfig{Of: of}, Inputs: map[string]any{"examples": exampleOf("one")}})
		if rows := stagetest.Rows[schemas.Text](r, "texts"); len(rows) != 1 || rows[0] != (schemas.Text{ID: "a", Text: want}) {
			t.Errorf("%s: %+v", of, rows)
		}
	}
}

// A reference that two repositories have stays in one of them; the other names it.
func TestDuplicatesAcrossRepositories(t *testing.T) {
	const line = "service.find_by_name(session, name, limit=%, order='ascending', strict=True)"
	references := map[string][]string{
		"one": {strings.ReplaceAll(line, "%", "10"), "service.one()"},
		"two": {strings.ReplaceAll(line, "%", "  10 "), "service.two()", strings.ReplaceAll(line, "%", "10") + ".all"},
	}
	examples := map[string][]schemas.CompletionExample{}
	var signatures []schemas.TextSignature
	for _, p := range []string{"one", "two"} {
		examples[p] = exampleOf(references[p]...)
		for i := range examples[p] {
			examples[p][i].ID = p + examples[p][i].ID
		}
		texts := run(t, stagetest.Job{Stage: Texts(), Inputs: map[string]any{"examples": examples[p]}})
		signed := run(t, stagetest.Job{Stage: dedup.Signatures(), Partition: p, Inputs: map[string]any{"texts": stagetest.Rows[schemas.Text](texts, "texts")}})
		signatures = append(signatures, stagetest.Rows[schemas.TextSignature](signed, "signatures")...)
	}
	for _, near := range []bool{true, false} {
		c := dedup.Near().NewConfig().(*dedup.NearConfig)
		c.Near = near
		found := run(t, stagetest.Job{Stage: dedup.Near(), Config: c, Inputs: map[string]any{"signatures": signatures}})
		kept, drops := 0, []string{}
		for _, p := range []string{"one", "two"} {
			var own []schemas.TextVerdict
			for _, v := range stagetest.Rows[schemas.TextVerdict](found, "verdicts") {
				if v.PartitionKey() == p {
					own = append(own, v)
				}
			}
			r := run(t, uniqueJob(examples[p], map[string]any{"verdicts": own}))
			kept += len(exampleRows(r))
			drops = append(drops, dropsOf(r)...)
		}
		if want := map[bool]int{true: 3, false: 4}[near]; kept != want || len(drops) != 5-want {
			t.Errorf("near %v: %d kept, %q", near, kept, drops)
		}
	}
}
