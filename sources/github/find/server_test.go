package find

import (
	"context"
	"fmt"
	"testing"
	"time"

	"benchmill/internal/clock"
	"benchmill/pipeline"
	"benchmill/sources/github/api"
	"benchmill/sources/github/githubtest"
)

// spy passes everything on and remembers the last query.
type spy struct {
	*fake
	text      string
	variables map[string]any
}

func (s *spy) Query(ctx context.Context, text string, variables map[string]any, out any) error {
	s.text, s.variables = text, variables
	return s.fake.Query(ctx, text, variables, out)
}

// served is a finder on a client of a server that answers about repositories.
func served(t *testing.T, repos []repo, o githubtest.Options) (*Finder, *githubtest.Server, *clock.Fake) {
	t.Helper()
	w := githubtest.NewWorld()
	for _, r := range repos {
		w.AddRepository(&githubtest.Repository{
			ID: r.id, Owner: "o", Name: r.name()[2:], Stars: r.stars, Created: time.Unix(r.created, 0), Languages: map[string]int64{"Python": 100, "C": 50},
			Licence: "MIT", Topics: []string{"web"}, Files: []string{".travis.yml", "src/test/a.py", "a.py"},
			Commits: []githubtest.Commit{
				{ID: commitID, Committed: asOf.AddDate(0, -1, 0)},
				{ID: "f" + commitID[1:], Committed: asOf.AddDate(0, 1, 0)},
			},
		})
	}
	c := &clock.Fake{Start: asOf.AddDate(0, 2, 0)}
	o.Now = c.Now
	s := githubtest.New(w, o)
	client, err := api.Open("https://api.github.com", api.Settings{}, api.Options{
		Getenv: func(string) string { return "a-token" }, Clock: c, Transport: s.Transport(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return &Finder{API: client, Pause: c.Sleep}, s, c
}

// The search over real answers, with the budget of 30 searches a minute: 12,345
// repositories of one day, each once, with their figures.
func TestFindServed(t *testing.T) {
	repos := dense(12345)
	finder, s, c := served(t, repos, githubtest.Options{Limits: githubtest.GitHubLimits()})
	begin := c.Now()
	got, err := finder.Find(t.Context(), "language:python commits-since:2024-01-01", asOf)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(repos) {
		t.Fatalf("%d of %d", len(got), len(repos))
	}
	for i, r := range got { // names ascend with numbers
		if r.Repo != repos[i].name() || r.ID != repos[i].id || r.Stars != repos[i].stars {
			t.Fatalf("repository %d is %+v, want %+v", i, r, repos[i])
		}
	}
	r := got[0]
	if r.Commit != commitID || r.CommitsSince != 1 || r.Language != "Python" || r.LanguageBytes != 100 || r.SourceBytes != 150 ||
		r.Licence != "MIT" || fmt.Sprint(r.Topics) != "[web]" || !r.HasCI || !r.HasTests || !r.HasIssues || r.Branch != "main" ||
		r.URL != "https://github.com/"+r.Repo || r.CreatedAt != time.Unix(repos[0].created, 0).UTC().Format(time.RFC3339) {
		t.Errorf("%+v", r)
	}
	t.Logf("%s on the server's clock; %+v", c.Now().Sub(begin), s.Counts())
}

// With one answer in ten false the list is the same.
func TestFindFaults(t *testing.T) {
	repos := dense(2500)
	calm, _, _ := served(t, repos, githubtest.Options{})
	want, err := calm.Find(t.Context(), "language:python", asOf)
	if err != nil {
		t.Fatal(err)
	}
	finder, _, _ := served(t, repos, githubtest.Options{Faults: githubtest.Faults{Share: 0.1, Seed: pipeline.Seed{Stage: "find"}}})
	got, err := finder.Find(t.Context(), "language:python", asOf)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Error("faults change the list")
	}
	t.Logf("%+v", finder.API.(*api.Client).Stats())
}
