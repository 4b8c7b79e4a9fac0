package mirror

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"benchmill/internal/digest"
	"benchmill/sources/github/api"
)

// fakeAPI is a GitHub of one repository with small pages. Tests change it between
// any two requests.
type fakeAPI struct {
	t        *testing.T
	now      time.Time
	items    []*fakeItem // issues
	comments []*fakeItem
	perPage  int
	depth    int  // pages by number; more are refused, 0: no bound
	silent   bool // the last of them has no next page instead
	refuse   func(address string) int
	before   func(n int) error // called before the n-th request is answered
	salt     string            // of the ETags
	batch    int               // most numbers of a query, 0: no bound

	asked   int
	log     []string       // "200 <address>"
	answers map[string]int // 200s by address
}

type fakeItem struct {
	number, id        int64 // of a comment: number of its issue
	title, state      string
	created, updated  time.Time
	closed            time.Time
	pull              bool
	count             int // comments beyond those there are
	files, references int // of details
}

func newFake(t *testing.T) *fakeAPI {
	return &fakeAPI{t: t, now: day(100), perPage: 3, answers: map[string]int{}}
}

// day is a time so many hours into the world of the tests.
func day(hour int) time.Time {
	return time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(hour) * time.Hour)
}

func (f *fakeAPI) issue(number int64, hour int) *fakeItem {
	i := &fakeItem{number: number, title: "issue " + strconv.FormatInt(number, 10), state: "open", created: day(hour), updated: day(hour)}
	f.items = append(f.items, i)
	return i
}

func (f *fakeAPI) comment(on *fakeItem, id int64, hour int) *fakeItem {
	c := &fakeItem{number: on.number, id: id, title: "comment", created: day(hour), updated: day(hour)}
	f.comments = append(f.comments, c)
	if on.updated.Before(c.created) {
		on.updated = c.created
	}
	return c
}

func (f *fakeAPI) remove(item *fakeItem) {
	same := func(x *fakeItem) bool { return x == item }
	f.items, f.comments = slices.DeleteFunc(f.items, same), slices.DeleteFunc(f.comments, same)
}

// world fills in so many issues with a comment on every second.
func (f *fakeAPI) world(issues int) {
	for n := 1; n <= issues; n++ {
		i := f.issue(int64(n), n)
		i.pull = n%4 == 0
		if n%3 == 0 {
			i.state, i.closed = "closed", day(n)
		}
		if n%2 == 0 {
			f.comment(i, int64(1000+n), n+1)
		}
	}
}

func (f *fakeAPI) count(number int64) int {
	n := 0
	for _, c := range f.comments {
		if c.number == number {
			n++
		}
	}
	return n
}

func (f *fakeAPI) start(ctx context.Context, address string) error {
	f.asked++
	if f.before != nil {
		if err := f.before(f.asked); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if f.refuse != nil {
		if status := f.refuse(address); status != 0 {
			f.log = append(f.log, fmt.Sprintf("%d %s", status, address))
			return &api.StatusError{Status: status, URL: address, Date: f.now}
		}
	}
	return nil
}

func (f *fakeAPI) Get(ctx context.Context, address string, known api.Known) (*api.Answer, error) {
	if err := f.start(ctx, address); err != nil {
		return nil, err
	}
	u, err := url.Parse(address)
	if err != nil {
		f.t.Fatal(err)
	}
	q := u.Query()
	items := f.list(u.Path, q)
	page := max(1, atoi(q.Get("page")))
	if f.depth > 0 && page > f.depth {
		f.log = append(f.log, "422 "+address)
		return nil, &api.StatusError{Status: 422, URL: address}
	}
	from := min((page-1)*f.perPage, len(items))
	to := min(from+f.perPage, len(items))
	next := ""
	if to < len(items) && !(f.silent && page == f.depth) {
		q.Set("page", strconv.Itoa(page+1))
		next = u.Path + "?" + q.Encode()
	}
	body := []byte("[" + strings.Join(items[from:to], ",") + "]")
	etag := string(digest.Of([]byte(string(body) + next + f.salt)))
	answer := &api.Answer{Body: body, ETag: etag, Next: next, Date: f.now}
	if known.ETag == etag {
		answer.NotModified, answer.Body = true, nil
		f.log = append(f.log, "304 "+address)
		return answer, nil
	}
	f.log = append(f.log, "200 "+address)
	f.answers[address]++
	return answer, nil
}

func atoi(s string) int { n, _ := strconv.Atoi(s); return n }

// list are the items of a list as JSON.
func (f *fakeAPI) list(p string, q url.Values) []string {
	from, render := f.items, f.issueJSON
	if path.Base(p) == "comments" {
		from, render = f.comments, f.commentJSON
	}
	since, _ := time.Parse(time.RFC3339, q.Get("since"))
	number := int64(atoi(path.Base(path.Dir(p))))
	items := slices.DeleteFunc(slices.Clone(from), func(i *fakeItem) bool {
		return i.updated.Before(since) || number > 0 && i.number != number
	})
	slices.SortStableFunc(items, func(a, b *fakeItem) int {
		order := cmp.Or(a.updated.Compare(b.updated), cmp.Compare(a.number, b.number), cmp.Compare(a.id, b.id))
		if q.Get("direction") == "desc" {
			return -order
		}
		return order
	})
	var out []string
	for _, i := range items {
		out = append(out, render(i))
	}
	return out
}

func (f *fakeAPI) issueJSON(i *fakeItem) string {
	m := map[string]any{
		"number": i.number, "title": i.title, "state": i.state, "comments": f.count(i.number) + i.count,
		"created_at": i.created, "updated_at": i.updated, "body": nil, "user": map[string]any{"login": "ann", "type": "User"},
		"labels": []any{map[string]any{"name": "b"}, map[string]any{"name": "a"}}, "unknown": []int{1},
	}
	if !i.closed.IsZero() {
		m["closed_at"] = i.closed
	}
	if i.pull {
		m["pull_request"] = map[string]any{"url": "x"}
	}
	return toJSON(m)
}

func (f *fakeAPI) commentJSON(c *fakeItem) string {
	return toJSON(map[string]any{"id": c.id, "issue_url": fmt.Sprintf("https://api/repos/o/n/issues/%d", c.number),
		"body": c.title, "created_at": c.created, "updated_at": c.updated, "user": nil})
}

func toJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// Query answers the queries of this package.
func (f *fakeAPI) Query(ctx context.Context, query string, variables map[string]any, out any) error {
	if err := f.start(ctx, "graphql"); err != nil {
		return err
	}
	data := map[string]any{"nameWithOwner": "o/n"}
	var faults []api.QueryFault
	answer := func(alias string, number any) {
		at := slices.IndexFunc(f.items, func(i *fakeItem) bool { return i.number == number })
		if at < 0 {
			data[alias] = nil
			faults = append(faults, api.QueryFault{Type: "NOT_FOUND", Path: []string{"repository", alias}})
			return
		}
		after, _ := variables["after"].(string)
		data[alias] = f.details(f.items[at], atoi(after))
		f.log = append(f.log, fmt.Sprintf("details %d %s", number, after))
	}
	numbers := 0
	for i := 0; variables["n"+strconv.Itoa(i)] != nil; i++ {
		numbers++
	}
	if f.batch > 0 && numbers > f.batch {
		f.log = append(f.log, fmt.Sprintf("heavy %d", numbers))
		return &api.QueryError{Errors: []api.QueryFault{{Type: "MAX_NODE_LIMIT_EXCEEDED", Message: "too much"}}}
	}
	for i := range numbers {
		answer("n"+strconv.Itoa(i), variables["n"+strconv.Itoa(i)])
	}
	if number := variables["number"]; number != nil {
		answer("subject", number)
	}
	if err := json.Unmarshal([]byte(toJSON(map[string]any{"repository": data})), out); err != nil {
		return err
	}
	if faults != nil {
		return &api.QueryError{Errors: faults}
	}
	return nil
}

// details are those of an item, its lists from a place on.
func (f *fakeAPI) details(i *fakeItem, from int) map[string]any {
	page := func(total int, node func(k int) any) any {
		to := min(from+f.perPage, total)
		nodes := []any{nil}
		for k := from; k < to; k++ {
			nodes = append(nodes, node(k))
		}
		return map[string]any{"nodes": nodes, "pageInfo": map[string]any{"hasNextPage": to < total, "endCursor": strconv.Itoa(to)}}
	}
	out := map[string]any{"number": i.number}
	if !i.pull {
		out["timelineItems"] = page(i.references+1, func(k int) any {
			if k == i.references {
				return map[string]any{"__typename": "ClosedEvent", "createdAt": i.closed, "actor": map[string]any{"login": "bob"},
					"closer": map[string]any{"__typename": "Commit", "oid": "abc", "repository": map[string]any{"nameWithOwner": "O/N"}}}
			}
			return map[string]any{"__typename": "CrossReferencedEvent", "createdAt": i.created.Add(time.Duration(k) * time.Second),
				"source": map[string]any{"__typename": "PullRequest", "number": k + 1, "repository": map[string]any{"nameWithOwner": "x/y"}}}
		})
		return out
	}
	none := page(0, nil)
	for k, v := range map[string]any{
		"title": i.title, "state": strings.ToUpper(i.state), "createdAt": i.created, "updatedAt": i.updated,
		"author": map[string]any{"login": "robot", "__typename": "Bot"}, "commits": none, "reviews": none,
		"closingIssuesReferences": page(2, func(k int) any {
			return map[string]any{"number": 9 - k, "repository": map[string]any{"nameWithOwner": []string{"o/n", "x/y"}[k]}}
		}),
		"files": page(i.files, func(k int) any { return map[string]any{"path": fmt.Sprintf("f%d", 99-k), "changeType": "ADDED"} }),
	} {
		out[k] = v
	}
	if !i.closed.IsZero() {
		out["closedAt"] = i.closed
	}
	return out
}

// failing answers every query with an error, or nothing.
type failing struct {
	*fakeAPI
	err error
}

func (f failing) Query(context.Context, string, map[string]any, any) error { return f.err }
