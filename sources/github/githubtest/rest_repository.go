package githubtest

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

func (c *call) repository() answer {
	out := ok(c.names.whole(c.repo, c.repositoryBody(c.repo)))
	out.modified = c.repo.Updated
	return out
}

// me is the account that asks.
func (c *call) me() answer {
	login, _ := c.s.user(c.r)
	if login == "" {
		return failure(http.StatusUnauthorized, "Requires authentication")
	}
	made := time.Date(2011, 1, 25, 18, 44, 36, 0, time.UTC)
	o := new(object).all(c.names.user(&User{Login: login, ID: numberOf(login), Type: "User"}))
	for _, name := range []string{"name", "company", "blog", "location", "email", "hireable", "bio", "twitter_username"} {
		o.add(name, nil)
	}
	for _, name := range []string{"public_repos", "public_gists", "followers", "following"} {
		o.add(name, 0)
	}
	return ok(o.add("created_at", made).add("updated_at", made).end())
}

func (c *call) rateLimit() answer {
	login, _ := c.s.user(c.r)
	now := c.s.options.Now()
	resources := new(object)
	for _, name := range []string{"core", "search", "graphql"} {
		resources.add(name, c.s.budgets.state(login, name, now).object())
	}
	return ok(new(object).add("resources", resources.end()).add("rate", c.s.budgets.state(login, "core", now).object()).end())
}

func (c *call) languages() answer {
	o := new(object)
	for _, name := range c.repo.languages() {
		o.add(name, c.repo.Languages[name])
	}
	return ok(o.end())
}

// languages are the names, most bytes first, by name among equals.
func (r *Repository) languages() []string {
	return slices.SortedFunc(maps.Keys(r.Languages), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.Languages[b], r.Languages[a]), strings.Compare(a, b))
	})
}

// history is the commits up to a branch, commit or "", newest first. ok is whether
// there is such a one.
func (r *Repository) history(ref string) (out []Commit, ok bool) {
	out = slices.Clone(r.Commits)
	slices.Reverse(out)
	if ref == "" || ref == "HEAD" || ref == r.branch() || ref == "refs/heads/"+r.branch() {
		return out, len(out) > 0
	}
	at := slices.IndexFunc(out, func(c Commit) bool { return len(ref) >= 7 && strings.HasPrefix(c.ID, ref) })
	if at < 0 {
		return nil, false
	}
	return out[at:], true
}

// within keeps commits of a time, both ends included; zero is no bound.
func within(commits []Commit, since, until time.Time) []Commit {
	return slices.DeleteFunc(slices.Clone(commits), func(c Commit) bool {
		return c.Committed.Before(since) || !until.IsZero() && c.Committed.After(until)
	})
}

func empty() answer { return failure(http.StatusConflict, "Git Repository is empty.") }

func (c *call) commits() answer {
	if len(c.repo.Commits) == 0 {
		return empty()
	}
	since, bad := c.moment("since")
	if bad != nil {
		return *bad
	}
	until, bad := c.moment("until")
	if bad != nil {
		return *bad
	}
	commits, found := c.repo.history(c.q.Get("sha"))
	if !found {
		return notFound()
	}
	if path := c.q.Get("path"); path != "" && !slices.Contains(c.repo.Files, path) {
		commits = nil
	}
	commits = within(commits, since, until)
	return c.page(len(commits), func(k int) raw { return c.names.commit(c.repo, commits[k], c.parent(commits[k])) })
}

func (c *call) parent(of Commit) string {
	at := slices.IndexFunc(c.repo.Commits, func(c Commit) bool { return c.ID == of.ID })
	if at < 1 {
		return ""
	}
	return c.repo.Commits[at-1].ID
}

func (c *call) commit() answer {
	if len(c.repo.Commits) == 0 {
		return empty()
	}
	commits, found := c.repo.history(c.params["ref"])
	if !found {
		return failure(http.StatusUnprocessableEntity, "No commit found for SHA: "+c.params["ref"])
	}
	return ok(c.names.commit(c.repo, commits[0], c.parent(commits[0])))
}

// contents lists a folder, or gives a file. Every ref shows the same files.
func (c *call) contents() answer {
	ref := c.q.Get("ref")
	if _, found := c.repo.history(ref); !found {
		return notFound()
	}
	if ref == "" {
		ref = c.repo.branch()
	}
	path := strings.Trim(c.params["path"], "/")
	if slices.Contains(c.repo.Files, path) {
		return ok(c.names.entry(c.repo, ref, entry{path: path}, true))
	}
	entries, found := c.repo.entries(path, false)
	if !found {
		return notFound()
	}
	var out []raw
	for _, e := range entries {
		out = append(out, c.names.entry(c.repo, ref, e, false))
	}
	return ok(list(out))
}

func (c *call) tree() answer {
	if len(c.repo.Commits) == 0 {
		return empty()
	}
	body, found := c.names.tree(c.repo, c.params["tree_sha"], c.q.Get("recursive") != "")
	if !found {
		return notFound()
	}
	return ok(body)
}
