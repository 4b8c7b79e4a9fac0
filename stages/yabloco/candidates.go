package yabloco

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"benchmill/pipeline"
	"benchmill/schemas"
)

// CandidatesConfig configures [Candidates].
type CandidatesConfig struct {
	MinHits    int64  `yaml:"min_hits" min:"0" doc:"times that tests must have entered a function; nothing is asked of a repository without any coverage"`
	MinLines   int64  `yaml:"min_lines" min:"0" doc:"lines of a body, blank ones not counted"`
	MaxLines   int64  `yaml:"max_lines" min:"1" doc:"lines of a body, blank ones not counted"`
	MaxCallers int64  `yaml:"max_callers" min:"0" doc:"functions with more callers are dropped"`
	Branches   string `yaml:"branches" enum:"else|written" doc:"what stays of an #if with #else in a body: what stands under #else, or all of it, as where the first may build nowhere; rows say which"`
	Compat     string `yaml:"compat" enum:"paper|upstream" doc:"upstream: only texts with the word Copyright are licences, only function headers with braces are code, only the lower-case word test makes a test, and what stands under #else stays whether or not it builds"`
}

// Candidates keeps functions whose bodies may be asked for ("Dataset creation"):
// covered by tests, described, neither very short nor long, and no tests.
//
// Version history:
//
//	1: first version
//	2: #if stays where it has no #else, where that may build nowhere and where it is
//	   a comment; signatures of several things go
func Candidates() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "yabloco.candidates", Version: 2,
		Doc: "Keeps functions that tests cover, whose docstring describes them and whose body is of some lines.",
		In: []pipeline.Port{
			{Name: "functions", Schema: schemas.RepositoryFunctions},
			{Name: "files", Schema: schemas.Files},
		},
		Out:   []pipeline.Port{{Name: "candidates", Schema: schemas.BodyCandidates}},
		Flows: []pipeline.Flow{{From: "functions", To: []string{"candidates"}}},
		NewConfig: func() any {
			return &CandidatesConfig{MinHits: 1, MinLines: 2, MaxLines: 15, MaxCallers: 7, Branches: schemas.BranchesElse, Compat: "paper"}
		},
		Run: candidates,
	}
}

func candidates(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[CandidatesConfig](p)
	functions, err := pipeline.Collect[schemas.RepositoryFunction](ctx, p, "functions")
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(functions, func(f schemas.RepositoryFunction) bool { return f.Hits != nil }) {
		p.Drops.Note("repositories_without_coverage", 1)
		uncovered := *c
		uncovered.MinHits = 0
		c = &uncovered
	}
	drop := func(f schemas.RepositoryFunction, reason, detail string) {
		p.Drops.Drop("functions", f.ID, reason, strings.TrimSuffix(f.File+" "+f.Qualified+": "+detail, ": "))
	}
	byFile := map[string][]schemas.RepositoryFunction{}
	for _, f := range functions {
		if reason, detail := c.judge(f); reason != "" {
			drop(f, reason, detail)
		} else {
			byFile[f.File] = append(byFile[f.File], f)
		}
	}
	for file, err := range pipeline.In[schemas.File](ctx, p, "files") {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		for _, f := range byFile[file.Path] {
			row, reason, detail := c.candidate(f, file.Text)
			if reason != "" {
				drop(f, reason, detail)
			} else if err := pipeline.Emit(p, "candidates", row); err != nil {
				return err
			}
		}
		delete(byFile, file.Path)
	}
	for path, left := range byFile {
		return fmt.Errorf("%s: %s is not among the files, but has functions", left[0].Repo, path)
	}
	return nil
}

// judge is why a function is no candidate, whatever its body, or "".
func (c *CandidatesConfig) judge(f schemas.RepositoryFunction) (reason, detail string) {
	var hits int64
	if f.Hits != nil {
		hits = *f.Hits
	}
	switch {
	case hits < c.MinHits:
		return reasonNotCovered, fmt.Sprintf("%d hits", hits)
	case isTest(f, c.Compat == compatUpstream):
		return reasonTest, ""
	case f.CallsNum > c.MaxCallers:
		return reasonCallers, fmt.Sprintf("%d callers", f.CallsNum)
	case hasDirective(f.Signature):
		return reasonHeadBranches, ""
	case !oneHead(f.Signature):
		return reasonOddHead, ""
	}
	return docReason(f.Docstring, c.Compat == compatUpstream), ""
}

// candidate cuts the body out of the file.
func (c *CandidatesConfig) candidate(f schemas.RepositoryFunction, text string) (row schemas.BodyCandidate, reason, detail string) {
	if f.Start < 0 || f.Start > f.Body || f.Body >= f.End || f.End > int64(len(text)) {
		return row, reasonOddText, ""
	}
	row = schemas.BodyCandidate{ID: f.ID, Function: f, Text: text[f.Body:f.End]}
	kept, branches, sound := elseBranches(row.Text, c.Compat == compatUpstream)
	row.Branches = branches
	if branches == schemas.BranchesElse {
		if c.Branches == schemas.BranchesElse && (sound || c.Compat == compatUpstream) {
			row.Text = kept
		} else {
			row.Branches = schemas.BranchesWritten
		}
	}
	row.Code = text[f.Start:f.Body] + row.Text
	row.BodyLines = bodyLines(row.Text)
	lines := fmt.Sprintf("%d lines", row.BodyLines)
	switch {
	case row.BodyLines < c.MinLines:
		return row, reasonShortBody, lines
	case row.BodyLines > c.MaxLines:
		return row, reasonLongBody, lines
	}
	return row, "", ""
}

// compareByPlace orders candidates as they stand in their repository.
func compareByPlace(a, b schemas.BodyCandidate) int {
	return cmp.Or(cmp.Compare(a.Function.File, b.Function.File), cmp.Compare(a.Function.Start, b.Function.Start))
}
