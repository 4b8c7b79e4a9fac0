package crosscodeeval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/code"
	"benchmill/stages/lang"
)

// TasksConfig configures [Tasks].
type TasksConfig struct {
	Settings   []string               `yaml:"settings" enum:"rg1_bm25|oracle_bm25|rg1_jaccard_sim|oracle_jaccard_sim|rg1_tfidf|oracle_tfidf|rg1_cosine_sim|oracle_cosine_sim" doc:"what is retrieved for each example. rg1: by the lines before the cursor, the piece after each hit; oracle: by the reference too, the hits themselves. Then what ranks the pieces"`
	Embedder   pipeline.ModelName     `yaml:"embedder,omitempty" doc:"a name of the models section that makes vectors, for cosine_sim; it becomes a part of the setting's name, as in rg1_unixcoder_cosine_sim"`
	Hits       int                    `yaml:"hits" min:"1" doc:"most pieces retrieved for an example"`
	Candidates int                    `yaml:"candidates" min:"1" doc:"most pieces that are ranked, those of the nearest files"`
	Files      int                    `yaml:"files" min:"1" doc:"most files that are cut into pieces, the nearest ones"`
	Tokenizer  pipeline.TokenizerName `yaml:"tokenizer" doc:"a name of the tokenizers section; the paper counts references with StarCoder's"`
	Compat     string                 `yaml:"compat" enum:"paper|upstream" doc:"upstream: the published script's words around pieces, its choice of files, and its mistake of naming another file where pieces score the same"`
}

const cosineSim = "cosine_sim"

// Validate refuses settings that repeat or contradict each other.
func (c *TasksConfig) Validate() error {
	var errs []error
	sorted := slices.Sorted(slices.Values(c.Settings))
	if len(slices.Compact(sorted)) < len(c.Settings) {
		errs = append(errs, errors.New("settings: each can be listed once"))
	}
	embeds := slices.ContainsFunc(c.Settings, func(s string) bool { return strings.HasSuffix(s, cosineSim) })
	switch {
	case embeds && c.Embedder == "":
		errs = append(errs, errors.New("embedder: cosine_sim needs a model that makes vectors"))
	case !embeds && c.Embedder != "":
		errs = append(errs, errors.New("embedder: no setting uses it; cosine_sim does"))
	}
	return errors.Join(errs...)
}

// Tasks makes the benchmark's rows of examples: with the reference's length in
// tokens, and for each retrieval setting what other files of the language have to
// say (section 3.3). See package retrieval for what is retrieved, and
// retrieval.yaml for what is special to the published script.
//
// Version history:
//
//	1: first version
func Tasks(languages *lang.Set) *pipeline.Stage {
	return &pipeline.Stage{
		Name: "crosscodeeval.tasks", Version: 1,
		Doc: "Retrieves pieces of other files for each example and writes the task.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "examples", Schema: schemas.CompletionExamples},
			{Name: "files", Schema: schemas.Files},
		},
		Out:   []pipeline.Port{{Name: "tasks", Schema: schemas.CompletionTasks}},
		Flows: []pipeline.Flow{{From: "examples", To: []string{"tasks"}}},
		Uses:  pipeline.Uses{LLM: true, Tokenizer: true},
		NewConfig: func() any {
			return &TasksConfig{Settings: []string{"rg1_bm25", "oracle_bm25"}, Hits: 5, Candidates: 1000, Files: 1000, Compat: "paper"}
		},
		Identify: func(row any) []string {
			r := row.(schemas.Repository)
			out := []string{fmt.Sprintf("retrieval %q %+v", PublishedWording(), published.of(r.Language))}
			if l := languages.Get(r.Language); l != nil {
				out = append(out, "comment "+l.CommentPrefix)
			}
			return out
		},
		Run: func(ctx context.Context, p *pipeline.Pass) error {
			repo, l, err := code.Repository(ctx, p, languages)
			if err != nil {
				return err
			}
			return tasks(ctx, p, repo, l)
		},
	}
}

func tasks(ctx context.Context, p *pipeline.Pass, repo schemas.Repository, l *lang.Language) error {
	c := pipeline.ConfigOf[TasksConfig](p)
	tokenizer, err := p.Tokenizer(c.Tokenizer)
	if err != nil {
		return err
	}
	files, err := pipeline.Collect[schemas.File](ctx, p, "files")
	if err != nil {
		return err
	}
	search := newSearch(c, l, files, embedder(p, c.Embedder))
	for e, err := range pipeline.In[schemas.CompletionExample](ctx, p, "examples") {
		if err != nil {
			return err
		}
		contexts, err := search.contexts(ctx, e)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", repo.Repo, exampleKey(e), err)
		}
		if err := pipeline.Emit(p, "tasks", schemas.CompletionTask{
			TaskID: e.ID, Repo: repo.Repo, Commit: repo.Commit, Licence: repo.Licence, Language: repo.Language,
			Path: e.Path, Name: e.Name, Kind: e.Kind, Via: e.Via, Target: e.Target,
			Prompt: e.Prompt, Reference: e.Reference, RightContext: e.RightContext,
			CursorLine: e.CursorLine, RightLine: e.RightLine,
			Tokens: int64(tokenizer.Count(e.Reference)), Tokenizer: tokenizer.Identity(),
			Contexts: contexts, Baseline: e.Baseline, Detector: e.Detector,
		}); err != nil {
			return err
		}
	}
	return nil
}
