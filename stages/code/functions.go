package code

import (
	"context"
	"time"

	"benchmill/internal/treesitter"
	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/lang"
)

// FunctionsConfig configures [Functions].
type FunctionsConfig struct {
	ParseTimeout time.Duration `yaml:"parse_timeout" doc:"files whose syntax takes longer are dropped; a guard, far above what any file needs"`
}

// Functions parses every source file and orders them by their dependencies.
//
// Version history:
//
//	1: first version
func Functions(languages *lang.Set) *pipeline.Stage {
	return &pipeline.Stage{
		Name: "code.functions", Version: 1,
		Doc: "Extracts functions, comments and imports, and orders files so that dependencies come first.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "files", Schema: schemas.Files},
			{Name: "configs", Schema: schemas.Configs, Optional: true},
		},
		Out: []pipeline.Port{
			{Name: "functions", Schema: schemas.Functions},
			{Name: "order", Schema: schemas.Order},
		},
		Flows:     []pipeline.Flow{{From: "files", To: []string{"order"}}},
		NewConfig: func() any { return &FunctionsConfig{ParseTimeout: treesitter.DefaultLimits.Timeout} },
		Identify:  Identify(languages),
		Run: func(ctx context.Context, p *pipeline.Pass) error {
			repo, l, err := Repository(ctx, p, languages)
			if err != nil {
				return err
			}
			return functions(ctx, p, repo, l)
		},
	}
}

func functions(ctx context.Context, p *pipeline.Pass, repo schemas.Repository, l *lang.Language) error {
	limits := treesitter.DefaultLimits
	limits.Timeout = pipeline.ConfigOf[FunctionsConfig](p).ParseTimeout
	var facts []*lang.Facts
	for file, err := range pipeline.In[schemas.File](ctx, p, "files") {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := l.Analyze(file.Path, []byte(file.Text), limits)
		if err != nil {
			p.Drops.Drop("files", file.Path, lang.Reason(err), err.Error())
			continue
		}
		facts = append(facts, f)
	}
	config := map[string]string{}
	for file, err := range pipeline.In[schemas.File](ctx, p, "configs") {
		if err != nil {
			return err
		}
		config[file.Path] = file.Text
	}
	return emit(p, Arrange(l, lang.NewIndex(repo.Entrypoint, facts, config)))
}

// Arrange resolves dependencies and puts the files of an index in order.
func Arrange(l *lang.Language, ix *lang.Index) []Arranged {
	dependencies := map[string][]string{}
	if l.NewResolver != nil {
		r := l.NewResolver(ix)
		for _, p := range ix.Paths {
			dependencies[p] = r.Dependencies(ix.Files[p])
		}
	}
	var out []Arranged
	for _, p := range lang.Order(ix.Paths, dependencies) {
		out = append(out, Arranged{ix.Files[p], dependencies[p]})
	}
	return out
}

// Arranged is a file in its place.
type Arranged struct {
	*lang.Facts
	Dependencies []string
}

func emit(p *pipeline.Pass, files []Arranged) error {
	var globalByte, globalLine int64
	for i, f := range files {
		row := schemas.OrderedFile{
			Path: f.Path, Position: int64(i), Dependencies: f.Dependencies,
			Bytes: int64(f.Bytes), Lines: int64(f.Lines), GlobalByte: globalByte, GlobalLine: globalLine,
			Functions: int64(len(f.Functions)), ErrorShare: f.ErrorShare,
		}
		for _, c := range f.Comments {
			row.CommentBytes += int64(c.End - c.Start)
		}
		if err := pipeline.Emit(p, "order", row); err != nil {
			return err
		}
		rows := make([]schemas.Function, len(f.Functions))
		for j, fn := range f.Functions {
			rows[j] = schemas.Function{
				Path: f.Path, Name: fn.Name,
				StartByte: int64(fn.Start), EndByte: int64(fn.End),
				StartLine: int64(fn.StartLine), EndLine: int64(fn.EndLine),
				GlobalStartByte: globalByte + int64(fn.Start), GlobalEndByte: globalByte + int64(fn.End),
				GlobalStartLine: globalLine + int64(fn.StartLine), GlobalEndLine: globalLine + int64(fn.EndLine),
				CommentRatio: float64(fn.CommentBytes) / float64(max(1, fn.End-fn.Start)),
			}
		}
		if err := pipeline.Emit(p, "functions", rows...); err != nil {
			return err
		}
		globalByte += row.Bytes
		globalLine += row.Lines
	}
	return nil
}
