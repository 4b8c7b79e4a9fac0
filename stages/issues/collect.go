package issues

import (
	"context"

	"benchmill/internal/collection"
	"benchmill/pipeline"
	"benchmill/schemas"
)

// Collect brings in the issues of a repository, and the comments on its issues
// and pull requests, as they were at the as-of time. Pull requests become no
// rows.
//
// Version history:
//
//	1: first version
func Collect() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "issues.collect", Version: 1,
		Doc: "Collects all issues and comments of a repository, as they were at the as-of time.",
		In:  []pipeline.Port{{Name: "repository", Schema: schemas.Repositories}},
		Out: []pipeline.Port{
			{Name: "issues", Schema: schemas.Issues},
			{Name: "comments", Schema: schemas.Comments},
		},
		Uses:      pipeline.Uses{Network: true, AsOf: true},
		NewConfig: newConfig,
		Fetches:   fetches(schemeIssues),
		Run:       collect,
	}
}

func collect(ctx context.Context, p *pipeline.Pass) error {
	var (
		issues   []schemas.Issue
		comments []schemas.Comment
		isPull   = map[int64]bool{} // by number, false for an issue
		count    = map[int64]int64{}
		pulls    int64
	)
	err := read(ctx, p, schemeIssues, collection.KindIssues, func(r collection.Record) error {
		switch {
		case r.Issue != nil:
			isPull[r.Issue.Number] = r.Issue.Pull
			if r.Issue.Pull {
				pulls++
			} else {
				issues = append(issues, issueRow(r.Issue))
			}
		case r.Comment != nil:
			comments = append(comments, commentRow(r.Comment))
		default:
			return errOther
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, c := range comments {
		pull, known := isPull[c.Number]
		if !known { // moved to another repository, or deleted
			p.Drops.Note("comments_without_issue", 1)
			continue
		}
		c.OnPull = pull
		count[c.Number]++
		if err := pipeline.Emit(p, "comments", c); err != nil {
			return err
		}
	}
	for _, i := range issues {
		i.Comments = count[i.Number]
		if err := pipeline.Emit(p, "issues", i); err != nil {
			return err
		}
	}
	if pulls > 0 {
		p.Drops.Note("pull_requests", pulls)
	}
	return nil
}

func issueRow(i *collection.Issue) schemas.Issue {
	return schemas.Issue{
		Number: i.Number, Title: clean(i.Title), Body: clean(i.Body),
		Author: clean(i.Author), AuthorType: clean(i.AuthorType), Association: clean(i.Association),
		State: clean(i.State), StateReason: clean(i.StateReason), Labels: cleanAll(i.Labels),
		CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt, ClosedAt: i.ClosedAt,
	}
}

func commentRow(c *collection.Comment) schemas.Comment {
	return schemas.Comment{
		Number: c.Number, ID: c.ID,
		Author: clean(c.Author), AuthorType: clean(c.AuthorType), Association: clean(c.Association),
		Body: clean(c.Body), CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
	}
}
