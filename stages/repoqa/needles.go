// Package repoqa holds the stages of RepoQA's Searching Needle Function: which
// functions are drawn, how they are described, what stands around them, and how
// replies are scored.
//
// Source of the rules: Liu et al., "RepoQA: Evaluating Long Context Code
// Understanding" (2024), sections 3.1 and 3.2; section numbers below refer to it.
package repoqa

import (
	"context"
	"fmt"
	"slices"

	"benchmill/pipeline"
	"benchmill/schemas"
)

// NeedlesConfig configures [Needles].
type NeedlesConfig struct {
	Chunks        int    `yaml:"chunks" min:"1" doc:"equal parts the concatenated repository is split into; each offers one function"`
	PerRepository int    `yaml:"per_repository" min:"1" doc:"needles drawn from a repository"`
	MaxBytes      int64  `yaml:"max_bytes" min:"1" doc:"longest function that counts"`
	Compat        string `yaml:"compat" enum:"paper|upstream" doc:"upstream: chunks have total/chunks bytes rounded down, so a remainder makes one more"`
}

// Reasons functions are dropped under.
const (
	reasonRepeatedName = "repeated_name"
	reasonTooLong      = "too_long"
	reasonNotFirst     = "not_first_in_chunk"
	reasonNotDrawn     = "not_drawn"
)

// Needles draws needle functions (section 3.1): the files concatenated in
// dependency order are split into equal chunks by bytes; each chunk offers its
// first function with a name that occurs once in the repository and a bounded
// length; of those a number is drawn by the hash of (seed, repository, path,
// name). The order of drawing is the needle index, which decides the depth, so
// that depth says nothing about the place in the repository.
//
// Version history:
//
//	1: first version
func Needles() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "repoqa.needles", Version: 1,
		Doc: "Draws needle functions: uniquely named, not too long, spread evenly over the repository.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "functions", Schema: schemas.Functions},
			{Name: "order", Schema: schemas.Order},
		},
		Out:   []pipeline.Port{{Name: "needles", Schema: schemas.Needles}},
		Flows: []pipeline.Flow{{From: "functions", To: []string{"needles"}}},
		Uses:  pipeline.Uses{Seed: true},
		NewConfig: func() any {
			return &NeedlesConfig{Chunks: 64, PerRepository: 10, MaxBytes: 2000, Compat: "paper"}
		},
		Run: needles,
	}
}

func needles(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[NeedlesConfig](p)
	repo, err := pipeline.One[schemas.Repository](ctx, p, "repository")
	if err != nil {
		return err
	}
	functions, err := pipeline.Collect[schemas.Function](ctx, p, "functions")
	if err != nil {
		return err
	}
	var total int64
	for f, err := range pipeline.In[schemas.OrderedFile](ctx, p, "order") {
		if err != nil {
			return err
		}
		total += f.Bytes
	}
	candidates := c.candidates(functions, total, func(f schemas.Function, reason string) {
		p.Drops.Drop("functions", functionKey(f), reason, "")
	})
	key := func(n schemas.Needle) string { return repo.Repo + "|" + n.Path + "|" + n.Name }
	drawn := pipeline.Sample(p.Seed, candidates, c.PerRepository, key)
	for _, n := range candidates {
		if !slices.ContainsFunc(drawn, func(d schemas.Needle) bool { return key(d) == key(n) }) {
			p.Drops.Drop("functions", fmt.Sprintf("%s:%d %s", n.Path, n.StartLine+1, n.Name), reasonNotDrawn, "")
		}
	}
	if short := c.PerRepository - len(drawn); short > 0 {
		p.Drops.Note("needles_missing", int64(short))
		p.Log.Warn("fewer needles than wanted", "repository", repo.Repo, "found", len(drawn), "wanted", c.PerRepository)
	}
	for i := range drawn {
		drawn[i].Index, drawn[i].Needles = int64(i), int64(len(drawn))
	}
	return pipeline.Emit(p, "needles", drawn...)
}

func functionKey(f schemas.Function) string {
	return fmt.Sprintf("%s:%d %s", f.Path, f.StartLine+1, f.Name)
}

// candidates takes the first fitting function of each chunk, in the order of the
// concatenated repository.
func (c *NeedlesConfig) candidates(functions []schemas.Function, total int64, drop func(schemas.Function, string)) []schemas.Needle {
	names := map[string]int{}
	for _, f := range functions {
		names[f.Name]++
	}
	functions = slices.Clone(functions)
	slices.SortStableFunc(functions, func(a, b schemas.Function) int { return int(a.GlobalStartByte - b.GlobalStartByte) })
	taken := map[int64]bool{}
	var out []schemas.Needle
	for _, f := range functions {
		chunk := c.chunk(f.GlobalStartByte, total)
		switch {
		case names[f.Name] > 1:
			drop(f, reasonRepeatedName)
		case f.EndByte-f.StartByte > c.MaxBytes:
			drop(f, reasonTooLong)
		case taken[chunk]:
			drop(f, reasonNotFirst)
		default:
			taken[chunk] = true
			out = append(out, schemas.Needle{
				Path: f.Path, Name: f.Name, StartByte: f.StartByte, EndByte: f.EndByte,
				StartLine: f.StartLine, EndLine: f.EndLine, Chunk: chunk,
			})
		}
	}
	return out
}

func (c *NeedlesConfig) chunk(at, total int64) int64 {
	if c.Compat == "upstream" {
		return at / max(1, total/int64(c.Chunks))
	}
	return at * int64(c.Chunks) / max(1, total)
}
