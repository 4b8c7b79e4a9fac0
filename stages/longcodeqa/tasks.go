package longcodeqa

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
)

const reasonNotSelected = "not_selected"

// TasksConfig configures [Tasks].
type TasksConfig struct {
	Tokenizer pipeline.TokenizerName `yaml:"tokenizer" doc:"a name of the tokenizers section, that of longcodeqa.sizes as well"`
	Layout    `yaml:",inline"`
}

// Tasks writes the prompts of the questions that were chosen. Each prompt is
// counted once more as a whole: another number than the one it was chosen by, or
// one beyond its bracket, is an error.
//
// Version history:
//
//	1: first version
func Tasks() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "longcodeqa.tasks", Version: 1,
		Doc: "Writes the prompts of the chosen questions: instructions, all files sorted by path, the question with its choices.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "questions", Schema: schemas.Questions},
			{Name: "files", Schema: schemas.Files},
			{Name: "selection", Schema: schemas.Selection},
			{Name: "topics", Schema: schemas.Topics, Optional: true},
		},
		Out:       []pipeline.Port{{Name: "tasks", Schema: schemas.LongCodeQATasks}},
		Flows:     []pipeline.Flow{{From: "questions", To: []string{"tasks"}}},
		Uses:      pipeline.Uses{Tokenizer: true},
		NewConfig: func() any { return &TasksConfig{Layout: Layout{afterFiles}} },
		Identify:  func(any) []string { return []string{taskPrompt.Identity()} },
		Run:       tasks,
	}
}

func tasks(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[TasksConfig](p)
	b := &taskBuilder{layout: c.Layout}
	var err error
	if b.repo, err = pipeline.One[schemas.Repository](ctx, p, "repository"); err != nil {
		return err
	}
	if b.tokenizer, err = p.Tokenizer(c.Tokenizer); err != nil {
		return err
	}
	topics, err := pipeline.Collect[schemas.RepositoryTopics](ctx, p, "topics")
	if err != nil {
		return err
	}
	b.topics = topicsOf(b.repo, topics)
	chosen := map[string]schemas.Selected{}
	for s, err := range pipeline.In[schemas.Selected](ctx, p, "selection") {
		if err != nil {
			return err
		}
		if s.Partition == b.repo.PartitionKey() {
			chosen[s.ID] = s
		}
	}
	if len(chosen) > 0 {
		if err := b.read(ctx, p); err != nil {
			return err
		}
	}
	for q, err := range pipeline.In[schemas.Question](ctx, p, "questions") {
		if err != nil {
			return err
		}
		s, ok := chosen[q.ID]
		if !ok {
			p.Drops.Drop("questions", q.ID, reasonNotSelected, "")
			continue
		}
		delete(chosen, q.ID)
		if err := ctx.Err(); err != nil {
			return err
		}
		task, err := b.task(q, s)
		if err != nil {
			return fmt.Errorf("%s: %w", b.repo.Repo, err)
		}
		if err := pipeline.Emit(p, "tasks", task); err != nil {
			return err
		}
	}
	if len(chosen) > 0 {
		return fmt.Errorf("%s: questions were chosen that are not there: %s", b.repo.Repo, strings.Join(slices.Sorted(maps.Keys(chosen)), ", "))
	}
	return nil
}

// taskBuilder makes the tasks of one repository.
type taskBuilder struct {
	layout    Layout
	repo      schemas.Repository
	tokenizer pipeline.Tokenizer
	topics    []string

	files         string // as prompts show them
	count         int64  // of files
	tokensPerFile float64
}

func (b *taskBuilder) read(ctx context.Context, p *pipeline.Pass) error {
	files, err := pipeline.Collect[schemas.File](ctx, p, "files")
	if err != nil {
		return err
	}
	b.files, b.count = FilesText(files), int64(len(files))
	b.tokensPerFile = ratio(fileTokens(b.tokenizer, files), b.count)
	return nil
}

func (b *taskBuilder) task(q schemas.Question, s schemas.Selected) (schemas.LongCodeQATask, error) {
	prompt, err := b.layout.Prompt(q, b.files)
	if err != nil {
		return schemas.LongCodeQATask{}, err
	}
	tokens := int64(b.tokenizer.Count(prompt))
	switch {
	case tokens != s.Tokens:
		return schemas.LongCodeQATask{}, fmt.Errorf("the prompt of %s has %d tokens, but was chosen with %d: longcodeqa.sizes and longcodeqa.tasks must read the same files with the same tokenizer and placement", q.ID, tokens, s.Tokens)
	case tokens > s.Bracket:
		return schemas.LongCodeQATask{}, fmt.Errorf("the prompt of %s has %d tokens, more than its bracket of %d", q.ID, tokens, s.Bracket)
	}
	return schemas.LongCodeQATask{
		TaskID: q.ID, Bracket: Label(s.Bracket), BracketTokens: s.Bracket,
		Repo: b.repo.Repo, Commit: b.repo.Commit, Licence: b.repo.Licence, Language: b.repo.Language,
		Issue: q.Number, IssueURL: fmt.Sprintf("%s/issues/%d", strings.TrimSuffix(b.repo.URL, ".git"), q.Number),
		CreatedAt: q.CreatedAt, ClosedAt: q.ClosedAt,
		Question: q.Question, ChoiceA: q.Choices[0], ChoiceB: q.Choices[1], ChoiceC: q.Choices[2], ChoiceD: q.Choices[3],
		CorrectLetter: q.Answer,
		Prompt:        prompt, PromptTokens: tokens, Tokenizer: b.tokenizer.Identity(),
		ContextFiles: b.count, TokensPerFile: b.tokensPerFile, Topics: b.topics,
		Reason: q.Reason, Origin: q.Origin, Provider: q.Provider, Model: q.Model, Template: q.Template,
		Filters: q.Filters, Review: q.Review, Reviewer: q.Reviewer,
	}, nil
}

// fileTokens counts the tokens of files, each on its own.
func fileTokens(t pipeline.Tokenizer, files []schemas.File) int64 {
	var n int64
	for _, f := range files {
		n += int64(t.Count(f.Text))
	}
	return n
}
