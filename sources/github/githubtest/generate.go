package githubtest

import (
	"fmt"
	"math/rand/v2"
	"time"

	"benchmill/pipeline"
)

// GeneratedUntil is after everything [Generate] makes.
var GeneratedUntil = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// Generate makes a world of so many repositories with so many issues each, one in
// five a pull request: comments, bots, ghosts, labels, empty bodies, text in many
// scripts, closings by pull requests, by commits and by hand, items updated in the
// same second. The same arguments make the same world.
func Generate(seed int64, repositories, issues int) *World {
	w := NewWorld()
	for k := range repositories {
		name := fmt.Sprintf("repository %d", k)
		g := &generator{Rand: pipeline.Seed{Pipeline: seed, Stage: "githubtest"}.Rand(name), w: w}
		g.repository(k, issues)
	}
	return w
}

type generator struct {
	*rand.Rand
	w *World
	r *Repository
}

// pick draws one of a list.
func pick[T any](g *generator, items []T) T { return items[g.IntN(len(items))] }

// chance is true so many times in a hundred.
func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

// after is a moment up to a number of hours later, in whole seconds.
func (g *generator) after(t time.Time, hours int) time.Time {
	return t.Add(time.Duration(1+g.IntN(hours*3600)) * time.Second)
}

func (g *generator) id() string {
	return fmt.Sprintf("%016x%016x%08x", g.Uint64(), g.Uint64(), g.Uint32())
}

func (g *generator) repository(k, issues int) {
	created := time.Date(2016, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(g.IntN(6*365*24)) * time.Hour)
	r := &Repository{
		Owner: pick(g, owners), Name: fmt.Sprintf("%s-%s-%d", pick(g, nouns), pick(g, nouns), k), Organization: g.chance(60),
		Description: g.sentence(), Licence: pick(g, []string{"MIT", "Apache-2.0", "BSD-3-Clause", "GPL-3.0", "NOASSERTION", ""}),
		Languages: map[string]int64{pick(g, languages): 50_000 + g.Int64N(2_000_000), "Shell": 500 + g.Int64N(9000)},
		Stars:     g.Int64N(30_000), Forks: g.Int64N(2000), Size: 200 + g.Int64N(90_000), Fork: g.chance(5), Archived: g.chance(5),
		Created: created, Branch: pick(g, []string{"main", "master", "develop"}),
		Files: []string{"README.md", "LICENSE", "src/main.txt", "src/lib/index.txt"},
	}
	for range g.IntN(4) {
		r.Topics = append(r.Topics, pick(g, nouns))
	}
	if g.chance(80) {
		r.Files = append(r.Files, ".github/workflows/ci.yml")
	}
	if g.chance(70) {
		r.Files = append(r.Files, "tests/test_main.txt")
	}
	step := GeneratedUntil.Sub(created) / time.Duration(issues+20)
	at := created
	for range 20 {
		r.Commits = append(r.Commits, g.commit(at))
		at = at.Add(step)
	}
	g.r = g.w.AddRepository(r)
	for range issues {
		at = at.Add(time.Duration(g.Int64N(int64(step)))).Truncate(time.Second)
		g.issue(at)
	}
	g.w.Change(r, func(r *Repository) {
		r.Pushed = r.Commits[len(r.Commits)-1].Committed
		r.Updated = r.Pushed
	})
}

func (g *generator) commit(at time.Time) Commit {
	u := g.user()
	c := Commit{ID: g.id(), Message: g.sentence(), Author: u, Name: "Somebody", Email: "somebody@example.org", Authored: at, Committed: g.after(at, 3)}
	if u != nil {
		c.Name, c.Email = u.Login, u.Login+"@example.org"
	}
	return c
}

// user draws an author: mostly people, some bots and ghosts.
func (g *generator) user() *User {
	switch n := g.IntN(100); {
	case n < 2:
		return nil
	case n < 4:
		u := g.w.User("gone-" + pick(g, nouns))
		u.Deleted = true
		return u
	case n < 12:
		return g.w.User(pick(g, []string{"dependabot[bot]", "stale[bot]", "github-actions[bot]"}))
	default:
		return g.w.User(pick(g, people) + pick(g, []string{"", "", "-dev", "42", "-x"}))
	}
}

func (g *generator) issue(created time.Time) {
	i := &Issue{
		Title: g.title(), Body: g.body(), Author: g.user(), Created: created, Locked: g.chance(2),
		Association: pick(g, []string{"NONE", "NONE", "CONTRIBUTOR", "MEMBER", "OWNER", "COLLABORATOR"}),
	}
	for range g.IntN(3) {
		if label := pick(g, labels); len(i.Labels) == 0 || i.Labels[0] != label {
			i.Labels = append(i.Labels, label)
		}
	}
	at := created
	for range g.IntN(11) {
		at = g.after(at, 40)
		c := &Comment{Body: g.body(), Author: g.user(), Created: at, Association: i.Association}
		if g.chance(10) {
			c.Updated = g.after(at, 30)
		}
		i.Comments = append(i.Comments, c)
	}
	if g.chance(20) {
		g.pull(i, at)
	}
	g.w.AddIssue(g.r, i)
	if i.Pull != nil && len(i.Pull.Closes) > 0 {
		g.w.AddEvent(i.Pull.Closes[0], &Event{Kind: EventReferenced, Actor: i.Author, At: created, From: i, WillClose: true})
	}
	if at = g.after(at, 100); g.chance(70) {
		g.close(i, at)
	} else if g.chance(10) {
		// Many items carry one second: a bulk edit.
		second := created.Truncate(90 * 24 * time.Hour).Add(90 * 24 * time.Hour)
		g.w.Edit(i, second, func(i *Issue) { i.Labels = append(i.Labels, "triage") })
	}
}

// close ends an issue in one of the ways there are.
func (g *generator) close(i *Issue, at time.Time) {
	switch {
	case i.Pull != nil && g.chance(80):
		g.w.Merge(i, at, g.user(), g.id())
	case i.State == "closed": // by a pull request meanwhile
	case i.Pull == nil && g.chance(20):
		g.w.AddEvent(i, &Event{Kind: EventClosed, At: at, Actor: g.user(), Commit: pick(g, g.r.Commits).ID})
	case i.Pull == nil && g.chance(20):
		g.w.AddEvent(i, &Event{Kind: EventClosed, At: at, Actor: g.user(), Reason: "not_planned"})
	default:
		g.w.Close(i, at, g.user())
		if g.chance(10) {
			g.w.Reopen(i, g.after(at, 50), i.Author)
		}
	}
}

// pull makes a pull request of an issue that is not added yet.
func (g *generator) pull(i *Issue, until time.Time) {
	p := &Pull{BaseCommit: pick(g, g.r.Commits).ID, HeadRef: "patch-" + pick(g, nouns), HeadCommit: g.id(), Draft: g.chance(10)}
	for k := range 1 + g.IntN(5) {
		f := File{Path: fmt.Sprintf("src/%s/%d.txt", pick(g, nouns), k), Change: pick(g, []string{"modified", "modified", "added", "removed", "renamed"})}
		f.Additions, f.Deletions = g.Int64N(60), g.Int64N(40)
		if f.Change == "renamed" {
			f.From = "old/" + f.Path
		}
		f.Patch = "@@ -1 +1 @@\n-" + g.sentence() + "\n+" + g.sentence()
		p.Files = append(p.Files, f)
	}
	for range 1 + g.IntN(4) {
		p.Commits = append(p.Commits, g.commit(i.Created))
	}
	p.HeadCommit = p.Commits[len(p.Commits)-1].ID
	for range g.IntN(3) {
		p.Reviews = append(p.Reviews, Review{
			Author: g.user(), Association: "MEMBER", State: pick(g, []string{"APPROVED", "COMMENTED", "CHANGES_REQUESTED"}),
			Body: pick(g, []string{"", g.sentence()}), Commit: p.HeadCommit, Submitted: g.after(until, 9),
		})
	}
	if n := len(g.r.Issues); n > 0 {
		if closed := g.r.Issues[max(0, n-1-g.IntN(10))]; closed.Pull == nil && g.chance(60) {
			p.Closes = []*Issue{closed}
			i.Body = fmt.Sprintf("%s\n\n%s #%d", i.Body, pick(g, []string{"Fixes", "Closes", "resolves"}), closed.Number)
		}
	}
	i.Pull = p
}
