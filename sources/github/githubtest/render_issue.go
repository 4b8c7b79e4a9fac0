package githubtest

import (
	"net/url"
	"slices"
	"strconv"

	"benchmill/internal/digest"
)

func (n names) reactions(url string) raw {
	return new(object).add("url", url+"/reactions").add("total_count", 0).add("+1", 0).add("-1", 0).add("laugh", 0).
		add("hooray", 0).add("confused", 0).add("heart", 0).add("rocket", 0).add("eyes", 0).end()
}

// numberOf is a number for what has none of its own.
func numberOf(text string) int64 {
	n, _ := strconv.ParseInt(digest.Of([]byte(text)).Hex()[:7], 16, 64)
	return n
}

func (n names) labels(i *Issue) raw {
	var out []raw
	for _, name := range i.Labels {
		id := numberOf(i.repo.Name + "/" + name)
		out = append(out, new(object).add("id", id).add("node_id", nodeID("Label", id)).
			add("url", n.repoURL(i.repo)+"/labels/"+url.PathEscape(name)).add("name", name).
			add("color", digest.Of([]byte(name)).Hex()[:6]).add("default", name == "bug").add("description", "About "+name).end())
	}
	return list(out)
}

func association(s string) string {
	if s == "" {
		return "NONE"
	}
	return s
}

// issue is an issue as lists and single answers show it; pull requests too.
func (n names) issue(i *Issue) raw {
	return n.issueHead(i).add("body", orNull(i.Body)).add("closed_by", n.user(i.ClosedBy)).end()
}

// foundIssue is an issue as a search shows it.
func (n names) foundIssue(i *Issue) raw {
	return n.issueHead(i).add("body", i.Body).add("score", 1).end()
}

// issueHead is what both have.
func (n names) issueHead(i *Issue) *object {
	at := n.issueURL(i)
	o := new(object)
	o.add("url", at).add("repository_url", n.repoURL(i.repo)).add("labels_url", at+"/labels{/name}")
	o.add("comments_url", at+"/comments").add("events_url", at+"/events").add("html_url", n.issuePage(i))
	o.add("id", i.ID).add("node_id", nodeID("Issue", i.ID)).add("number", i.Number).add("title", i.Title).add("user", n.user(i.Author))
	o.add("labels", n.labels(i)).add("state", i.state()).add("locked", i.Locked).add("assignee", nil).add("assignees", raw("[]"))
	o.add("milestone", nil).add("comments", len(i.Comments)).add("created_at", i.Created).add("updated_at", i.Updated)
	o.add("closed_at", i.Closed).add("author_association", association(i.Association)).add("active_lock_reason", nil)
	if i.Pull != nil {
		page := n.issuePage(i)
		o.add("draft", i.Pull.Draft)
		o.add("pull_request", new(object).add("url", n.pullURL(i)).add("html_url", page).add("diff_url", page+".diff").
			add("patch_url", page+".patch").add("merged_at", i.Pull.Merged).end())
	}
	o.add("reactions", n.reactions(at)).add("timeline_url", at+"/timeline").add("performed_via_github_app", nil)
	return o.add("state_reason", orNull(i.Reason))
}

func (n names) comment(c *Comment) raw {
	id := digits(c.ID)
	at := n.repoURL(c.issue.repo) + "/issues/comments/" + id
	o := new(object)
	o.add("url", at).add("html_url", n.issuePage(c.issue)+"#issuecomment-"+id).add("issue_url", n.issueURL(c.issue))
	o.add("id", c.ID).add("node_id", nodeID("IssueComment", c.ID)).add("user", n.user(c.Author))
	o.add("created_at", c.Created).add("updated_at", c.Updated).add("author_association", association(c.Association))
	return o.add("body", c.Body).add("reactions", n.reactions(at)).add("performed_via_github_app", nil).end()
}

// event is one entry of a timeline, with the issue it is in.
func (n names) event(i *Issue, e *Event, source raw) raw {
	o := new(object)
	if e.Kind == EventReferenced {
		o.add("actor", n.somebody(e.Actor)).add("created_at", e.At).add("updated_at", e.At)
		o.add("source", new(object).add("type", "issue").add("issue", source).end())
		return o.add("event", e.Kind).end()
	}
	o.add("id", e.ID).add("node_id", nodeID("Event", e.ID)).
		add("url", n.repoURL(i.repo)+"/issues/events/"+digits(e.ID)).add("actor", n.somebody(e.Actor)).add("event", e.Kind)
	o.add("commit_id", orNull(e.Commit))
	if e.Commit == "" {
		o.add("commit_url", nil)
	} else {
		o.add("commit_url", n.repoURL(i.repo)+"/commits/"+e.Commit)
	}
	o.add("created_at", e.At).add("performed_via_github_app", nil)
	switch e.Kind {
	case EventClosed, EventReopened:
		o.add("state_reason", orNull(e.Reason))
	case EventLabelled:
		o.add("label", new(object).add("name", e.Label).add("color", digest.Of([]byte(e.Label)).Hex()[:6]).end())
	}
	return o.end()
}

// commented is a comment as a timeline shows it.
func (n names) commented(c *Comment, comment raw) raw {
	return new(object).all(comment).add("actor", n.user(c.Author)).add("event", "commented").end()
}

// timeline is what happened to an issue, comments among it, oldest first.
func (i *Issue) timeline() []any {
	var out []any
	comments := i.Comments
	for _, e := range slices.SortedStableFunc(slices.Values(i.Events), func(a, b *Event) int { return a.At.Compare(b.At) }) {
		for len(comments) > 0 && comments[0].Created.Before(e.At) {
			out, comments = append(out, comments[0]), comments[1:]
		}
		out = append(out, e)
	}
	for _, c := range comments {
		out = append(out, c)
	}
	return out
}
