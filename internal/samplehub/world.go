package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"benchmill/internal/digest"
	"benchmill/pipelines/sample"
	"benchmill/sources/github/githubtest"
)

// story is issues.yaml.
type story struct {
	Users map[string]struct {
		As   string `yaml:"as"`   // association with every repository
		Type string `yaml:"type"` // "Bot", or "" for a person
	} `yaml:"users"`
	Repositories []struct {
		Repo   string   `yaml:"repo"`
		About  string   `yaml:"about"`
		Stars  int64    `yaml:"stars"`
		Topics []string `yaml:"topics"`
		Issues []issue  `yaml:"issues"`
	} `yaml:"repositories"`
	Others []struct {
		Repo         string `yaml:"repo"`
		Stars        int64  `yaml:"stars"`
		Fork         bool   `yaml:"fork"`
		Archived     bool   `yaml:"archived"`
		ClosedIssues int    `yaml:"closed_issues"`
	} `yaml:"others"`
}

type issue struct {
	Number   int64     `yaml:"number"`
	Title    string    `yaml:"title"`
	By       string    `yaml:"by"`
	At       time.Time `yaml:"at"`
	Body     string    `yaml:"body"`
	Closed   time.Time `yaml:"closed"`
	Reason   string    `yaml:"reason"`
	Comments []struct {
		By   string    `yaml:"by"`
		At   time.Time `yaml:"at"`
		Body string    `yaml:"body"`
	} `yaml:"comments"`
	Pull *struct {
		Merged time.Time `yaml:"merged"`
		Closes []int64   `yaml:"closes"`
		Files  []struct {
			Path      string `yaml:"path"`
			Additions int64  `yaml:"additions"`
			Deletions int64  `yaml:"deletions"`
		} `yaml:"files"`
	} `yaml:"pull"`
}

// read builds the world, and names the repositories that have issues.
func read(path string) (*githubtest.World, []string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	var s story
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&s); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	known, err := sample.Repositories()
	if err != nil {
		return nil, nil, err
	}
	heads := map[string]sample.Repository{}
	for _, r := range known {
		heads[r.Repo] = r
	}
	b := &builder{story: &s, world: githubtest.NewWorld()}
	var repos []string
	for i := range s.Repositories {
		r := &s.Repositories[i]
		head, ok := heads[r.Repo]
		if !ok {
			return nil, nil, fmt.Errorf("%s: %s is no repository of the sample", path, r.Repo)
		}
		repo := b.repository(r.Repo, head.Commit, r.Stars)
		repo.Description, repo.Topics, repo.Licence = r.About, r.Topics, head.Licence
		b.issues(b.world.AddRepository(repo), r.Issues)
		repos = append(repos, r.Repo)
	}
	for _, o := range s.Others {
		repo := b.repository(o.Repo, digest.Of([]byte(o.Repo)).Hex()[:40], o.Stars)
		repo.Fork, repo.Archived = o.Fork, o.Archived
		b.world.AddRepository(repo)
		for range o.ClosedIssues {
			b.world.AddIssue(repo, &githubtest.Issue{Title: "Done", State: "closed", Reason: "completed", Created: repo.Created, Closed: repo.Created, Author: b.user("nora")})
		}
	}
	return b.world, repos, nil
}

type builder struct {
	story *story
	world *githubtest.World
}

func (b *builder) user(login string) *githubtest.User {
	u := b.world.User(login)
	if kind := b.story.Users[login].Type; kind != "" {
		u.Type = kind
	}
	return u
}

func (b *builder) as(login string) string {
	if as := b.story.Users[login].As; as != "" {
		return as
	}
	return "NONE"
}

func (b *builder) repository(name, commit string, stars int64) *githubtest.Repository {
	owner, short, _ := strings.Cut(name, "/")
	start := time.Date(2024, 1, 10, 8, 0, 0, 0, time.UTC)
	return &githubtest.Repository{
		Owner: owner, Name: short, Organization: true, Stars: stars, Size: 120,
		Languages: map[string]int64{"Python": 40_000}, Files: []string{".github/workflows/test.yml", "tests/test.py"},
		Commits: []githubtest.Commit{{ID: commit, Message: "Head", Name: "Ada Sample", Email: "ada@example.invalid", Authored: start, Committed: start}},
		Created: start, Pushed: start,
	}
}

func (b *builder) issues(repo *githubtest.Repository, all []issue) {
	byNumber := map[int64]*githubtest.Issue{}
	for _, in := range all {
		out := &githubtest.Issue{
			Number: in.Number, Title: in.Title, Body: strings.TrimSpace(in.Body), Author: b.user(in.By), Association: b.as(in.By),
			Created: in.At, Reason: in.Reason,
		}
		for _, c := range in.Comments {
			out.Comments = append(out.Comments, &githubtest.Comment{Author: b.user(c.By), Association: b.as(c.By), Body: strings.TrimSpace(c.Body), Created: c.At})
		}
		if in.Pull != nil {
			out.Pull = &githubtest.Pull{BaseCommit: repo.Commits[0].ID, HeadCommit: digest.Of([]byte(in.Title)).Hex()[:40]}
			for _, f := range in.Pull.Files {
				out.Pull.Files = append(out.Pull.Files, githubtest.File{Path: f.Path, Change: "modified", Additions: f.Additions, Deletions: f.Deletions})
			}
			for _, n := range in.Pull.Closes {
				out.Pull.Closes = append(out.Pull.Closes, byNumber[n])
			}
		}
		byNumber[in.Number] = b.world.AddIssue(repo, out)
		switch {
		case in.Pull != nil && !in.Pull.Merged.IsZero():
			b.world.Merge(out, in.Pull.Merged, b.user("ada"), digest.Of([]byte("merged " + in.Title)).Hex()[:40])
		case !in.Closed.IsZero() && in.Reason != "completed":
			b.world.AddEvent(out, &githubtest.Event{Kind: githubtest.EventClosed, At: in.Closed, Actor: b.user(in.By), Reason: in.Reason})
		}
	}
}
