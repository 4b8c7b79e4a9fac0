package yabloco

import (
	"context"
	"fmt"
	"path"

	"benchmill/pipeline"
	"benchmill/schemas"
	sources "benchmill/stages/code"
	"benchmill/stages/lang"
)

const reasonLargeContext = "context_too_large"

// TasksConfig configures [Tasks].
type TasksConfig struct {
	Counting   `yaml:",inline"`
	Wording    string `yaml:"wording" enum:"english|russian" doc:"language of the instructions; the published rows have russian ones"`
	MaxContext int    `yaml:"max_context" min:"1" doc:"rows whose context has more bytes are dropped"`
}

// Tasks makes the benchmark's rows: signature, docstring and the definitions of the
// functions that the body calls (the oracle context), and an instruction to write
// the body. What calls what is counted as in [Functions] with the same settings.
//
// Version history:
//
//	1: first version
func Tasks(languages *lang.Set) *pipeline.Stage {
	return &pipeline.Stage{
		Name: "yabloco.tasks", Version: 1,
		Doc: "Writes the tasks: instruction, signature, docstring and the functions that the body calls.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "selected", Schema: schemas.BodyCandidates},
			{Name: "files", Schema: schemas.Files},
			{Name: "definitions", Schema: schemas.Definitions},
			{Name: "calls", Schema: schemas.Calls},
		},
		Out: []pipeline.Port{
			{Name: "tasks", Schema: schemas.BodyTasks},
			{Name: "dev", Schema: schemas.BodyTasks},
		},
		Flows: []pipeline.Flow{{From: "selected", To: []string{"tasks", "dev"}}},
		NewConfig: func() any {
			return &TasksConfig{Counting: called(), Wording: wordingEnglish, MaxContext: 1 << 20}
		},
		Identify: func(row any) []string {
			out := []string{wordings[wordingEnglish].identity(), wordings[wordingRussian].identity()}
			if l := languages.Get(row.(schemas.Repository).Language); l != nil {
				out = append(out, "comment "+l.CommentPrefix, "title "+l.Title)
			}
			return out
		},
		Run: func(ctx context.Context, p *pipeline.Pass) error {
			repo, l, err := sources.Repository(ctx, p, languages)
			if err != nil {
				return err
			}
			return tasks(ctx, p, repo, l)
		},
	}
}

func tasks(ctx context.Context, p *pipeline.Pass, repo schemas.Repository, l *lang.Language) error {
	c := pipeline.ConfigOf[TasksConfig](p)
	rows, err := pipeline.Collect[schemas.BodyCandidate](ctx, p, "selected")
	if err != nil || len(rows) == 0 {
		return err
	}
	g, err := readGraph(ctx, p, repo.Repo)
	if err != nil {
		return err
	}
	targets := make([]int, len(rows))
	for i, row := range rows {
		at, ok := g.at[place{row.Function.File, row.Function.Start}]
		if !ok || g.ids[at] != row.ID {
			return fmt.Errorf("%s: candidate %s is not among the definitions", repo.Repo, row.ID)
		}
		targets[i] = at
	}
	o := &oracle{g: g, counted: c.set(), prefix: l.CommentPrefix, folder: path.Base(repo.Repo)}
	if err := o.read(ctx, p, targets); err != nil {
		return err
	}
	w := wordings[c.Wording]
	for i, row := range rows {
		text, functions, ok := o.context(targets[i], c.MaxContext)
		if !ok {
			p.Drops.Drop("selected", row.ID, reasonLargeContext, "")
			continue
		}
		port, ok := map[string]string{splitTest: "tasks", splitDev: "dev"}[row.Split]
		if !ok || row.Prompt < 1 || row.Prompt > Prompts {
			return fmt.Errorf("%s: candidate %s has the split %q and the instruction %d; it was not selected", repo.Repo, row.ID, row.Split, row.Prompt)
		}
		t := task(row)
		t.Instruction = w.Templates[row.Prompt-1]
		t.Template = fmt.Sprintf("%s %d", w.identity(), row.Prompt)
		t.Title, t.Blob = l.Title, o.blobs[row.Function.File]
		t.Context, t.Shown = text, functions
		t.Prompt = fill(t.Instruction, t.Title, t.Signature, t.Docstring, t.Context)
		if err := pipeline.Emit(p, port, t); err != nil {
			return err
		}
	}
	return nil
}

// task is what a row has of its candidate.
func task(c schemas.BodyCandidate) schemas.BodyTask {
	f := c.Function
	return schemas.BodyTask{
		TaskID: c.ID, Repo: f.Repo, Commit: f.Commit, Licence: f.Licence, Language: f.Language,
		Level: f.Level, Rank: c.Rank,
		Signature: f.Signature, Docstring: f.Docstring, Reference: c.Text, Output: c.Code, Branches: c.Branches,
		Name: f.Name, Qualified: f.Qualified, File: f.File,
		Start: f.Start, Body: f.Body, End: f.End, Pos: f.Pos, CodeLength: f.CodeLength,
		CallsNum: f.CallsNum, DepNum: f.DepNum, SameFile: f.SameFile, SamePackage: f.SamePackage, Project: f.Project,
		Stdlib: f.Stdlib, External: f.External, Counted: f.Counted,
		LastCommit: f.LastCommit, DateMode: f.DateMode, Hits: f.Hits, HitsSource: f.HitsSource,
		Review: c.Review, Reviewers: c.Reviewers,
	}
}
