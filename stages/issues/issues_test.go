package issues

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"benchmill/internal/collection"
	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

var asOf = time.Date(2024, 5, 6, 9, 8, 9, 0, time.FixedZone("", 7200))

// collected answers every fetch with the same bytes.
type collected struct {
	data []byte
	pin  pipeline.Pin
}

func (c *collected) Fetch(_ context.Context, pin pipeline.Pin) (io.ReadCloser, error) {
	c.pin = pin
	return io.NopCloser(bytes.NewReader(c.data)), nil
}

func (c *collected) Complete(context.Context, pipeline.ModelName, string, pipeline.Request) (r pipeline.Reply, err error) {
	return r, errors.New("no model here")
}

func collectionOf(t *testing.T, h collection.Header, records ...collection.Record) []byte {
	t.Helper()
	var b bytes.Buffer
	w := collection.NewWriter(&b, h)
	for _, r := range records {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func run(t *testing.T, s *pipeline.Stage, data []byte) (*stagetest.Result, *collected, error) {
	t.Helper()
	c := &collected{data: data}
	r, err := stagetest.Run(t.Context(), stagetest.Job{
		Stage: s, Effects: c, AsOf: asOf,
		Inputs: map[string]any{"repository": []schemas.Repository{{Repo: "o/n"}}},
	})
	return r, c, err
}

func issueOf(n int64, pull bool) collection.Record {
	return collection.Record{Issue: &collection.Issue{Number: n, Title: "t\x00", Body: "b\xff", Author: "a", State: "closed", Labels: []string{"x"}, Pull: pull, Comments: 99, ClosedAt: "2024-01-01T00:00:00Z"}}
}

func commentOf(n, id int64) collection.Record {
	return collection.Record{Comment: &collection.Comment{Number: n, ID: id, Body: "c\x00", CreatedAt: fmt.Sprintf("2024-01-0%dT00:00:00Z", id)}}
}

func TestCollect(t *testing.T) {
	// Comments may come before their issue: only the order within a kind is given.
	r, c, err := run(t, Collect(), collectionOf(t, collection.Header{Kind: collection.KindIssues, Name: "o/n"},
		commentOf(1, 3), issueOf(1, false), issueOf(2, true), issueOf(3, false), commentOf(1, 2), commentOf(2, 4), commentOf(7, 5)))
	if err != nil {
		t.Fatal(err)
	}
	if want := (pipeline.Pin{Scheme: "github-issues", Locator: "https://api.github.com/repos/o/n", Version: "2024-05-06T07:08:09Z"}); c.pin != want {
		t.Errorf("fetched %s", c.pin)
	}
	issues := stagetest.Rows[schemas.Issue](r, "issues")
	if len(issues) != 2 || issues[0].Number != 1 || issues[0].Comments != 2 || issues[1].Number != 3 || issues[1].Comments != 0 {
		t.Errorf("%+v", issues)
	}
	if i := issues[0]; i.Title != "t\uFFFD" || i.Body != "b\uFFFD" || i.Author != "a" || i.State != "closed" || !slices.Equal(i.Labels, []string{"x"}) || i.ClosedAt == "" {
		t.Errorf("%+v", i)
	}
	var got []string
	for _, c := range stagetest.Rows[schemas.Comment](r, "comments") {
		got = append(got, fmt.Sprintf("%d %d %v %s", c.Number, c.ID, c.OnPull, c.Body))
	}
	if want := []string{"1 2 false c\uFFFD", "1 3 false c\uFFFD", "2 4 true c\uFFFD"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if want := map[string]int64{"pull_requests": 1, "comments_without_issue": 1}; !maps.Equal(r.Notes, want) {
		t.Errorf("%v", r.Notes)
	}
}

func TestCollectNoIssues(t *testing.T) {
	r, _, err := run(t, Collect(), collectionOf(t, collection.Header{Kind: collection.KindIssues, NoIssues: true}))
	if err != nil || len(stagetest.Rows[schemas.Issue](r, "issues")) > 0 || !maps.Equal(r.Notes, map[string]int64{"issues_off": 1}) {
		t.Errorf("%v, %v", err, r)
	}
}

func TestCollectRefuses(t *testing.T) {
	whole := collectionOf(t, collection.Header{Kind: collection.KindIssues}, issueOf(1, false))
	for name, test := range map[string]struct {
		data []byte
		says string
	}{
		"empty":         {nil, "unexpected EOF"},
		"cut off":       {whole[:len(whole)-4], "line 3"},
		"no end":        {whole[:bytes.LastIndexByte(whole[:len(whole)-1], '\n')+1], "unexpected EOF"},
		"not JSON":      {[]byte("<!DOCTYPE html>"), "line 1"},
		"another kind":  {collectionOf(t, collection.Header{Kind: collection.KindDetails}), `of "details"`},
		"other records": {collectionOf(t, collection.Header{Kind: collection.KindIssues}, collection.Record{Pull: &collection.Pull{}}), "another kind"},
	} {
		_, _, err := run(t, Collect(), test.data)
		if err == nil || !strings.Contains(err.Error(), "issues of o/n: ") || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v does not say %s", name, err, test.says)
		}
	}
	for _, s := range []*pipeline.Stage{Collect(), Details()} {
		_, err := stagetest.Run(t.Context(), stagetest.Job{Stage: s, Effects: &collected{}, Inputs: map[string]any{"repository": []schemas.Repository{{Repo: "o/n"}}}})
		if err == nil || !strings.Contains(err.Error(), "benchmill lock") || pipeline.ClassOf(err) != pipeline.Fatal {
			t.Errorf("%s without an as-of time: %v", s.Name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := stagetest.Run(ctx, stagetest.Job{Stage: Collect(), AsOf: asOf, Effects: &collected{data: whole}, Inputs: map[string]any{"repository": []schemas.Repository{{Repo: "o/n"}}}})
	if pipeline.ClassOf(err) != pipeline.Canceled {
		t.Error(err)
	}
}

func TestDetails(t *testing.T) {
	r, c, err := run(t, Details(), collectionOf(t, collection.Header{Kind: collection.KindDetails},
		collection.Record{Pull: &collection.Pull{
			Number: 2, Title: "t\x00", State: "merged", MergeCommit: "m", Closes: []int64{1, 5}, Truncated: []string{"files"},
			Files:   []collection.File{{Path: "p\xff", Change: "added", Additions: 1, Deletions: 2}},
			Commits: []collection.Commit{{ID: "i", Message: "m\x00", AuthoredAt: "a", CommittedAt: "c"}},
			Reviews: []collection.Review{{Author: "r", State: "approved", Body: "fine", SubmittedAt: "s", Association: "OWNER"}},
		}},
		collection.Record{Event: &collection.Event{Number: 1, Index: 0, Kind: "closed", At: "x", FromPull: 2, WillClose: true}},
	))
	if err != nil {
		t.Fatal(err)
	}
	if c.pin.Scheme != "github-details" {
		t.Errorf("fetched %s", c.pin)
	}
	want := []schemas.PullRequest{{
		Number: 2, Title: "t\uFFFD", State: "merged", MergeCommit: "m", Closes: []int64{1, 5}, Truncated: []string{"files"},
		Files:   []schemas.PullFile{{Path: "p\uFFFD", Change: "added", Additions: 1, Deletions: 2}},
		Commits: []schemas.PullCommit{{ID: "i", Message: "m\uFFFD", AuthoredAt: "a", CommittedAt: "c"}},
		Reviews: []schemas.PullReview{{Author: "r", State: "approved", Body: "fine", SubmittedAt: "s", Association: "OWNER"}},
	}}
	if got := stagetest.Rows[schemas.PullRequest](r, "pull_requests"); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := stagetest.Rows[schemas.IssueEvent](r, "issue_events"); len(got) != 1 || got[0] != (schemas.IssueEvent{Number: 1, Kind: "closed", At: "x", FromPull: 2, WillClose: true}) {
		t.Errorf("%+v", got)
	}
	if !maps.Equal(r.Notes, map[string]int64{"pull_requests_not_whole": 1}) {
		t.Errorf("%v", r.Notes)
	}
}

func TestFetches(t *testing.T) {
	c := &SourceConfig{API: "https://ghe.local/api/v3/"}
	row := schemas.Repository{Repo: "o/n"}
	want := []pipeline.Pin{{Scheme: "github-details", Locator: "https://ghe.local/api/v3/repos/o/n", Version: "2024-05-06T07:08:09Z"}}
	if got := Details().Fetches(c, row, asOf); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if got := Collect().Fetches(c, schemas.Selected{}, asOf); got != nil {
		t.Errorf("%v of another listing", got)
	}
	if got := Collect().Fetches(c, row, time.Time{}); got != nil {
		t.Errorf("%v at no time", got)
	}
}

func TestSourceConfig(t *testing.T) {
	for _, good := range []string{"https://api.github.com", "http://127.0.0.1:8080", "https://ghe.local/api/v3/"} {
		if err := (&SourceConfig{API: good}).Validate(); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", "api.github.com", "ftp://x", "https://u:s3cret@host", "https://host?token=s", "https://host#s", "https://", "https://ho st"} {
		if err := (&SourceConfig{API: bad}).Validate(); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if err := pipeline.Validate([]*pipeline.Stage{Collect(), Details(), Links()}); err != nil {
		t.Error(err)
	}
}
