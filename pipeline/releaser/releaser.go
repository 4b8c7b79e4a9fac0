// Package releaser puts releases together from what a run made: the rows of a
// table, and the account of everything upstream of it.
package releaser

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"benchmill/artifacts"
	"benchmill/artifacts/release"
	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/pipeline/cache"
	"benchmill/pipeline/graph"
	"benchmill/pipeline/planner"
)

// Config is what releases are made from.
type Config struct {
	Graph      *graph.Graph
	Frontier   *planner.Frontier
	Store      artifacts.Store
	Root, Temp string // the folder of releases, and one for work in progress
	Build      digest.Digest
	AsOf       string
	Partial    string // why releases will not be whole, "" if they will
}

// Make makes a release, or finds that the newest one is already what it would be.
func Make(ctx context.Context, c Config, r *graph.Release) (l *release.Listed, fresh bool, err error) {
	parts, err := c.parts(r)
	if err != nil {
		return nil, false, err
	}
	m := &release.Manifest{
		Dataset: r.Name, Split: r.Split, Partial: c.Partial,
		Words:    release.Words{Title: r.Title, Description: r.Description, Licence: r.Licence, Tags: r.Tags},
		Pipeline: release.Pipeline{Name: c.Graph.Name, Seed: c.Graph.Seed, AsOf: c.AsOf, Build: c.Build},
	}
	c.account(m, r)
	if m.Recipe, err = recipe(m, r, parts); err != nil {
		return nil, false, err
	}
	if found, err := c.existing(m); err != nil || found != nil {
		return found, false, err
	}
	l, fresh, err = release.Write(ctx, c.Root, c.Temp, release.Request{
		Manifest: m, Schema: r.Table.Port.Schema, ConfigsBy: r.ConfigsBy, Also: r.Also,
		Rows: func(ctx context.Context, yield func(rows any) error) error { return c.rows(ctx, r, parts, yield) },
	})
	if err != nil {
		return nil, false, fmt.Errorf("release %s: %w", r.Name, err)
	}
	return l, fresh, nil
}

// parts are the cells whose rows make the release.
func (c Config) parts(r *graph.Release) ([]*planner.Cell, error) {
	cells, known := c.Frontier.Cells(r.Table.Node)
	var out []*planner.Cell
	for _, cell := range cells {
		if cell.State == planner.Done {
			out = append(out, cell)
		}
	}
	if !known || len(out) == 0 {
		return nil, fmt.Errorf("release %s: no partition of %s was made", r.Name, r.Table)
	}
	return out, nil
}

func (c Config) rows(ctx context.Context, r *graph.Release, parts []*planner.Cell, yield func(rows any) error) error {
	for _, cell := range parts {
		t, err := artifacts.OpenTable(ctx, c.Store, r.Table.Port.Schema, cell.Entry.Outputs[r.Table.Port.Name].Object)
		if err != nil {
			return err
		}
		err = t.Batches(ctx, yield)
		t.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", cell.Label(), err)
		}
	}
	return nil
}

// recipe is the digest of all that goes into a release: rows, words, account.
func recipe(m *release.Manifest, r *graph.Release, parts []*planner.Cell) (digest.Digest, error) {
	e := digest.New("benchmill/recipe/1")
	e.String(r.Table.Port.Schema.String())
	e.String(r.ConfigsBy)
	e.List(len(parts))
	for _, cell := range parts {
		e.String(cell.Partition)
		e.Digest(cell.Entry.Outputs[r.Table.Port.Name].RowsDigest)
	}
	for _, a := range r.Also {
		e.String(a.String())
	}
	err := e.Value(m)
	return e.Sum(), err
}

// existing is the newest release, or the partial one of the same recipe, if it
// came from the same recipe and its files are all there.
func (c Config) existing(m *release.Manifest) (*release.Listed, error) {
	all, err := release.List(c.Root, m.Dataset)
	if err != nil {
		return nil, err
	}
	for _, l := range slices.Backward(all) {
		if (l.Partial == "") != (m.Partial == "") {
			continue
		}
		old, _, err := release.Read(l.Path)
		if err != nil {
			return nil, err
		}
		if old.Recipe == m.Recipe && release.Intact(l.Path) {
			return &l, nil
		}
		if m.Partial == "" {
			return nil, nil
		}
	}
	return nil, nil
}

// account fills in the funnel, the sources, the failures and the models of
// everything the release depends on.
func (c Config) account(m *release.Manifest, r *graph.Release) {
	m.Stages, m.Sources, m.Quarantined = []release.Stage{}, []release.Source{}, []release.Quarantined{}
	upstream := Upstream([]*graph.Node{r.Table.Node})
	usage := map[string]*cache.Usage{}
	for _, n := range c.Frontier.Nodes() {
		if !slices.Contains(upstream, n) {
			continue
		}
		s := release.Stage{Node: n.Name, Stage: n.Stage.Name, Version: n.Stage.Version, Drops: []cache.Drop{}}
		_, config, _ := graph.CanonicalConfig(n.Config)
		for _, f := range config {
			s.Config = append(s.Config, f.String())
		}
		sum := newSums()
		cells, _ := c.Frontier.Cells(n)
		for _, cell := range cells {
			switch cell.State {
			case planner.Done:
				s.Partitions++
				sum.add(cell.Entry.Account)
				for _, u := range cell.Entry.Account.Usage {
					addUsage(usage, u)
				}
			case planner.Failed:
				s.Quarantined++
				m.Quarantined = append(m.Quarantined, release.Quarantined{Node: n.Name, Partition: cell.Partition, Error: cell.Err.Error()})
			case planner.Skipped:
				s.Skipped++
			}
			if n == r.Table.Node {
				m.Sources = appendSource(m.Sources, cell, r.Table.Port.Name)
			}
		}
		sum.fill(&s, n.Stage)
		m.Stages = append(m.Stages, s)
		c.tokenizers(m, cells)
	}
	m.Models = []cache.Usage{}
	for _, key := range sortedKeys(usage) {
		m.Models = append(m.Models, *usage[key])
	}
}

func appendSource(out []release.Source, cell *planner.Cell, port string) []release.Source {
	row, ok := cell.Row().(pipeline.Sourced)
	if !ok {
		return out
	}
	s := row.Source()
	var rows int64
	if cell.State == planner.Done {
		rows = cell.Entry.Outputs[port].Rows
	}
	return append(out, release.Source{Partition: cell.Partition, Name: s.Name, URL: s.URL, Commit: s.Commit, Licence: s.Licence, Rows: rows})
}

func (c Config) tokenizers(m *release.Manifest, cells []*planner.Cell) {
	if m.Tokenizers == nil {
		m.Tokenizers = []release.Tokenizer{}
	}
	if len(cells) == 0 || cells[0].Task == nil {
		return
	}
	for name, pin := range cells[0].Task.Tokenizers {
		t := release.Tokenizer{Name: string(name), Identity: pin.Identity}
		if !slices.Contains(m.Tokenizers, t) {
			m.Tokenizers = append(m.Tokenizers, t)
		}
	}
	slices.SortFunc(m.Tokenizers, func(a, b release.Tokenizer) int { return cmp.Compare(a.Name, b.Name) })
}

// Upstream lists nodes and all they depend on.
func Upstream(nodes []*graph.Node) []*graph.Node {
	var out []*graph.Node
	var visit func(n *graph.Node)
	visit = func(n *graph.Node) {
		if slices.Contains(out, n) {
			return
		}
		out = append(out, n)
		for _, up := range n.Upstream() {
			visit(up)
		}
	}
	for _, n := range nodes {
		visit(n)
	}
	return out
}
