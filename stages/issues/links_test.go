package issues

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

func linksOf(t *testing.T, c *LinksConfig, pulls []schemas.PullRequest, events []schemas.IssueEvent) ([]string, map[string]int64) {
	t.Helper()
	r, err := stagetest.Run(t.Context(), stagetest.Job{
		Stage: Links(), Config: c,
		Inputs: map[string]any{
			"repository":    []schemas.Repository{{Repo: "o/n", URL: "https://github.com/o/n"}},
			"issues":        []schemas.Issue{{Number: 1}, {Number: 2}, {Number: 3}},
			"pull_requests": pulls, "issue_events": events,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range stagetest.Rows[schemas.IssueLink](r, "links") {
		out = append(out, fmt.Sprintf("%d<-%d %s %q %q", l.Issue, l.Pull, l.Evidence, l.Place, l.Text))
	}
	return out, r.Notes
}

var (
	testPulls = []schemas.PullRequest{
		{
			Number: 10, State: "merged", MergedAt: "2024-01-02", MergeCommit: "mmm", Title: "Fix #1",
			Body:    "Fixes: #1, fixes #1 again, closes #2, closes #10, closes #11, closes #99, fixes x/y#1\n> fixes #3",
			Commits: []schemas.PullCommit{{ID: "aaa", Message: "fixes\n#3"}, {ID: "bbb", Message: "`fixes #2`"}},
			Closes:  []int64{1, 11},
		},
		{Number: 11, State: "closed", Title: "fixes #1", Closes: []int64{2}},
		{Number: 12, State: "merged", MergedAt: "2024-01-01", Commits: []schemas.PullCommit{{ID: "aaa"}, {ID: "ccc"}}},
	}
	testEvents = []schemas.IssueEvent{
		{Number: 1, Index: 0, Kind: "closed", FromPull: 10},
		{Number: 1, Index: 1, Kind: "reopened"},
		{Number: 1, Index: 2, Kind: "closed", FromPull: 10},
		{Number: 1, Index: 3, Kind: "cross-referenced", FromPull: 12, WillClose: true},
		{Number: 2, Index: 0, Kind: "closed"},
		{Number: 2, Index: 1, Kind: "closed", FromPull: 5, FromRepo: "x/y"},
		{Number: 2, Index: 2, Kind: "closed", FromPull: 11},
		{Number: 2, Index: 3, Kind: "closed", FromPull: 77},
		{Number: 3, Index: 0, Kind: "closed", FromCommit: "mmm"},
		{Number: 3, Index: 1, Kind: "closed", FromCommit: "aaa"},
		{Number: 3, Index: 2, Kind: "closed", FromCommit: "unknown"},
	}
)

func TestLinks(t *testing.T) {
	got, notes := linksOf(t, &LinksConfig{Compat: "github"}, testPulls, testEvents)
	want := []string{
		`1<-10 closed_event "" ""`,
		`1<-10 closing_reference "" ""`,
		`1<-10 keyword "body" "Fixes: #1"`,
		`1<-10 keyword "title" "Fix #1"`,
		`2<-10 keyword "body" "closes #2"`,
		`3<-10 closed_event "commit mmm" ""`,
		`3<-10 keyword "commit aaa" "fixes\n#3"`,
		`3<-12 closed_event "commit aaa" ""`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if want := map[string]int64{
		notePull: 3, noteUnknown: 1, noteOther: 2, noteUnmerged: 3, noteNoPull: 1,
	}; !maps.Equal(notes, want) {
		t.Errorf("%v, want %v", notes, want)
	}
}

func TestLinksUnmerged(t *testing.T) {
	got, notes := linksOf(t, &LinksConfig{Compat: "github", Unmerged: true}, testPulls, testEvents)
	for _, want := range []string{`1<-11 keyword "title" "fixes #1"`, `2<-11 closing_reference "" ""`, `2<-11 closed_event "" ""`} {
		if !slices.Contains(got, want) {
			t.Errorf("%q has no %s", got, want)
		}
	}
	if notes[noteUnmerged] != 0 || len(got) != 11 {
		t.Errorf("%v, %q", notes, got)
	}
}

func TestLinksUpstream(t *testing.T) {
	got, _ := linksOf(t, &LinksConfig{Compat: "upstream"}, testPulls, testEvents)
	want := []string{
		`1<-10 keyword "text" "Fix #1"`,
		`2<-10 keyword "text" "closes #2"`,
		`3<-10 keyword "text" "fixes #3"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestLinksNothing(t *testing.T) {
	if got, notes := linksOf(t, &LinksConfig{Compat: "github"}, nil, nil); got != nil || len(notes) > 0 {
		t.Errorf("%q, %v", got, notes)
	}
}
