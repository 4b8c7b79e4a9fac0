package callgraph

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"benchmill/internal/clangindex"
	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/recipe"
)

// EngineClang is what rows of [Clang] say they were found by.
const EngineClang = "clang"

// The last step of a job, the program it runs, and the file that it leaves.
const (
	stepIndex    = "clang_index"
	indexProgram = "benchmill"
	indexFile    = "benchmill-clang-index.jsonl"
)

// ClangConfig configures [Clang].
type ClangConfig struct {
	Recipes pipeline.FileName `yaml:"recipes" doc:"YAML file that says how each repository is built; compile_commands in it leaves a compile database"`
	Without string            `yaml:"without" enum:"fail|skip" doc:"what to do with a repository that has no recipe with compile_commands: fail, or make no rows"`
}

// Clang builds a repository as its recipe says, and has libclang read what was
// compiled, inside of the same sandbox (YABLoCo, "Dataset creation"); see package
// clangindex for what is found. Functions of files that are not in the snapshot,
// such as those a build makes, are noted and left out. Definitions have the comments
// that the native engine found for them, where its table is given: what a comment
// belongs to is no question for a compiler.
//
// This program joins those of the recipe in the name of the environment: its version
// there is libclang's, and that of package clangindex.
//
// Version history:
//
//	1: first version
func Clang() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "callgraph.clang", Version: 1,
		Doc: "Finds the functions of a repository and which of them call which, with libclang, from a compile database that its build makes.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "snapshot", Schema: schemas.Snapshot},
			{Name: "native", Schema: schemas.Definitions, Optional: true},
		},
		Out: []pipeline.Port{
			{Name: "definitions", Schema: schemas.Definitions},
			{Name: "calls", Schema: schemas.Calls},
		},
		Uses:      pipeline.Uses{Sandbox: true},
		NewConfig: func() any { return &ClangConfig{Without: recipe.WithoutFail} },
		Moving: func(cfg any, files pipeline.Files) ([]pipeline.Ref, error) {
			recipes, err := cfg.(*ClangConfig).choice().Read(files)
			for i := range recipes {
				recipes[i] = indexed(recipes[i])
			}
			return recipe.Refs(recipes), err
		},
		Run: clang,
	}
}

func (c *ClangConfig) choice() recipe.Choice {
	return recipe.Choice{File: c.Recipes, Needs: "compile_commands", Without: c.Without, Has: func(r recipe.Recipe) bool { return r.CompileCommands != "" }}
}

// indexed is a recipe with the program that this stage adds to its own.
func indexed(r recipe.Recipe) recipe.Recipe {
	r.Programs = append(slices.Clone(r.Programs), indexProgram)
	return r
}

func clang(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[ClangConfig](p)
	repo, err := pipeline.One[schemas.Repository](ctx, p, "repository")
	if err != nil {
		return err
	}
	r, ok, err := c.choice().Of(p, repo.Repo)
	if err != nil || !ok {
		return err
	}
	entries, err := pipeline.Collect[schemas.Entry](ctx, p, "snapshot")
	if err != nil {
		return err
	}
	graph, err := index(ctx, p, indexed(r), recipe.NewTree(entries))
	if err != nil {
		return fmt.Errorf("%s: %w", repo.Repo, err)
	}
	docs := map[place]string{}
	for d, err := range pipeline.In[schemas.Definition](ctx, p, "native") {
		if err != nil {
			return err
		}
		docs[place{d.Path, d.Body}] = d.Doc
	}
	texts := map[string]string{}
	for _, e := range entries {
		texts[e.Path] = string(e.Content)
	}
	return emit(p, graph, texts, docs)
}

// place is an offset in a file.
type place struct {
	path   string
	offset int64
}

// index runs the job of a recipe.
func index(ctx context.Context, p *pipeline.Pass, r recipe.Recipe, tree recipe.Tree) (*clangindex.Graph, error) {
	out, err := recipe.Execute(ctx, p, r, tree, "clang", func(runtime pipeline.Pin, t recipe.Tree) (pipeline.Job, error) {
		job, err := r.CompileCommandsJob(runtime, t)
		job.Steps = append(job.Steps, pipeline.JobStep{
			Name:   stepIndex,
			Script: indexProgram + " clang-index --database " + recipe.CompileCommands + " --out " + indexFile + " .",
		})
		job.Keep = []string{indexFile}
		return job, err
	})
	if err != nil {
		return nil, err
	}
	if len(out.Files) != 1 {
		return nil, fmt.Errorf("step %s left no file %s", stepIndex, indexFile)
	}
	return clangindex.Read(strings.NewReader(out.Files[0].Text))
}

// emit makes rows of what lies in the snapshot.
func emit(p *pipeline.Pass, g *clangindex.Graph, texts map[string]string, docs map[place]string) error {
	p.Drops.Note("units", int64(g.Units))
	for _, problem := range g.Problems {
		if problem.Read {
			p.Drops.Note("units_with_errors", 1)
		} else {
			p.Drops.Note("units_not_read", 1)
		}
	}
	rows := FromClang(g, texts)
	p.Drops.Note("functions_not_in_snapshot", int64(len(g.Functions)-len(rows.Definitions)))
	for i := range rows.Definitions {
		d := &rows.Definitions[i]
		d.Doc = docs[place{d.Path, d.Body}]
	}
	if err := pipeline.Emit(p, "definitions", rows.Definitions...); err != nil {
		return err
	}
	return pipeline.Emit(p, "calls", rows.Calls...)
}

// Rows are a call graph.
type Rows struct {
	Definitions []schemas.Definition
	Calls       []schemas.Call
}

// Below are the functions of files below a folder, with their calls; all for "".
func (r Rows) Below(folder string) Rows {
	prefix := strings.TrimSuffix(folder, "/") + "/"
	other := func(p string) bool { return folder != "" && !strings.HasPrefix(p, prefix) }
	return Rows{
		Definitions: slices.DeleteFunc(slices.Clone(r.Definitions), func(d schemas.Definition) bool { return other(d.Path) }),
		Calls:       slices.DeleteFunc(slices.Clone(r.Calls), func(c schemas.Call) bool { return other(c.CallerPath) }),
	}
}

// FromClang makes rows, without comments, of the functions that lie in texts, the
// contents of files by path. What is defined elsewhere, such as in a file that the
// build makes, is declared.
func FromClang(g *clangindex.Graph, texts map[string]string) Rows {
	var rows Rows
	var inside []*clangindex.Function
	lies := map[place]bool{}
	for i := range g.Functions {
		f := &g.Functions[i]
		text, found := texts[f.Path]
		at := place{f.Path, f.Start}
		if !found || f.Start < 0 || f.Start > f.Body || f.Body > f.End || f.End > int64(len(text)) || lies[at] {
			continue
		}
		lies[at] = true
		inside = append(inside, f)
		rows.Definitions = append(rows.Definitions, schemas.Definition{
			Path: f.Path, Start: f.Start, Body: f.Body, End: f.End, Line: f.Line, EndLine: f.EndLine,
			Name: f.Name, Qualified: f.Qualified, Signature: strings.TrimSpace(text[f.Start:f.Body]),
			Local: f.Local, Inline: f.Inline,
		})
	}
	for _, f := range inside {
		for _, c := range f.Calls {
			if c.Origin == schemas.OriginDefined && !lies[place{c.Path, c.Start}] {
				c.Origin = schemas.OriginDeclared
			}
			rows.Calls = append(rows.Calls, schemas.Call{
				CallerPath: f.Path, CallerStart: f.Start, Caller: f.Qualified,
				Callee: c.Callee, CalleePath: c.Path, CalleeStart: c.Start, CalleeLine: c.Line, Origin: c.Origin,
				Evidence: c.Evidence, Via: c.Via, Sites: c.Sites, First: c.First, Alternatives: c.Alternatives, Engine: EngineClang,
			})
		}
	}
	return rows
}
