package crosscodeeval

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"benchmill/pipeline"
	"benchmill/pipeline/graph"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

// blankCounter counts runs between blanks.
type blankCounter struct{}

func (blankCounter) Identity() string { return "blanks/1" }
func (blankCounter) Encode(dst []int, text string) []int {
	return append(dst, make([]int, blankCounter{}.Count(text))...)
}
func (blankCounter) Count(text string) int { return len(strings.Fields(text)) }

func runTasks(t *testing.T, language string, c *TasksConfig, o *oracle, files map[string]string, rows ...schemas.CompletionExample) ([]schemas.CompletionTask, error) {
	t.Helper()
	var texts []schemas.File
	for path, text := range files {
		texts = append(texts, schemas.File{Path: path, Language: language, Text: text})
	}
	r, err := stagetest.Run(t.Context(), stagetest.Job{
		Stage: Tasks(allLanguages(t)), Config: c, Effects: o, Tokenizer: blankCounter{},
		Models: map[pipeline.ModelName]pipeline.ModelSpec{"unixcoder": {Provider: "p", Model: "e"}},
		Inputs: map[string]any{
			"repository": []schemas.Repository{{Repo: "o/r", Commit: strings.Repeat("c", 40), Language: language, Licence: "MIT"}},
			"examples":   rows, "files": texts,
		},
	})
	if err != nil {
		return nil, err
	}
	return stagetest.Rows[schemas.CompletionTask](r, "tasks"), nil
}

func defaults() *TasksConfig { return Tasks(nil).NewConfig().(*TasksConfig) }

// numbered is a file of n lines, the words in some.
func numbered(n int, words map[int]string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line%d = %s\n\n", i, words[i])
	}
	return b.String()
}

func TestTasks(t *testing.T) {
	example := completionOf("pkg/a.py", "import m\n\nalpha = beta\nx = m.|load(alpha, gamma)¦\n")
	example.Kind, example.Via, example.Target, example.Baseline, example.RightLine = "member", "module", "m.py", "p/m", 4
	files := map[string]string{
		"pkg/a.py":  example.Prompt + example.Reference + example.RightContext,
		"pkg/b.py":  numbered(25, map[int]string{3: "alpha beta", 13: "here"}),
		"other.py":  numbered(5, map[int]string{1: "alpha"}),
		"far/f.py":  "gamma = load(alpha)\n",
		".git/h.py": "alpha = beta\n", // nobody looks there
	}
	c := defaults()
	c.Hits = 2
	rows, err := runTasks(t, "python", c, nil, files, example)
	if err != nil || len(rows) != 1 {
		t.Fatalf("%+v, %v", rows, err)
	}
	got := rows[0]
	contexts := got.Contexts
	got.Contexts = nil
	if want := (schemas.CompletionTask{
		TaskID: example.ID, Repo: "o/r", Commit: strings.Repeat("c", 40), Licence: "MIT", Language: "python", Path: "pkg/a.py",
		Name: "n", Kind: "member", Via: "module", Target: "m.py", Prompt: example.Prompt, Reference: example.Reference, RightContext: "\n",
		CursorLine: 3, RightLine: 4, Tokens: 2, Tokenizer: "blanks/1", Baseline: "p/m", Detector: "native",
	}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want\n%+v", got, want)
	}
	if len(contexts) != 2 || contexts[0].Setting != "rg1_bm25" || contexts[1].Setting != "oracle_bm25" {
		t.Fatalf("%+v", contexts)
	}
	// By the prompt the first ten lines of b.py are most alike, and what follows them
	// is taken; with the reference it is f.py itself.
	if first := contexts[0].Chunks[0]; first.Path != "pkg/b.py" || !strings.Contains(first.Text, "line13 = here") || first.Score <= 0 {
		t.Errorf("rg1: %+v", first)
	}
	if first := contexts[1].Chunks[0]; first.Path != "far/f.py" || first.Text != "gamma = load(alpha)" {
		t.Errorf("oracle: %+v", first)
	}
	const head = "# Code from other files of this repository that may help:\n\n# From the file:\n# far/f.py\n# gamma = load(alpha)\n\n"
	if !strings.HasPrefix(contexts[1].Text, head) || len(contexts[1].Chunks) != 2 {
		t.Errorf("%q", contexts[1].Text)
	}
	for _, found := range contexts {
		for _, chunk := range found.Chunks {
			if chunk.Path == "pkg/a.py" || chunk.Path == ".git/h.py" {
				t.Errorf("%s: %s was searched", found.Setting, chunk.Path)
			}
		}
	}
}

// The published script searches what its own patterns find, and words it its way.
func TestTasksUpstream(t *testing.T) {
	inside, outside := completionOf("src/a.ts", "const x = |load();¦"), completionOf("a.ts", "const x = |load();¦")
	files := map[string]string{
		"src/a.ts": "const x = load();", "a.ts": "const x = load();", "lib/b.ts": "export const load = 1",
		"src/c.tsx": "export const load = 2", "src/d.mts": "export const load = 3",
	}
	c := defaults()
	c.Compat = upstream
	rows, err := runTasks(t, "typescript", c, nil, files, inside, outside)
	if err != nil || len(rows) != 2 {
		t.Fatal(err)
	}
	for _, row := range rows {
		for _, found := range row.Contexts {
			want := "// Here are some relevant code fragments from other files of the repo:\n\n// the below code fragment can be found in:\n// src/c.tsx\n// export const load = 2\n\n"
			if row.Path == "a.ts" {
				want = ""
			}
			if found.Text != want || len(found.Chunks) != min(1, len(want)) {
				t.Errorf("%s %s: %q of %v", row.Path, found.Setting, found.Text, found.Chunks)
			}
		}
	}
	rows, _ = runTasks(t, "typescript", defaults(), nil, files, outside)
	if n := len(rows[0].Contexts[0].Chunks); n != 4 { // every other file
		t.Errorf("%d pieces", n)
	}
}

func TestTasksEmbeddings(t *testing.T) {
	first, second := completionOf("a.py", "x = 1\n|y()¦"), completionOf("b.py", "x = 1\n|z()¦")
	files := map[string]string{"c.py": "north", "d.py": "south", "e.py": "west"}
	vectors := map[string][]float32{"x = 1": {1, 0}, "north": {2, 0}, "south": {-1, 0}, "west": {1, 1}}
	o := &oracle{answer: func(text string) (pipeline.Reply, error) {
		v, ok := vectors[text]
		if !ok {
			return pipeline.Reply{}, fmt.Errorf("asked about %q", text)
		}
		return pipeline.Reply{Vector: pipeline.NewVector(v)}, nil
	}}
	c := defaults()
	c.Settings, c.Embedder = []string{"rg1_cosine_sim"}, "unixcoder"
	rows, err := runTasks(t, "python", c, o, files, first, second)
	if err != nil || len(rows) != 2 {
		t.Fatal(err)
	}
	for _, row := range rows {
		var got []string
		for _, chunk := range row.Contexts[0].Chunks {
			got = append(got, fmt.Sprintf("%s %.3f", chunk.Text, chunk.Score))
		}
		if row.Contexts[0].Setting != "rg1_unixcoder_cosine_sim" || strings.Join(got, ", ") != "north 1.000, west 0.707, south -1.000" {
			t.Errorf("%s: %q", row.Contexts[0].Setting, got)
		}
	}
	if len(o.asked) != 4 { // each text once
		t.Errorf("%d requests", len(o.asked))
	}
	down := errors.New("down")
	o.answer = func(string) (pipeline.Reply, error) { return pipeline.Reply{}, down }
	if _, err := runTasks(t, "python", c, o, files, first); !errors.Is(err, down) || !strings.Contains(err.Error(), "a.py:2 n") {
		t.Errorf("%v", err)
	}
}

// Only as many files are cut as there are candidates, and the last one has its
// next chunk.
func TestTasksCandidates(t *testing.T) {
	files := map[string]string{"a.py": "", "b.py": numbered(30, map[int]string{15: "alpha"}), "c.py": "alpha\n"}
	c := defaults()
	c.Settings, c.Candidates, c.Hits = []string{"rg1_bm25"}, 2, 9
	rows, err := runTasks(t, "python", c, nil, files, completionOf("a.py", "alpha\n|x¦"))
	if err != nil {
		t.Fatal(err)
	}
	chunks := rows[0].Contexts[0].Chunks
	if len(chunks) != 2 || !strings.HasPrefix(chunks[0].Text, "line20") || !strings.HasPrefix(chunks[1].Text, "line10") {
		t.Errorf("%+v", chunks)
	}
}

func TestTasksConfig(t *testing.T) {
	for name, c := range map[string]*TasksConfig{
		"once":            {Settings: []string{"rg1_bm25", "oracle_bm25", "rg1_bm25"}},
		"needs a model":   {Settings: []string{"oracle_cosine_sim"}},
		"no setting uses": {Settings: []string{"rg1_tfidf"}, Embedder: "e"},
	} {
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := defaults().Validate(); err != nil {
		t.Error(err)
	}
	set := allLanguages(t)
	if err := (graph.Kinds{Stages: []*pipeline.Stage{Predictable(set), Tasks(set)}}).Validate(); err != nil {
		t.Error(err)
	}
	for _, s := range []*pipeline.Stage{Predictable(set), Tasks(set)} {
		a, b := s.Identify(schemas.Repository{Language: "python"}), s.Identify(schemas.Repository{Language: "java"})
		if reflect.DeepEqual(a, b) || len(a) == 0 || len(s.Identify(schemas.Repository{Language: "klingon"})) == 0 {
			t.Errorf("%s: %q and %q", s.Name, a, b)
		}
	}
}
