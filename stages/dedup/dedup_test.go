package dedup

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/minhash"
	"benchmill/internal/minhash/minhashtest"
	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

func TestStages(t *testing.T) {
	if err := pipeline.Validate([]*pipeline.Stage{Signatures(), Near(), Against()}); err != nil {
		t.Error(err)
	}
}

func corpus(n int) (out []schemas.Text) {
	for i := range n {
		out = append(out, schemas.Text{ID: fmt.Sprint("t", i), Text: minhashtest.Function(3, i)})
	}
	return out
}

// sign signs texts in parts; part names the partition of a text.
func sign(t testing.TB, texts []schemas.Text, part func(i int) string) (out []schemas.TextSignature) {
	t.Helper()
	parts := map[string][]schemas.Text{}
	var names []string
	for i, text := range texts {
		p := part(i)
		if parts[p] == nil {
			names = append(names, p)
		}
		parts[p] = append(parts[p], text)
	}
	slices.Sort(names)
	for _, p := range names {
		r, err := stagetest.Run(t.Context(), stagetest.Job{
			Stage: Signatures(), Partition: p, Seed: 1, Inputs: map[string]any{"texts": parts[p]},
		})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, stagetest.Rows[schemas.TextSignature](r, "signatures")...)
	}
	return out
}

func one(int) string { return "p" }

func nearJob(in []schemas.TextSignature) stagetest.Job {
	return stagetest.Job{Stage: Near(), Seed: 1, Inputs: map[string]any{"signatures": in}}
}

func TestNear(t *testing.T) {
	const text = "func add(a, b, c int) int { sum := a + b; sum = sum * c; return sum - a }"
	texts := []schemas.Text{
		{ID: "a", Text: text}, {ID: "b", Text: strings.ReplaceAll(text, " ", "\n\t")}, {ID: "c", Text: text + " // end"},
		{ID: "d", Text: ""}, {ID: "e", Text: " \n"}, {ID: "f", Text: "a = b + c - d /"}, {ID: "g", Text: "a = b + c - d / e"}, {ID: "h", Text: "nothing like any of the others in these many words"},
	}
	signed := sign(t, texts, one)
	r, err := stagetest.Run(t.Context(), nearJob(signed))
	if err != nil {
		t.Fatal(err)
	}
	stays := map[string]string{}
	byID := map[string]schemas.TextVerdict{}
	for _, v := range stagetest.Rows[schemas.TextVerdict](r, "verdicts") {
		byID[v.ID] = v
		if stays[v.ID] = v.DuplicateOf; v.DuplicateOf == "" {
			stays[v.ID] = v.ID
		}
		if v.PartitionKey() != "p" || (v.Kind == schemas.DuplicateNone) != (v.DuplicateOf == "") || (v.Kind == schemas.DuplicateExact) && v.Similarity != 1 {
			t.Errorf("%+v", v)
		}
	}
	if stays["a"] != stays["b"] || stays["b"] != stays["c"] || stays["d"] != stays["e"] {
		t.Errorf("%v", stays)
	}
	if stays["f"] != "f" || stays["g"] != "g" || stays["h"] != "h" {
		t.Errorf("short or lone texts have duplicates: %v", stays)
	}
	if kinds := []string{byID["a"].Kind, byID["b"].Kind, byID["c"].Kind}; !slices.Contains(kinds, schemas.DuplicateNear) {
		t.Errorf("kinds %v", kinds)
	}
	if kinds := []string{byID["d"].Kind, byID["e"].Kind}; !slices.Contains(kinds, schemas.DuplicateExact) || !slices.Contains(kinds, schemas.DuplicateNone) {
		t.Errorf("kinds %v", kinds)
	}

	job := nearJob(signed)
	c := Near().NewConfig().(*NearConfig)
	c.MinTokens, job.Config = 0, c
	if r, err = stagetest.Run(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	for _, v := range stagetest.Rows[schemas.TextVerdict](r, "verdicts") {
		stays[v.ID] = v.DuplicateOf
	}
	if (stays["f"] == "g") == (stays["g"] == "f") {
		t.Errorf("without a least length, %q and %q are what the texts of 8 and 9 tokens duplicate", stays["f"], stays["g"])
	}
}

// However texts are parted and whatever the buffers, verdicts are the same.
func TestNearAnyPartitioning(t *testing.T) {
	texts := corpus(1000)
	var want []schemas.TextVerdict
	for n, part := range []func(i int) string{
		one,
		func(i int) string { return fmt.Sprint("p", i%7) },
		func(i int) string { return fmt.Sprint("p", (i*31)%400) },
	} {
		job := nearJob(sign(t, texts, part))
		c := Near().NewConfig().(*NearConfig)
		c.Memory = int64(1 + n)
		job.Config = c
		r, err := stagetest.Run(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		got := stagetest.Rows[schemas.TextVerdict](r, "verdicts")
		for i := range got {
			var id int
			fmt.Sscanf(got[i].ID, "t%d", &id)
			if got[i].Partition != part(id) {
				t.Errorf("%+v is of partition %s", got[i], part(id))
			}
			got[i].Partition = ""
		}
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("partitioning %d gives other verdicts", n)
		}
	}
	duplicates := 0
	for _, v := range want {
		if v.DuplicateOf != "" {
			duplicates++
		}
	}
	if duplicates < 200 {
		t.Errorf("%d duplicates", duplicates)
	}
}

func TestSettingsMustAgree(t *testing.T) {
	in := sign(t, corpus(3), one)
	for name, job := range map[string]stagetest.Job{
		"shingle": {Stage: Near(), Seed: 1, Config: &NearConfig{Params: minhash.Params{Shingle: 4, Permutations: 128, Sketch: 1024}, Likeness: likeness(), Memory: 1}},
		"seed":    {Stage: Near(), Seed: 2},
		"against": {Stage: Against(), Seed: 2, Config: against1("f"), Files: map[pipeline.FileName]string{"f": `{"dataset":"d","id":"1","text":""}`}},
	} {
		job.Inputs = map[string]any{"signatures": in}
		if _, err := stagetest.Run(t.Context(), job); err == nil || !strings.Contains(err.Error(), "t0") || !strings.Contains(err.Error(), "same settings") {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := &NearConfig{Params: minhash.Params{Shingle: 5, Permutations: 2, Sketch: 16}, Likeness: likeness()}
	if err := bad.Validate(); err == nil {
		t.Error("2 permutations are enough")
	}
	if err := Near().NewConfig().(*NearConfig).Validate(); err != nil {
		t.Error(err)
	}
}

func against1(files ...pipeline.FileName) *AgainstConfig {
	c := Against().NewConfig().(*AgainstConfig)
	c.Files = files
	return c
}

func TestAgainst(t *testing.T) {
	const text = "func add(a, b, c int) int { sum := a + b; sum = sum * c; return sum - a }"
	files := map[pipeline.FileName]string{
		"one.jsonl": `{"dataset": "z", "id": "2", "text": "` + text + `"}` + "\n\n" + `{"dataset": "y", "id": "9", "text": "` + text + ` end"}` + "\r\n",
		"two.jsonl": `{"dataset": "y", "id": "3", "text": "` + strings.ReplaceAll(text, " ", "  ") + `"}` + "\n" + `{"dataset": "y", "id": "4", "text": "return x"}`,
	}
	texts := []schemas.Text{
		{ID: "exact", Text: text}, {ID: "near", Text: text + " end of"}, {ID: "short", Text: "return  x"}, {ID: "short near", Text: "return x;"},
		{ID: "none", Text: "nothing like any of the others in these many words"}, {ID: "empty", Text: ""},
	}
	// "near" has 28 shingles, all but the last those of its match.
	want := map[string]schemas.TextMatch{
		"exact":      {Kind: "exact", Dataset: "y", Match: "3", Similarity: 1},
		"near":       {Kind: "near", Dataset: "y", Match: "9", Similarity: 0.9643},
		"short":      {Kind: "exact", Dataset: "y", Match: "4", Similarity: 1},
		"short near": {Kind: "none"}, "none": {Kind: "none"}, "empty": {Kind: "none"},
	}
	for _, order := range [][]pipeline.FileName{{"one.jsonl", "two.jsonl"}, {"two.jsonl", "one.jsonl"}} {
		r, err := stagetest.Run(t.Context(), stagetest.Job{
			Stage: Against(), Seed: 1, Config: against1(order...), Files: files, Inputs: map[string]any{"signatures": sign(t, texts, one)},
		})
		if err != nil {
			t.Fatal(err)
		}
		got := stagetest.Rows[schemas.TextMatch](r, "matches")
		for _, m := range got {
			w := want[m.ID]
			w.ID, w.Partition = m.ID, "p"
			if m != w || m.PartitionKey() != "p" {
				t.Errorf("%+v, want %+v", m, w)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d rows", len(got))
		}
	}
}

func TestAgainstRefuses(t *testing.T) {
	const good = `{"dataset": "d", "id": "1", "text": "x"}` + "\n"
	for name, test := range map[string]struct{ text, want string }{
		"empty":            {"\n \n", "no texts"},
		"no JSON":          {good + "x", "f:2:"},
		"cut":              {good + good[:20], "f:2:"},
		"no text":          {`{"dataset": "d", "id": "1"}`, "needs dataset, id and text"},
		"no dataset":       {good + "\n" + `{"id": "1", "text": ""}`, "f:3: a line needs"},
		"another column":   {`{"dataset": "d", "id": "1", "text": "", "split": ""}`, "split"},
		"a number":         {`{"dataset": "d", "id": 1, "text": ""}`, "f:1:"},
		"two on a line":    {strings.TrimSpace(good) + good, "more than one value"},
		"one array":        {"[" + good + "]", "f:1:"},
		"no file":          {"", "no file g"},
		"text null":        {`{"dataset": "d", "id": "1", "text": null}`, "needs dataset, id and text"},
		"not the settings": {"", "at least one"},
	} {
		c := against1("f")
		var err error
		switch name {
		case "no file":
			c.Files = []pipeline.FileName{"g"}
		case "not the settings":
			c.Files = nil
			err = c.Validate()
		}
		if err == nil {
			_, err = stagetest.Run(t.Context(), stagetest.Job{
				Stage: Against(), Config: c, Files: map[pipeline.FileName]string{"f": test.text}, Inputs: map[string]any{"signatures": []schemas.TextSignature{}},
			})
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

func FuzzParseForeign(f *testing.F) {
	f.Add([]byte(`{"dataset": "d", "id": "1", "text": "x = y"}`))
	f.Add([]byte(`{"dataset":"d","id":"1","text":null}{}`))
	signer := newSigner(&pipeline.Pass{}, minhash.Defaults())
	f.Fuzz(func(t *testing.T, line []byte) {
		got, err := parseForeign(line, signer)
		if err == nil && (got.dataset == "" || got.id == "" || signer.CheckMins(got.signature.Mins) != nil) {
			t.Errorf("%q: %+v", line, got)
		}
	})
}
