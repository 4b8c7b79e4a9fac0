package githubtest

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// pulls lists pull requests.
func (c *call) pulls() answer {
	state, sort := cmp.Or(c.q.Get("state"), "open"), cmp.Or(c.q.Get("sort"), "created")
	direction := c.q.Get("direction")
	descending := direction == "desc" || direction == "" && sort == "created"
	query := state + "\n" + sort + "\n" + strconv.FormatBool(descending)
	items := ordered(c, "pulls", query, func() []*Issue {
		items := slices.DeleteFunc(slices.Clone(c.repo.Issues), func(i *Issue) bool {
			return i.Pull == nil || i.Deleted || state != "all" && i.state() != state
		})
		return sorted(items, descending, func(i *Issue) time.Time {
			if sort == "updated" {
				return second(i.Updated)
			}
			return second(i.Created)
		}, func(i *Issue) int64 { return i.Number })
	})
	return c.page(len(items), func(k int) raw { return c.names.pull(items[k], c.repositoryBody(c.repo)) })
}

// withPull answers about the pull request a path names.
func (c *call) withPull(do func(*Issue) answer) answer {
	n, _ := strconv.ParseInt(c.params["pull_number"], 10, 64)
	i := c.repo.Issue(n)
	if i == nil || i.Pull == nil || i.Deleted {
		return notFound()
	}
	return do(i)
}

func (c *call) pull() answer {
	return c.withPull(func(i *Issue) answer {
		out := ok(c.names.wholePull(i, c.names.pull(i, c.repositoryBody(c.repo))))
		out.modified = i.Updated
		return out
	})
}

func (c *call) pullFiles() answer {
	return c.withPull(func(i *Issue) answer {
		files := i.Pull.Files
		return c.page(len(files), func(k int) raw { return c.names.file(i, files[k]) })
	})
}

func (c *call) pullCommits() answer {
	return c.withPull(func(i *Issue) answer {
		commits := i.Pull.Commits
		return c.page(len(commits), func(k int) raw {
			parent := i.Pull.BaseCommit
			if k > 0 {
				parent = commits[k-1].ID
			}
			return c.names.commit(c.repo, commits[k], parent)
		})
	})
}

func (c *call) pullReviews() answer {
	return c.withPull(func(i *Issue) answer {
		reviews := i.Pull.Reviews
		return c.page(len(reviews), func(k int) raw { return c.names.review(i, &reviews[k]) })
	})
}
