package policy

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

var (
	scrubIssues = []schemas.Issue{
		{Number: 1, Title: "Mail bob@some.host", Body: "from 8.8.4.4, ask @Bob or @jane", Author: "ann", Labels: []string{"x@y.zz"}},
		{Number: 2, Title: "my address", Body: "secret story", Author: "Jane", State: "closed"},
	}
	scrubComments = []schemas.Comment{
		{Number: 1, ID: 1, Author: "bob", Body: "@ann see https://u:pw@host"},
		{Number: 1, ID: 2, Author: "JANE", Body: "mine"},
		{Number: 1, ID: 3, Author: "", Body: "`@bob` @ghost @carl"},
		{Number: 2, ID: 4, Author: "bob", Body: "@ann", OnPull: true},
	}
)

func scrubbed(t *testing.T, c *ScrubConfig, issues []schemas.Issue, comments []schemas.Comment) (*stagetest.Result, []string) {
	t.Helper()
	r, err := stagetest.Run(t.Context(), stagetest.Job{
		Stage: Scrub(), Config: c, Files: map[pipeline.FileName]string{"out": "jane # asked\n"},
		Inputs: map[string]any{"issues": issues, "comments": comments},
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, i := range stagetest.Rows[schemas.Issue](r, "issues") {
		out = append(out, fmt.Sprintf("%d %q %q %q", i.Number, i.Author, i.Title, i.Body))
	}
	for _, m := range stagetest.Rows[schemas.Comment](r, "comments") {
		out = append(out, fmt.Sprintf("%d.%d %q %q", m.Number, m.ID, m.Author, m.Body))
	}
	return r, out
}

func TestScrub(t *testing.T) {
	r, got := scrubbed(t, &ScrubConfig{}, scrubIssues, scrubComments)
	want := []string{
		`1 "ann" "Mail <email>" "from 8.8.4.4, ask @Bob or @jane"`, `2 "Jane" "my address" "secret story"`,
		`1.1 "bob" "@ann see https://u:<password>@host"`, `1.2 "JANE" "mine"`, "1.3 \"\" \"`@bob` @ghost @carl\"", `2.4 "bob" "@ann"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if !maps.Equal(r.Notes, map[string]int64{"scrubbed_email": 1, "scrubbed_password": 1}) {
		t.Errorf("%v", r.Notes)
	}
	if i := stagetest.Rows[schemas.Issue](r, "issues"); i[1].State != "closed" || i[0].Labels[0] != "x@y.zz" {
		t.Errorf("%+v", i)
	}
}

func TestScrubEverything(t *testing.T) {
	c := &ScrubConfig{File: "out", IPs: true, Mentions: true}
	r, got := scrubbed(t, c, scrubIssues, scrubComments)
	want := []string{
		`1 "user1" "Mail <email>" "from <ip>, ask @user2 or @ghost"`, `2 "" "" ""`,
		`1.1 "user2" "@user1 see https://u:<password>@host"`, `1.2 "" ""`, "1.3 \"\" \"`@bob` @ghost @user3\"", `2.4 "user1" "@user2"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if !maps.Equal(r.Notes, map[string]int64{"scrubbed_email": 1, "scrubbed_ip": 1, "scrubbed_password": 1, "scrubbed_mention": 5, "opted_out_posts": 2}) {
		t.Errorf("%v", r.Notes)
	}
	_, again := scrubbed(t, c, stagetest.Rows[schemas.Issue](r, "issues"), stagetest.Rows[schemas.Comment](r, "comments"))
	if !slices.Equal(again, got) {
		t.Errorf("again: %q", again)
	}
}

// Without the option, people who opted out are still not mentioned.
func TestScrubOptedOut(t *testing.T) {
	_, got := scrubbed(t, &ScrubConfig{File: "out"}, scrubIssues[:1], nil)
	if !slices.Equal(got, []string{`1 "ann" "Mail <email>" "from 8.8.4.4, ask @Bob or @ghost"`}) {
		t.Errorf("%q", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := stagetest.Run(ctx, stagetest.Job{Stage: Scrub(), Inputs: map[string]any{"issues": scrubIssues, "comments": scrubComments}})
	if pipeline.ClassOf(err) != pipeline.Canceled {
		t.Error(err)
	}
}
