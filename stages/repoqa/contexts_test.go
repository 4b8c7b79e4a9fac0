package repoqa

import (
	"strings"
	"testing"

	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

// stageRows are the tables before repoqa.contexts, over one file of two
// functions.
func stageRows() map[string]any {
	text := adds + "\n\n\n" + subs + "\n"
	needle := func(i int64, name, code string) schemas.Described {
		start := int64(strings.Index(text, code))
		return schemas.Described{Index: i, Needles: 2, Path: "a.py", Name: name, StartByte: start, EndByte: start + int64(len(code)),
			Purpose: "P.", Input: "I.", Output: "O.", Procedure: "S.", Origin: "model", Model: "x"}
	}
	function := func(d schemas.Described) schemas.Function {
		return schemas.Function{Path: d.Path, Name: d.Name, StartByte: d.StartByte, EndByte: d.EndByte}
	}
	a, b := needle(1, "add", adds), needle(0, "sub", subs)
	return map[string]any{
		"repository": []schemas.Repository{{Repo: "o/r", Commit: strings.Repeat("1", 40), Language: "python", Licence: "MIT", Topic: "t", Entrypoint: "."}},
		"described":  []schemas.Described{b, a},
		"files":      []schemas.File{{Path: "a.py", Text: text}, {Path: "unparsed.py", Text: "x"}},
		"functions":  []schemas.Function{function(a), function(b)},
		"order":      []schemas.OrderedFile{{Path: "a.py", Bytes: int64(len(text))}},
	}
}

func TestContextsStage(t *testing.T) {
	c := &ContextsConfig{Tokens: []int{100, 1000}, Variants: []string{"default", "comment_free", "padded"}, Tokenizer: "own", Compat: "paper"}
	r, err := stagetest.Run(t.Context(), stagetest.Job{Stage: Contexts(set(t)), Config: c, Inputs: stageRows(), Tokenizer: byteTokens{}})
	if err != nil {
		t.Fatal(err)
	}
	tasks := stagetest.Rows[schemas.RepoQATask](r, "tasks")
	if len(tasks) != 2*2*3 {
		t.Fatalf("%d tasks", len(tasks))
	}
	seen := map[string]bool{}
	for _, x := range tasks {
		seen[x.TaskID] = true
		wanted := map[string]float64{"sub": 0.25, "add": 0.75}[x.Name]
		if x.PositionRatio != wanted || x.Tokenizer != "bytes" || x.Licence != "MIT" || x.CodeContextTokens != int64(len(x.CodeContext)) {
			t.Errorf("%+v", x)
		}
		if x.CodeContext[x.NeedleTokenStart:x.NeedleTokenEnd] != x.Needle || !strings.Contains(x.Prompt, x.CodeContext) || !strings.Contains(x.Prompt, x.Description) {
			t.Errorf("%s: %d to %d of %q", x.TaskID, x.NeedleTokenStart, x.NeedleTokenEnd, x.CodeContext)
		}
		if strings.Contains(x.Needle, "#") == (x.Variant != "default" && x.Name == "add") {
			if x.Name == "add" {
				t.Errorf("%s: needle %q", x.TaskID, x.Needle)
			}
		}
		it := 0
		for _, k := range x.Candidates {
			if !k.Needle {
				t.Errorf("%s: %s is a needle too", x.TaskID, k.Name)
			}
			if k.Name == x.Name {
				it++
			}
		}
		if it != 1 {
			t.Errorf("%s: candidates %+v", x.TaskID, x.Candidates)
		}
	}
	if len(seen) != len(tasks) || !seen["python::o/r::add::1000::comment_free"] {
		t.Errorf("%v", seen)
	}
}

func TestContextsConfig(t *testing.T) {
	for says, c := range map[string]ContextsConfig{
		"":          {Tokens: []int{64}, Variants: []string{"default"}},
		"at least":  {Tokens: []int{64}},
		"too small": {Tokens: []int{63}, Variants: []string{"default"}},
		"once":      {Tokens: []int{64, 128, 64}, Variants: []string{"default"}},
		"each once": {Tokens: []int{64}, Variants: []string{"padded", "padded"}},
	} {
		if err := c.Validate(); (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
