package githubtest

import (
	"slices"
	"strings"
	"time"
)

// issueConnection lists issues or pull requests by their arguments.
func (e *execution) issueConnection(r *Repository, kind string, args arguments, keep func(*Issue) bool) *connection {
	states, labels := args.list("states"), args.list("labels")
	items := slices.DeleteFunc(slices.Clone(r.Issues), func(i *Issue) bool {
		return i.Deleted || !keep(i) || len(states) > 0 && !slices.Contains(states, i.graphState()) ||
			len(labels) > 0 && !slices.ContainsFunc(i.Labels, func(l string) bool { return slices.Contains(labels, l) })
	})
	if filter, ok := args["filterBy"].(map[string]any); ok {
		since, _ := time.Parse(time.RFC3339, arguments(filter).text("since"))
		items = slices.DeleteFunc(items, func(i *Issue) bool { return second(i.Updated).Before(since) })
	}
	if order, ok := args["orderBy"].(map[string]any); ok {
		by := arguments(order)
		sorted(items, by.text("direction") == "DESC", func(i *Issue) time.Time {
			switch by.text("field") {
			case "UPDATED_AT":
				return second(i.Updated)
			case "COMMENTS":
				return time.Unix(int64(len(i.Comments)), 0)
			}
			return second(i.Created)
		}, func(i *Issue) int64 { return i.Number })
	}
	return e.issueList(kind, items)
}

func (e *execution) issueList(kind string, items []*Issue) *connection {
	return &connection{kind: kind, total: len(items), at: func(k int) *node { return e.issue(items[k]) }}
}

func (i *Issue) graphState() string {
	if i.Pull != nil && !i.Pull.Merged.IsZero() {
		return "MERGED"
	}
	return strings.ToUpper(i.state())
}

// issue is an issue or a pull request.
func (e *execution) issue(i *Issue) *node {
	kind := "Issue"
	if i.Pull != nil {
		kind = "PullRequest"
	}
	return &node{kind, func(field string, args arguments) (any, bool, error) {
		value, known := e.issueField(i, kind, field, args)
		if !known && i.Pull != nil {
			value, known = e.pullField(i, field)
		}
		return value, known, nil
	}}
}

func (e *execution) issueField(i *Issue, kind, field string, args arguments) (any, bool) {
	switch field {
	case "id":
		return nodeID(kind, i.ID), true
	case "databaseId":
		return i.ID, true
	case "fullDatabaseId":
		return digits(i.ID), true
	case "number":
		return i.Number, true
	case "title":
		return i.Title, true
	case "body", "bodyText":
		return i.Body, true
	case "url":
		return e.issuePage(i), true
	case "resourcePath":
		return strings.TrimPrefix(e.issuePage(i), e.html), true
	case "createdAt", "publishedAt":
		return i.Created, true
	case "updatedAt":
		return i.Updated, true
	case "closedAt":
		return i.Closed, true
	case "closed":
		return i.state() == "closed", true
	case "state":
		return i.graphState(), true
	case "stateReason":
		return orNull(strings.ToUpper(i.Reason)), kind == "Issue"
	case "locked":
		return i.Locked, true
	case "author":
		return e.actor(i.Author), true
	case "authorAssociation":
		return association(i.Association), true
	case "repository":
		return e.repository(i.repo), true
	case "labels":
		return &connection{kind: "LabelConnection", total: len(i.Labels), at: func(k int) *node {
			id := numberOf(i.repo.Name + "/" + i.Labels[k])
			return fields("Label", map[string]any{"id": nodeID("Label", id), "name": i.Labels[k], "description": nil, "isDefault": false})
		}}, true
	case "comments":
		return &connection{kind: "IssueCommentConnection", total: len(i.Comments), at: func(k int) *node { return e.comment(i.Comments[k]) }}, true
	case "timelineItems":
		return e.timelineItems(i, kind, args), true
	case "closedByPullRequestsReferences":
		closed, _ := args["includeClosedPrs"].(bool)
		items := slices.DeleteFunc(slices.Clone(i.repo.Issues), func(p *Issue) bool {
			return p.Pull == nil || p.Deleted || !closed && p.state() == "closed" || !slices.Contains(p.Pull.Closes, i)
		})
		return e.issueList("PullRequestConnection", items), kind == "Issue"
	}
	return nil, false
}

func (e *execution) pullField(i *Issue, field string) (any, bool) {
	p := i.Pull
	switch field {
	case "merged":
		return !p.Merged.IsZero(), true
	case "mergedAt":
		return p.Merged, true
	case "mergedBy":
		return e.actor(p.MergedBy), true
	case "mergeCommit":
		if p.MergeCommit == "" {
			return nil, true
		}
		return e.commitObject(i.repo, Commit{ID: p.MergeCommit, Message: i.Title, Authored: p.Merged, Committed: p.Merged}), true
	case "isDraft":
		return p.Draft, true
	case "isCrossRepository":
		return false, true
	case "baseRefName":
		return p.base(i.repo), true
	case "baseRefOid":
		return p.BaseCommit, true
	case "headRefName":
		return p.HeadRef, true
	case "headRefOid":
		return p.HeadCommit, true
	case "additions":
		n, _ := p.additions()
		return n, true
	case "deletions":
		_, n := p.additions()
		return n, true
	case "changedFiles":
		return len(p.Files), true
	case "files":
		return &connection{kind: "PullRequestChangedFileConnection", total: len(p.Files), at: func(k int) *node {
			f := p.Files[k]
			change := strings.ToUpper(f.Change)
			if f.Change == "removed" {
				change = "DELETED"
			}
			return fields("PullRequestChangedFile", map[string]any{"path": f.Path, "changeType": change, "additions": f.Additions, "deletions": f.Deletions})
		}}, true
	case "commits":
		return &connection{kind: "PullRequestCommitConnection", total: len(p.Commits), at: func(k int) *node {
			return fields("PullRequestCommit", map[string]any{
				"id": nodeID("PullRequestCommit", numberOf(p.Commits[k].ID)), "commit": e.commitObject(i.repo, p.Commits[k]),
				"url": e.issuePage(i) + "/commits/" + p.Commits[k].ID,
			})
		}}, true
	case "reviews":
		return &connection{kind: "PullRequestReviewConnection", total: len(p.Reviews), at: func(k int) *node { return e.review(i, &p.Reviews[k]) }}, true
	case "closingIssuesReferences":
		return e.issueList("IssueConnection", p.Closes), true
	}
	return nil, false
}

func (e *execution) review(i *Issue, v *Review) *node {
	created := v.Submitted
	if created.IsZero() {
		created = i.Updated
	}
	var commit any
	if v.Commit != "" {
		commit = fields("Commit", map[string]any{"oid": v.Commit})
	}
	return fields("PullRequestReview", map[string]any{
		"id": nodeID("PullRequestReview", v.ID), "databaseId": v.ID, "fullDatabaseId": digits(v.ID), "author": e.actor(v.Author),
		"authorAssociation": association(v.Association), "state": v.State, "body": v.Body, "submittedAt": v.Submitted,
		"createdAt": created, "updatedAt": created, "commit": commit,
	})
}

func (e *execution) comment(m *Comment) *node {
	return fields("IssueComment", map[string]any{
		"id": nodeID("IssueComment", m.ID), "databaseId": m.ID, "fullDatabaseId": digits(m.ID), "author": e.actor(m.Author),
		"authorAssociation": association(m.Association), "body": m.Body, "bodyText": m.Body, "createdAt": m.Created, "updatedAt": m.Updated,
		"url": e.issuePage(m.issue) + "#issuecomment-" + digits(m.ID),
	})
}
