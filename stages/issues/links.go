package issues

import (
	"context"

	"benchmill/pipeline"
	"benchmill/schemas"
)

// LinksConfig configures [Links].
type LinksConfig struct {
	Compat   string `yaml:"compat" enum:"github|upstream" doc:"upstream: closing words as SWE-bench's collector finds them; other evidence is left out"`
	Unmerged bool   `yaml:"unmerged" doc:"pull requests that were not merged count too"`
}

// Notes on references that became no link.
const (
	noteUnmerged = "references_of_unmerged_pulls"
	notePull     = "references_to_pull_requests"
	noteOther    = "references_to_other_repositories"
	noteUnknown  = "references_to_unknown_numbers"
	noteNoPull   = "closed_by_unknown_pulls"
)

// Links finds which pull request closed which issue: by closing words in title,
// body and commit messages, by the references the API lists, and by the events
// that closed issues. What names no issue of the table becomes no row and is
// counted by a note; pull requests and issues have no rows of their own here, so
// there is no flow to state.
//
// Of several equal words in one place the first is kept. A pull request into
// another than the default branch closes nothing by itself, but is taken: what
// the default branch was then is not known. An event that names a commit counts
// for the pull request whose merge commit it is, or else for the first merged one
// that has it. "Fixes #1" in the title of a revert is taken too, as GitHub does.
//
// Version history:
//
//	1: first version
func Links() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "issues.links", Version: 1,
		Doc: "Links issues to the merged pull requests that closed them, with the evidence for each link.",
		In: []pipeline.Port{
			{Name: "repository", Schema: schemas.Repositories},
			{Name: "issues", Schema: schemas.Issues},
			{Name: "pull_requests", Schema: schemas.PullRequests},
			{Name: "issue_events", Schema: schemas.IssueEvents},
		},
		Out:       []pipeline.Port{{Name: "links", Schema: schemas.IssueLinks}},
		NewConfig: func() any { return &LinksConfig{Compat: "github"} },
		Run:       links,
	}
}

// linker gathers links until all numbers are known.
type linker struct {
	in    name
	c     *LinksConfig
	issue map[int64]bool
	pulls map[int64]bool // by number: it counts
	by    commits
	found []candidate
}

// candidate is a link whose issue may not be one.
type candidate struct {
	schemas.IssueLink
	other bool
}

func links(ctx context.Context, p *pipeline.Pass) error {
	repo, err := pipeline.One[schemas.Repository](ctx, p, "repository")
	if err != nil {
		return err
	}
	l := linker{
		in: nameOf(repo), c: pipeline.ConfigOf[LinksConfig](p),
		issue: map[int64]bool{}, pulls: map[int64]bool{}, by: commits{},
	}
	for i, err := range pipeline.In[schemas.Issue](ctx, p, "issues") {
		if err != nil {
			return err
		}
		l.issue[i.Number] = true
	}
	for pr, err := range pipeline.In[schemas.PullRequest](ctx, p, "pull_requests") {
		if err != nil {
			return err
		}
		l.pull(pr)
	}
	if l.c.Compat != "upstream" {
		for e, err := range pipeline.In[schemas.IssueEvent](ctx, p, "issue_events") {
			if err != nil {
				return err
			}
			l.event(p.Drops, e)
		}
	}
	return l.emit(p)
}

func (l *linker) pull(pr schemas.PullRequest) {
	l.pulls[pr.Number] = pr.State == "merged" || l.c.Unmerged
	l.by.add(pr)
	add := func(evidence, place string, refs ...reference) {
		for _, r := range refs {
			l.found = append(l.found, candidate{schemas.IssueLink{
				Issue: r.Number, Pull: pr.Number, Evidence: evidence, Place: place, Text: r.Text,
			}, r.Other})
		}
	}
	if l.c.Compat == "upstream" {
		add(schemas.EvidenceKeyword, "text", upstreamReferences(pr)...)
		return
	}
	add(schemas.EvidenceKeyword, "title", references(pr.Title, l.in)...)
	add(schemas.EvidenceKeyword, "body", references(pr.Body, l.in)...)
	for _, c := range pr.Commits {
		add(schemas.EvidenceKeyword, "commit "+c.ID, references(c.Message, l.in)...)
	}
	for _, n := range pr.Closes {
		add(schemas.EvidenceReference, "", reference{Number: n})
	}
}

func (l *linker) event(drops pipeline.Dropper, e schemas.IssueEvent) {
	if e.Kind != "closed" {
		return
	}
	link := schemas.IssueLink{Issue: e.Number, Pull: e.FromPull, Evidence: schemas.EvidenceEvent}
	if e.FromPull == 0 && e.FromCommit != "" {
		link.Pull, link.Place = l.by[e.FromCommit].pull, "commit "+e.FromCommit
	}
	switch {
	case e.FromPull == 0 && e.FromCommit == "":
		return // closed by hand
	case e.FromRepo != "":
		drops.Note(noteOther, 1)
	case link.Pull == 0:
		return // a commit that no pull request brought
	default:
		l.found = append(l.found, candidate{IssueLink: link})
	}
}

// emit writes what links an issue, each once, and counts the rest.
func (l *linker) emit(p *pipeline.Pass) error {
	type place struct {
		issue, pull     int64
		evidence, place string
	}
	seen := map[place]bool{}
	for _, f := range l.found {
		at := place{f.Issue, f.Pull, f.Evidence, f.Place}
		counts, known := l.pulls[f.Pull]
		_, pull := l.pulls[f.Issue]
		switch {
		case f.other:
			p.Drops.Note(noteOther, 1)
		case !known:
			p.Drops.Note(noteNoPull, 1)
		case !counts:
			p.Drops.Note(noteUnmerged, 1)
		case !l.issue[f.Issue] && pull:
			p.Drops.Note(notePull, 1)
		case !l.issue[f.Issue]:
			p.Drops.Note(noteUnknown, 1)
		case !seen[at]:
			seen[at] = true
			if err := pipeline.Emit(p, "links", f.IssueLink); err != nil {
				return err
			}
		}
	}
	return nil
}

// commits finds the merged pull request that brought a commit.
type commits map[string]brought

type brought struct {
	pull   int64
	merged string // when; "" for the merge commit itself, which comes before all
}

func (c commits) add(pr schemas.PullRequest) {
	if pr.State != "merged" {
		return
	}
	put := func(id string, b brought) {
		if old, ok := c[id]; id != "" && (!ok || b.merged < old.merged) {
			c[id] = b
		}
	}
	put(pr.MergeCommit, brought{pr.Number, ""})
	for _, m := range pr.Commits {
		put(m.ID, brought{pr.Number, pr.MergedAt})
	}
}
