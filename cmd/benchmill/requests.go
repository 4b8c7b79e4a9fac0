package main

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"benchmill/pipeline"
	"benchmill/pipeline/ledger"
	"benchmill/pipeline/planner"
	"benchmill/sources"
)

// estimate is about how many requests a run would send to one source.
type estimate struct {
	Source   string `json:"source"`
	Fetches  int64  `json:"fetches"` // that the ledger does not answer
	Requests int64  `json:"requests"`
	// Unknown counts stages whose partitions have to be listed by a run first, After
	// names the stages that list them.
	Unknown int      `json:"unknown_stages,omitempty"`
	After   []string `json:"after,omitempty"`
}

func (e estimate) String() string {
	var parts []string
	if e.Fetches > 0 {
		parts = append(parts, fmt.Sprintf("about %d requests for %d fetches", e.Requests, e.Fetches))
	}
	if e.Unknown > 0 {
		after := strings.Join(e.After, " and ")
		parts = append(parts, fmt.Sprintf("not known before %s ran (run --target %s)", after, strings.Join(e.After, " --target ")))
	}
	return e.Source + ": " + strings.Join(parts, "; more is ")
}

// requests estimates what the tasks that have to run would ask for, by source.
func (p *project) requests(f *planner.Frontier) ([]estimate, error) {
	asOf, err := pipeline.ParseTime(p.asOf())
	if err != nil {
		asOf = time.Time{} // never locked: everything is to be asked
	}
	sums := map[string]*estimate{}
	sum := func(scheme string) *estimate {
		if sums[scheme] == nil {
			sums[scheme] = &estimate{Source: scheme}
		}
		return sums[scheme]
	}
	for _, n := range f.Nodes() {
		if n.Stage.Fetches == nil {
			continue
		}
		cells, known := f.Cells(n)
		if !known {
			row := reflect.Zero(n.PartitionedBy.Port.Schema.Row()).Interface()
			for _, pin := range n.Stage.Fetches(n.Config, row, asOf) {
				e, lists := sum(pin.Scheme), n.PartitionedBy.Node.Name
				e.Unknown++
				if !slices.Contains(e.After, lists) {
					e.After = append(e.After, lists)
				}
			}
		}
		for _, cell := range cells {
			if cell.State == planner.Done {
				continue
			}
			for _, pin := range n.Stage.Fetches(n.Config, cell.Row(), asOf) {
				if err := p.estimate(pin, sum); err != nil {
					return nil, err
				}
			}
		}
	}
	out := []estimate{}
	for _, e := range sums {
		if e.Fetches > 0 || e.Unknown > 0 {
			out = append(out, *e)
		}
	}
	slices.SortFunc(out, func(a, b estimate) int { return cmp.Compare(a.Source, b.Source) })
	return out, nil
}

func (p *project) estimate(pin pipeline.Pin, sum func(scheme string) *estimate) error {
	source := p.world.Source(pin.Scheme)
	if source == nil || source.Local(pin) {
		return nil
	}
	key, err := ledger.Key(ledger.KindFetch, pin)
	if err != nil {
		return err
	}
	if _, ok, err := p.ledger.Get(ledger.KindFetch, key); ok || err != nil {
		return err
	}
	e := sum(pin.Scheme)
	e.Fetches++
	if s, ok := source.(sources.Estimator); ok {
		e.Requests += s.Estimate(pin)
	} else {
		e.Requests++
	}
	return nil
}

// requestsSent counts the requests to APIs so far.
func (p *project) requestsSent() int64 {
	var n int64
	for _, s := range p.github.Stats() {
		n += s.Requests
	}
	return n
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
			add("api "+base, nil, "recorded conversations in "+place)
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
