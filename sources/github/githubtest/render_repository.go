package githubtest

import (
	"slices"
	"strings"
	"time"
)

var repositoryLinks = [][2]string{
	{"forks_url", "/forks"}, {"keys_url", "/keys{/key_id}"}, {"collaborators_url", "/collaborators{/collaborator}"},
	{"teams_url", "/teams"}, {"hooks_url", "/hooks"}, {"issue_events_url", "/issues/events{/number}"}, {"events_url", "/events"},
	{"assignees_url", "/assignees{/user}"}, {"branches_url", "/branches{/branch}"}, {"tags_url", "/tags"},
	{"blobs_url", "/git/blobs{/sha}"}, {"git_tags_url", "/git/tags{/sha}"}, {"git_refs_url", "/git/refs{/sha}"},
	{"trees_url", "/git/trees{/sha}"}, {"statuses_url", "/statuses/{sha}"}, {"languages_url", "/languages"},
	{"stargazers_url", "/stargazers"}, {"contributors_url", "/contributors"}, {"subscribers_url", "/subscribers"},
	{"subscription_url", "/subscription"}, {"commits_url", "/commits{/sha}"}, {"git_commits_url", "/git/commits{/sha}"},
	{"comments_url", "/comments{/number}"}, {"issue_comment_url", "/issues/comments{/number}"}, {"contents_url", "/contents/{+path}"},
	{"compare_url", "/compare/{base}...{head}"}, {"merges_url", "/merges"}, {"archive_url", "/{archive_format}{/ref}"},
	{"downloads_url", "/downloads"}, {"issues_url", "/issues{/number}"}, {"pulls_url", "/pulls{/number}"},
	{"milestones_url", "/milestones{/number}"}, {"notifications_url", "/notifications{?since,all,participating}"},
	{"labels_url", "/labels{/name}"}, {"releases_url", "/releases{/id}"}, {"deployments_url", "/deployments"},
}

func (n names) owner(r *Repository) raw {
	kind := "User"
	if r.Organization {
		kind = "Organization"
	}
	return n.user(&User{Login: r.Owner, ID: numberOf(r.Owner), Type: kind})
}

// repository is the form shared by lists, searches and pull requests.
func (n names) repository(r *Repository) raw {
	o := new(object)
	o.add("id", r.ID).add("node_id", nodeID("Repository", r.ID)).add("name", r.Name).add("full_name", r.FullName())
	o.add("private", false).add("owner", n.owner(r)).add("html_url", n.repoPage(r)).add("description", orNull(r.Description))
	o.add("fork", r.Fork).add("url", n.repoURL(r))
	for _, l := range repositoryLinks {
		o.add(l[0], n.repoURL(r)+l[1])
	}
	_, host, _ := strings.Cut(n.html, "://")
	o.add("created_at", r.Created).add("updated_at", r.Updated).add("pushed_at", r.Pushed)
	o.add("git_url", "git://"+host+"/"+r.FullName()+".git").add("ssh_url", "git@"+host+":"+r.FullName()+".git")
	o.add("clone_url", n.repoPage(r)+".git").add("svn_url", n.repoPage(r)).add("homepage", orNull(r.Homepage))
	o.add("size", r.Size).add("stargazers_count", r.Stars).add("watchers_count", r.Stars).add("language", orNull(r.language()))
	o.add("has_issues", !r.NoIssues).add("has_projects", true).add("has_downloads", true).add("has_wiki", true)
	o.add("has_pages", false).add("has_discussions", false).add("forks_count", r.Forks).add("mirror_url", nil)
	o.add("archived", r.Archived).add("disabled", false)
	open := r.count(func(i *Issue) bool { return i.state() == "open" })
	o.add("open_issues_count", open).add("license", n.licence(r)).add("allow_forking", true).add("is_template", false)
	o.add("web_commit_signoff_required", false).add("topics", slices.Sorted(slices.Values(r.Topics))).add("visibility", "public")
	o.add("forks", r.Forks).add("open_issues", open).add("watchers", r.Stars)
	return o.add("default_branch", r.branch()).end()
}

// whole is the form of a repository asked for alone.
func (n names) whole(r *Repository, repository raw) raw {
	o := new(object).all(repository)
	o.add("temp_clone_token", nil)
	if r.Organization {
		o.add("organization", n.owner(r))
	}
	return o.add("network_count", r.Forks).add("subscribers_count", r.Stars/20).end()
}

var licenceNames = map[string]string{
	"MIT": "MIT License", "Apache-2.0": "Apache License 2.0", "GPL-3.0": "GNU General Public License v3.0", "NOASSERTION": "Other",
	"BSD-3-Clause": `BSD 3-Clause "New" or "Revised" License`,
}

func licenceName(spdx string) string {
	if name := licenceNames[spdx]; name != "" {
		return name
	}
	return spdx
}

// licenceKey is what the qualifier "license:" takes.
func licenceKey(spdx string) string {
	if spdx == "NOASSERTION" {
		return "other"
	}
	return strings.ToLower(spdx)
}

func (n names) licence(r *Repository) raw {
	if r.Licence == "" {
		return null
	}
	o := new(object)
	o.add("key", licenceKey(r.Licence)).add("name", licenceName(r.Licence)).add("spdx_id", r.Licence)
	if r.Licence == "NOASSERTION" {
		o.add("url", nil)
	} else {
		o.add("url", n.api+"/licenses/"+licenceKey(r.Licence))
	}
	return o.add("node_id", nodeID("License", numberOf(r.Licence))).end()
}

// count counts what is not deleted.
func (r *Repository) count(keep func(*Issue) bool) int {
	total := 0
	for _, i := range r.Issues {
		if !i.Deleted && keep(i) {
			total++
		}
	}
	return total
}

// commit is a commit as lists of commits show it. A parent is named where known.
func (n names) commit(r *Repository, c Commit, parent string) raw {
	who := func(at time.Time) raw {
		return new(object).add("name", c.Name).add("email", c.Email).add("date", at).end()
	}
	url := n.repoURL(r) + "/commits/" + c.ID
	o := new(object)
	o.add("sha", c.ID).add("node_id", nodeID("Commit", numberOf(c.ID)))
	inner := new(object)
	inner.add("author", who(c.Authored)).add("committer", who(c.Committed)).add("message", c.Message)
	inner.add("tree", new(object).add("sha", treeID(c.ID)).add("url", n.repoURL(r)+"/git/trees/"+treeID(c.ID)).end())
	inner.add("url", n.repoURL(r)+"/git/commits/"+c.ID).add("comment_count", 0)
	inner.add("verification", raw(`{"verified":false,"reason":"unsigned","signature":null,"payload":null,"verified_at":null}`))
	o.add("commit", inner.end()).add("url", url).add("html_url", n.repoPage(r)+"/commit/"+c.ID).add("comments_url", url+"/comments")
	o.add("author", n.user(c.Author)).add("committer", n.user(c.Author))
	parents := []raw{}
	if parent != "" {
		parents = append(parents, new(object).add("sha", parent).add("url", n.repoURL(r)+"/commits/"+parent).
			add("html_url", n.repoPage(r)+"/commit/"+parent).end())
	}
	return o.add("parents", list(parents)).end()
}
