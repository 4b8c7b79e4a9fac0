package repoqa

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"benchmill/internal/tokenizer"
	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/code"
	"benchmill/stages/lang"
)

// ContextsConfig configures [Contexts].
type ContextsConfig struct {
	Tokens    []int                  `yaml:"tokens" doc:"context sizes in tokens; each makes a task of its own"`
	Variants  []string               `yaml:"variants" enum:"default|comment_free|padded" doc:"default, comment_free (comments removed), padded (comments removed, numbered comments keep the needle at its depth)"`
	Tokenizer pipeline.TokenizerName `yaml:"tokenizer" doc:"a name of the tokenizers section; the paper counts CodeLlama tokens"`
	Compat    string                 `yaml:"compat" enum:"paper|upstream" doc:"upstream: the indentation before a needle ends in a line break, files end in one more, and byte offsets count characters"`
}

// Validate implements the check of a config.
func (c *ContextsConfig) Validate() error {
	if len(c.Tokens) == 0 || len(c.Variants) == 0 {
		return fmt.Errorf("tokens and variants must each list at least one")
	}
	if !unique(c.Tokens) || !unique(c.Variants) {
		return fmt.Errorf("tokens and variants must list each once: a task is named by them")
	}
	for _, n := range c.Tokens {
		if n < 64 {
			return fmt.Errorf("a context of %d tokens is too small to hold a needle; the least is 64", n)
		}
	}
	return nil
}

func unique[T cmp.Ordered](list []T) bool {
	sorted := slices.Sorted(slices.Values(list))
	return len(slices.Compact(sorted)) == len(list)
}

// Contexts builds tasks (section 3.2, "Context construction"): needle i of n is
// planted at depth (i+0.5)/n of a context of so many tokens, made of the
// repository's files in dependency order around it.
//
// Version history:
//
//	1: first version
//	2: a long needle near an end no longer makes the context longer than asked;
//	   with compat upstream a candidate no longer begins a line break too early
func Contexts(languages *lang.Set) *pipeline.Stage {
	return &pipeline.Stage{
		Name: "repoqa.contexts", Version: 2,
		Doc: "Plants each needle at its depth in a context of the wanted size and writes the prompt.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "described", Schema: schemas.Descriptions},
			{Name: "files", Schema: schemas.Files},
			{Name: "functions", Schema: schemas.Functions},
			{Name: "order", Schema: schemas.Order},
		},
		Out:      []pipeline.Port{{Name: "tasks", Schema: schemas.RepoQATasks}},
		Uses:     pipeline.Uses{Tokenizer: true},
		Identify: code.Identify(languages),
		NewConfig: func() any {
			return &ContextsConfig{
				Tokens: []int{16384}, Variants: []string{schemas.VariantDefault, schemas.VariantCommentFree, schemas.VariantPadded},
				Compat: "paper",
			}
		},
		Run: func(ctx context.Context, p *pipeline.Pass) error {
			repo, l, err := code.Repository(ctx, p, languages)
			if err != nil {
				return err
			}
			return contexts(ctx, p, repo, l)
		},
	}
}

func contexts(ctx context.Context, p *pipeline.Pass, repo schemas.Repository, l *lang.Language) error {
	c := pipeline.ConfigOf[ContextsConfig](p)
	t, err := p.Tokenizer(c.Tokenizer)
	if err != nil {
		return err
	}
	files, err := haystack(ctx, p)
	if err != nil {
		return err
	}
	described, err := pipeline.Collect[schemas.Described](ctx, p, "described")
	if err != nil {
		return err
	}
	isNeedle := map[place]bool{}
	for _, d := range described {
		isNeedle[place{d.Path, d.StartByte}] = true
	}
	b := &Builder{
		Files: files, Language: l, Tokenizer: t, Lines: tokenizer.LineCounter(t), Upstream: c.Compat == "upstream",
	}
	for _, d := range described {
		for _, tokens := range c.Tokens {
			ratio := (float64(d.Index) + 0.5) / float64(d.Needles)
			whole, err := b.Build(d.Path, int(d.StartByte), int(d.EndByte), ratio, tokens)
			if err != nil {
				return fmt.Errorf("%s: %w", repo.Repo, err)
			}
			for _, variant := range c.Variants {
				if err := ctx.Err(); err != nil {
					return err
				}
				v, err := b.Variant(whole, variant)
				if err != nil {
					return fmt.Errorf("%s: %w", repo.Repo, err)
				}
				task := newTask(repo, d, v, t.Identity(), tokens, variant)
				for i := range task.Candidates {
					f := &task.Candidates[i]
					f.Needle = isNeedle[place{f.Path, v.Candidates[i].fileStart}]
				}
				if err := pipeline.Emit(p, "tasks", task); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

type place struct {
	path  string
	start int64
}

// haystack reads the files of a repository in dependency order with their
// functions.
func haystack(ctx context.Context, p *pipeline.Pass) ([]HayFile, error) {
	order, err := pipeline.Collect[schemas.OrderedFile](ctx, p, "order")
	if err != nil {
		return nil, err
	}
	slices.SortFunc(order, func(a, b schemas.OrderedFile) int { return int(a.Position - b.Position) })
	files := make([]HayFile, len(order))
	at := map[string]int{}
	for i, o := range order {
		files[i].Path = o.Path
		at[o.Path] = i
	}
	for f, err := range pipeline.In[schemas.File](ctx, p, "files") {
		if err != nil {
			return nil, err
		}
		if i, ok := at[f.Path]; ok { // files that could not be parsed are in no order
			files[i].Text = f.Text
		}
	}
	for f, err := range pipeline.In[schemas.Function](ctx, p, "functions") {
		if err != nil {
			return nil, err
		}
		h := &files[at[f.Path]]
		h.Functions = append(h.Functions, f)
	}
	return files, nil
}

func newTask(repo schemas.Repository, d schemas.Described, v *Context, tokenizerID string, tokens int, variant string) schemas.RepoQATask {
	description := Description(d)
	task := schemas.RepoQATask{
		TaskID:   fmt.Sprintf("%s::%s::%s::%d::%s", repo.Language, repo.Repo, d.Name, tokens, variant),
		Language: repo.Language, Repo: repo.Repo, Commit: repo.Commit, Entrypoint: repo.Entrypoint,
		Topic: repo.Topic, Licence: repo.Licence,
		NeedleIndex: d.Index, Name: d.Name, Path: d.Path,
		StartLine: d.StartLine, EndLine: d.EndLine, StartByte: d.StartByte, EndByte: d.EndByte,
		Needle:      v.Needle,
		Description: description, DescriptionOrigin: d.Origin, DescriptionModel: d.Model,
		Variant: variant, PositionRatio: v.Ratio, CodeContextSize: int64(tokens),
		CodeContext: v.Text(), CodeContextTokens: int64(v.Tokens),
		NeedleTokenStart: int64(v.NeedleTokenStart), NeedleTokenEnd: int64(v.NeedleTokenEnd),
		Tokenizer: tokenizerID, Instruction: Instruction,
	}
	for _, f := range v.Candidates {
		task.Candidates = append(task.Candidates, f.Candidate)
	}
	task.Prompt = Prompt(task.CodeContext, description)
	return task
}
