package yabloco

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"benchmill/internal/review"
	"benchmill/pipeline"
	"benchmill/schemas"
)

const reasonRejected = "rejected_by_reviewers"

// Values of a candidate's review.
const (
	reviewAccepted = "accepted" // as many accepted it as it takes
	reviewOpen     = "open"     // some have looked, and others are still to
)

// Columns of a sheet by which a verdict is tied to what was judged. Any others may
// stand beside them.
const (
	columnSignature = "signature"
	columnDocstring = "docstring"
)

// ReviewConfig configures [Review].
type ReviewConfig struct {
	Verdicts []pipeline.FileName `yaml:"verdicts" doc:"sheets of reviewers; none: every candidate passes unreviewed"`
	Rejects  int                 `yaml:"rejects" min:"1" doc:"so many rejections drop a candidate"`
	Accepts  int                 `yaml:"accepts" min:"1" doc:"so many acceptances, and fewer rejections than drop it, make it accepted"`
}

// Review takes verdicts of people on docstrings in ("we manually evaluated the
// docstring quality"): of three reviewers, two that reject drop a candidate. A
// verdict on a docstring or signature that reads otherwise by now does not count.
// Rows of a sheet are known by the candidate's ID, which is the task's.
//
// Version history:
//
//	1: first version
func Review() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "yabloco.review", Version: 1,
		Doc:       "Drops candidates whose docstring reviewers rejected and marks those they accepted.",
		In:        []pipeline.Port{{Name: "candidates", Schema: schemas.BodyCandidates}},
		Out:       []pipeline.Port{{Name: "candidates", Schema: schemas.BodyCandidates}},
		Flows:     []pipeline.Flow{{From: "candidates", To: []string{"candidates"}}},
		NewConfig: func() any { return &ReviewConfig{Rejects: 2, Accepts: 2} },
		Run:       reviewCandidates,
	}
}

func reviewCandidates(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[ReviewConfig](p)
	var verdicts review.Verdicts
	for _, name := range c.Verdicts {
		data, err := p.Files.ReadFile(name)
		if err != nil {
			return err
		}
		if err := verdicts.Add(string(name), data); err != nil {
			return fmt.Errorf("verdicts of reviewers: %w", err)
		}
	}
	for row, err := range pipeline.In[schemas.BodyCandidate](ctx, p, "candidates") {
		if err != nil {
			return err
		}
		if n := verdicts.Withdraw(row.ID, func(cell func(string) (string, bool)) bool { return stale(cell, row.Function) }); n > 0 {
			p.Drops.Note("stale_verdicts", int64(n))
		}
		var names []string
		row.Accepts, row.Rejects = 0, 0
		for _, vote := range verdicts.Votes(row.ID) {
			if vote.Reviewer != "" {
				names = append(names, vote.Reviewer)
			}
			if vote.Verdict == review.Reject {
				row.Rejects++
			} else {
				row.Accepts++
			}
		}
		slices.Sort(names)
		row.Reviewers = strings.Join(names, ", ")
		switch {
		case row.Rejects >= int64(c.Rejects):
			p.Drops.Drop("candidates", row.ID, reasonRejected, row.Reviewers)
			continue
		case row.Accepts >= int64(c.Accepts):
			row.Review = reviewAccepted
		case row.Accepts+row.Rejects > 0:
			row.Review = reviewOpen
		}
		if err := pipeline.Emit(p, "candidates", row); err != nil {
			return err
		}
	}
	return nil
}

// stale reports whether a sheet shows another docstring or signature than there is
// now. Spreadsheets may change white space.
func stale(cell func(column string) (string, bool), f schemas.RepositoryFunction) bool {
	differs := func(column, now string) bool {
		text, ok := cell(column)
		return ok && oneLine(text) != oneLine(now)
	}
	return differs(columnDocstring, f.Docstring) || differs(columnSignature, f.Signature)
}
