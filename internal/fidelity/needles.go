package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"benchmill/internal/tokenizer"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/sources/git"
	"benchmill/stages/all"
	"benchmill/stages/code"
	"benchmill/stages/repoqa"
	"benchmill/stages/repos"
)

type needle struct {
	Language   string  `json:"language"`
	Repo       string  `json:"repo"`
	Commit     string  `json:"commit_sha"`
	Entrypoint string  `json:"entrypoint_path"`
	Index      int     `json:"needle_index"`
	Name       string  `json:"name"`
	Ratio      float64 `json:"position_ratio"`
	Start      int     `json:"token_start_16k"`
	End        int     `json:"token_end_16k"`
}

func repoQA(ctx context.Context, rows, model, mirrors string, verbose bool) error {
	repositories, err := read(rows)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(model)
	if err != nil {
		return err
	}
	t, err := tokenizer.Load(tokenizer.KindSentencePiece, "", data)
	if err != nil {
		return err
	}
	registry, err := all.New()
	if err != nil {
		return err
	}
	source := mirrored(mirrors)
	m := &measure{registry: registry, tokenizer: t, source: source, verbose: verbose}
	fmt.Printf("%-28s %8s %8s %8s %9s %8s %14s\n", "repository", "needles", "present", "spans", "own file", "length", "off by order")
	var total counts
	for _, needles := range repositories {
		c, err := m.repository(ctx, needles)
		if err != nil {
			return fmt.Errorf("%s: %w", needles[0].Repo, err)
		}
		c.print(needles[0].Repo)
		total.add(c)
	}
	total.print("all")
	return nil
}

// read groups the needles by repository, in the order of the file.
func read(path string) ([][]needle, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out [][]needle
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		var n needle
		if err := d.Decode(&n); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		i := slices.IndexFunc(out, func(g []needle) bool { return g[0].Repo == n.Repo })
		if i < 0 {
			out, i = append(out, nil), len(out)
		}
		out[i] = append(out[i], n)
	}
}

// counts sums up needles: spans are exact in both ends, length only in their
// difference; ownFile needles have a prefix that lies inside their own file, so
// that the order of files plays no part.
// byOrder counts the needles off their span that some other order of the files
// before them puts exactly there.
type counts struct{ needles, present, spans, ownFile, ownFileSpans, length, byOrder int }

func (c *counts) add(o counts) {
	c.needles += o.needles
	c.present += o.present
	c.spans += o.spans
	c.ownFile += o.ownFile
	c.ownFileSpans += o.ownFileSpans
	c.length += o.length
	c.byOrder += o.byOrder
}

func (c counts) print(name string) {
	fmt.Printf("%-28s %8d %8d %8d %9s %8d %14s\n", name, c.needles, c.present, c.spans, fmt.Sprintf("%d/%d", c.ownFileSpans, c.ownFile), c.length,
		fmt.Sprintf("%d/%d", c.byOrder, c.present-c.spans))
}

type measure struct {
	registry  *all.Registry
	tokenizer tokenizer.Tokenizer
	source    *git.Source
	verbose   bool
}

func (m *measure) repository(ctx context.Context, needles []needle) (counts, error) {
	first := needles[0]
	repo := []schemas.Repository{{
		Repo: first.Repo, URL: "https://github.com/" + first.Repo, Commit: first.Commit,
		Entrypoint: first.Entrypoint, Language: first.Language,
	}}
	snapshot, err := stagetest.Run(ctx, stagetest.Job{Stage: repos.Snapshot(), Config: &repos.SnapshotConfig{MaxFileBytes: 5 << 20, Partial: true}, Effects: fetcher{m.source}, Inputs: map[string]any{"repository": repo}})
	if err != nil {
		return counts{}, err
	}
	files, err := stagetest.Run(ctx, stagetest.Job{
		Stage: code.Files(m.registry.Languages), Config: &code.FilesConfig{MaxFileBytes: 5 << 20, Without: []string{".tsx"}, Compat: "upstream"},
		Inputs: map[string]any{"repository": repo, "snapshot": stagetest.Rows[schemas.Entry](snapshot, "snapshot")},
	})
	if err != nil {
		return counts{}, err
	}
	sources := stagetest.Rows[schemas.File](files, "files")
	functions, err := stagetest.Run(ctx, stagetest.Job{
		Stage: code.Functions(m.registry.Languages),
		Inputs: map[string]any{
			"repository": repo, "files": sources, "configs": stagetest.Rows[schemas.File](files, "configs"),
		},
	})
	if err != nil {
		return counts{}, err
	}
	return m.compare(needles, sources, functions)
}

func (m *measure) compare(needles []needle, sources []schemas.File, r *stagetest.Result) (counts, error) {
	order := stagetest.Rows[schemas.OrderedFile](r, "order")
	slices.SortFunc(order, func(a, b schemas.OrderedFile) int { return int(a.Position - b.Position) })
	byName := map[string][]schemas.Function{}
	hay := make([]repoqa.HayFile, len(order))
	for i, o := range order {
		at := slices.IndexFunc(sources, func(f schemas.File) bool { return f.Path == o.Path })
		hay[i] = repoqa.HayFile{Path: o.Path, Text: sources[at].Text}
	}
	for _, f := range stagetest.Rows[schemas.Function](r, "functions") {
		byName[f.Name] = append(byName[f.Name], f)
	}
	b := &repoqa.Builder{
		Files: hay, Language: m.registry.Languages.Get(needles[0].Language), Tokenizer: m.tokenizer,
		Lines: tokenizer.LineCounter(m.tokenizer), Upstream: true,
	}
	var c counts
	for _, n := range needles {
		c.needles++
		found := byName[n.Name]
		if len(found) == 0 {
			fmt.Printf("  missing: %s\n", n.Name)
			continue
		}
		c.present++
		at, ctx, err := m.build(b, found, n)
		if err != nil {
			return c, err
		}
		exact := ctx.NeedleTokenStart == n.Start && ctx.NeedleTokenEnd == n.End
		own := ctx.PrefixInOwnFile()
		if exact {
			c.spans++
		}
		if !exact {
			if m.orderExplains(b, at, n) {
				c.byOrder++
			} else if m.verbose {
				fmt.Printf("  %s: no order tried gives the released span\n", n.Name)
			}
		}
		if own {
			c.ownFile++
			if exact {
				c.ownFileSpans++
			}
		}
		if ctx.NeedleTokenEnd-ctx.NeedleTokenStart == n.End-n.Start {
			c.length++
		}
		if m.verbose {
			fmt.Printf("  %-36s %-40s released %5d-%5d ours %5d-%5d off %+d length %+d own=%v names=%d\n", n.Name, at.Path, n.Start, n.End,
				ctx.NeedleTokenStart, ctx.NeedleTokenEnd, ctx.NeedleTokenStart-n.Start, (ctx.NeedleTokenEnd-ctx.NeedleTokenStart)-(n.End-n.Start), own, len(found))
		}
	}
	return c, nil
}

// build plants the released needle. Where our functions have its name more than
// once, it is the one of the released length: the release saw fewer files.
func (m *measure) build(b *repoqa.Builder, found []schemas.Function, n needle) (at schemas.Function, c *repoqa.Context, err error) {
	const tokens = 16384
	for _, f := range found {
		at = f
		c, err = b.Build(f.Path, int(f.StartByte), int(f.EndByte), n.Ratio, tokens)
		if err != nil || c.NeedleTokenEnd-c.NeedleTokenStart == n.End-n.Start {
			break
		}
	}
	return at, c, err
}

// orderExplains looks for files to stand before the needle's own that put it
// exactly where the release has it: every choice of up to four, nearest first,
// within a bounded number of tries.
func (m *measure) orderExplains(b *repoqa.Builder, at schemas.Function, n needle) bool {
	const tokens, deepest, most = 16384, 4, 60_000
	own := b.Files[slices.IndexFunc(b.Files, func(f repoqa.HayFile) bool { return f.Path == at.Path })]
	tries := 0
	var search func(before []repoqa.HayFile) bool
	search = func(before []repoqa.HayFile) bool {
		if tries++; tries > most {
			return false
		}
		other := *b
		other.Files = append(slices.Clone(before), own)
		c, err := other.Build(at.Path, int(at.StartByte), int(at.EndByte), n.Ratio, tokens)
		if err != nil || c.NeedleTokenStart == n.Start && c.NeedleTokenEnd == n.End {
			return err == nil
		}
		full := float64(c.NeedleTokenStart) > 0.97*(tokens*n.Ratio-float64(n.End-n.Start)/2)
		if len(before) == deepest || full || c.NeedleTokenStart > n.Start+64 {
			return false
		}
		for _, f := range b.Files {
			if f.Path != own.Path && !slices.ContainsFunc(before, func(o repoqa.HayFile) bool { return o.Path == f.Path }) && search(append([]repoqa.HayFile{f}, before...)) {
				return true
			}
		}
		return false
	}
	return search(nil)
}
