// Package longcodeqa holds the stages of LongCodeQA: which issues make
// multiple-choice questions about a whole repository, which of these need the
// repository to be answered, how prompts fill the brackets, and how replies are
// scored.
//
// Source of the rules: Rando et al., "LongCodeBench: Evaluating Coding LLMs at
// 1M Context Windows" (2025), sections 3.2 and 4 and appendices A and B; section
// numbers below refer to it.
package longcodeqa

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"benchmill/pipeline"
	"benchmill/schemas"
)

// Reasons issues are dropped under.
const (
	reasonOpen       = "open"
	reasonBot        = "bot" // a program wrote it
	reasonDuplicate  = "duplicate"
	reasonPull       = "closed_by_pull_request"
	reasonNoComments = "no_comments" // of people
	reasonTooShort   = "too_short"
	reasonTooLong    = "too_long"
)

// CandidatesConfig configures [Candidates].
type CandidatesConfig struct {
	PullRequests string `yaml:"pull_requests" enum:"drop|keep" doc:"what becomes of issues that a pull request closed, where links say so; such an issue needed a change of the code"`
	MinChars     int    `yaml:"min_chars" min:"0" doc:"discussions with fewer characters are dropped: nothing is explained in them"`
	MaxChars     int    `yaml:"max_chars" min:"1" doc:"discussions with more characters are dropped: no single fact settles them, and a model would have to read them all"`
}

// Candidates writes down the discussions that questions can be made of (section
// 3.2, "Data collection"): closed issues of people with at least one comment of
// people. An issue that a pull request closed "required a code change" and is
// not convertible (appendix B.1); one closed as a duplicate is resolved
// elsewhere. Whether an issue was locked says nothing about its answer.
//
// Version history:
//
//	1: first version
func Candidates() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "longcodeqa.candidates", Version: 1,
		Doc: "Writes down closed issues with their comments, without names; issues of programs and those closed by a pull request are dropped.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "issues", Schema: schemas.Issues},
			{Name: "comments", Schema: schemas.Comments},
			{Name: "links", Schema: schemas.IssueLinks, Optional: true},
		},
		Out:       []pipeline.Port{{Name: "discussions", Schema: schemas.Discussions}},
		Flows:     []pipeline.Flow{{From: "issues", To: []string{"discussions"}}},
		NewConfig: func() any { return &CandidatesConfig{PullRequests: "drop", MinChars: 100, MaxChars: 60_000} },
		Run:       candidates,
	}
}

func candidates(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[CandidatesConfig](p)
	comments := map[int64][]schemas.Comment{}
	for k, err := range pipeline.In[schemas.Comment](ctx, p, "comments") {
		if err != nil {
			return err
		}
		if !k.OnPull {
			comments[k.Number] = append(comments[k.Number], k)
		}
	}
	pulled := map[int64]int64{}
	for l, err := range pipeline.In[schemas.IssueLink](ctx, p, "links") {
		if err != nil {
			return err
		}
		if _, ok := pulled[l.Issue]; !ok {
			pulled[l.Issue] = l.Pull
		}
	}
	for issue, err := range pipeline.In[schemas.Issue](ctx, p, "issues") {
		if err != nil {
			return err
		}
		all := comments[issue.Number]
		people := slices.DeleteFunc(slices.Clone(all), func(k schemas.Comment) bool { return isBot(k.Author, k.AuthorType) })
		d := discussion(issue, people)
		size := utf8.RuneCountInString(d.Title) + utf8.RuneCountInString(d.Text)
		reason, detail := "", ""
		switch pull, closedByPull := pulled[issue.Number]; {
		case issue.State != "closed":
			reason = reasonOpen
		case isBot(issue.Author, issue.AuthorType):
			reason = reasonBot
		case issue.StateReason == "duplicate":
			reason = reasonDuplicate
		case closedByPull && c.PullRequests == "drop":
			reason, detail = reasonPull, fmt.Sprintf("#%d", pull)
		case len(people) == 0:
			reason = reasonNoComments
		case size < c.MinChars:
			reason, detail = reasonTooShort, fmt.Sprintf("%d characters", size)
		case size > c.MaxChars:
			reason, detail = reasonTooLong, fmt.Sprintf("%d characters", size)
		}
		if reason != "" {
			p.Drops.Drop("issues", strconv.FormatInt(issue.Number, 10), reason, detail)
			continue
		}
		if bots := len(all) - len(people); bots > 0 {
			p.Drops.Note("bot_comments_left_out", int64(bots))
		}
		if err := pipeline.Emit(p, "discussions", d); err != nil {
			return err
		}
	}
	return nil
}
