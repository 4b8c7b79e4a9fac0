package policy

import (
	"context"
	"strings"

	"benchmill/internal/scrub"
	"benchmill/pipeline"
	"benchmill/schemas"
)

// ScrubConfig configures [Scrub].
type ScrubConfig struct {
	File     pipeline.FileName `yaml:"file" doc:"who opted out, as in policy.optout; the texts of its logins are blanked; empty: nobody"`
	IPs      bool              `yaml:"ips" doc:"replace public IP addresses too; versions of four numbers look the same"`
	Mentions bool              `yaml:"mentions" doc:"replace @mentions and authors by user1, user2, ... in their order in each discussion"`
}

// Scrub takes personal data and secrets out of titles and texts, each replaced by
// its kind: <email>, <token>, <key>, <password>, <ip>. What is found and what is
// not stands with package scrub; notes count it by kind. People who opted out lose
// their texts and their name, as a deleted account does; what others quote of them
// stays.
//
// Version history:
//
//	1: first version
func Scrub() *pipeline.Stage {
	return &pipeline.Stage{
		Name: "policy.scrub", Version: 1,
		Doc: "Takes e-mail addresses, tokens, keys and passwords out of issues and comments, and the texts of people who opted out.",
		In: []pipeline.Port{
			{Name: "issues", Schema: schemas.Issues},
			{Name: "comments", Schema: schemas.Comments},
		},
		Out: []pipeline.Port{
			{Name: "issues", Schema: schemas.Issues},
			{Name: "comments", Schema: schemas.Comments},
		},
		Flows: []pipeline.Flow{
			{From: "issues", To: []string{"issues"}},
			{From: "comments", To: []string{"comments"}},
		},
		NewConfig: func() any { return &ScrubConfig{} },
		Run:       scrubAll,
	}
}

func scrubAll(ctx context.Context, p *pipeline.Pass) error {
	c := pipeline.ConfigOf[ScrubConfig](p)
	list, err := readOptList(p, c.File)
	if err != nil {
		return err
	}
	s := scrubber{c: c, list: list, drops: p.Drops, people: map[int64]*scrub.People{}}
	for i, err := range pipeline.In[schemas.Issue](ctx, p, "issues") {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		s.post(i.Number, &i.Author, &i.Title, &i.Body)
		if err := pipeline.Emit(p, "issues", i); err != nil {
			return err
		}
	}
	for m, err := range pipeline.In[schemas.Comment](ctx, p, "comments") {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		s.post(m.Number, &m.Author, &m.Body)
		if err := pipeline.Emit(p, "comments", m); err != nil {
			return err
		}
	}
	return nil
}

type scrubber struct {
	c      *ScrubConfig
	list   *optList
	drops  pipeline.Dropper
	people map[int64]*scrub.People // by number of the issue
}

// post scrubs one contribution to a discussion.
func (s *scrubber) post(number int64, author *string, texts ...*string) {
	if s.list.person(*author) {
		*author = ""
		for _, t := range texts {
			*t = ""
		}
		s.drops.Note("opted_out_posts", 1)
		return
	}
	rename := s.optedOut
	if s.c.Mentions {
		people := s.people[number]
		if people == nil {
			people = &scrub.People{}
			s.people[number] = people
		}
		*author = people.Name(*author)
		rename = func(login string) string {
			switch {
			case s.list.person(login):
				return ghost
			case strings.EqualFold(login, ghost):
				return ""
			}
			return people.Name(login)
		}
	}
	for _, t := range texts {
		clean, counts := scrub.Text(*t, scrub.Options{IPs: s.c.IPs})
		for kind, n := range counts {
			s.drops.Note("scrubbed_"+kind, n)
		}
		var mentions int64
		if *t, mentions = scrub.Mentions(clean, rename); mentions > 0 {
			s.drops.Note("scrubbed_mention", mentions)
		}
	}
}

// ghost is what mentions of people who opted out become: GitHub's own name for
// accounts that are gone.
const ghost = "ghost"

// optedOut renames them alone.
func (s *scrubber) optedOut(login string) string {
	if s.list.person(login) {
		return ghost
	}
	return ""
}
