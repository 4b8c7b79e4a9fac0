package mirror

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"benchmill/internal/collection"
	"benchmill/sources/github/api"
)

const listing2 = "repos/o/n/issues/2/comments?per_page=100"

// A count that differs has the issue's comments listed, once for each version of
// the issue.
func TestDeletedComment(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(10)
	m := mirrorOf(t, f)
	issuesText(t, m, f.now)
	f.remove(f.comments[0])                                  // of issue 2
	f.items[1].title, f.items[1].updated = "edited", day(50) // which brings the count to the front
	mark := len(f.log)
	f.now = f.now.Add(time.Hour)
	got := issuesText(t, m, f.now)
	if log, want := f.since(mark), []string{"200 " + issuesFront, "304 " + commentsFront, "200 " + listing2}; !slices.Equal(log, want) {
		t.Errorf("asked %q", log)
	}
	same(t, "after a deletion", got, freshIssues(t, f, f.now))
	same(t, "derived again", issuesText(t, m, f.now), got)
}

func TestCountThatNeverAgrees(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(2)
	f.items[1].count = 3 // comments that are counted and never shown
	m := mirrorOf(t, f)
	asked := func() (n int) {
		mark := len(f.log)
		f.now = f.now.Add(time.Hour)
		issuesText(t, m, f.now)
		for _, line := range f.since(mark) {
			if line == "200 "+listing2 {
				n++
			}
		}
		return n
	}
	if got := []int{asked(), asked(), asked()}; !slices.Equal(got, []int{1, 0, 0}) {
		t.Errorf("listed %d times, once is enough", got)
	}
	f.items[1].updated = day(80)
	if got := asked(); got != 1 {
		t.Errorf("listed %d times after a change", got)
	}
	m.Full = true
	if got := asked(); got != 1 {
		t.Errorf("listed %d times in a full collection", got)
	}
}

// Comments that came after the issue's page was read are no difference.
func TestCommentsAhead(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(3)
	f.before = func(n int) error {
		if n == 2 { // the only page of issues was read
			f.comment(f.items[2], 77, 60)
		}
		return nil
	}
	// The clocks of a comment and its issue can be a second apart.
	f.comment(f.items[0], 78, 30)
	f.items[0].updated = f.items[0].updated.Add(-time.Second)
	issuesText(t, mirrorOf(t, f), day(59))
	for _, line := range f.log {
		if strings.Contains(line, "/issues/3/") || strings.Contains(line, "/issues/1/") {
			t.Errorf("asked %s", line)
		}
	}
}

func TestIssueGone(t *testing.T) {
	t.Parallel()
	for _, status := range []int{404, 410} {
		f := newFake(t)
		f.world(3)
		f.items[1].count = 1
		m := mirrorOf(t, f)
		f.refuse = func(address string) int {
			if address == listing2 {
				return status
			}
			return 0
		}
		_, all := records(t, issuesText(t, m, f.now), collection.KindIssues)
		if len(all) != 2 || all[0].Issue.Number != 1 || all[1].Issue.Number != 3 {
			t.Errorf("%d: %s", status, toJSON(all))
		}
		f.now = f.now.Add(time.Hour)
		mark := len(f.log)
		if _, again := records(t, issuesText(t, m, f.now), collection.KindIssues); toJSON(again) != toJSON(all) || len(f.since(mark)) != 2 {
			t.Errorf("%d, again: %s, asked %q", status, toJSON(again), f.since(mark))
		}
		// It was a mistake of the server's.
		f.refuse, f.items[1].updated = nil, day(70)
		f.now = f.now.Add(time.Hour)
		same(t, "seen again", issuesText(t, m, f.now), freshIssues(t, f, f.now))
	}
}

// That a listing is missing because the repository is gone drops no issue.
func TestRepositoryGoneBeforeAListing(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(3)
	f.items[1].count = 1
	m := mirrorOf(t, f)
	gone := false
	f.refuse = func(address string) int {
		if gone = gone || address == listing2; gone {
			return 404
		}
		return 0
	}
	if err := m.Issues(t.Context(), repo, f.now, &bytes.Buffer{}); err == nil {
		t.Error("no error")
	}
	gone, f.refuse, f.items[1].count = false, nil, 0
	f.now = f.now.Add(time.Hour)
	same(t, "there again", issuesText(t, m, f.now), freshIssues(t, f, f.now))
}

// redirected answers the listing of issue 2 with that of another.
type redirected struct{ *fakeAPI }

func (r redirected) Get(ctx context.Context, address string, known api.Known) (*api.Answer, error) {
	if address == listing2 {
		return &api.Answer{Body: []byte("[" + r.commentJSON(&fakeItem{number: 31, id: 5, created: day(1), updated: day(1)}) + "]")}, nil
	}
	return r.fakeAPI.Get(ctx, address, known)
}

// A moved issue's listing is redirected to another repository's.
func TestMovedIssue(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(3)
	f.items[1].count = 1
	m := mirrorOf(t, f)
	m.API = redirected{f}
	_, all := records(t, issuesText(t, m, f.now), collection.KindIssues)
	if len(all) != 2 || all[0].Issue.Number != 1 || all[1].Issue.Number != 3 {
		t.Errorf("%s", toJSON(all))
	}
}

// A listing of several pages, interrupted at each of them.
func TestInterruptedListing(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(3)
	for k := range 8 {
		f.comment(f.items[1], int64(100+k), 20+k)
	}
	f.items[1].count = 1
	want := freshIssues(t, f, f.now)
	for n := 5; n <= 9; n++ {
		m := mirrorOf(t, f)
		f.asked, f.answers = 0, map[string]int{}
		f.before = func(i int) error {
			if i == n {
				return errKilled
			}
			return nil
		}
		if err := m.Issues(t.Context(), repo, f.now, &bytes.Buffer{}); n < 9 && !errors.Is(err, errKilled) {
			t.Fatalf("request %d: %v", n, err)
		}
		f.before = nil
		same(t, fmt.Sprintf("interrupted at request %d", n), issuesText(t, m, f.now), want)
		for address, times := range f.answers {
			if times > 1 {
				t.Errorf("interrupted at request %d: %d answers of %s", n, times, address)
			}
		}
	}
}

// A listing whose next page is refused when it goes on is begun again.
func TestListingGoesStale(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.world(3)
	for k := range 8 {
		f.comment(f.items[1], int64(100+k), 20+k)
	}
	f.items[1].count = 1
	want := freshIssues(t, f, f.now)
	m := mirrorOf(t, f)
	f.before = func(i int) error {
		if strings.HasSuffix(f.log[len(f.log)-1], listing2) {
			return errKilled
		}
		return nil
	}
	f.log = []string{""}
	if err := m.Issues(t.Context(), repo, f.now, &bytes.Buffer{}); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	f.before = nil
	refusals := 0
	f.refuse = func(address string) int {
		if strings.Contains(address, "/issues/2/") && strings.Contains(address, "page=2") && refusals == 0 {
			refusals++
			return 422
		}
		return 0
	}
	same(t, "begun again", issuesText(t, m, f.now), want)
	if refusals != 1 {
		t.Error("the listing did not go on")
	}
}
