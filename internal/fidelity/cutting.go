package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"benchmill/internal/treesitter"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/sources/git"
	"benchmill/stages/all"
	"benchmill/stages/code"
	"benchmill/stages/crosscodeeval"
	"benchmill/stages/crossfile"
	"benchmill/stages/lang"
	"benchmill/stages/repos"
)

type cutting struct {
	registry *all.Registry
	source   *git.Source
}

// measured is one repository with its uses.
type measured struct {
	registry *all.Registry
	row      []schemas.Repository // of the table of repositories: one
	language *lang.Language
	files    []schemas.File
	texts    map[string]string
	uses     map[string][]schemas.CrossFileUse // by path
	sources  map[string]*crosscodeeval.Source  // by compat and path
}

// repository judges rows of one repository and prints what they miss.
func (m *cutting) repository(ctx context.Context, rows []completion) (cutCounts, error) {
	r, err := m.read(ctx, rows[0])
	if err != nil {
		return cutCounts{}, err
	}
	c := cutCounts{detects: r.language.Binding != nil}
	for _, row := range rows {
		v, misses, err := r.judge(ctx, row)
		if err != nil {
			return c, err
		}
		c.count(v)
		for _, miss := range misses {
			fmt.Printf("  %s %s: %s: %.70q\n", row.repo, row.id, miss, row.reference)
		}
	}
	return c, nil
}

// read runs the stages up to the uses.
func (m *cutting) read(ctx context.Context, row completion) (*measured, error) {
	l := m.registry.Languages.Get(row.language)
	if l == nil {
		return nil, fmt.Errorf("no language %q", row.language)
	}
	repo := []schemas.Repository{{Repo: row.repo, URL: "https://github.com/" + row.repo, Commit: row.commit, Entrypoint: ".", Language: row.language}}
	snapshot, err := stagetest.Run(ctx, stagetest.Job{
		Stage: repos.Snapshot(), Config: &repos.SnapshotConfig{MaxFileBytes: 5 << 20, Partial: true}, Effects: fetcher{m.source}, Inputs: map[string]any{"repository": repo},
	})
	if err != nil {
		return nil, err
	}
	files, err := stagetest.Run(ctx, stagetest.Job{Stage: code.Files(m.registry.Languages), Inputs: map[string]any{
		"repository": repo, "snapshot": stagetest.Rows[schemas.Entry](snapshot, "snapshot"),
	}})
	if err != nil {
		return nil, err
	}
	sources := stagetest.Rows[schemas.File](files, "files")
	uses, err := stagetest.Run(ctx, stagetest.Job{Stage: crossfile.Uses(m.registry.Languages), Inputs: map[string]any{
		"repository": repo, "files": sources, "configs": stagetest.Rows[schemas.File](files, "configs"),
	}})
	if err != nil {
		return nil, err
	}
	r := &measured{
		registry: m.registry, row: repo, language: l, files: sources,
		texts: map[string]string{}, uses: map[string][]schemas.CrossFileUse{}, sources: map[string]*crosscodeeval.Source{},
	}
	for _, f := range sources {
		r.texts[f.Path] = f.Text
	}
	for _, u := range stagetest.Rows[schemas.CrossFileUse](uses, "uses") {
		r.uses[u.Path] = append(r.uses[u.Path], u)
	}
	return r, nil
}

// judge compares a row with ours at the place that agrees most.
func (r *measured) judge(ctx context.Context, row completion) (best verdict, misses []string, err error) {
	for i, p := range row.places {
		v, m, err := r.at(ctx, row, p)
		if err != nil {
			return 0, nil, err
		}
		if i == 0 || v > best {
			best, misses = v, m
		}
	}
	return best, misses, nil
}

func (r *measured) at(ctx context.Context, row completion, p place) (v verdict, misses []string, err error) {
	miss := func(format string, args ...any) { misses = append(misses, fmt.Sprintf(format, args...)) }
	text, ok := r.texts[p.path]
	cursor := cursorOf(row, text, p.line)
	if !ok || cursor < 0 {
		miss("%s:%d: the text is not there", p.path, p.line+1)
		return 0, misses, nil
	}
	source, err := r.open("upstream", p.path)
	if err != nil {
		return 0, nil, err
	}
	paper, err := r.open("paper", p.path)
	if err != nil {
		return 0, nil, err
	}
	want := crosscodeeval.Cut{Cursor: cursor, End: cursor + len(row.reference)}
	if end, ok := source.End(cursor); !ok || end != want.End {
		miss("%s:%d: the statement ends at %.40q", p.path, p.line+1, text[cursor:max(cursor, end)])
	} else if why := r.fits(row, text); why != "" {
		miss("%s", why)
	} else {
		v |= hasEnd
	}
	reason, err := r.dropped(ctx, p, text, want)
	if err != nil {
		return 0, nil, err
	}
	if reason != "" {
		miss("%s:%d: dropped as %s", p.path, p.line+1, reason)
	} else {
		v |= isKept
	}
	if r.language.Binding == nil {
		return v, misses, nil
	}
	first := map[string]bool{}
	var names []string
	for _, u := range r.uses[p.path] {
		isFirst := !first[u.Name]
		first[u.Name] = true
		if int(u.Line) != p.line {
			continue
		}
		v |= hasLine
		names = append(names, u.Name)
		if isFirst {
			v |= hasFirst
		}
		if cuts, _ := source.Cuts(u); slices.Contains(cuts, want) {
			v |= hasCut
		}
		if cuts, _ := paper.Cuts(u); slices.Contains(cuts, want) {
			v |= hasPaperCut
		}
	}
	switch {
	case v&hasLine == 0:
		miss("%s:%d: no use is known on the line", p.path, p.line+1)
	case v&hasCut == 0:
		miss("%s:%d: not among the cuts for %s", p.path, p.line+1, strings.Join(names, ", "))
	}
	return v, misses, nil
}

// fits says what a row known as a whole has otherwise than ours with its cursor.
func (r *measured) fits(row completion, text string) string {
	switch end := row.cursorLine + strings.Count(row.reference, "\n") + 1; {
	case !row.whole:
	case row.prompt+row.reference+row.right != text:
		return "prompt, reference and right context are not the file"
	case strings.Count(row.prompt, "\n") != row.cursorLine:
		return fmt.Sprintf("the cursor is on line %d, not %d", strings.Count(row.prompt, "\n"), row.cursorLine)
	case end != row.rightLine:
		return fmt.Sprintf("the right context is on line %d, not %d", end, row.rightLine)
	}
	return ""
}

// dropped is why the filter would not keep a row, "" where it would.
func (r *measured) dropped(ctx context.Context, p place, text string, c crosscodeeval.Cut) (string, error) {
	stage := crosscodeeval.Filter(r.registry.Languages)
	config := stage.NewConfig().(*crosscodeeval.FilterConfig)
	config.Compat = "upstream"
	filtered, err := stagetest.Run(ctx, stagetest.Job{Stage: stage, Config: config, Inputs: map[string]any{
		"repository": r.row, "files": r.files, "examples": []schemas.CompletionExample{{
			Path: p.path, CursorByte: int64(c.Cursor), EndByte: int64(c.End), Prompt: text[:c.Cursor], Reference: text[c.Cursor:c.End], RightContext: text[c.End:],
		}},
	}})
	if err != nil || len(filtered.Dropped) == 0 {
		return "", err
	}
	return filtered.Dropped[0].Reason + " (" + filtered.Dropped[0].Detail + ")", nil
}

// cursorOf is where the reference starts, which is known to be on a line; -1 where
// it does not.
func cursorOf(row completion, text string, line int) int {
	if row.whole {
		if strings.HasPrefix(text, row.prompt+row.reference) {
			return len(row.prompt)
		}
		return -1
	}
	start := 0
	for range line {
		i := strings.IndexByte(text[start:], '\n')
		if i < 0 {
			return -1
		}
		start += i + 1
	}
	end := len(text)
	if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
		end = start + i
	}
	if i := strings.Index(text[start:], row.reference); i >= 0 && start+i <= end {
		return start + i
	}
	return -1
}

func (r *measured) open(compat, path string) (*crosscodeeval.Source, error) {
	key := compat + " " + path
	if s := r.sources[key]; s != nil {
		return s, nil
	}
	s, err := crosscodeeval.NewSource(r.language, path, r.texts[path], compat, treesitter.DefaultLimits)
	r.sources[key] = s
	return s, err
}
