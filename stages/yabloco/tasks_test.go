package yabloco

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

// chain runs all stages from functions to tasks.
func chain(w *world, change func(c *TasksConfig)) *stagetest.Result {
	w.t.Helper()
	functions := w.run(Functions(), nil, nil).Output("functions")
	config := Candidates().NewConfig().(*CandidatesConfig)
	config.MinHits, config.MinLines = 0, 1
	candidates := w.run(Candidates(), config, map[string]any{"functions": functions}).Output("candidates")
	candidates = w.run(Unique(), nil, map[string]any{"candidates": candidates}).Output("candidates")
	candidates = w.run(Review(), nil, map[string]any{"candidates": candidates}).Output("candidates")
	selected := w.run(Select(), &SelectConfig{PerRepository: 5, Dev: 1}, map[string]any{"candidates": candidates}).Output("selected")
	tasks := Tasks(oneLanguage())
	c := tasks.NewConfig().(*TasksConfig)
	if change != nil {
		change(c)
	}
	return w.run(tasks, c, map[string]any{"selected": selected})
}

func TestTasks(t *testing.T) {
	w := fruit(t)
	w.call("peel", "stop", schemas.EvidenceMacro, 95) // a callee is shown once
	w.call("peel", "peel", schemas.EvidenceWritten, 91)
	r := chain(w, nil)
	var b bytes.Buffer
	for _, port := range []string{"tasks", "dev"} {
		for _, task := range stagetest.Rows[schemas.BodyTask](r, port) {
			fmt.Fprintf(&b, "=== %s %s %s rank %d, %s:%d, %s\n--- template\n%s\n--- prompt\n%s\n--- body\n%s\n", port, task.Name, task.Level, task.Rank, task.File, task.Pos, task.Blob, task.Template, task.Prompt, task.Reference)
			for _, s := range task.Shown {
				fmt.Fprintf(&b, "shown %s %s\n", s.File, s.Name)
			}
		}
	}
	golden(t, "tasks.golden", b.Bytes())
	for seed := range uint64(5) {
		if again := chain(w.shuffled(seed), nil); !reflect.DeepEqual(again.Output("tasks"), r.Output("tasks")) || !reflect.DeepEqual(again.Output("dev"), r.Output("dev")) {
			t.Fatalf("seed %d: other rows", seed)
		}
	}
	for name, data := range written(t, Published(), stagetest.Rows[schemas.BodyTask](r, "tasks")) {
		golden(t, name, data)
	}
}

func TestTasksSettings(t *testing.T) {
	russian := chain(fruit(t), func(c *TasksConfig) { c.Wording, c.Compat = wordingRussian, compatUpstream })
	for _, task := range stagetest.Rows[schemas.BodyTask](russian, "tasks") {
		if !strings.ContainsFunc(task.Instruction, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) {
			t.Errorf("%q", task.Instruction)
		}
		if task.Name == "peel" && strings.Contains(task.Context, "wash.c") {
			t.Errorf("what only a macro calls is shown: %s", task.Context)
		}
	}
	small := chain(fruit(t), func(c *TasksConfig) { c.MaxContext = 200 })
	if small.Reasons()["context_too_large"] != 1 {
		t.Errorf("%+v", small.Dropped)
	}
}

// Rows of another graph, or that were never selected, are told.
func TestTasksMismatch(t *testing.T) {
	w := fruit(t)
	f := functionsOf(w, nil)["stop"]
	for says, c := range map[string]schemas.BodyCandidate{
		"is not among the definitions": {ID: "X", Function: f, Split: "test", Prompt: 1},
		"it was not selected":          {ID: f.ID, Function: f},
	} {
		if _, err := w.try(Tasks(oneLanguage()), nil, map[string]any{"selected": []schemas.BodyCandidate{c}}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
}

// Values are no templates.
func TestFill(t *testing.T) {
	got := fill("{language}|{signature}|{docstring}|{context}", "{signature}", "{docstring}", "{context}", "{language}")
	if got != "{signature}|{docstring}|{context}|{language}" {
		t.Error(got)
	}
}

// The two sets have eleven different instructions each.
func TestWordings(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range wordings {
		for _, text := range w.Templates {
			seen[text] = true
		}
	}
	if len(seen) != 2*Prompts {
		t.Errorf("%d different instructions", len(seen))
	}
}
