package mirror

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"benchmill/internal/collection"
	"benchmill/pipeline"
)

func TestSwitchedOff(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(8)
	m := mirrorOf(t, f)
	want := issuesText(t, m, f.now)
	f.refuse = func(address string) int { return 410 }
	f.now = f.now.Add(time.Hour)
	for _, text := range []string{issuesText(t, m, f.now)} {
		if h, all := records(t, text, collection.KindIssues); !h.NoIssues || len(all) > 0 {
			t.Errorf("switched off: %+v with %d records", h, len(all))
		}
	}
	// When they were off is known by now: nobody is asked, not for a full collection
	// either.
	mark := len(f.log)
	for _, m.Full = range []bool{false, true} {
		if h, all := records(t, detailsText(t, m, f.now), collection.KindDetails); !h.NoIssues || len(all) > 0 {
			t.Errorf("switched off: %+v with %d records", h, len(all))
		}
		issuesText(t, m, f.now)
	}
	if got := f.since(mark); len(got) != 0 {
		t.Errorf("asked again: %q", got)
	}
	m.Full = false
	f.now = f.now.Add(time.Hour)
	issuesText(t, m, f.now)
	if got := f.since(mark); len(got) != 1 {
		t.Errorf("asked of a later time: %q", got)
	}
	f.refuse = nil
	f.now = f.now.Add(time.Hour)
	same(t, "switched on again", issuesText(t, m, f.now), want)
}

// A server that does not say when is asked again.
func TestSwitchedOffWithoutDate(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.refuse = func(string) int { return 410 }
	at := f.now
	f.now = time.Time{}
	m := mirrorOf(t, f)
	for range 2 {
		if h, _ := records(t, issuesText(t, m, at), collection.KindIssues); !h.NoIssues {
			t.Errorf("%+v", h)
		}
	}
	if len(f.log) != 2 {
		t.Errorf("%q", f.log)
	}
}

// Switched off in the middle of a walk.
func TestSwitchedOffDuringTheWalk(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(14)
	f.before = func(i int) error {
		if i == 3 {
			f.refuse = func(string) int { return 410 }
		}
		return nil
	}
	m := mirrorOf(t, f)
	if h, _ := records(t, issuesText(t, m, f.now), collection.KindIssues); !h.NoIssues {
		t.Errorf("%+v", h)
	}
	f.refuse = nil
	f.now = f.now.Add(time.Hour)
	same(t, "switched on again", issuesText(t, m, f.now), freshIssues(t, f, f.now))
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for status, word := range map[int]string{404: "none of this name", 451: "legal", 403: "403"} {
		f := newFake(t)
		f.refuse = func(string) int { return status }
		m := mirrorOf(t, f)
		for _, call := range []func() error{
			func() error { return m.Issues(t.Context(), repo, f.now, &bytes.Buffer{}) },
			func() error { return m.Details(t.Context(), repo, f.now, &bytes.Buffer{}) },
		} {
			err := call()
			if err == nil || !strings.Contains(err.Error(), "repository o/n") || !strings.Contains(err.Error(), word) || pipeline.ClassOf(err) != pipeline.Permanent {
				t.Errorf("%d: %v (%v)", status, err, pipeline.ClassOf(err))
			}
		}
	}
}

// A repository that changes between any two requests ends in a passing error.
func TestNeverStill(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(14)
	f.before = func(i int) error {
		f.now = f.now.Add(time.Second)
		for k := range 4 {
			f.items[(4*i+k)%14].updated = f.now
		}
		return nil
	}
	err := mirrorOf(t, f).Issues(t.Context(), repo, f.now, &bytes.Buffer{})
	if pipeline.ClassOf(err) != pipeline.Transient {
		t.Errorf("%v", err)
	}
}

func TestEmpty(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	m := mirrorOf(t, f)
	if _, all := records(t, issuesText(t, m, f.now), collection.KindIssues); len(all) != 0 {
		t.Errorf("%d records", len(all))
	}
	f.now = f.now.Add(time.Hour)
	mark := len(f.log)
	issuesText(t, m, f.now)
	if got := f.since(mark); len(got) != 2 || !strings.HasPrefix(got[0], "304") || !strings.HasPrefix(got[1], "304") {
		t.Errorf("%q", got)
	}
}

// A full collection drops what is no more, and is done once for an as-of time.
func TestFull(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(14)
	m := mirrorOf(t, f)
	issuesText(t, m, f.now)
	detailsText(t, m, f.now)
	f.remove(f.items[2])
	f.now = f.now.Add(time.Hour)
	if issuesText(t, m, f.now) == freshIssues(t, f, f.now) {
		t.Fatal("the test needs a deletion that a refresh does not see")
	}
	f.now = f.now.Add(time.Hour)
	m.Full = true
	want := fresh(t, f, f.now)
	for { // interrupted at every second request
		n := f.asked + 2
		f.before = func(i int) error {
			if i == n {
				return errKilled
			}
			return nil
		}
		if m.Issues(t.Context(), repo, f.now, &bytes.Buffer{}) == nil {
			break
		}
	}
	f.before = nil
	mark := len(f.log)
	got := issuesText(t, m, f.now)
	if asked := f.since(mark); len(asked) != 0 {
		t.Errorf("full again for the same time: %q", asked)
	}
	got += detailsText(t, m, f.now)
	same(t, "full", got, want)
	mark = len(f.log)
	detailsText(t, m, f.now)
	if asked := f.since(mark); len(asked) != 0 {
		t.Errorf("details again for the same time: %q", asked)
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	i := f.issue(1, 10)
	i.state, i.closed, i.updated = "closed", day(50), day(60)
	f.comment(i, 7, 20)
	f.comment(i, 8, 40)
	f.comment(f.issue(2, 30), 9, 40)
	p := f.issue(3, 5)
	p.pull, p.state, p.closed = true, "closed", day(50)
	m := mirrorOf(t, f)
	_, all := records(t, issuesText(t, m, day(20)), collection.KindIssues)
	if len(all) != 3 || all[0].Issue.State != "open" || all[0].Issue.ClosedAt != "" || all[1].Issue.Number != 3 || all[2].Comment.ID != 7 {
		t.Errorf("cut: %s", toJSON(all))
	}
	if _, all := records(t, detailsText(t, m, day(20)), collection.KindDetails); len(all) != 1 || all[0].Pull.State != "open" {
		t.Errorf("cut: %s", toJSON(all))
	}
	_, all = records(t, issuesText(t, m, day(50)), collection.KindIssues)
	if len(all) != 6 || all[0].Issue.State != "closed" || all[0].Issue.ClosedAt != "2020-01-03T02:00:00Z" {
		t.Errorf("not cut: %s", toJSON(all))
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	m := &Mirror{Dir: "d", Base: "https://GHE.example/api/v3/"}
	got, err := m.folder("Owner/Name.js")
	if want := "d/ghe.example%2Fapi%2Fv3/owner/name.js"; got != want || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{"", "o", "o/", "/n", "o/n/x", "../n", "o/..", "o/.", "o n/x", "o/n\x00", `o\n`} {
		if _, err := m.folder(bad); err == nil {
			t.Errorf("%q is taken for a name", bad)
		}
	}
}

// Work on one repository is done by one at a time; who gives up waiting is free.
func TestLock(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(5)
	m := mirrorOf(t, f)
	entered, release := make(chan struct{}), make(chan struct{})
	f.before = func(i int) error {
		if i == 1 {
			close(entered)
			<-release
		}
		return nil
	}
	first := make(chan error, 1)
	go func() { first <- m.Issues(context.Background(), repo, day(100), &bytes.Buffer{}) }()
	<-entered
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Issues(ctx, repo, day(100), &bytes.Buffer{}); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting for a lock: %v", err)
	}
	second := make(chan error, 1)
	go func() { second <- m.Issues(context.Background(), repo, day(100), &bytes.Buffer{}) }()
	close(release)
	if err := errors.Join(<-first, <-second); err != nil {
		t.Fatal(err)
	}
	if f.asked != 4 { // 2 + 1 pages and a 304
		t.Errorf("both asked: %q", f.log)
	}
}

func ExampleMirror_folder() {
	dir, _ := (&Mirror{Dir: "store/github", Base: "https://api.github.com"}).folder("Owner/Name")
	fmt.Println(dir)
	// Output: store/github/api.github.com/owner/name
}
