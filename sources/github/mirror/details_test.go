package mirror

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"benchmill/internal/collection"
	"benchmill/sources/github/api"
)

func TestDetails(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(8)
	f.items[2].references = 7
	f.items[3].files, f.items[3].title = 8, "nul \x00"
	m := mirrorOf(t, f)
	_, all := records(t, detailsText(t, m, f.now), collection.KindDetails)
	var pulls, events []int64
	for _, r := range all {
		if r.Pull != nil {
			pulls = append(pulls, r.Pull.Number)
		} else {
			events = append(events, r.Event.Number)
		}
	}
	if want := []int64{4, 8}; !slices.Equal(pulls, want) {
		t.Errorf("pull requests %v", pulls)
	}
	if want := []int64{3, 3, 3, 3, 3, 3, 3, 3, 6}; !slices.Equal(events, want) {
		t.Errorf("events of %v", events)
	}
	p := all[0].Pull
	if len(p.Files) != 8 || p.Files[0].Path != "f92" || p.Files[0].Change != "added" || p.Title != "nul \uFFFD" ||
		p.Author != "robot[bot]" || !slices.Equal(p.Closes, []int64{9}) || p.Truncated != nil {
		t.Errorf("%s", toJSON(p))
	}
	first, last := all[2].Event, all[9].Event
	if first.Kind != "cross-referenced" || first.FromPull != 1 || first.FromRepo != "x/y" || first.Index != 0 {
		t.Errorf("%+v", first)
	}
	if last.Kind != "closed" || last.FromCommit != "abc" || last.FromRepo != "" || last.Index != 7 || last.Actor != "bob" {
		t.Errorf("%+v", last)
	}

	// Only what changed is asked again.
	mark := len(f.log)
	f.items[3].title, f.items[3].updated, f.items[3].files = "edited", day(60), 1
	f.items[2].state, f.items[2].closed, f.items[2].updated = "open", time.Time{}, day(60)
	f.now = f.now.Add(time.Hour)
	got := detailsText(t, m, f.now)
	if asked := f.since(mark); len(asked) != 4 || asked[3] != "details 4 " {
		t.Errorf("asked %q", asked)
	}
	same(t, "refreshed", got, afresh(f, func() string { return detailsText(t, mirrorOf(t, f), f.now) }))
}

func TestTruncated(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(4)
	f.items[3].files = 3*10 + 1
	m := mirrorOf(t, f)
	for range 2 {
		_, all := records(t, detailsText(t, m, f.now), collection.KindDetails)
		if p := all[0].Pull; len(p.Files) != 30 || !slices.Equal(p.Truncated, []string{"files"}) {
			t.Errorf("%d files, truncated %q", len(p.Files), p.Truncated)
		}
	}
	if f.asked != 3+2+9 {
		t.Errorf("%d requests: %q", f.asked, f.log)
	}
}

func TestBatchesAdapt(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.perPage = 100
	f.world(200) // 50 pull requests, as many closed issues
	f.batch = 6
	m := mirrorOf(t, f)
	got := detailsText(t, m, day(1000))
	f.batch = 0
	same(t, "in small batches", got, afresh(f, func() string { return detailsText(t, mirrorOf(t, f), day(1000)) }))
	var heavy []string
	for _, line := range f.log {
		if strings.HasPrefix(line, "heavy") {
			heavy = append(heavy, line)
		}
	}
	if want := []string{"heavy 20", "heavy 10", "heavy 10", "heavy 20", "heavy 10", "heavy 10"}; !slices.Equal(heavy, want) {
		t.Errorf("too heavy were %q", heavy)
	}
}

func TestTooHeavyAlone(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(8)
	m := mirrorOf(t, f)
	m.API = failing{f, &api.QueryError{Errors: []api.QueryFault{{Type: "RESOURCE_LIMITS_EXCEEDED", Message: "m"}}}}
	err := m.Details(t.Context(), repo, f.now, &bytes.Buffer{})
	if err == nil || !strings.Contains(err.Error(), "repository o/n: the details of number 4 alone are too heavy") {
		t.Errorf("%v", err)
	}
}

func TestNumbersGone(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(8)
	f.items[3].files = 9
	m := mirrorOf(t, f)
	issuesText(t, m, f.now)
	f.before = func(int) error { // between a batch and its further pages
		if strings.HasPrefix(f.log[len(f.log)-1], "details 6") {
			f.items = slices.DeleteFunc(f.items, func(i *fakeItem) bool { return i.number == 4 })
		}
		return nil
	}
	f.items = slices.DeleteFunc(f.items, func(i *fakeItem) bool { return i.number == 3 })
	for range 2 {
		_, all := records(t, detailsText(t, m, f.now), collection.KindDetails)
		if len(all) != 2 || all[0].Pull == nil || all[0].Pull.Number != 8 || all[1].Event == nil || all[1].Event.Number != 6 {
			t.Errorf("%s", toJSON(all))
		}
	}
	mark := len(f.log)
	detailsText(t, m, f.now)
	if asked := f.since(mark); len(asked) > 0 {
		t.Errorf("asked again: %q", asked)
	}
}

func TestQueryErrors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"repository": {&api.QueryError{Errors: []api.QueryFault{{Type: "NOT_FOUND", Path: []string{"repository"}}}}, "none of this name"},
		"forbidden":  {&api.QueryError{Errors: []api.QueryFault{{Type: "FORBIDDEN", Path: []string{"repository", "n0"}, Message: "no"}}}, "no"},
		"part":       {&api.QueryError{Errors: []api.QueryFault{{Type: "NOT_FOUND", Path: []string{"repository", "n0", "files"}, Message: "part"}}}, "part"},
		"other":      {errKilled, "killed"},
		"no data":    {nil, "not the data"},
	} {
		f := newFake(t)
		f.world(4)
		m := mirrorOf(t, f)
		m.API = failing{f, c.err}
		err := m.Details(t.Context(), repo, f.now, &bytes.Buffer{})
		if err == nil || !strings.Contains(err.Error(), "repository o/n") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if c.err != nil && c.want != "none of this name" && !errors.Is(err, c.err) {
			t.Errorf("%s: the error is lost", name)
		}
	}
}

// Every query is one that a GraphQL parser accepts; their fields are validated
// against the official schema elsewhere.
func TestQueries(t *testing.T) {
	t.Parallel()
	queries := Queries()
	if len(queries) != 6 {
		t.Errorf("%d queries", len(queries))
	}
	for _, q := range append(queries, pullKind.batchQuery(batchSize)) {
		if _, err := parser.ParseQuery(&ast.Source{Input: q}); err != nil {
			t.Errorf("%v in\n%s", err, q)
		}
	}
}

func TestPullAt(t *testing.T) {
	t.Parallel()
	f := &found{closedAt: "2020-01-03T00:00:00Z", pull: &collection.Pull{State: "merged", MergedAt: "2020-01-03T00:00:00Z", MergeCommit: "c",
		Reviews: []collection.Review{{SubmittedAt: "2020-01-01T00:00:00Z"}, {SubmittedAt: "2020-01-04T00:00:00Z"}, {}}}}
	if p := f.pullAt("2020-01-02T00:00:00Z"); p.State != "open" || p.MergedAt != "" || p.MergeCommit != "" || len(p.Reviews) != 2 {
		t.Errorf("before: %+v", p)
	}
	if p := f.pullAt("2020-01-05T00:00:00Z"); p.State != "merged" || p.MergedAt == "" || p.MergeCommit != "c" || len(p.Reviews) != 3 {
		t.Errorf("after: %+v", p)
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	body := `{"repository":{"nameWithOwner":"o/n","n0":{"number":1,"timelineItems":{"pageInfo":{},"nodes":[
		{"__typename":"ReopenedEvent","createdAt":"2020-01-01T00:00:00Z","actor":null},null,
		{"__typename":"ClosedEvent","createdAt":"2020-01-02T00:00:00Z","closer":null},
		{"__typename":"ClosedEvent","createdAt":"2020-01-03T00:00:00Z","closer":{"__typename":"ProjectV2"}},
		{"__typename":"ClosedEvent","createdAt":"2020-01-04T00:00:00Z","closer":{"__typename":"PullRequest","number":5,"repository":{"nameWithOwner":"O/N"}}},
		{"__typename":"CrossReferencedEvent","createdAt":"2020-01-05T00:00:00Z","willCloseTarget":true,"source":{"__typename":"Issue","number":6,"repository":{"nameWithOwner":"o/n"}}},
		{"__typename":"LabeledEvent"}]}}}}`
	a, err := parseAnswer([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	f := &found{}
	if err := a.read("n0", f); err != nil {
		t.Fatal(err)
	}
	want := []collection.Event{
		{Kind: "reopened", At: "2020-01-01T00:00:00Z"},
		{Kind: "closed", At: "2020-01-02T00:00:00Z"},
		{Kind: "closed", At: "2020-01-03T00:00:00Z"},
		{Kind: "closed", At: "2020-01-04T00:00:00Z", FromPull: 5},
		{Kind: "cross-referenced", At: "2020-01-05T00:00:00Z", FromIssue: 6, WillClose: true},
	}
	if !slices.Equal(f.events, want) {
		t.Errorf("%+v", f.events)
	}
	if got := f.eventsAt(7, "2020-01-02T12:00:00Z"); len(got) != 2 || got[1].Index != 1 || got[1].Number != 7 {
		t.Errorf("cut: %+v", got)
	}
}
