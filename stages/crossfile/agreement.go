package crossfile

import (
	"context"
	"maps"
	"slices"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
	"benchmill/stages/code"
	"benchmill/stages/lang"
)

// kindAll is the kind of the row that counts all uses.
const kindAll = "all"

// Agreement compares the uses that two detectors found in the files that both of
// them read. A use is the same where path, first byte and name are.
//
// A row for each kind, and for each way in which the native detector knew what
// owns a member, says where differences come from. Tools do not tell ways, so that
// what only they found counts for none: a way has a precision and no recall. Where
// no file was read by both there is no row, and a note says so.
//
// Version history:
//
//	1: first version
//	2: rows by way have no recall and no F1
func Agreement(languages *lang.Set) *pipeline.Stage {
	return &pipeline.Stage{
		Name: "crossfile.agreement", Version: 2,
		Doc: "Compares the cross-file uses found without a compiler with those found by one: precision, recall, F1, by kind of use.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "native", Schema: schemas.CrossFileUses},
			{Name: "read", Schema: schemas.CheckedFiles},
			{Name: "reference", Schema: schemas.CrossFileUses},
			{Name: "checked", Schema: schemas.CheckedFiles},
		},
		Out: []pipeline.Port{{Name: "agreement", Schema: schemas.CrossFileAgreements}},
		Run: func(ctx context.Context, p *pipeline.Pass) error {
			repo, l, err := code.Repository(ctx, p, languages)
			if err != nil {
				return err
			}
			return agreement(ctx, p, repo, l)
		},
	}
}

func agreement(ctx context.Context, p *pipeline.Pass, repo schemas.Repository, l *lang.Language) error {
	native, err := pipeline.Collect[schemas.CrossFileUse](ctx, p, "native")
	if err != nil {
		return err
	}
	reference, err := pipeline.Collect[schemas.CrossFileUse](ctx, p, "reference")
	if err != nil {
		return err
	}
	read, err := pipeline.Collect[schemas.CheckedFile](ctx, p, "read")
	if err != nil {
		return err
	}
	checked, err := pipeline.Collect[schemas.CheckedFile](ctx, p, "checked")
	if err != nil || len(checked) == 0 {
		return err // no tool was asked
	}
	c := Compare(native, read, reference, checked)
	if c.Files == 0 { // shares of nothing would look like perfect ones
		p.Drops.Note("no_file_read_by_both", 1)
		return nil
	}
	name := ""
	if l.Checker != nil {
		name = l.Checker.Tool
	}
	if len(reference) > 0 {
		name = reference[0].Detector
	}
	for _, row := range c.Rows() {
		row.Repo, row.Commit, row.Language, row.Reference = repo.Repo, repo.Commit, repo.Language, name
		if err := pipeline.Emit(p, "agreement", row); err != nil {
			return err
		}
	}
	return nil
}

// Comparison is what two detectors found in the files that both read.
type Comparison struct {
	Files         int
	Both          []schemas.CrossFileUse // as the native detector has them
	OnlyNative    []schemas.CrossFileUse
	OnlyReference []schemas.CrossFileUse
}

// place is what makes a use the same for two detectors.
type place struct {
	path  string
	start int64
	name  string
}

func placeOf(u schemas.CrossFileUse) place { return place{u.Path, u.Start, u.Name} }

// Compare compares uses, with the files that each detector was asked about. What
// it returns is in the order of what it was given.
func Compare(native []schemas.CrossFileUse, read []schemas.CheckedFile, reference []schemas.CrossFileUse, checked []schemas.CheckedFile) *Comparison {
	ours, both := readable(read), readable(checked)
	maps.DeleteFunc(both, func(path string, _ bool) bool { return !ours[path] })
	c := &Comparison{Files: len(both)}
	places := map[place]bool{} // of the reference; whether the native detector has it too
	for _, u := range reference {
		if both[u.Path] {
			places[placeOf(u)] = false
		}
	}
	for _, u := range native {
		if !both[u.Path] {
			continue
		}
		if _, ok := places[placeOf(u)]; ok {
			places[placeOf(u)] = true
			c.Both = append(c.Both, u)
		} else {
			c.OnlyNative = append(c.OnlyNative, u)
		}
	}
	for _, u := range reference {
		if both[u.Path] && !places[placeOf(u)] {
			c.OnlyReference = append(c.OnlyReference, u)
		}
	}
	return c
}

// readable are the paths of the files that were read.
func readable(files []schemas.CheckedFile) map[string]bool {
	out := map[string]bool{}
	for _, f := range files {
		if f.Reason == "" {
			out[f.Path] = true
		}
	}
	return out
}

// way begins the kinds of rows by how a use was known. No tool says that, so that
// such rows have neither recall nor F1.
const way = "via "

// Rows counts: all uses, then by kind, then by way, ascending. Whose agreement it
// is, is left to the caller.
func (c *Comparison) Rows() []schemas.CrossFileAgreement {
	rows := map[string]*schemas.CrossFileAgreement{}
	row := func(kind string) *schemas.CrossFileAgreement {
		if rows[kind] == nil {
			rows[kind] = &schemas.CrossFileAgreement{Kind: kind, Files: int64(c.Files)}
		}
		return rows[kind]
	}
	row(kindAll)
	count := func(uses []schemas.CrossFileUse, one func(*schemas.CrossFileAgreement)) {
		for _, u := range uses {
			one(row(kindAll))
			if u.Kind != "" {
				one(row(u.Kind))
			}
			if u.Via != "" {
				one(row(way + u.Via))
			}
		}
	}
	count(c.Both, func(r *schemas.CrossFileAgreement) { r.Both++ })
	count(c.OnlyNative, func(r *schemas.CrossFileAgreement) { r.OnlyOurs++ })
	count(c.OnlyReference, func(r *schemas.CrossFileAgreement) { r.OnlyTool++ })
	var out []schemas.CrossFileAgreement
	for _, kind := range slices.Sorted(maps.Keys(rows)) { // "all" < the kinds < "via ..."
		r := rows[kind]
		r.Precision = share(r.Both, r.OnlyOurs)
		if !strings.HasPrefix(kind, way) {
			r.Recall = share(r.Both, r.OnlyTool)
		}
		if r.Precision+r.Recall > 0 {
			r.F1 = 2 * r.Precision * r.Recall / (r.Precision + r.Recall)
		}
		out = append(out, *r)
	}
	return out
}

// share is right among right and wrong: 1 where there is neither.
func share(right, wrong int64) float64 {
	if right+wrong == 0 {
		return 1
	}
	return float64(right) / float64(right+wrong)
}
