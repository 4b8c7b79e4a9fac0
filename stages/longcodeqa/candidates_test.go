package longcodeqa

import (
	"maps"
	"strings"
	"testing"

	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
)

const when = "2024-05-06T07:08:09Z"

var long = strings.Repeat("Why is it so? ", 10)

func repository() schemas.Repository {
	return schemas.Repository{Repo: "owner/name", URL: "https://host.example/owner/name.git", Commit: strings.Repeat("1", 40), Language: "python", Licence: "MIT", Topic: "databases"}
}

func issue(number int64, change func(*schemas.Issue)) schemas.Issue {
	i := schemas.Issue{Number: number, Title: "A title", Body: long, Author: "asker", AuthorType: "User", Association: "NONE", State: "closed", CreatedAt: when, ClosedAt: when}
	if change != nil {
		change(&i)
	}
	return i
}

func comment(number, id int64, author, association, body string) schemas.Comment {
	return schemas.Comment{Number: number, ID: id, Author: author, AuthorType: "User", Association: association, Body: body, CreatedAt: when}
}

func runCandidates(t *testing.T, c *CandidatesConfig, issues []schemas.Issue, comments []schemas.Comment, links []schemas.IssueLink) *stagetest.Result {
	t.Helper()
	inputs := map[string]any{"repository": []schemas.Repository{repository()}, "issues": issues, "comments": comments}
	if links != nil {
		inputs["links"] = links
	}
	r, err := stagetest.Run(t.Context(), stagetest.Job{Stage: Candidates(), Config: c, Inputs: inputs})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCandidates(t *testing.T) {
	none := func(*schemas.Issue) {}
	answer := comment(1, 1, "owner", "OWNER", "Because of this.")
	bot := comment(1, 2, "stale[bot]", "NONE", "This issue is stale.")
	typed := comment(1, 3, "helper", "NONE", "Thanks.")
	typed.AuthorType = "Bot"
	onPull := answer
	onPull.OnPull = true
	link := []schemas.IssueLink{{Issue: 1, Pull: 7, Evidence: schemas.EvidenceKeyword}, {Issue: 1, Pull: 9, Evidence: schemas.EvidenceEvent}}
	for name, test := range map[string]struct {
		change   func(*schemas.Issue)
		comments []schemas.Comment
		links    []schemas.IssueLink
		pulls    string
		max      int
		reason   string // "": it comes out
		detail   string
	}{
		"closed":              {change: none, comments: []schemas.Comment{answer}},
		"open":                {change: func(i *schemas.Issue) { i.State = "open" }, comments: []schemas.Comment{answer}, reason: "open"},
		"a bot's by type":     {change: func(i *schemas.Issue) { i.AuthorType = "Bot" }, comments: []schemas.Comment{answer}, reason: "bot"},
		"a bot's by name":     {change: func(i *schemas.Issue) { i.Author = "dependabot[bot]" }, comments: []schemas.Comment{answer}, reason: "bot"},
		"a deleted account's": {change: func(i *schemas.Issue) { i.Author, i.AuthorType = "", "" }, comments: []schemas.Comment{answer}},
		"duplicate":           {change: func(i *schemas.Issue) { i.StateReason = "duplicate" }, comments: []schemas.Comment{answer}, reason: "duplicate"},
		"not planned":         {change: func(i *schemas.Issue) { i.StateReason = "not_planned" }, comments: []schemas.Comment{answer}},
		"no comments":         {change: none, reason: "no_comments"},
		"bots' comments":      {change: none, comments: []schemas.Comment{bot, typed}, reason: "no_comments"},
		"on a pull request":   {change: none, comments: []schemas.Comment{onPull}, reason: "no_comments"},
		"of another issue":    {change: none, comments: []schemas.Comment{comment(2, 1, "owner", "OWNER", "No.")}, reason: "no_comments"},
		"pull request":        {change: none, comments: []schemas.Comment{answer}, links: link, reason: "closed_by_pull_request", detail: "#7"},
		"pull request, kept":  {change: none, comments: []schemas.Comment{answer}, links: link, pulls: "keep"},
		"another's":           {change: none, comments: []schemas.Comment{answer}, links: []schemas.IssueLink{{Issue: 2, Pull: 7}}},
		"too short":           {change: func(i *schemas.Issue) { i.Body = "?" }, comments: []schemas.Comment{answer}, reason: "too_short", detail: "48 characters"},
		"too long":            {change: none, comments: []schemas.Comment{answer}, max: 100, reason: "too_long", detail: "186 characters"},
		"long enough":         {change: none, comments: []schemas.Comment{answer}, max: 186},
		"characters not bytes": {change: func(i *schemas.Issue) { i.Body = strings.ReplaceAll(i.Body, "y", "ÿ") },
			comments: []schemas.Comment{answer}, max: 186},
	} {
		c := Candidates().NewConfig().(*CandidatesConfig)
		if test.pulls != "" {
			c.PullRequests = test.pulls
		}
		if test.max > 0 {
			c.MaxChars = test.max
		}
		r := runCandidates(t, c, []schemas.Issue{issue(1, test.change)}, test.comments, test.links)
		rows := stagetest.Rows[schemas.Discussion](r, "discussions")
		if test.reason == "" {
			if len(rows) != 1 || len(r.Dropped) != 0 {
				t.Errorf("%s: %+v, %+v", name, rows, r.Dropped)
			}
			continue
		}
		if len(r.Dropped) != 1 || r.Dropped[0].Reason != test.reason || r.Dropped[0].Detail != test.detail || r.Dropped[0].Key != "1" {
			t.Errorf("%s: %+v", name, r.Dropped)
		}
	}
}

func TestDiscussion(t *testing.T) {
	asked := issue(12, func(i *schemas.Issue) {
		i.Title = "Why, @Boss?"
		i.Body = "First\r\nsecond. @boss @nobody, me@boss.example, @property @boss-2\n"
	})
	bot := comment(12, 2, "ci[bot]", "NONE", "Built.")
	comments := []schemas.Comment{
		comment(11, 1, "boss", "OWNER", "Elsewhere."),
		comment(12, 1, "Boss", "MEMBER", "Because, @asker."),
		bot,
		comment(12, 3, "asker", "NONE", "(@BOSS) thanks"),
		comment(12, 4, "", "NONE", "Me too."),
		comment(12, 5, "dev", "CONTRIBUTOR", "`@boss`"),
		comment(12, 6, "passer-by", "FIRST_TIME_CONTRIBUTOR", long),
	}
	r := runCandidates(t, defaults(), []schemas.Issue{asked}, comments, nil)
	rows := stagetest.Rows[schemas.Discussion](r, "discussions")
	want := schemas.Discussion{Number: 12, Title: "Why, @maintainer?", Comments: 5, CreatedAt: when, ClosedAt: when, Text: `[author]
First
second. @maintainer @nobody, me@boss.example, @property @boss-2

[maintainer]
Because, @author.

[author]
(@maintainer) thanks

[user]
Me too.

[contributor]
` + "`@maintainer`" + `

[user]
` + strings.TrimSpace(long)}
	if len(rows) != 1 || rows[0] != want {
		t.Errorf("%+v, want %+v", rows, want)
	}
	if !maps.Equal(r.Notes, map[string]int64{"bot_comments_left_out": 1}) {
		t.Errorf("%v", r.Notes)
	}
}

// Nobody speaks in the name of another.
func TestDiscussionForged(t *testing.T) {
	body := "Why is that?\r\n\r\n[maintainer]\r\nIt is meant.\r [author] \r[maintainers]\nsee [user]\n"
	d := discussion(issue(1, func(i *schemas.Issue) { i.Body = body }), []schemas.Comment{comment(1, 1, "b", "OWNER", "[user]")})
	want := "[author]\nWhy is that?\n\n> [maintainer]\nIt is meant.\n>  [author] \n[maintainers]\nsee [user]\n\n[maintainer]\n> [user]"
	if d.Text != want {
		t.Errorf("%q, want %q", d.Text, want)
	}
}

// defaults is the default configuration.
func defaults() *CandidatesConfig { return Candidates().NewConfig().(*CandidatesConfig) }

// Many issues keep their order and each its own comments.
func TestCandidatesMany(t *testing.T) {
	var issues []schemas.Issue
	var comments []schemas.Comment
	for n := range int64(50) {
		issues = append(issues, issue(n, nil))
		for k := range n % 4 {
			comments = append(comments, comment(n, k, "who", "OWNER", strings.Repeat("x", int(n))))
		}
	}
	r := runCandidates(t, defaults(), issues, comments, nil)
	for _, d := range stagetest.Rows[schemas.Discussion](r, "discussions") {
		if d.Comments != d.Number%4 || strings.Count(d.Text, "[maintainer]\n"+strings.Repeat("x", int(d.Number))) != int(d.Comments) {
			t.Errorf("%+v", d)
		}
	}
	if !maps.Equal(r.Reasons(), map[string]int{"no_comments": 13}) {
		t.Errorf("%v", r.Reasons())
	}
}
