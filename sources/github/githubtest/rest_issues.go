package githubtest

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

func gone(message string) *answer {
	a := failure(http.StatusGone, message)
	return &a
}

// sorted orders by a time and, among equals, by number.
func sorted[T any](items []T, descending bool, at func(T) time.Time, number func(T) int64) []T {
	slices.SortFunc(items, func(a, b T) int {
		out := at(a).Compare(at(b))
		if out == 0 {
			out = cmp.Compare(number(a), number(b))
		}
		if descending {
			return -out
		}
		return out
	})
	return items
}

func second(t time.Time) time.Time { return t.Truncate(time.Second) }

func (c *call) issuesOff() *answer {
	if c.repo.NoIssues {
		return gone("Issues has been disabled in this repository.")
	}
	return nil
}

// issues lists issues and pull requests.
func (c *call) issues() answer {
	if off := c.issuesOff(); off != nil {
		return *off
	}
	since, bad := c.moment("since")
	if bad != nil {
		return *bad
	}
	state, sort := cmp.Or(c.q.Get("state"), "open"), cmp.Or(c.q.Get("sort"), "created")
	if !slices.Contains([]string{"open", "closed", "all"}, state) || !slices.Contains([]string{"created", "updated", "comments"}, sort) {
		return invalid("Issue", "state", "is not a state, or sort no order")
	}
	descending := c.q.Get("direction") != "asc"
	query := strings.Join([]string{state, sort, strconv.FormatBool(descending), c.q.Get("since"), c.q.Get("labels")}, "\n")
	items := ordered(c, "issues", query, func() []*Issue {
		items := slices.DeleteFunc(slices.Clone(c.repo.Issues), func(i *Issue) bool {
			return i.Deleted || state != "all" && i.state() != state || second(i.Updated).Before(since) || !hasLabels(i, c.q.Get("labels"))
		})
		return sorted(items, descending, func(i *Issue) time.Time {
			switch sort {
			case "updated":
				return second(i.Updated)
			case "comments":
				return time.Unix(int64(len(i.Comments)), 0)
			}
			return second(i.Created)
		}, func(i *Issue) int64 { return i.Number })
	})
	return c.page(len(items), func(k int) raw { return c.issueBody(items[k]) })
}

func hasLabels(i *Issue, wanted string) bool {
	for label := range strings.SplitSeq(wanted, ",") {
		if label != "" && !slices.Contains(i.Labels, label) {
			return false
		}
	}
	return true
}

// comments lists all comments of a repository, pull requests' among them.
func (c *call) comments() answer {
	if off := c.issuesOff(); off != nil {
		return *off
	}
	since, bad := c.moment("since")
	if bad != nil {
		return *bad
	}
	sort := cmp.Or(c.q.Get("sort"), "created")
	if sort != "created" && sort != "updated" {
		return invalid("IssueComment", "sort", "is no order")
	}
	descending := c.q.Get("sort") != "" && c.q.Get("direction") != "asc"
	query := strings.Join([]string{sort, strconv.FormatBool(descending), c.q.Get("since")}, "\n")
	items := ordered(c, "comments", query, func() []*Comment {
		var items []*Comment
		for _, i := range c.repo.Issues {
			for _, m := range i.Comments {
				if !i.Deleted && !second(m.Updated).Before(since) {
					items = append(items, m)
				}
			}
		}
		return sorted(items, descending, func(m *Comment) time.Time {
			if sort == "updated" {
				return second(m.Updated)
			}
			return second(m.Created)
		}, func(m *Comment) int64 { return m.ID })
	})
	return c.page(len(items), func(k int) raw { return c.commentBody(items[k]) })
}

func (c *call) comment() answer {
	for _, i := range c.repo.Issues {
		for _, m := range i.Comments {
			if digits(m.ID) == c.params["comment_id"] && !i.Deleted {
				out := ok(c.commentBody(m))
				out.modified = m.Updated
				return out
			}
		}
	}
	return notFound()
}

// theIssue is the issue a path names.
func (c *call) theIssue() (*Issue, *answer) {
	if off := c.issuesOff(); off != nil {
		return nil, off
	}
	n, _ := strconv.ParseInt(c.params["issue_number"], 10, 64)
	i := c.repo.Issue(n)
	if i == nil {
		a := notFound()
		return nil, &a
	}
	if i.Deleted {
		return nil, gone("This issue was deleted")
	}
	return i, nil
}

func (c *call) issue() answer {
	i, bad := c.theIssue()
	if bad != nil {
		return *bad
	}
	out := ok(c.issueBody(i))
	out.modified = i.Updated
	return out
}

func (c *call) issueComments() answer {
	i, bad := c.theIssue()
	if bad != nil {
		return *bad
	}
	since, bad := c.moment("since")
	if bad != nil {
		return *bad
	}
	items := slices.DeleteFunc(slices.Clone(i.Comments), func(m *Comment) bool { return second(m.Updated).Before(since) })
	return c.page(len(items), func(k int) raw { return c.commentBody(items[k]) })
}

func (c *call) timeline() answer {
	i, bad := c.theIssue()
	if bad != nil {
		return *bad
	}
	items := i.timeline()
	return c.page(len(items), func(k int) raw {
		switch item := items[k].(type) {
		case *Comment:
			return c.names.commented(item, c.commentBody(item))
		case *Event:
			var source raw
			if item.From != nil {
				source = new(object).all(c.issueBody(item.From)).add("repository", c.repositoryBody(item.From.repo)).end()
			}
			return c.names.event(i, item, source)
		}
		panic("githubtest: neither comment nor event")
	})
}
