package githubtest

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"
)

// query is the root.
func (e *execution) query() *node {
	return &node{"Query", func(field string, args arguments) (any, bool, error) {
		w := e.s.world
		switch field {
		case "repository":
			name := args.text("owner") + "/" + args.text("name")
			r := w.byName[strings.ToLower(name)]
			if r == nil || r.Deleted || !r.Blocked.IsZero() {
				return nil, true, unresolved("a Repository with the name '%s'", name)
			}
			return e.repository(r), true, nil
		case "node":
			if n := e.byID(args.text("id")); n.get != nil {
				return n, true, nil
			}
			return nil, true, unresolved("a node with the global id of '%s'", args.text("id"))
		case "nodes":
			ids := args.list("ids")
			if len(ids) > 100 {
				return nil, true, &refusal{"ARGUMENT_LIMIT", "You may not provide more than 100 node ids."}
			}
			out := make([]*node, len(ids))
			for k, id := range ids {
				out[k] = e.byID(id)
			}
			return out, true, nil
		case "viewer":
			login, _ := e.s.user(e.r)
			return e.actor(&User{Login: login, ID: numberOf(login), Type: "User"}), true, nil
		case "rateLimit":
			b := e.budget
			b.used = min(b.used+e.cost-1, b.limit)
			return fields("RateLimit", map[string]any{
				"limit": b.limit, "cost": e.cost, "remaining": b.remaining(), "used": b.used, "resetAt": b.reset, "nodeCount": e.nodes,
			}), true, nil
		}
		return nil, false, nil
	}}
}

// byID is what a global identifier names; a node without fields when nothing.
func (e *execution) byID(id string) *node {
	missing := &node{kind: id}
	text, _ := base64.StdEncoding.DecodeString(id)
	kind, number, _ := strings.Cut(string(text), ":")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return missing
	}
	if kind == "Repository" {
		if r := e.s.world.byID[n]; r != nil && !r.Deleted && r.Blocked.IsZero() {
			return e.repository(r)
		}
		return missing
	}
	for _, r := range e.s.world.repos {
		for _, i := range r.Issues {
			if i.ID == n && !i.Deleted && (kind == "Issue" || kind == "PullRequest") {
				return e.issue(i)
			}
		}
	}
	return missing
}

func (e *execution) repository(r *Repository) *node {
	values := map[string]any{
		"id": nodeID("Repository", r.ID), "databaseId": r.ID, "name": r.Name, "nameWithOwner": r.FullName(),
		"url": e.repoPage(r), "resourcePath": "/" + r.FullName(), "description": orNull(r.Description), "homepageUrl": orNull(r.Homepage),
		"createdAt": r.Created, "pushedAt": r.Pushed, "updatedAt": r.Updated, "diskUsage": r.Size,
		"isFork": r.Fork, "isArchived": r.Archived, "isDisabled": false, "isEmpty": len(r.Commits) == 0, "isPrivate": false,
		"isLocked": false, "isMirror": false, "isTemplate": false, "isInOrganization": r.Organization, "visibility": "PUBLIC",
		"hasIssuesEnabled": !r.NoIssues, "stargazerCount": r.Stars, "forkCount": r.Forks,
	}
	return &node{"Repository", func(field string, args arguments) (any, bool, error) {
		switch field {
		case "owner":
			kind := "User"
			if r.Organization {
				kind = "Organization"
			}
			return e.actor(&User{Login: r.Owner, ID: numberOf(r.Owner), Type: kind}), true, nil
		case "primaryLanguage":
			if name := r.language(); name != "" {
				return language(name), true, nil
			}
			return nil, true, nil
		case "licenseInfo":
			return e.licenceInfo(r), true, nil
		case "defaultBranchRef":
			return e.branchRef(r), true, nil
		case "ref":
			if name := args.text("qualifiedName"); strings.TrimPrefix(name, "refs/heads/") == r.branch() {
				return e.branchRef(r), true, nil
			}
			return nil, true, nil
		case "repositoryTopics":
			topics := slices.Sorted(slices.Values(r.Topics))
			return &connection{kind: "RepositoryTopicConnection", total: len(topics), at: func(k int) *node {
				return fields("RepositoryTopic", map[string]any{
					"id": nodeID("RepositoryTopic", numberOf(topics[k])), "url": e.html + "/topics/" + topics[k],
					"topic": fields("Topic", map[string]any{"name": topics[k], "id": nodeID("Topic", numberOf(topics[k]))}),
				})
			}}, true, nil
		case "languages":
			return languageConnection(r), true, nil
		case "stargazers", "watchers":
			return &connection{kind: map[string]string{"stargazers": "StargazerConnection", "watchers": "UserConnection"}[field],
				total: int(r.Stars), at: func(int) *node { return nil }}, true, nil
		case "object":
			return e.gitObject(r, args.text("expression"), args.text("oid")), true, nil
		case "issues":
			return e.issueConnection(r, "IssueConnection", args, func(i *Issue) bool { return i.Pull == nil }), true, nil
		case "pullRequests":
			return e.issueConnection(r, "PullRequestConnection", args, func(i *Issue) bool { return i.Pull != nil }), true, nil
		case "issue", "pullRequest", "issueOrPullRequest":
			n, _ := args.number("number")
			i := r.Issue(int64(n))
			if i == nil || i.Deleted || field == "issue" && i.Pull != nil || field == "pullRequest" && i.Pull == nil {
				what := map[string]string{"issue": "an Issue", "pullRequest": "a PullRequest", "issueOrPullRequest": "an issue or pull request"}[field]
				return nil, true, unresolved("%s with the number of %d", what, n)
			}
			return e.issue(i), true, nil
		}
		value, known := values[field]
		return value, known, nil
	}}
}

func language(name string) *node {
	return fields("Language", map[string]any{"id": nodeID("Language", numberOf(name)), "name": name, "color": nil})
}

func languageConnection(r *Repository) *connection {
	names := r.languages()
	var total int64
	for _, size := range r.Languages {
		total += size
	}
	return &connection{
		kind: "LanguageConnection", total: len(names), at: func(k int) *node { return language(names[k]) },
		edge: func(k int, field string) (any, bool) { return r.Languages[names[k]], field == "size" },
		more: func(field string) (any, bool) { return total, field == "totalSize" },
	}
}

func (e *execution) licenceInfo(r *Repository) *node {
	if r.Licence == "" {
		return nil
	}
	return fields("License", map[string]any{
		"id": nodeID("License", numberOf(r.Licence)), "key": licenceKey(r.Licence), "name": licenceName(r.Licence),
		"spdxId": r.Licence, "url": "https://choosealicense.com/licenses/" + licenceKey(r.Licence) + "/",
	})
}

func (e *execution) branchRef(r *Repository) *node {
	if len(r.Commits) == 0 {
		return nil
	}
	return fields("Ref", map[string]any{
		"id": nodeID("Ref", r.ID), "name": r.branch(), "prefix": "refs/heads/", "target": e.commitObject(r, r.Commits[len(r.Commits)-1]),
	})
}

// gitObject is what an expression ("HEAD", "HEAD:path", a commit) names, or nil.
func (e *execution) gitObject(r *Repository, expression, oid string) *node {
	ref, path, isPath := strings.Cut(expression, ":")
	if oid != "" {
		ref = oid
	}
	commits, found := r.history(ref)
	if !found || ref == "" {
		return nil
	}
	if !isPath {
		return e.commitObject(r, commits[0])
	}
	if slices.Contains(r.Files, path) {
		return fields("Blob", map[string]any{
			"id": nodeID("Blob", numberOf(path)), "oid": blobID(path), "byteSize": len(content(path)), "text": content(path),
			"isBinary": false, "isTruncated": false,
		})
	}
	entries, found := r.entries(strings.Trim(path, "/"), false)
	if !found {
		return nil
	}
	var nodes []*node
	for _, entry := range entries {
		nodes = append(nodes, fields("TreeEntry", map[string]any{
			"name": entry.name(), "path": entry.path, "oid": entry.id(), "type": entry.kind("tree", "blob"),
			"mode": map[bool]int{true: 0o40000, false: 0o100644}[entry.dir],
		}))
	}
	return fields("Tree", map[string]any{"id": nodeID("Tree", numberOf(path)), "oid": objectID("tree at " + path), "entries": nodes})
}

func (e *execution) commitObject(r *Repository, c Commit) *node {
	headline, rest, _ := strings.Cut(c.Message, "\n")
	who := func(at time.Time) *node {
		var user *node // the schema knows no bots here
		if c.Author != nil && c.Author.Type == "User" {
			user = e.actor(c.Author)
		}
		return fields("GitActor", map[string]any{"name": c.Name, "email": c.Email, "date": at, "user": user})
	}
	values := map[string]any{
		"id": nodeID("Commit", numberOf(c.ID)), "oid": c.ID, "abbreviatedOid": c.ID[:7], "message": c.Message, "messageHeadline": headline,
		"messageBody": strings.TrimSpace(rest), "authoredDate": c.Authored, "committedDate": c.Committed, "url": e.repoPage(r) + "/commit/" + c.ID,
		"author": who(c.Authored), "committer": who(c.Committed), "tree": fields("Tree", map[string]any{"oid": treeID(c.ID)}),
	}
	return &node{"Commit", func(field string, args arguments) (any, bool, error) {
		switch field {
		case "repository":
			return e.repository(r), true, nil
		case "history":
			since, _ := time.Parse(time.RFC3339, args.text("since"))
			until, _ := time.Parse(time.RFC3339, args.text("until"))
			commits, _ := r.history(c.ID)
			commits = within(commits, since, until)
			return &connection{kind: "CommitHistoryConnection", total: len(commits), at: func(k int) *node { return e.commitObject(r, commits[k]) }}, true, nil
		}
		value, known := values[field]
		return value, known, nil
	}}
}

// actor is an account; nil where it is gone. Bots are named without "[bot]" here.
func (e *execution) actor(u *User) *node {
	if u == nil || u.Deleted {
		return nil
	}
	login := strings.TrimSuffix(u.Login, "[bot]")
	return fields(u.Type, map[string]any{
		"login": login, "id": nodeID("User", u.ID), "databaseId": u.ID, "url": e.html + "/" + login, "resourcePath": "/" + login,
		"avatarUrl": "https://avatars.githubusercontent.com/u/" + digits(u.ID),
	})
}
