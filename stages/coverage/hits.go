package coverage

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
)

// repository is what rows of reports are matched with.
type repository struct {
	paths []string              // of all files
	files map[string]*fileIndex // of those with definitions
}

// readRepository reads the inputs of a stage. also, if not nil, is given every
// entry of the snapshot.
func readRepository(ctx context.Context, p *pipeline.Pass, also func(schemas.Entry)) (*repository, error) {
	defs := map[string][]schemas.Definition{}
	for d, err := range pipeline.In[schemas.Definition](ctx, p, "definitions") {
		if err != nil {
			return nil, err
		}
		defs[d.Path] = append(defs[d.Path], d)
	}
	r := &repository{files: map[string]*fileIndex{}}
	for e, err := range pipeline.In[schemas.Entry](ctx, p, "snapshot") {
		if err != nil {
			return nil, err
		}
		if also != nil {
			also(e)
		}
		if e.Kind == schemas.KindFile || e.Kind == schemas.KindExecutable {
			r.paths = append(r.paths, e.Path)
		}
		if inFile := defs[e.Path]; inFile != nil {
			r.files[e.Path] = newFileIndex(inFile, e.Content)
			delete(defs, e.Path)
		}
	}
	if len(defs) > 0 {
		return nil, fmt.Errorf("%s has definitions, and is no file of the snapshot", slices.Min(slices.Collect(maps.Keys(defs))))
	}
	return r, nil
}

// hits returns a row for each definition that a report speaks of, ascending by
// path and start, and counts what is dropped by reason. source is the format of
// the reports.
func (repo *repository) hits(reports []*Report, source string, upstream bool) ([]schemas.FunctionHit, map[string]int64) {
	notes := map[string]int64{}
	names := map[string]bool{}
	for _, r := range reports {
		for _, f := range r.Functions {
			names[f.File] = true
		}
		for _, l := range r.Lines {
			names[l.File] = true
		}
	}
	files := newResolver(repo.paths).resolve(names)
	functions, lines := map[string][]Function{}, map[string][]Line{}
	for _, r := range reports {
		if r.Negative > 0 {
			notes["negative_counts"] += r.Negative
		}
		for _, f := range r.Functions {
			if l := files[f.File]; l.file != "" {
				functions[l.file] = append(functions[l.file], f)
			} else {
				notes[l.reason]++
			}
		}
		for _, l := range r.Lines {
			if at := files[l.File]; at.file != "" { // lines of other files are no functions
				lines[at.file] = append(lines[at.file], l)
			}
		}
	}
	var out []schemas.FunctionHit
	for file, x := range repo.files {
		var found map[int]int64
		switch rows := functions[file]; {
		case len(rows) > 0 && upstream:
			found = x.byNames(rows, notes)
		case len(rows) > 0:
			found = x.byFunctions(rows, notes)
		default:
			found = x.byLines(lines[file])
		}
		for i, n := range found {
			out = append(out, schemas.FunctionHit{Path: file, Start: x.defs[i].Start, Hits: n, Source: source})
		}
	}
	for file, rows := range functions {
		if repo.files[file] == nil {
			notes[reasonNone] += int64(len(rows))
		}
	}
	slices.SortFunc(out, func(a, b schemas.FunctionHit) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start))
	})
	return out, notes
}
