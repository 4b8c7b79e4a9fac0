package issues

import (
	"context"

	"benchmill/internal/collection"
	"benchmill/pipeline"
	"benchmill/schemas"
)

// Details brings in what the pull requests of a repository changed and what
// closed its issues.
//
// Version history:
//
//	1: first version
func Details() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "issues.details", Version: 1,
		Doc: "Collects the pull requests of a repository with files, commits and reviews, and the timelines of its issues.",
		In:  []pipeline.Port{{Name: "repository", Schema: schemas.Repositories}},
		Out: []pipeline.Port{
			{Name: "pull_requests", Schema: schemas.PullRequests},
			{Name: "issue_events", Schema: schemas.IssueEvents},
		},
		Uses:      pipeline.Uses{Network: true, AsOf: true},
		NewConfig: newConfig,
		Fetches:   fetches(schemeDetails),
		Run:       details,
	}
}

func details(ctx context.Context, p *pipeline.Pass) error {
	return read(ctx, p, schemeDetails, collection.KindDetails, func(r collection.Record) error {
		switch {
		case r.Pull != nil:
			if len(r.Pull.Truncated) > 0 {
				p.Drops.Note("pull_requests_not_whole", 1)
			}
			return pipeline.Emit(p, "pull_requests", pullRow(r.Pull))
		case r.Event != nil:
			return pipeline.Emit(p, "issue_events", eventRow(r.Event))
		}
		return errOther
	})
}

func pullRow(c *collection.Pull) schemas.PullRequest {
	row := schemas.PullRequest{
		Number: c.Number, Title: clean(c.Title), Body: clean(c.Body),
		Author: clean(c.Author), AuthorType: clean(c.AuthorType), State: clean(c.State),
		CreatedAt: c.CreatedAt, MergedAt: c.MergedAt, MergeCommit: c.MergeCommit,
		BaseRef: clean(c.BaseRef), BaseCommit: c.BaseCommit, HeadCommit: c.HeadCommit,
		Additions: c.Additions, Deletions: c.Deletions, Closes: c.Closes, Truncated: cleanAll(c.Truncated),
	}
	for _, f := range c.Files {
		row.Files = append(row.Files, schemas.PullFile{
			Path: clean(f.Path), Change: clean(f.Change), Additions: f.Additions, Deletions: f.Deletions,
		})
	}
	for _, m := range c.Commits {
		row.Commits = append(row.Commits, schemas.PullCommit{
			ID: m.ID, Message: clean(m.Message), AuthoredAt: m.AuthoredAt, CommittedAt: m.CommittedAt,
		})
	}
	for _, v := range c.Reviews {
		row.Reviews = append(row.Reviews, schemas.PullReview{
			Author: clean(v.Author), Association: clean(v.Association), State: clean(v.State),
			Body: clean(v.Body), SubmittedAt: v.SubmittedAt,
		})
	}
	return row
}

func eventRow(e *collection.Event) schemas.IssueEvent {
	return schemas.IssueEvent{
		Number: e.Number, Index: e.Index, Kind: clean(e.Kind), Actor: clean(e.Actor), At: e.At,
		FromPull: e.FromPull, FromIssue: e.FromIssue, FromCommit: e.FromCommit, FromRepo: clean(e.FromRepo),
		WillClose: e.WillClose,
	}
}
