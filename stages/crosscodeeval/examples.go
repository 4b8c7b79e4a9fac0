// Package crosscodeeval holds the stages of CrossCodeEval: which names of a file
// need another file, where the statements around them are cut, which examples
// stay, what is retrieved for them, and how predictions are scored.
//
// Source of the rules: Ding et al., "CrossCodeEval: A Diverse and Multilingual
// Benchmark for Cross-File Code Completion" (2023); section numbers below refer to
// it.
package crosscodeeval

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/code"
	"benchmill/stages/lang"
)

// Reasons uses are dropped under, beside those of files that do not parse.
const (
	reasonNotFirst    = "not_first"  // the name was used in the file before
	reasonSamePlace   = "same_place" // another use starts there too
	reasonNoFile      = "no_file"
	reasonNoToken     = "no_token"     // no token of the file's syntax starts there: text in a string, a stale position
	reasonNoStatement = "no_statement" // no statement from a cursor on its line holds the name
	reasonNotDrawn    = "not_drawn"
)

// ExamplesConfig configures [Examples].
type ExamplesConfig struct {
	Parsing       `yaml:",inline"`
	PerFile       int    `yaml:"per_file" min:"0" doc:"most examples of a file, drawn by the seed; 0: all. Few files have so many; the limit is for those that were generated, since each example holds the whole file"`
	PerRepository int    `yaml:"per_repository" min:"0" doc:"most examples of a repository, drawn by the seed; 0: all"`
	Compat        string `yaml:"compat" enum:"paper|upstream" doc:"upstream: cursors as released rows show them, each language its own way, and comments at a statement's end with it; in some languages every occurrence of a name"`
}

// Examples turns names that need another file into completion examples (section
// 2.2): of each name in a file the first use, with a cursor drawn by the hash of
// (seed, repository, path, name, place) from the tokens of its line up to the name.
// The reference runs from there to the end of the statement; a token is no choice
// where the statement ends before the name. Tokens stand after blanks, and none is
// inside a comment or the text of a string.
//
// Version history:
//
//	1: first version
func Examples(languages *lang.Set) *pipeline.Stage {
	return &pipeline.Stage{
		Name: "crosscodeeval.examples", Version: 1,
		Doc: "Cuts files at names that need another file: prompt, reference to the end of the statement, right context.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "files", Schema: schemas.Files},
			{Name: "uses", Schema: schemas.CrossFileUses},
		},
		Out:       []pipeline.Port{{Name: "examples", Schema: schemas.CompletionExamples}},
		Flows:     []pipeline.Flow{{From: "uses", To: []string{"examples"}}},
		Uses:      pipeline.Uses{Seed: true},
		NewConfig: func() any { return &ExamplesConfig{Parsing: parsing(), PerFile: 100, Compat: "paper"} },
		Identify:  identify(languages),
		Run: func(ctx context.Context, p *pipeline.Pass) error {
			repo, l, err := code.Repository(ctx, p, languages)
			if err != nil {
				return err
			}
			return examples(ctx, p, repo, l)
		},
	}
}

func examples(ctx context.Context, p *pipeline.Pass, repo schemas.Repository, l *lang.Language) error {
	if l.Statements == nil {
		return fmt.Errorf("%s: nothing says where statements of %s end", repo.Repo, l.Title)
	}
	texts, err := sourceTexts(ctx, p)
	if err != nil {
		return err
	}
	uses, err := pipeline.Collect[schemas.CrossFileUse](ctx, p, "uses")
	if err != nil {
		return err
	}
	c := &cutter{ExamplesConfig: pipeline.ConfigOf[ExamplesConfig](p), pass: p, repo: repo, language: l}
	var found []schemas.CompletionExample
	for ofFile := range byPath(uses, func(u schemas.CrossFileUse) string { return u.Path }) {
		if err := ctx.Err(); err != nil {
			return err
		}
		text, ok := texts[ofFile[0].Path]
		if !ok {
			for _, u := range ofFile {
				c.drop(u, reasonNoFile, "")
			}
			continue
		}
		found = append(found, c.drawn(c.PerFile, c.file(text, ofFile))...)
	}
	return pipeline.Emit(p, "examples", c.drawn(c.PerRepository, found)...)
}

// byPath parts rows, which are in the order of their files, into those of each file.
func byPath[T any](rows []T, path func(T) string) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for start, end := 0, 0; start < len(rows); start = end {
			for end < len(rows) && path(rows[end]) == path(rows[start]) {
				end++
			}
			if !yield(rows[start:end]) {
				return
			}
		}
	}
}

// cutter makes the examples of one repository.
type cutter struct {
	*ExamplesConfig
	pass     *pipeline.Pass
	repo     schemas.Repository
	language *lang.Language
}

func (c *cutter) drop(u schemas.CrossFileUse, reason, detail string) {
	c.pass.Drops.Drop("uses", fmt.Sprintf("%s:%d:%d %s", u.Path, u.Line+1, u.Column+1, u.Name), reason, detail)
}

// file makes the examples of one file.
func (c *cutter) file(text string, uses []schemas.CrossFileUse) (out []schemas.CompletionExample) {
	source, err := NewSource(c.language, uses[0].Path, text, c.Compat, c.limits())
	first := map[string]int64{} // lines by name
	for i, u := range uses {
		if err != nil {
			c.drop(u, lang.Reason(err), err.Error())
			continue
		}
		if i > 0 && u.Start == uses[i-1].Start {
			c.drop(u, reasonSamePlace, "")
			continue
		}
		if line, seen := first[u.Name]; seen && !source.rule.All {
			c.drop(u, reasonNotFirst, fmt.Sprintf("line %d has it", line+1))
			continue
		}
		first[u.Name] = u.Line
		cuts, reason := source.Cuts(u)
		if reason != "" {
			c.drop(u, reason, "")
			continue
		}
		draw := c.pass.Seed.Rand(fmt.Sprintf("%s|%s|%s|%d", c.repo.Repo, u.Path, u.Name, u.Start))
		out = append(out, example(c.repo, u, text, cuts[draw.IntN(len(cuts))]))
	}
	return out
}

// drawn keeps at most so many examples; 0 keeps all.
func (c *cutter) drawn(most int, found []schemas.CompletionExample) []schemas.CompletionExample {
	if most == 0 || len(found) <= most {
		return found
	}
	drawn := pipeline.Sample(c.pass.Seed, found, len(found), func(e schemas.CompletionExample) string { return e.ID })
	for _, e := range drawn[most:] {
		c.pass.Drops.Drop("uses", exampleKey(e), reasonNotDrawn, "")
	}
	return drawn[:most]
}

func sourceTexts(ctx context.Context, p *pipeline.Pass) (map[string]string, error) {
	out := map[string]string{}
	for f, err := range pipeline.In[schemas.File](ctx, p, "files") {
		if err != nil {
			return nil, err
		}
		out[f.Path] = f.Text
	}
	return out, nil
}

// example makes the row of a cut.
func example(repo schemas.Repository, u schemas.CrossFileUse, text string, c Cut) schemas.CompletionExample {
	e := schemas.CompletionExample{
		Path: u.Path, Name: u.Name, Kind: u.Kind, Via: u.Via, Detector: u.Detector, Target: u.Target,
		NameByte: u.Start, CursorByte: int64(c.Cursor), EndByte: int64(c.End),
		Prompt: text[:c.Cursor], Reference: text[c.Cursor:c.End], RightContext: text[c.End:],
	}
	e.CursorLine = int64(strings.Count(e.Prompt, "\n"))
	e.RightLine = e.CursorLine + int64(strings.Count(e.Reference, "\n")) + 1
	id := digest.New("benchmill/crosscodeeval/example/1")
	id.String(repo.Repo)
	id.String(repo.Commit)
	id.String(u.Path)
	id.String(u.Name)
	id.Int(u.Start)
	id.Int(e.CursorByte)
	e.ID = id.Sum().Hex()[:16]
	return e
}

// exampleKey names an example for people, and in drops.
func exampleKey(e schemas.CompletionExample) string {
	return fmt.Sprintf("%s:%d %s", e.Path, e.CursorLine+1, e.Name)
}
