package longcodeqa

import (
	"context"
	"fmt"

	"benchmill/pipeline"
	"benchmill/schemas"
)

const reasonHuge = "repository_too_large"

// SizesConfig configures [Sizes].
type SizesConfig struct {
	Tokenizer pipeline.TokenizerName `yaml:"tokenizer" doc:"a name of the tokenizers section, that of longcodeqa.tasks as well"`
	MaxBytes  int64                  `yaml:"max_bytes" min:"1" doc:"questions about repositories with more bytes of text are dropped uncounted: no bracket holds them"`
	Layout    `yaml:",inline"`
}

// Sizes counts the tokens of every prompt, since a bracket is a number of prompt
// tokens (section 3.1, table 2). It writes counts alone, so that the choice over
// all repositories reads no contents.
//
// Version history:
//
//	1: first version
func Sizes() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "longcodeqa.sizes", Version: 1,
		Doc: "Counts the tokens of the prompt of each question.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "questions", Schema: schemas.Questions},
			{Name: "files", Schema: schemas.Files},
			{Name: "topics", Schema: schemas.Topics, Optional: true},
		},
		Out:       []pipeline.Port{{Name: "sizes", Schema: schemas.QuestionSizes}},
		Flows:     []pipeline.Flow{{From: "questions", To: []string{"sizes"}}},
		Uses:      pipeline.Uses{Tokenizer: true},
		NewConfig: func() any { return &SizesConfig{MaxBytes: 64 << 20, Layout: Layout{afterFiles}} },
		Identify:  func(any) []string { return []string{taskPrompt.Identity()} },
		Run:       sizes,
	}
}

func sizes(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[SizesConfig](p)
	repo, err := pipeline.One[schemas.Repository](ctx, p, "repository")
	if err != nil {
		return err
	}
	t, err := p.Tokenizer(c.Tokenizer)
	if err != nil {
		return err
	}
	questions, err := pipeline.Collect[schemas.Question](ctx, p, "questions")
	if err != nil || len(questions) == 0 {
		return err
	}
	topics, err := pipeline.Collect[schemas.RepositoryTopics](ctx, p, "topics")
	if err != nil {
		return err
	}
	files, err := pipeline.Collect[schemas.File](ctx, p, "files")
	if err != nil {
		return err
	}
	bytes := int64(0)
	for _, f := range files {
		bytes += int64(len(f.Text))
	}
	if bytes > c.MaxBytes {
		for _, q := range questions {
			p.Drops.Drop("questions", q.ID, reasonHuge, fmt.Sprintf("%d bytes", bytes))
		}
		return nil
	}
	inFiles := fileTokens(t, files)
	tokens, err := promptTokens(ctx, t, c.Layout, questions, FilesText(files))
	if err != nil {
		return fmt.Errorf("%s: %w", repo.Repo, err)
	}
	for i, q := range questions {
		row := schemas.QuestionSize{
			ID: q.ID, Partition: repo.PartitionKey(), Repo: repo.Repo, Tokens: int64(tokens[i]),
			ContextFiles: int64(len(files)), FileTokens: inFiles, Topics: topicsOf(repo, topics),
		}
		if err := pipeline.Emit(p, "sizes", row); err != nil {
			return err
		}
	}
	return nil
}

// promptTokens counts the tokens of the prompts of all questions of a
// repository.
//
// They differ in little beside a text that may be megabytes long. So the first
// and the last are counted whole, and the difference that a question makes is
// taken from prompts without files. That is exact for every tokenizer that cuts
// text into words before it merges, since fixed words and line breaks stand
// around a question. Where the last count shows another kind, all prompts are
// counted whole; and longcodeqa.tasks counts every prompt of a release whole and
// fails where it finds another number.
func promptTokens(ctx context.Context, t pipeline.Tokenizer, l Layout, questions []schemas.Question, files string) ([]int, error) {
	counts, err := countPrompts(ctx, t, l, questions, "")
	if err != nil {
		return nil, err
	}
	last := len(questions) - 1
	whole, err := countPrompts(ctx, t, l, []schemas.Question{questions[0], questions[last]}, files)
	if err != nil {
		return nil, err
	}
	added := whole[0] - counts[0]
	if whole[1] != counts[last]+added {
		return countPrompts(ctx, t, l, questions, files)
	}
	for i := range counts {
		counts[i] += added
	}
	return counts, nil
}

func countPrompts(ctx context.Context, t pipeline.Tokenizer, l Layout, questions []schemas.Question, files string) ([]int, error) {
	out := make([]int, len(questions))
	for i, q := range questions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		prompt, err := l.Prompt(q, files)
		if err != nil {
			return nil, err
		}
		out[i] = t.Count(prompt)
	}
	return out, nil
}
