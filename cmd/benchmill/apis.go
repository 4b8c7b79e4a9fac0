package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"benchmill/pipeline/graph"
	"benchmill/sources/github"
)

// requestsSent counts the requests to APIs so far.
func (p *project) requestsSent() int64 {
	var n int64
	for _, s := range p.github.Stats() {
		n += s.Requests
	}
	return n
}

// refreshedNothing reports whether a full refresh was wished for, and nobody was
// asked: the ledger answers for its as-of time, however often one runs.
func (p *project) refreshedNothing() bool {
	if p.graph.Sources[github.Name].(*github.Settings).Refresh != github.Full || p.flags.Frozen || p.requestsSent() > 0 {
		return false
	}
	return slices.ContainsFunc(p.wanted(), func(n *graph.Node) bool {
		c, ok := n.Config.(endpointed)
		if !ok || n.Stage.Fetches == nil {
			return false
		}
		_, folder := p.github.Where(c.Endpoint())
		return !folder
	})
}

// endpointed is a config of a stage that asks an API.
type endpointed interface{ Endpoint() string }

// checkGitHub asks each API of the pipeline who the tokens are and what they may
// still do. A pipeline that never asks an API asks nobody.
func (p *project) checkGitHub(ctx context.Context, add func(string, error, string)) {
	var bases []string
	for _, n := range p.graph.Nodes {
		if c, ok := n.Config.(endpointed); ok && !slices.Contains(bases, c.Endpoint()) {
			bases = append(bases, c.Endpoint())
		}
	}
	for _, base := range bases {
		if place, folder := p.github.Where(base); folder {
			_, err := p.github.Client(base)
			add("api "+base, err, "recorded conversations in "+place)
			continue
		}
		if p.flags.Frozen {
			add("api "+base, nil, "not asked (--frozen)")
			continue
		}
		client, err := p.github.Client(base)
		if err != nil {
			add("api "+base, err, "")
			continue
		}
		identities, err := client.Identities(ctx)
		if err != nil {
			add("api "+base, err, "")
		}
		for _, id := range identities {
			var parts []string
			for _, b := range id.Budgets {
				parts = append(parts, fmt.Sprintf("%s %d of %d until %s", b.Resource, b.Remaining, b.Limit, b.Reset.UTC().Format(time.TimeOnly)))
			}
			add("api "+base, id.Err, fmt.Sprintf("%s: %s; %s", cmp.Or(id.Token, "no token"), cmp.Or(id.User, "nobody"), cmp.Or(strings.Join(parts, ", "), "no limits told")))
		}
	}
}
