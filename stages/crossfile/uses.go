package crossfile

import (
	"context"
	"fmt"

	"benchmill/internal/treesitter"
	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/code"
	"benchmill/stages/lang"
	"benchmill/stages/lang/bind"
)

// Detector is what rows of [Uses] say they were found by.
const Detector = "native"

// reasonNoBinding is why files of a language are dropped that says nothing of its
// names.
const reasonNoBinding = "no_bindings"

// Modes of [UsesConfig].
const (
	ModeCompat   = "compat"
	ModeExtended = "extended"
)

// UsesConfig configures [Uses].
type UsesConfig struct {
	Mode string `yaml:"mode" enum:"compat|extended" doc:"compat: what the compilers and checkers of the paper would report; extended: also what can only be known by following names into other files"`
}

// Uses finds cross-file uses from the bindings of the language (CrossCodeEval,
// section 2.2, without a compiler); see package bind for what is inferred.
//
// Version history:
//
//	1: first version
func Uses(languages *lang.Set) *pipeline.Stage {
	return &pipeline.Stage{
		Name: "crossfile.uses", Version: 1,
		Doc: "Finds the names in each file that only another file of the repository explains, without a compiler.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "files", Schema: schemas.Files},
			{Name: "configs", Schema: schemas.Configs, Optional: true},
		},
		Out: []pipeline.Port{
			{Name: "uses", Schema: schemas.CrossFileUses},
			{Name: "checked", Schema: schemas.CheckedFiles},
		},
		Flows:     []pipeline.Flow{{From: "files", To: []string{"checked"}}},
		NewConfig: func() any { return &UsesConfig{Mode: ModeCompat} },
		Identify:  Identify(languages),
		Run: func(ctx context.Context, p *pipeline.Pass) error {
			repo, l, err := code.Repository(ctx, p, languages)
			if err != nil {
				return err
			}
			return uses(ctx, p, repo, l)
		},
	}
}

// Identify puts the identity of a partition's bindings into its keys.
func Identify(languages *lang.Set) func(row any) []string {
	return func(row any) []string {
		if l := languages.Get(row.(schemas.Repository).Language); l != nil && l.Binding != nil {
			return []string{l.BindingIdentity()}
		}
		return nil
	}
}

func uses(ctx context.Context, p *pipeline.Pass, repo schemas.Repository, l *lang.Language) error {
	files, config, err := code.Sources(ctx, p)
	if err != nil {
		return err
	}
	if l.Binding == nil {
		for _, f := range files {
			p.Drops.Drop("files", f.Path, reasonNoBinding, fmt.Sprintf("%s: what names mean across files is not known for %s", repo.Repo, l.Title))
		}
		return nil
	}
	mode := bind.Compat
	if pipeline.ConfigOf[UsesConfig](p).Mode == ModeExtended {
		mode = bind.Extended
	}
	bound, failed := l.BindAll(files, treesitter.DefaultLimits)
	resolver := l.Resolver(bound, config, mode)
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := failed[f.Path]; err != nil {
			p.Drops.Drop("files", f.Path, lang.Reason(err), err.Error())
			continue
		}
		if err := pipeline.Emit(p, "checked", schemas.CheckedFile{Path: f.Path}); err != nil {
			return err
		}
		found := resolver.Uses(f.Path)
		rows := Rows(f, found, Detector)
		for i, u := range found {
			rows[i].Target, rows[i].Symbol = u.Target.Path, resolver.Symbol(u.Target)
		}
		if err := pipeline.Emit(p, "uses", rows...); err != nil {
			return err
		}
	}
	return nil
}

// Rows makes rows of the uses in one file, which are in source order.
func Rows(f lang.SourceFile, found []bind.Use, detector string) []schemas.CrossFileUse {
	out := make([]schemas.CrossFileUse, len(found))
	line, start, at := 0, 0, 0
	for i, u := range found {
		for ; at < u.Start; at++ {
			if f.Text[at] == '\n' {
				line, start = line+1, at+1
			}
		}
		out[i] = schemas.CrossFileUse{
			Path: f.Path, Start: int64(u.Start), End: int64(u.End), Line: int64(line), Column: int64(u.Start - start),
			Name: u.Name, Kind: u.Kind, Via: u.Via, Detector: detector,
		}
	}
	return out
}
