package mirror

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"benchmill/internal/collection"
)

const repo = "o/n"

func mirrorOf(t *testing.T, f API) *Mirror {
	return &Mirror{Dir: t.TempDir(), API: f, Base: "https://api.github.com"}
}

func issuesText(t *testing.T, m *Mirror, asOf time.Time) string {
	t.Helper()
	var out bytes.Buffer
	if err := m.Issues(t.Context(), repo, asOf, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func detailsText(t *testing.T, m *Mirror, asOf time.Time) string {
	t.Helper()
	var out bytes.Buffer
	if err := m.Details(t.Context(), repo, asOf, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// fresh is what a mirror shows that has never seen anything before.
func fresh(t *testing.T, f *fakeAPI, asOf time.Time) string {
	t.Helper()
	m := mirrorOf(t, f)
	return afresh(f, func() string { return issuesText(t, m, asOf) + detailsText(t, m, asOf) })
}

func freshIssues(t *testing.T, f *fakeAPI, asOf time.Time) string {
	t.Helper()
	return afresh(f, func() string { return issuesText(t, mirrorOf(t, f), asOf) })
}

// afresh leaves no trace in the fake.
func afresh(f *fakeAPI, do func() string) string {
	asked, log, before, answers := f.asked, f.log, f.before, f.answers
	f.before, f.answers = nil, map[string]int{}
	defer func() { f.asked, f.log, f.before, f.answers = asked, log, before, answers }()
	return do()
}

// same reports the first line that differs.
func same(t *testing.T, what, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Errorf("%s: line %d is\n%s\nwant\n%s", what, i+1, strings.Join(g[min(i, len(g)):min(i+1, len(g))], ""), strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""))
			return
		}
	}
}

// since are the requests after a mark.
func (f *fakeAPI) since(mark int) []string { return f.log[mark:] }

func records(t *testing.T, text, kind string) (header collection.Header, out []collection.Record) {
	t.Helper()
	r, err := collection.NewReader(strings.NewReader(text), kind)
	if err != nil {
		t.Fatal(err)
	}
	for {
		rec, err := r.Next()
		if err != nil {
			return r.Header, out
		}
		out = append(out, rec)
	}
}

const (
	issuesFront   = "repos/o/n/issues?state=all&sort=updated&per_page=100&direction=desc"
	commentsFront = "repos/o/n/issues/comments?sort=updated&per_page=100&direction=desc"
)

func TestCollectAndRefresh(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(10)
	m := mirrorOf(t, f)
	_, all := records(t, issuesText(t, m, f.now), collection.KindIssues)
	if len(all) != 15 {
		t.Fatalf("%d records, want 10 issues and 5 comments", len(all))
	}
	// 4 + 2 pages, and a 304 each that proves that nothing changed meanwhile.
	if f.asked != 8 {
		t.Errorf("%d requests, want 8: %q", f.asked, f.log)
	}

	mark := len(f.log)
	issuesText(t, m, f.now)
	if got := f.since(mark); len(got) != 0 {
		t.Errorf("the same as-of time again asks %q", got)
	}
	f.now = f.now.Add(time.Hour)
	issuesText(t, m, f.now)
	if got, want := f.since(mark), []string{"304 " + issuesFront, "304 " + commentsFront}; !slices.Equal(got, want) {
		t.Errorf("a refresh with nothing new asks %q", got)
	}

	mark = len(f.log)
	f.now = f.now.Add(time.Hour)
	f.items[0].title, f.items[0].updated = "edited", f.now
	f.comment(f.items[0], 5000, 101)
	got := issuesText(t, m, f.now)
	if log, want := f.since(mark), []string{"200 " + issuesFront, "200 " + commentsFront}; !slices.Equal(log, want) {
		t.Errorf("a refresh with a change asks %q", log)
	}
	same(t, "refreshed", got, freshIssues(t, f, f.now))
}

// Whatever happens between two requests, in the end nothing is missing.
func TestPagesShift(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 12; n++ {
		for what, change := range map[string]func(f *fakeAPI){
			"the oldest is updated": func(f *fakeAPI) { f.items[0].title, f.items[0].updated = "moved", f.now },
			"another comes":         func(f *fakeAPI) { f.comment(f.issue(99, 200), 9900, 200) },
			"one is updated in the newest second": func(f *fakeAPI) {
				f.items[3].title, f.items[3].updated = "same second", f.items[len(f.items)-1].updated
			},
			"a comment is edited": func(f *fakeAPI) { f.comments[0].title, f.comments[0].updated = "edited", f.now },
			"a comment goes":      func(f *fakeAPI) { f.remove(f.comments[len(f.comments)-1]) },
		} {
			f := newFake(t)
			f.world(14)
			f.before = func(i int) error {
				if i == n {
					f.now = f.now.Add(time.Minute)
					change(f)
				}
				return nil
			}
			m := mirrorOf(t, f)
			issuesText(t, m, day(100))
			f.before, f.now = nil, f.now.Add(time.Hour)
			got := issuesText(t, m, f.now) + detailsText(t, m, f.now)
			same(t, fmt.Sprintf("%s before request %d", what, n), got, fresh(t, f, f.now))
		}
	}
}

// An issue that moves to the front during the walk is in the very first table.
func TestMovedDuringTheWalk(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(12)
	f.before = func(i int) error {
		if i == 3 {
			f.items[0].updated = f.now
		}
		return nil
	}
	_, all := records(t, issuesText(t, mirrorOf(t, f), day(100)), collection.KindIssues)
	if all[0].Issue == nil || all[0].Issue.Number != 1 {
		t.Errorf("issue 1 is missing: the first is %+v", all[0].Issue)
	}
}

// Until it is proved that nothing changed during the walk, a mirror is not complete.
func TestKilledBeforeTheProof(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(12)
	f.before = func(i int) error {
		switch i {
		case 3:
			f.items[0].updated = f.now
		case 5: // all four pages were read
			return errKilled
		}
		return nil
	}
	m := mirrorOf(t, f)
	if err := m.Issues(t.Context(), repo, day(100), &bytes.Buffer{}); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	f.before = nil
	same(t, "gone on", issuesText(t, m, day(100)), freshIssues(t, f, day(100)))
}

// A first page that is the same under another ETag is not stored again.
func TestSameUnderAnotherETag(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(10)
	m := mirrorOf(t, f)
	want := issuesText(t, m, f.now)
	detailsText(t, m, f.now)
	size := func() (sum int64) {
		for _, name := range logs(t, m) {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			sum += info.Size()
		}
		return sum
	}
	before := size()
	for _, f.salt = range []string{"a", "b"} {
		f.now = f.now.Add(time.Hour)
		mark := len(f.log)
		same(t, "refreshed", issuesText(t, m, f.now), want)
		if asked, want := f.since(mark), []string{"200 " + issuesFront, "200 " + commentsFront}; !slices.Equal(asked, want) {
			t.Errorf("asked %q", asked)
		}
	}
	if grown := (size() - before) / 4; grown > 500 {
		t.Errorf("an entry takes %d bytes", grown)
	}
	f.now = f.now.Add(time.Hour)
	mark := len(f.log)
	issuesText(t, m, f.now)
	if asked := f.since(mark); len(asked) != 2 || !strings.HasPrefix(asked[0]+asked[1], "304") {
		t.Errorf("the new ETag is not remembered: %q", asked)
	}
}

// A server that lags behind shows old versions after new ones.
func TestOldVersionAfterNew(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	i := f.issue(1, 1)
	c := f.comment(i, 2, 2)
	table := newTable()
	for _, at := range []int{5, 4, 5} {
		i.updated, i.title = day(at), fmt.Sprint("at ", at)
		c.updated, c.title = day(at), fmt.Sprint("at ", at)
		if err := errors.Join(table.addIssues([]byte("["+f.issueJSON(i)+"]"), true), table.addComments([]byte("["+f.commentJSON(c)+"]"))); err != nil {
			t.Fatal(err)
		}
		if title, body := table.issues[1].Title, table.comments[1][2].Body; title != "at 5" || body != "at 5" {
			t.Errorf("%q, %q", title, body)
		}
	}
}

var errKilled = errors.New("killed")

// Interrupted at every request, and then gone on with, a mirror ends with the same
// bytes, and asks for no stored page again.
func TestInterruption(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(14)
	f.items[1].references, f.items[2].references, f.items[3].files = 2, 8, 7
	f.comments[0].title = "gone soon"
	want := fresh(t, f, f.now)
	for n := 1; ; n++ {
		f.asked, f.log, f.answers = 0, nil, map[string]int{}
		m := mirrorOf(t, f)
		f.before = func(i int) error {
			if i == n {
				return errKilled
			}
			return nil
		}
		err := errors.Join(m.Issues(t.Context(), repo, f.now, &bytes.Buffer{}), m.Details(t.Context(), repo, f.now, &bytes.Buffer{}))
		done := f.asked < n
		if !done && !errors.Is(err, errKilled) {
			t.Fatalf("request %d: %v", n, err)
		}
		f.before = nil
		same(t, fmt.Sprintf("interrupted at request %d", n), issuesText(t, m, f.now)+detailsText(t, m, f.now), want)
		for address, times := range f.answers {
			if times > 1 {
				t.Errorf("interrupted at request %d: %d answers of %s", n, times, address)
			}
		}
		for i, line := range f.log {
			if strings.HasPrefix(line, "details") && slices.Contains(f.log[:i], line) {
				t.Errorf("interrupted at request %d: %s asked twice", n, line)
			}
		}
		if done {
			break
		}
	}
}

// Interrupted at every request of a refresh, while the repository goes on.
func TestInterruptedRefresh(t *testing.T) {
	t.Parallel()
	for n := 1; n < 14; n++ {
		f := newFake(t)
		f.world(14)
		m := mirrorOf(t, f)
		issuesText(t, m, f.now)
		for i, item := range f.items[:8] {
			item.title, item.updated = "second", day(101+i)
		}
		for i, c := range f.comments[:6] {
			c.title, c.updated = "second", day(120+i)
		}
		f.now = day(130)
		start := f.asked
		f.before = func(i int) error {
			if i == start+n {
				return errKilled
			}
			return nil
		}
		m.Issues(t.Context(), repo, f.now, &bytes.Buffer{})
		f.before = nil
		f.items[13].title, f.items[13].updated = "third", day(140)
		f.now = day(150)
		same(t, fmt.Sprintf("interrupted at request %d", n), issuesText(t, m, f.now), freshIssues(t, f, f.now))
	}
}

// A next page that is refused when a walk goes on days later, or that lies too
// deep, is replaced by a walk from the other end.
func TestRefusedNextPage(t *testing.T) {
	t.Parallel()
	for _, status := range []int{404, 410, 422} {
		f := newFake(t)
		f.world(14)
		want := freshIssues(t, f, f.now)
		m := mirrorOf(t, f)
		f.before = func(i int) error {
			if i == 4 {
				return errKilled
			}
			return nil
		}
		m.Issues(t.Context(), repo, f.now, &bytes.Buffer{})
		f.before = nil
		f.refuse = func(address string) int {
			if strings.Contains(address, "page=4") && strings.Contains(address, "direction=desc") && strings.Contains(address, "state=all") {
				return status
			}
			return 0
		}
		same(t, fmt.Sprint(status), issuesText(t, m, f.now), want)
		for address, times := range f.answers {
			if times > 1 {
				t.Errorf("%d: %d answers of %s", status, times, address)
			}
		}
	}
}

// The API numbers only so many pages, and may not say so.
func TestDeepLists(t *testing.T) {
	t.Parallel()
	for _, silent := range []bool{false, true} {
		f := newFake(t)
		f.perPage = 2
		f.depth, f.silent = deep+1, silent
		for n := 1; n <= 3*deep; n++ {
			i := f.issue(int64(n), n/7) // seven in a second
			f.comment(i, int64(10000+n), n/5)
		}
		f.now = day(1000)
		f.before = func(i int) error {
			if i == deep+20 { // while it is walked from the other end
				f.items[100].title, f.items[100].updated = "moved", f.now
			}
			return nil
		}
		m := mirrorOf(t, f)
		_, all := records(t, issuesText(t, m, f.now), collection.KindIssues)
		if len(all) != 6*deep {
			t.Fatalf("silent %v: %d records, want %d", silent, len(all), 6*deep)
		}
		for _, line := range f.log {
			if strings.Contains(line, "/issues/") && !strings.Contains(line, "/issues/comments") {
				t.Fatalf("silent %v: comments were listed alone: %s", silent, line)
			}
		}
		f.depth = 0
		f.now = f.now.Add(time.Hour)
		same(t, fmt.Sprint("silent ", silent), issuesText(t, m, f.now), freshIssues(t, f, f.now))
	}
}
