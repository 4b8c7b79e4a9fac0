package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"

	"benchmill/internal/collection"
	"benchmill/pipeline"
	"benchmill/pipeline/graph"
	"benchmill/pipeline/ledger"
	"benchmill/pipeline/planner"
	"benchmill/schemas"
	"benchmill/sources"
	"benchmill/sources/github"
)

// estimate is about how many requests a run would send to one source.
type estimate struct {
	Source   string `json:"source"`
	Fetches  int64  `json:"fetches"` // that the ledger does not answer
	Requests int64  `json:"requests"`
	// Unfiltered names stages that did not run yet: of their lists all that the lock
	// holds was counted.
	Unfiltered []string `json:"unfiltered,omitempty"`
	// Unknown counts stages whose partitions have to be listed by a run first, After
	// names the stages that list them.
	Unknown int      `json:"unknown_stages,omitempty"`
	After   []string `json:"after,omitempty"`
}

func (e estimate) String() string {
	var parts []string
	if e.Fetches > 0 {
		text := "no requests"
		if e.Requests > 0 {
			text = "about " + number(e.Requests, "request", "requests")
		}
		text += " for " + number(e.Fetches, "fetch", "fetches")
		if len(e.Unfiltered) > 0 {
			text += ", less what " + strings.Join(e.Unfiltered, " and ") + " will filter out"
		}
		parts = append(parts, text)
	}
	if e.Unknown > 0 {
		parts = append(parts, fmt.Sprintf("those of %s whose partitions are not listed yet (run --target %s)",
			number(int64(e.Unknown), "stage", "stages"), strings.Join(e.After, " --target ")))
	}
	return e.Source + ": " + strings.Join(parts, ", and ")
}

func number(n int64, one, more string) string {
	if n == 1 {
		more = one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// estimates are those of a plan, by source.
type estimates map[string]*estimate

func (all estimates) of(scheme string) *estimate {
	if all[scheme] == nil {
		all[scheme] = &estimate{Source: scheme}
	}
	return all[scheme]
}

// requests estimates what the tasks that have to run would ask for, by source.
func (p *project) requests(f *planner.Frontier) ([]estimate, error) {
	asOf, err := pipeline.ParseTime(p.asOf())
	if err != nil {
		asOf = time.Now().UTC() // never locked: "benchmill lock" would take this moment
	}
	found, err := p.found()
	if err != nil {
		return nil, err
	}
	all := estimates{}
	for _, n := range f.Nodes() {
		if n.Stage.Fetches == nil {
			continue
		}
		cells, known := f.Cells(n)
		for _, cell := range cells {
			if cell.State == planner.Done {
				continue
			}
			if err := p.estimate(all, n.Stage.Fetches(n.Config, cell.Row(), asOf), ""); err != nil {
				return nil, err
			}
		}
		if known {
			continue
		}
		lister := n.PartitionedBy.Node.Name
		rows, ok := p.listed(n.PartitionedBy, found)
		for _, row := range rows {
			if err := p.estimate(all, n.Stage.Fetches(n.Config, row, asOf), lister); err != nil {
				return nil, err
			}
		}
		if ok {
			continue
		}
		row := reflect.Zero(n.PartitionedBy.Port.Schema.Row()).Interface()
		for _, pin := range n.Stage.Fetches(n.Config, row, asOf) {
			e := all.of(pin.Scheme)
			e.Unknown++
			e.After = with(e.After, lister)
		}
	}
	out := []estimate{}
	for _, e := range all {
		out = append(out, *e)
	}
	slices.SortFunc(out, func(a, b estimate) int { return cmp.Compare(a.Source, b.Source) })
	return out, nil
}

// estimate adds what pins cost that the ledger does not answer; unfiltered is the
// stage that did not choose them yet, "" where they were chosen.
func (p *project) estimate(all estimates, pins []pipeline.Pin, unfiltered string) error {
	for _, pin := range pins {
		source := p.world.Source(pin.Scheme)
		if source == nil || source.Local(pin) {
			continue
		}
		key, err := ledger.Key(ledger.KindFetch, pin)
		if err != nil {
			return err
		}
		if _, ok, err := p.ledger.Get(ledger.KindFetch, key); err != nil {
			return err
		} else if ok {
			continue
		}
		e := all.of(pin.Scheme)
		e.Fetches++
		if s, ok := source.(sources.Estimator); ok {
			e.Requests += s.Estimate(pin)
		} else {
			e.Requests++
		}
		if unfiltered != "" {
			e.Unfiltered = with(e.Unfiltered, unfiltered)
		}
	}
	return nil
}

func with(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// found are the repositories of the searches in the lock. The world is told how
// much each has.
func (p *project) found() (map[pipeline.Ref][]collection.Repository, error) {
	out := map[pipeline.Ref][]collection.Repository{}
	for _, pin := range p.lock.Lists() {
		if pin.Scheme != github.SearchScheme {
			continue
		}
		ref := pipeline.Ref{Scheme: pin.Scheme, Locator: pin.Locator, Name: pin.Name}
		out[ref] = nil // a search may find nothing
		records, err := collection.NewReader(bytes.NewReader(pin.Body()), collection.KindRepositories)
		for err == nil {
			var r collection.Record
			if r, err = records.Next(); err == nil && r.Repository != nil {
				out[ref] = append(out[ref], *r.Repository)
			}
		}
		if err != io.EOF {
			return nil, fmt.Errorf("the list of %s: %w", ref, err)
		}
		p.github.Tell(pin.Locator, out[ref])
	}
	return out, nil
}

// listed are the rows of a table of repositories whose stage did not run yet, but
// lists nothing else than searches of the lock: what they found, unfiltered.
func (p *project) listed(by *graph.Edge, found map[pipeline.Ref][]collection.Repository) (rows []any, ok bool) {
	if by.Port.Schema != schemas.Repositories || by.Node.Stage.Moving == nil {
		return nil, false
	}
	refs, err := by.Node.Stage.Moving(by.Node.Config, p)
	if err != nil || len(refs) == 0 {
		return nil, false
	}
	for _, ref := range refs {
		repositories, ok := found[ref]
		if !ok {
			return nil, false
		}
		for _, r := range repositories {
			rows = append(rows, schemas.Repository{Repo: r.Repo, URL: r.URL, Commit: r.Commit})
		}
	}
	if limit := p.flags.Limit; limit > 0 && len(rows) > limit {
		rows = rows[:limit]
	}
	return rows, true
}
