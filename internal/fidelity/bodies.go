package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/stages/callgraph"
	"benchmill/stages/yabloco"
)

// bodies measures whether the rules of selection, given the released functions,
// accept the released rows and choose them, and how far our own description of each
// released function is the released one.
func (y *yablocoOptions) bodies(ctx context.Context) error {
	r, err := y.load(ctx)
	if err != nil {
		return err
	}
	m := &bodyMeasure{repo: r.repo, files: r.files}
	if m.native, err = r.nativeRows(ctx); err != nil {
		return err
	}
	if m.released, err = readTable(y.functions); err != nil {
		return err
	}
	if m.bench, err = readTable(y.bench); err != nil {
		return err
	}
	if err := m.selection(ctx); err != nil {
		return err
	}
	return m.description(ctx)
}

// bodyMeasure holds one repository.
type bodyMeasure struct {
	repo            schemas.Repository
	files           []schemas.File
	native          callgraph.Rows
	released, bench []map[string]string
}

func readTable(path string) ([]map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, fmt.Errorf("%s: no rows: %w", path, err)
	}
	var out []map[string]string
	for _, row := range rows[1:] {
		r := map[string]string{}
		for i, name := range rows[0] {
			r[name] = row[i]
		}
		r["id"] = r["Unnamed: 0"]
		out = append(out, r)
	}
	return out, nil
}

// selection gives the stages the released functions as they are.
func (m *bodyMeasure) selection(ctx context.Context) error {
	rows, err := m.given()
	if err != nil {
		return err
	}
	wanted := map[string]string{} // level by id
	for _, r := range m.bench {
		f := released(r)
		wanted[r["id"]] = yabloco.Level(f)
	}
	candidates := yabloco.Candidates().NewConfig().(*yabloco.CandidatesConfig)
	candidates.Compat = "upstream"
	fmt.Printf("\nYABLoCo, released functions given: %d functions, %d rows\n", len(rows), len(wanted))
	at := []schemas.BodyCandidate(nil)
	for _, step := range []struct {
		name   string
		stage  *pipeline.Stage
		config any
		out    string
	}{{"candidates", yabloco.Candidates(), candidates, "candidates"}, {"unique", yabloco.Unique(), nil, "candidates"}, {"selected", yabloco.Select(), nil, "selected"}} {
		inputs := map[string]any{"candidates": at}
		if step.name == "candidates" {
			inputs = map[string]any{"functions": rows, "files": m.files}
		}
		r, err := stagetest.Run(ctx, stagetest.Job{Stage: step.stage, Config: step.config, Inputs: inputs})
		if err != nil {
			return err
		}
		at = stagetest.Rows[schemas.BodyCandidate](r, step.out)
		found, levels := 0, 0
		for _, c := range at {
			if level, ok := wanted[c.ID]; ok && c.Split != "dev" {
				found++
				if level == c.Function.Level {
					levels++
				}
			}
		}
		fmt.Printf("%-12s %6d rows, %d of %d released ones among them, %d at the released level\n", step.name, len(at), found, len(wanted), levels)
		for _, d := range r.Dropped {
			if _, ok := wanted[d.Key]; ok && step.name != "selected" {
				fmt.Printf("  released, but dropped as %s: %s\n", d.Reason, d.Detail)
			}
		}
	}
	return nil
}

// given are the released functions as rows, cut out of the files by their lines.
func (m *bodyMeasure) given() ([]schemas.RepositoryFunction, error) {
	texts := map[string]string{}
	for _, f := range m.files {
		texts[f.Path] = f.Text
	}
	elsewhere := 0
	var out []schemas.RepositoryFunction
	for _, r := range m.released {
		f := released(r)
		text, ok := texts[f.File]
		if !ok { // what is included from files of other suffixes
			elsewhere++
			continue
		}
		lines := strings.SplitAfter(text, "\n")
		if int(f.Pos+f.CodeLength) > len(lines) {
			return nil, fmt.Errorf("%s has no line %d", f.File, f.Pos+f.CodeLength)
		}
		f.Start = int64(len(strings.Join(lines[:f.Pos-1], "")))
		own := strings.TrimRight(strings.Join(lines[f.Pos-1:f.Pos+f.CodeLength], ""), "\r\n")
		f.Body, f.End = f.Start+int64(max(0, strings.IndexByte(own, '{'))), f.Start+int64(len(own))
		f.Signature = strings.TrimSpace(text[f.Start:f.Body])
		out = append(out, f)
	}
	if elsewhere > len(m.released)/100 {
		return nil, fmt.Errorf("the files of %d released functions are missing", elsewhere)
	}
	return out, nil
}

// released is a row of a released table.
func released(r map[string]string) schemas.RepositoryFunction {
	n := func(column string) int64 {
		v, _ := strconv.ParseFloat(r[column], 64) // counts are written as "2" and as "2.0"
		return int64(v)
	}
	_, file, _ := strings.Cut(r["file"], "/")
	f := schemas.RepositoryFunction{
		ID: r["id"], Name: r["fname"], Qualified: r["fname"], File: file, Docstring: r["doc"],
		CallsNum: n("calls_num"), DepNum: n("dep_num"), SameFile: n("same_file"), SamePackage: n("same_package"),
		Project: n("project"), Stdlib: n("stdlib"), External: n("external_binaries"),
		Pos: n("pos"), CodeLength: n("code_length"),
	}
	if parts := strings.Split(r["last_commit"], "."); len(parts) == 3 {
		slices.Reverse(parts)
		f.LastCommit = strings.Join(parts, "-")
	}
	if r["test_cov_hits"] != "" {
		hits := n("test_cov_hits")
		f.Hits = &hits
	}
	f.Level = yabloco.Level(f)
	return f
}

// description compares our own rows with the released ones of the same file and
// first line.
func (m *bodyMeasure) description(ctx context.Context) error {
	inputs := map[string]any{"repository": []schemas.Repository{m.repo}, "files": m.files, "definitions": m.native.Definitions, "calls": m.native.Calls}
	config := yabloco.Functions().NewConfig().(*yabloco.FunctionsConfig)
	config.Compat = "upstream"
	r, err := stagetest.Run(ctx, stagetest.Job{Stage: yabloco.Functions(), Config: config, Inputs: inputs})
	if err != nil {
		return err
	}
	type place struct {
		file string
		line int64
	}
	ours, ids := map[place]schemas.RepositoryFunction{}, map[string]bool{}
	for _, f := range stagetest.Rows[schemas.RepositoryFunction](r, "functions") {
		ours[place{f.File, f.Pos}], ids[f.ID] = f, true
	}
	var found, lengths, docs, documented, sameDocs, levels, deps, callers int
	for _, row := range m.released {
		theirs := released(row)
		own, ok := ours[place{theirs.File, theirs.Pos}]
		if !ok || own.Name != theirs.Name {
			continue
		}
		found++
		lengths += one(own.CodeLength == theirs.CodeLength)
		docs += one(own.Docstring == theirs.Docstring)
		documented += one(theirs.Docstring != "")
		sameDocs += one(theirs.Docstring != "" && own.Docstring == theirs.Docstring)
		levels += one(own.Level == theirs.Level)
		deps += one(own.DepNum == theirs.DepNum)
		callers += one(own.CallsNum == theirs.CallsNum)
	}
	fmt.Printf("our functions: %d, %d ids; of %d released ones: at the same line %d\n", len(ours), len(ids), len(m.released), found)
	fmt.Printf("  of these the same: length %d, docstring %d (of %d that have one %d), level %d, callees %d, callers %d\n", lengths, docs, documented, sameDocs, levels, deps, callers)
	return nil
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
