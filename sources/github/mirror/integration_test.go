package mirror

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"benchmill/internal/clock"
	"benchmill/internal/collection"
	"benchmill/pipeline"
	"benchmill/sources/github/api"
	"benchmill/sources/github/githubtest"
)

// hub is a fake server, a client of it, and a mirror that asks through a narrow
// place: fewer items a page, and calls that can be stopped.
type hub struct {
	*githubtest.Server
	clock  *clock.Fake
	client *api.Client
	mirror *Mirror
	repo   string
	world  *githubtest.World
}

func newHub(t testing.TB, w *githubtest.World, perPage int) *hub {
	t.Helper()
	h := &hub{clock: &clock.Fake{Start: githubtest.GeneratedUntil.AddDate(1, 0, 0)}, world: w, repo: w.Repositories()[0].FullName()}
	h.Server = githubtest.New(w, githubtest.Options{Now: h.clock.Now})
	var err error
	h.client, err = api.Open("https://api.github.com", api.Settings{}, api.Options{
		Getenv: func(name string) string { return map[string]string{"GITHUB_TOKEN": "secret-marker"}[name] },
		Clock:  h.clock, Transport: h.Transport(),
	})
	if err != nil {
		t.Fatal(err)
	}
	h.mirror = h.fresh(t, perPage)
	return h
}

// fresh is a mirror of nothing yet.
func (h *hub) fresh(t testing.TB, perPage int) *Mirror {
	return &Mirror{Dir: t.TempDir(), Base: "https://api.github.com", API: &narrow{API: h.client, perPage: perPage}}
}

// narrow asks for fewer items a page, and ends a context before its n-th call.
type narrow struct {
	API
	perPage int
	left    int // calls until stop is called; 0: never
	stop    context.CancelFunc
}

func (n *narrow) call() {
	if n.left--; n.left == 0 {
		n.stop()
	}
}

func (n *narrow) Get(ctx context.Context, address string, known api.Known) (*api.Answer, error) {
	n.call()
	return n.API.Get(ctx, strings.Replace(address, "per_page=100", fmt.Sprintf("per_page=%d", n.perPage), 1), known)
}

func (n *narrow) Query(ctx context.Context, query string, variables map[string]any, out any) error {
	n.call()
	return n.API.Query(ctx, query, variables, out)
}

// collect writes issues and details of the repository.
func (h *hub) collect(ctx context.Context, m *Mirror, asOf time.Time) (string, error) {
	var out bytes.Buffer
	err := m.Issues(ctx, h.repo, asOf, &out)
	if err == nil {
		err = m.Details(ctx, h.repo, asOf, &out)
	}
	return out.String(), err
}

func (h *hub) mustCollect(t testing.TB, m *Mirror, asOf time.Time) string {
	t.Helper()
	out, err := h.collect(t.Context(), m, asOf)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// later moves the clock and returns the new time.
func (h *hub) later(d time.Duration) time.Time {
	h.clock.Sleep(context.Background(), d)
	return h.clock.Now()
}

// killAfter stops the mirror before its n-th call.
func (h *hub) killAfter(t testing.TB, n int) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	gate := h.mirror.API.(*narrow)
	gate.left, gate.stop = n, cancel
	return ctx
}

// change does one thing people do, now.
func (h *hub) change(r *rand.Rand) {
	w, repo, now := h.world, h.world.Repositories()[0], h.clock.Now()
	issue := repo.Issues[r.IntN(len(repo.Issues))]
	ann := w.User("ann")
	switch r.IntN(10) {
	case 0:
		w.AddIssue(repo, &githubtest.Issue{Title: "new", Body: "a\r\nb", Author: ann, Created: now})
	case 1:
		if issue.State == "closed" && issue.Pull == nil {
			w.Reopen(issue, now, ann)
		} else if issue.State != "closed" {
			w.Close(issue, now, ann)
		}
	case 2:
		if len(issue.Comments) > 0 {
			c := issue.Comments[r.IntN(len(issue.Comments))]
			w.EditComment(c, now, func(c *githubtest.Comment) { c.Body += " edited" })
		}
	case 3:
		if len(issue.Comments) > 0 {
			w.DeleteComment(issue.Comments[0])
			w.Edit(issue, now, func(i *githubtest.Issue) { i.Title += " tidied" }) // so that a page shows the count
		}
	case 4:
		pull := &githubtest.Issue{Title: "pull", Author: ann, Created: now, Pull: &githubtest.Pull{
			Files: []githubtest.File{{Path: "a", Change: "added"}}, Commits: repo.Commits[:1]}}
		if issue.Pull == nil && issue.State != "closed" {
			pull.Pull.Closes = []*githubtest.Issue{issue}
		}
		w.AddIssue(repo, pull)
		if r.IntN(2) == 0 {
			w.Merge(pull, now, ann, repo.Commits[0].ID)
		}
	case 5:
		w.Edit(issue, now, func(i *githubtest.Issue) { i.Labels = append(slices.Clone(i.Labels), "more") })
	default:
		w.AddComment(issue, &githubtest.Comment{Body: "said", Author: ann, Created: now})
	}
}

// Many refreshes, interrupted, with faults, while the repository lives and is
// renamed, end in the bytes of a collection made at once.
func TestFullEqualsRefreshes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		h := newHub(t, githubtest.Generate(int64(seed), 1, 80), 7)
		h.SetFaults(githubtest.Faults{Share: 0.1, Seed: pipeline.Seed{Pipeline: int64(seed)}})
		for round := range 15 {
			for range r.IntN(8) {
				h.change(r)
				if r.IntN(2) == 0 {
					h.later(time.Duration(r.IntN(3)) * time.Second)
				}
			}
			if round == 7 {
				h.world.Rename(h.world.Repositories()[0], "new/name")
			}
			asOf := h.later(time.Minute)
			h.collect(h.killAfter(t, 1+r.IntN(30)), h.mirror, asOf) // ends in an error or not
			h.later(time.Minute)
		}
		h.mirror.API.(*narrow).left = 0
		asOf := h.later(time.Hour)
		got := h.mustCollect(t, h.mirror, asOf)
		h.SetFaults(githubtest.Faults{})
		h.later(time.Hour)
		same(t, fmt.Sprint("seed ", seed), got, h.mustCollect(t, h.fresh(t, 100), asOf))
		if early := githubtest.GeneratedUntil.AddDate(0, -6, 0); seed == 0 {
			same(t, "cut", h.mustCollect(t, h.mirror, early), h.mustCollect(t, h.fresh(t, 13), early))
		}
	}
}

// With faults and kills the table is the same, and no page that was stored is
// asked for again.
func TestFaultsAndKills(t *testing.T) {
	t.Parallel()
	h := newHub(t, githubtest.Generate(7, 1, 120), 5)
	asOf := h.later(time.Hour)
	want := h.mustCollect(t, h.fresh(t, 100), asOf)
	h.ResetLog()
	h.SetFaults(githubtest.Faults{Share: 0.1, Seed: pipeline.Seed{Pipeline: 3}})
	r := rand.New(rand.NewPCG(5, 5))
	kills := 0
	var got string
	for {
		var err error
		if got, err = h.collect(h.killAfter(t, 2+r.IntN(12)), h.mirror, asOf); err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		kills++
	}
	same(t, fmt.Sprint(kills, " kills"), got, want)
	if kills < 10 {
		t.Errorf("only %d kills", kills)
	}
	seen := map[string]int{}
	faults := 0
	for _, line := range h.Log() {
		if line.Fault != "" {
			faults++
		} else if line.Status == 200 && line.Method == "GET" && strings.Contains(line.Path, "/issues") {
			seen[line.Path]++
		}
	}
	for path, times := range seen {
		if times > 1 {
			t.Errorf("%s was answered %d times", path, times)
		}
	}
	if faults == 0 || len(seen) < 100 {
		t.Errorf("%d faults, %d pages", faults, len(seen))
	}
}

// What a refresh costs with pages of the true size.
func TestRefreshCosts(t *testing.T) {
	t.Parallel()
	h := newHub(t, githubtest.Generate(1, 1, 400), 100)
	h.mustCollect(t, h.mirror, h.clock.Now())
	cost := func() map[int]int {
		h.ResetLog()
		var out bytes.Buffer
		if err := h.mirror.Issues(t.Context(), h.repo, h.later(time.Hour), &out); err != nil {
			t.Fatal(err)
		}
		return h.Counts().ByStatus
	}
	if got := cost(); len(got) != 1 || got[304] != 2 {
		t.Errorf("with nothing new: %v", got)
	}
	for k := range 4 { // 1%
		issue := h.world.Repositories()[0].Issues[k*90]
		h.world.AddComment(issue, &githubtest.Comment{Body: "more", Author: h.world.User("ann"), Created: h.later(time.Minute)})
	}
	if got := cost(); len(got) != 1 || got[200] != 2 {
		t.Errorf("with 1%% new: %v", got)
	}
	h.ResetLog()
	if err := h.mirror.Details(t.Context(), h.repo, h.clock.Now(), &bytes.Buffer{}); err != nil {
		t.Fatal(err)
	}
	if got := h.Counts(); got.ByStatus[200] > 2 {
		t.Errorf("the details of four numbers: %v", got.ByStatus)
	}
}

func TestServerRefusals(t *testing.T) {
	t.Parallel()
	h := newHub(t, githubtest.Generate(1, 1, 30), 100)
	repo := h.world.Repositories()[0]
	for _, c := range []struct {
		change func(*githubtest.Repository)
		want   string
	}{
		{func(r *githubtest.Repository) { r.Deleted = true }, "none of this name"},
		{func(r *githubtest.Repository) { r.Deleted, r.Blocked = false, h.clock.Now() }, "legal"},
	} {
		h.world.Change(repo, c.change)
		_, err := h.collect(t.Context(), h.mirror, h.clock.Now())
		if err == nil || !strings.Contains(err.Error(), "repository "+h.repo) || !strings.Contains(err.Error(), c.want) ||
			pipeline.ClassOf(err) != pipeline.Permanent || strings.Contains(err.Error(), "secret-marker") {
			t.Errorf("%v", err)
		}
	}
	h.world.Change(repo, func(r *githubtest.Repository) { r.Blocked, r.NoIssues = time.Time{}, true })
	if head, all := records(t, h.mustCollect(t, h.mirror, h.clock.Now()), collection.KindIssues); !head.NoIssues || len(all) != 0 {
		t.Errorf("%+v", head)
	}
}

// A server that bears few nodes is asked for few.
func TestHeavyServer(t *testing.T) {
	t.Parallel()
	w := githubtest.Generate(2, 1, 100)
	h := newHub(t, w, 100)
	want := h.mustCollect(t, h.mirror, h.clock.Now())
	light := &hub{Server: githubtest.New(w, githubtest.Options{Now: h.clock.Now, Heavy: 1700}), clock: h.clock, world: w, repo: h.repo}
	var err error
	light.client, err = api.Open("https://api.github.com", api.Settings{TokensEnv: "T"}, api.Options{
		Getenv: func(string) string { return "t" }, Clock: h.clock, Transport: light.Transport()})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "in small batches", light.mustCollect(t, light.fresh(t, 100), h.clock.Now()), want)
}
