package githubtest

import (
	"net/url"
	"strings"
)

func (p *Pull) base(r *Repository) string {
	if p.BaseRef == "" {
		return r.branch()
	}
	return p.BaseRef
}

func (p *Pull) additions() (added, deleted int64) {
	for _, f := range p.Files {
		added, deleted = added+f.Additions, deleted+f.Deletions
	}
	return added, deleted
}

// mergeCommit is null until there is a merge.
func (p *Pull) mergeCommit() any { return orNull(p.MergeCommit) }

// pull is a pull request as lists show it. repository is the rendered one.
func (n names) pull(i *Issue, repository raw) raw {
	p, r := i.Pull, i.repo
	at, page := n.pullURL(i), n.issuePage(i)
	end := func(ref, commit string) raw {
		return new(object).add("label", r.Owner+":"+ref).add("ref", ref).add("sha", commit).add("user", n.owner(r)).
			add("repo", repository).end()
	}
	statuses := n.repoURL(r) + "/statuses/" + p.HeadCommit
	o := new(object)
	o.add("url", at).add("id", i.ID).add("node_id", nodeID("PullRequest", i.ID)).add("html_url", page)
	o.add("diff_url", page+".diff").add("patch_url", page+".patch").add("issue_url", n.issueURL(i)).add("number", i.Number)
	o.add("state", i.state()).add("locked", i.Locked).add("title", i.Title).add("user", n.somebody(i.Author)).add("body", orNull(i.Body))
	o.add("created_at", i.Created).add("updated_at", i.Updated).add("closed_at", i.Closed).add("merged_at", p.Merged)
	o.add("merge_commit_sha", p.mergeCommit()).add("assignee", nil).add("assignees", raw("[]")).add("requested_reviewers", raw("[]"))
	o.add("requested_teams", raw("[]")).add("labels", n.labels(i)).add("milestone", nil).add("draft", p.Draft)
	o.add("commits_url", at+"/commits").add("review_comments_url", at+"/comments")
	o.add("review_comment_url", n.repoURL(r)+"/pulls/comments{/number}").add("comments_url", n.issueURL(i)+"/comments")
	o.add("statuses_url", statuses).add("head", end(p.HeadRef, p.HeadCommit)).add("base", end(p.base(r), p.BaseCommit))
	links := new(object)
	for _, l := range [][2]string{
		{"self", at}, {"html", page}, {"issue", n.issueURL(i)}, {"comments", n.issueURL(i) + "/comments"}, {"review_comments", at + "/comments"},
		{"review_comment", n.repoURL(r) + "/pulls/comments{/number}"}, {"commits", at + "/commits"}, {"statuses", statuses},
	} {
		links.add(l[0], new(object).add("href", l[1]).end())
	}
	o.add("_links", links.end()).add("author_association", association(i.Association)).add("auto_merge", nil)
	return o.add("active_lock_reason", nil).end()
}

// wholePull is a pull request asked for alone.
func (n names) wholePull(i *Issue, pull raw) raw {
	p := i.Pull
	added, deleted := p.additions()
	o := new(object).all(pull)
	o.add("merged", !p.Merged.IsZero()).add("mergeable", nil).add("rebaseable", nil).add("mergeable_state", "unknown")
	o.add("merged_by", n.user(p.MergedBy)).add("comments", len(i.Comments)).add("review_comments", 0)
	o.add("maintainer_can_modify", false).add("commits", len(p.Commits)).add("additions", added).add("deletions", deleted)
	return o.add("changed_files", len(p.Files)).end()
}

func (n names) file(i *Issue, f File) raw {
	r, path := i.repo, escapePath(f.Path)
	commit := i.Pull.HeadCommit
	o := new(object)
	o.add("sha", blobID(f.Path)).add("filename", f.Path).add("status", f.Change).add("additions", f.Additions)
	o.add("deletions", f.Deletions).add("changes", f.Additions+f.Deletions)
	o.add("blob_url", n.repoPage(r)+"/blob/"+commit+"/"+path).add("raw_url", n.repoPage(r)+"/raw/"+commit+"/"+path)
	o.add("contents_url", n.repoURL(r)+"/contents/"+path+"?ref="+commit)
	if f.Patch != "" {
		o.add("patch", f.Patch)
	}
	if f.From != "" {
		o.add("previous_filename", f.From)
	}
	return o.end()
}

func (n names) review(i *Issue, v *Review) raw {
	page := n.issuePage(i) + "#pullrequestreview-" + digits(v.ID)
	o := new(object)
	o.add("id", v.ID).add("node_id", nodeID("PullRequestReview", v.ID)).add("user", n.user(v.Author)).add("body", v.Body)
	o.add("state", v.State).add("html_url", page).add("pull_request_url", n.pullURL(i))
	o.add("author_association", association(v.Association))
	o.add("_links", new(object).add("html", new(object).add("href", page).end()).
		add("pull_request", new(object).add("href", n.pullURL(i)).end()).end())
	if !v.Submitted.IsZero() {
		o.add("submitted_at", v.Submitted)
	}
	return o.add("commit_id", orNull(v.Commit)).end()
}

func escapePath(path string) string {
	parts := strings.Split(path, "/")
	for k, part := range parts {
		parts[k] = url.PathEscape(part)
	}
	return strings.Join(parts, "/")
}
