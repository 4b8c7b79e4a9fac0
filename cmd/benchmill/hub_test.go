package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/sources/github/githubtest"
)

// hubToken is the one token that the scripts' GitHub knows, a gardener's.
const hubToken = "hub-marker-token"

// hubServer is a GitHub on loopback, an Enterprise one: its REST API lies below
// /api/v3.
type hubServer struct {
	*githubtest.Server
	world *githubtest.World
	clock atomic.Int64 // Unix seconds
}

// newHub knows three Python repositories, one of them by a former name too, and
// what no search for them finds: a repository in Go and a fork. Each has five
// closed issues, one of them closed by a pull request. It is June 2024.
func newHub() *hubServer {
	h := &hubServer{world: githubtest.NewWorld()}
	h.clock.Store(day(6, 1).Unix())
	for i, r := range []*githubtest.Repository{
		{Owner: "orchard", Name: "apple", Language: "Python"},
		{Owner: "orchard", Name: "cherry", Language: "Python"},
		{Owner: "orchard", Name: "plum", Language: "Python", Was: []string{"orchard/prune"}},
		{Owner: "wood", Name: "hazel", Language: "Python", Fork: true},
		{Owner: "wood", Name: "walnut", Language: "Go"},
	} {
		commit := githubtest.Commit{ID: digest.Of([]byte(r.Name)).Hex()[:40], Message: "Head", Authored: day(1, 1), Committed: day(1, 1)}
		r.Organization, r.Licence, r.Stars, r.Size = true, "MIT", int64(500+100*i), 90
		r.Languages, r.Files, r.Commits = map[string]int64{r.Language: 40_000}, []string{"README.md", "tests/test.py"}, []githubtest.Commit{commit}
		r.Created, r.Pushed = day(1, 1), day(2, 1)
		h.addIssues(h.world.AddRepository(r), 5, day(3, 1))
		pull := h.world.AddIssue(r, &githubtest.Issue{Title: "Ripen", Author: h.world.User("ann"), Created: day(3, 9), Pull: &githubtest.Pull{
			BaseCommit: commit.ID, HeadCommit: commit.ID, Files: []githubtest.File{{Path: "README.md", Change: "modified", Additions: 1}},
			Closes: []*githubtest.Issue{r.Issue(1)},
		}})
		h.world.Merge(pull, day(3, 10), h.world.User("ann"), commit.ID)
	}
	h.Server = githubtest.Serve(h.world, githubtest.Options{
		Tokens: map[string]string{hubToken: "gardener"}, Prefix: "/api/v3",
		Now: func() time.Time { return time.Unix(h.clock.Load(), 0) },
	})
	return h
}

// day is a day of 2024.
func day(month time.Month, d int) time.Time { return time.Date(2024, month, d, 12, 0, 0, 0, time.UTC) }

// addIssues adds issues of one moment that were talked about and closed; the very
// first of a repository waits for its pull request.
func (h *hubServer) addIssues(r *githubtest.Repository, n int, at time.Time) {
	for range n {
		i := h.world.AddIssue(r, &githubtest.Issue{Title: "Why?", Body: "It does not.", Author: h.world.User("zoe"), Created: at})
		h.world.AddComment(i, &githubtest.Comment{Body: "It is meant to be so.", Author: h.world.User("ann"), Association: "OWNER", Created: at})
		if i.Number > 1 {
			h.world.Close(i, at, h.world.User("ann"))
		}
	}
}

// hub is the scripts' GitHub. It starts once: its address is in $HUB and its token
// in $GITHUB_TOKEN, a model that asks is started beside it, and testdata/orchard.yaml
// is the pipeline. Then it changes as it is told.
func hub(ts *testscript.TestScript, neg bool, args []string) {
	const use = "hub start|stop | requests [COUNT] [STATUS=COUNT|search=COUNT|graphql=COUNT]... | clock TIME | faults SHARE [KIND]... | " +
		"add-issues REPO COUNT TIME | rename REPO NAME | issues-off|block|delete REPO"
	want(ts, !neg && len(args) > 0, use)
	f := fixturesOf(ts)
	if args[0] == "start" {
		f.hub = newHub()
		f.t.Cleanup(f.hub.Close)
		ts.Setenv("HUB", f.hub.URL)
		ts.Setenv("GITHUB_TOKEN", hubToken)
		model(ts, false, []string{"asks"})
		text, err := os.ReadFile("testdata/orchard.yaml")
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs("pipeline.yaml"), text, 0o644))
		ts.Check(prepare(ts.MkAbs("."), map[string]string{"HUB": f.hub.URL, "MODEL": f.model.URL}))
		return
	}
	if f.hub == nil {
		ts.Fatalf("hub start comes first")
	}
	h := f.hub
	moment := func(text string) time.Time {
		at, err := time.Parse(time.RFC3339, text)
		ts.Check(err)
		return at
	}
	change := func(do func(*githubtest.Repository)) {
		want(ts, len(args) == 2, use)
		h.world.Change(h.repository(ts, args[1]), do)
	}
	switch args[0] {
	case "stop":
		h.Close()
	case "requests":
		h.requests(ts, args[1:])
	case "clock":
		want(ts, len(args) == 2, use)
		h.clock.Store(moment(args[1]).Unix())
	case "faults":
		want(ts, len(args) > 1, use)
		share, err := strconv.ParseFloat(args[1], 64)
		ts.Check(err)
		h.SetFaults(githubtest.Faults{Share: share, Kinds: args[2:], Seed: pipeline.Seed{Stage: "hub"}})
	case "add-issues":
		want(ts, len(args) == 4, use)
		n, err := strconv.Atoi(args[2])
		ts.Check(err)
		h.addIssues(h.repository(ts, args[1]), n, moment(args[3]))
	case "rename":
		want(ts, len(args) == 3, use)
		h.world.Rename(h.repository(ts, args[1]), args[2])
	case "issues-off":
		change(func(r *githubtest.Repository) { r.NoIssues = true })
	case "block":
		change(func(r *githubtest.Repository) { r.Blocked = day(5, 1) })
	case "delete":
		change(func(r *githubtest.Repository) { r.Deleted = true })
	default:
		ts.Fatalf("usage: %s", use)
	}
}

func (h *hubServer) repository(ts *testscript.TestScript, name string) *githubtest.Repository {
	r := h.world.Repository(name)
	if r == nil {
		ts.Fatalf("no repository %s", name)
	}
	return r
}

// requests compares how many requests came since it was last called: all, then
// those with a status, or to a part of the API.
func (h *hubServer) requests(ts *testscript.TestScript, args []string) {
	log := h.Log()
	h.ResetLog()
	got := map[string]int{"all": len(log)}
	var lines strings.Builder
	for _, r := range log {
		got[strconv.Itoa(r.Status)]++
		switch {
		case strings.HasSuffix(r.Path, "/graphql"):
			got["graphql"]++
		case strings.Contains(r.Path, "/search/"):
			got["search"]++
		}
		fmt.Fprintf(&lines, "%d %s %s %s\n", r.Status, r.Method, r.Path, r.Fault)
	}
	for i, arg := range args {
		kind, count, named := strings.Cut(arg, "=")
		if !named {
			kind, count = "all", arg
		}
		_, notStatus := strconv.Atoi(kind)
		want(ts, notStatus == nil || kind == "search" || kind == "graphql" || kind == "all" && i == 0, "hub requests [COUNT] [STATUS=COUNT|search=COUNT|graphql=COUNT]...")
		if strconv.Itoa(got[kind]) != count {
			ts.Fatalf("%d requests (%s), want %s:\n%s", got[kind], kind, count, lines.String())
		}
	}
}

// On a terminal a search says how far it is; elsewhere a short one says nothing.
func TestSearchProgress(t *testing.T) {
	h := newHub()
	defer h.Close()
	t.Setenv("GITHUB_TOKEN", hubToken)
	for _, terminal := range []bool{true, false} {
		file := filepath.Join(t.TempDir(), "pipeline.yaml")
		text := "version: 1\nname: p\nstages:\n  search: {uses: repos.search, with: {api: \"" + h.URL + "\", language: python, stars: \">=100\"}}\n"
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		if code := Main(t.Context(), []string{"lock", "-f", file}, &streams{strings.NewReader(""), &out, &errs, terminal}); code != exitOK {
			t.Fatalf("exit code %d: %s", code, errs.String())
		}
		if got := strings.Contains(errs.String(), "searching: 3 of 3 repositories found\n"); got != terminal {
			t.Errorf("on a terminal %v: %q", terminal, errs.String())
		}
	}
}
