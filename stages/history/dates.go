package history

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"benchmill/internal/linedates"
	"benchmill/pipeline"
	"benchmill/schemas"
)

// DatesConfig configures [Dates].
type DatesConfig struct {
	Mode    string `yaml:"mode" enum:"mainline|blame" doc:"mainline: a line is as old as its arrival on the main line, all files in one pass; blame: as old as the commit that git blame names, file by file"`
	Partial bool   `yaml:"partial" doc:"accept repositories that lack files, such as clones made with a filter; functions of files of which some version is missing are dropped by name"`
}

// Reasons of dropped definitions.
const (
	reasonNoHistory = "no_history" // the commit has no file of this path
	reasonOutside   = "outside"    // the file is shorter
)

// Dates gives each function the newest commit of its lines, from the first to the
// last, both included. Of several commits of one second it is the one with the
// greatest id.
//
// The time of a commit is its committer's. It may lie before that of an older one,
// where clocks were wrong.
//
// Version history:
//
//	1: first version
func Dates() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "history.dates", Version: 1,
		Doc: "Dates functions by the newest commit of their lines.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "definitions", Schema: schemas.Definitions},
		},
		Out:       []pipeline.Port{{Name: "dates", Schema: schemas.FunctionDates}},
		Flows:     []pipeline.Flow{{From: "definitions", To: []string{"dates"}}},
		Uses:      pipeline.Uses{Network: true},
		NewConfig: func() any { return &DatesConfig{Mode: schemas.HistoryMainline} },
		Run:       run,
	}
}

// function is what is needed of a definition.
type function struct{ start, line, endLine int64 }

func run(ctx context.Context, p *pipeline.Pass) error {
	repo, err := pipeline.One[schemas.Repository](ctx, p, "repository")
	if err != nil {
		return err
	}
	functions := map[string][]function{}
	var paths []string // ascending, as definitions are
	for d, err := range pipeline.In[schemas.Definition](ctx, p, "definitions") {
		if err != nil {
			return err
		}
		if len(paths) == 0 || paths[len(paths)-1] != d.Path {
			paths = append(paths, d.Path)
		}
		functions[d.Path] = append(functions[d.Path], function{d.Start, d.Line, d.EndLine})
	}
	if len(paths) == 0 {
		return nil
	}
	c := pipeline.ConfigOf[DatesConfig](p)
	r := &dating{pass: p, repo: repo, mode: c.Mode, functions: functions}
	scheme := "git-" + c.Mode
	if c.Partial {
		scheme += "-partial"
	}
	if r.mode == schemas.HistoryBlame {
		for _, path := range paths {
			if err := r.fetch(ctx, scheme, ":"+path); err != nil {
				return err
			}
		}
	} else if err := r.fetch(ctx, scheme, ""); err != nil {
		return err
	}
	for _, path := range paths { // those that were dated are gone
		r.drop(path, reasonNoHistory)
	}
	return nil
}

type dating struct {
	pass      *pipeline.Pass
	repo      schemas.Repository
	mode      string
	functions map[string][]function // not dated yet, by path
}

// fetch dates the functions of the files of one document.
func (r *dating) fetch(ctx context.Context, scheme, path string) error {
	pin := pipeline.Pin{Scheme: scheme, Locator: r.repo.URL, Version: r.repo.Commit + path}
	stream, err := r.pass.Effects.Fetch(ctx, pin)
	if err != nil {
		return err
	}
	defer stream.Close()
	d, err := linedates.NewReader(stream)
	for err == nil {
		var f linedates.File
		if f, err = d.Next(); err == nil {
			err = r.file(f, d.Commits())
		}
	}
	if err != io.EOF {
		return fmt.Errorf("dates of %s%s: %w", r.repo.Repo, path, err)
	}
	return nil
}

func (r *dating) file(f linedates.File, commits []linedates.Commit) error {
	functions := r.functions[f.Path]
	if f.Kind != linedates.Text {
		r.drop(f.Path, string(f.Kind))
		return nil
	}
	delete(r.functions, f.Path)
	if len(functions) == 0 {
		return nil
	}
	lines := newLines(f.Runs, commits)
	for _, fn := range functions {
		c, ok := lines.newest(fn.line, fn.endLine)
		if !ok {
			r.dropOne(f.Path, fn, reasonOutside)
			continue
		}
		row := schemas.FunctionDate{
			Path: f.Path, Start: fn.start, Date: c.Time.Format(time.RFC3339), Commit: c.ID, Mode: r.mode,
		}
		if err := pipeline.Emit(r.pass, "dates", row); err != nil {
			return err
		}
	}
	return nil
}

// drop drops all functions of a file that are not dated yet.
func (r *dating) drop(path, reason string) {
	for _, fn := range r.functions[path] {
		r.dropOne(path, fn, reason)
	}
	delete(r.functions, path)
}

func (r *dating) dropOne(path string, fn function, reason string) {
	r.pass.Drops.Drop("definitions", fmt.Sprintf("%s %d", path, fn.start), reason, "")
}

// lines answers which commit is the newest of a range of lines, in logarithmic time:
// functions may stand in each other.
type lines struct {
	ends []int64            // the last line of each run, 1-based
	tree []linedates.Commit // a tree: the runs are its leaves, an inner node is the newer of the two below
}

func newLines(runs []linedates.Run, commits []linedates.Commit) *lines {
	n := len(runs)
	l := &lines{ends: make([]int64, n), tree: make([]linedates.Commit, 2*n)}
	end := int64(0)
	for i, r := range runs {
		end += int64(r.Lines)
		l.ends[i] = end
		l.tree[n+i] = commits[r.Commit]
	}
	for i := n - 1; i > 0; i-- {
		l.tree[i] = newer(l.tree[2*i], l.tree[2*i+1])
	}
	return l
}

// newest returns the newest commit of the lines from first to last, 1-based. It is
// false where there are no such lines.
func (l *lines) newest(first, last int64) (c linedates.Commit, ok bool) {
	n := len(l.ends)
	if first < 1 || first > last || n == 0 || last > l.ends[n-1] {
		return c, false
	}
	from, _ := slices.BinarySearch(l.ends, first)
	to, _ := slices.BinarySearch(l.ends, last)
	for a, b := from+n, to+n+1; a < b; a, b = a/2, b/2 {
		if a%2 == 1 {
			c = newer(c, l.tree[a])
			a++
		}
		if b%2 == 1 {
			b--
			c = newer(c, l.tree[b])
		}
	}
	return c, true
}

// newer is the later of two commits; any is newer than none.
func newer(a, b linedates.Commit) linedates.Commit {
	switch c := a.Time.Compare(b.Time); {
	case a.ID == "", c < 0, c == 0 && a.ID < b.ID:
		return b
	}
	return a
}
