package longcodeqa

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"benchmill/internal/tokenizer"
	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

func tasksJob(questions []schemas.Question, selection []schemas.Selected, tok pipeline.Tokenizer) stagetest.Job {
	return stagetest.Job{
		Stage: Tasks(), Tokenizer: tok, Config: &TasksConfig{Tokenizer: "t", Layout: Layout{"after"}},
		Inputs: map[string]any{
			"repository": []schemas.Repository{repository()}, "questions": questions, "selection": selection,
			"files": []schemas.File{{Path: "b.py", Text: "bb"}, {Path: "a.py", Text: "a"}, {Path: "c.py", Text: "c = 1"}, {Path: "e.py"}},
		},
	}
}

func TestTasks(t *testing.T) {
	q, other := question(1), question(2)
	q.Filters, q.Review, q.Reviewer = []string{"specific", "closedbook"}, "accepted", "somebody"
	prompt, err := Layout{"after"}.Prompt(q, FilesText([]schemas.File{{Path: "a.py", Text: "a"}, {Path: "b.py", Text: "bb"}, {Path: "c.py", Text: "c = 1"}, {Path: "e.py"}}))
	if err != nil {
		t.Fatal(err)
	}
	chosen := schemas.Selected{ID: q.ID, Partition: repository().PartitionKey(), Bracket: 32768, Tokens: int64(len(prompt))}
	elsewhere := schemas.Selected{ID: other.ID, Partition: "python/owner/name@222222222222", Bracket: 32768, Tokens: 5}
	r, err := stagetest.Run(t.Context(), tasksJob([]schemas.Question{q, other}, []schemas.Selected{chosen, elsewhere}, byteTokens{1}))
	if err != nil {
		t.Fatal(err)
	}
	rows := stagetest.Rows[schemas.LongCodeQATask](r, "tasks")
	want := schemas.LongCodeQATask{
		TaskID: "owner__name-1", Bracket: "32K", BracketTokens: 32768,
		Repo: "owner/name", Commit: strings.Repeat("1", 40), Licence: "MIT", Language: "python",
		Issue: 1, IssueURL: "https://host.example/owner/name/issues/1", CreatedAt: when, ClosedAt: when,
		Question: q.Question, ChoiceA: q.Choices[0], ChoiceB: q.Choices[1], ChoiceC: q.Choices[2], ChoiceD: q.Choices[3], CorrectLetter: "B",
		Prompt: prompt, PromptTokens: int64(len(prompt)), Tokenizer: "bytes", ContextFiles: 4, TokensPerFile: 2, Topics: []string{"databases"},
		Reason: q.Reason, Origin: "model", Provider: "p", Model: "x", Template: "t/1#abc",
		Filters: q.Filters, Review: "accepted", Reviewer: "somebody",
	}
	if len(rows) != 1 || !reflect.DeepEqual(rows[0], want) {
		t.Errorf("%+v, want %+v", rows, want)
	}
	if len(r.Dropped) != 1 || r.Dropped[0].Key != other.ID || r.Dropped[0].Reason != "not_selected" {
		t.Errorf("%+v", r.Dropped)
	}
}

func TestTasksRefuse(t *testing.T) {
	q := question(1)
	good := schemas.Selected{ID: q.ID, Partition: repository().PartitionKey(), Bracket: 32768}
	prompt, _ := Layout{"after"}.Prompt(q, FilesText([]schemas.File{{Path: "a.py", Text: "a"}, {Path: "b.py", Text: "bb"}, {Path: "c.py", Text: "c = 1"}, {Path: "e.py"}}))
	good.Tokens = int64(len(prompt))
	for name, test := range map[string]struct {
		change func(*schemas.Selected)
		says   string
	}{
		"counted otherwise": {func(s *schemas.Selected) { s.Tokens-- }, "owner/name: the prompt of owner__name-1 has"},
		"over the bracket":  {func(s *schemas.Selected) { s.Bracket = s.Tokens - 1 }, "more than its bracket of"},
		"not there":         {func(s *schemas.Selected) { s.ID = "owner__name-9" }, "chosen that are not there: owner__name-9"},
	} {
		s := good
		test.change(&s)
		_, err := stagetest.Run(t.Context(), tasksJob([]schemas.Question{q}, []schemas.Selected{s}, byteTokens{1}))
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	good.Bracket = good.Tokens // exactly full
	if _, err := stagetest.Run(t.Context(), tasksJob([]schemas.Question{q}, []schemas.Selected{good}, byteTokens{1})); err != nil {
		t.Error(err)
	}
}

// From questions to tasks, as a pipeline runs the stages: what sizes counts is
// what tasks find, and every prompt is within its bracket.
func TestSizesToTasks(t *testing.T) {
	var questions []schemas.Question
	for n := range int64(9) {
		q := question(n)
		q.Question = strings.Repeat("Why is `this` so? ", 1+int(n)*20)
		questions = append(questions, q)
	}
	tok := tokenizer.Embedded()
	job := tasksJob(questions, nil, tok)
	sized, err := stagetest.Run(t.Context(), sizesJob(job.Inputs["files"].([]schemas.File), questions, nil, tok))
	if err != nil {
		t.Fatal(err)
	}
	c := &SelectConfig{Brackets: []int64{256, 512, 1024}, PerBracket: 2}
	selected := runSelect(t, c, stagetest.Rows[schemas.QuestionSize](sized, "sizes"))
	job.Inputs["selection"] = stagetest.Rows[schemas.Selected](selected, "selection")
	r, err := stagetest.Run(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	rows := stagetest.Rows[schemas.LongCodeQATask](r, "tasks")
	var brackets []string
	for _, row := range rows {
		brackets = append(brackets, row.Bracket)
		if n := int64(tok.Count(row.Prompt)); n != row.PromptTokens || n > row.BracketTokens {
			t.Errorf("%s: %d tokens, %d said, bracket %s", row.TaskID, n, row.PromptTokens, row.Bracket)
		}
	}
	slices.Sort(brackets)
	if len(rows) < 4 || len(slices.Compact(brackets)) < 2 || len(rows)+len(r.Dropped) != 9 {
		t.Errorf("%d tasks in %q", len(rows), brackets)
	}
}
