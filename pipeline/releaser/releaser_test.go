package releaser_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"

	"benchmill/artifacts/release"
	"benchmill/artifacts/storetest"
	"benchmill/pipeline"
	"benchmill/pipeline/cache/cachetest"
	"benchmill/pipeline/executor"
	"benchmill/pipeline/executor/executortest"
	"benchmill/pipeline/executor/local"
	"benchmill/pipeline/graph"
	"benchmill/pipeline/planner"
	"benchmill/pipeline/releaser"
)

type project struct {
	kit   *executortest.Kit
	store *storetest.Memory
	cache *cachetest.Memory
	root  string
	temp  string
	limit int
}

func newProject(t *testing.T) *project {
	return &project{kit: &executortest.Kit{}, store: &storetest.Memory{}, cache: &cachetest.Memory{}, root: t.TempDir(), temp: t.TempDir()}
}

// make runs a pipeline over items and makes its release.
func (p *project) make(t *testing.T, items string, change func(c *releaser.Config)) (*release.Listed, bool, error) {
	t.Helper()
	stages := p.kit.Stages()
	g := executortest.Graph(t, stages, `
  items: {uses: kit.list, with: {items: [`+items+`]}}
  letters: {uses: kit.letters, from: items}
  vowels: {uses: kit.vowels, from: letters}
  double: {uses: kit.count, from: letters}
releases:
  counts: {table: double, split: test, title: Counts, description: Words., licence: MIT}
`)
	facts := planner.Facts{Build: executortest.Build, Model: func(pipeline.ModelName) (s pipeline.ModelSpec, r json.RawMessage, err error) {
		return s, r, errors.New("no model is needed")
	}}
	f, err := planner.NewFrontier(g, g.Nodes, facts, planner.StoredRows(t.Context(), p.store), p.limit)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := executor.Run(t.Context(), executor.Config{
		Frontier: f, Cache: p.cache, Store: p.store, FailureBudget: 1, Retry: executor.Retry{Tries: 1},
		Executor: &local.Executor{Build: executortest.Build, Stages: stages, Store: p.store, Cache: p.cache, Log: slog.New(slog.DiscardHandler),
			Effects: func(*planner.Task) pipeline.Effects { return nil }},
	}); err != nil {
		t.Fatal(err)
	}
	c := releaser.Config{Graph: g, Frontier: f, Store: p.store, Root: p.root, Temp: p.temp, Build: executortest.Build}
	if change != nil {
		change(&c)
	}
	return releaser.Make(t.Context(), c, g.Releases[0])
}

func (p *project) must(t *testing.T, items string) (*release.Listed, bool, *release.Manifest) {
	t.Helper()
	l, fresh, err := p.make(t, items, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := release.Read(l.Path)
	if err != nil {
		t.Fatal(err)
	}
	return l, fresh, m
}

func TestMake(t *testing.T) {
	p := newProject(t)
	l, fresh, m := p.must(t, "a=banana, b=kiwi")
	if !fresh || l.Dataset != "counts" || l.Rows != 2 || m.Title != "Counts" || m.Pipeline.Seed != 1 || m.Split != "test" {
		t.Errorf("%+v, %+v", l, m)
	}
	// Only what the release depends on is in its account.
	var nodes []string
	for _, s := range m.Stages {
		nodes = append(nodes, s.Node)
	}
	if !slices.Equal(nodes, []string{"items", "letters", "double"}) {
		t.Errorf("stages %q", nodes)
	}
	if s := m.Stages[2]; s.Partitions != 2 || s.In[0] != (release.Count{Table: "letters", Rows: 10}) || s.Out[0] != (release.Count{Table: "count", Rows: 2}) {
		t.Errorf("%+v", s)
	}
	again, fresh, _ := p.must(t, "a=banana, b=kiwi")
	if fresh || again.Version != l.Version || again.ManifestDigest != l.ManifestDigest {
		t.Errorf("made again: %+v", again)
	}
	more, fresh, _ := p.must(t, "a=banana, b=kiwi, c=fig")
	if !fresh || more.Version == l.Version || more.Rows != 3 {
		t.Errorf("one more: %+v", more)
	}
}

// TestPromise4Release: what failed is in the manifest by name, and what it took
// along is counted.
func TestPromise4Release(t *testing.T) {
	p := newProject(t)
	p.kit.Before = func(_ context.Context, pass *pipeline.Pass) error {
		if pass.Node == "letters" && pass.Partition == "b" {
			return errors.New("broken")
		}
		return nil
	}
	l, _, m := p.must(t, "a=banana, b=kiwi")
	if l.Rows != 1 || len(m.Quarantined) != 1 || m.Quarantined[0] != (release.Quarantined{Node: "letters", Partition: "b", Error: "broken"}) {
		t.Errorf("%+v", m.Quarantined)
	}
	if s := m.Stages[1]; s.Quarantined != 1 || s.Partitions != 1 {
		t.Errorf("%+v", s)
	}
	if s := m.Stages[2]; s.Skipped != 1 || s.Partitions != 1 {
		t.Errorf("%+v", s)
	}
}

func TestNothingToRelease(t *testing.T) {
	p := newProject(t)
	if _, _, err := p.make(t, "", nil); err == nil || err.Error() != "release counts: no partition of double.count was made" {
		t.Errorf("%v", err)
	}
}

// A partial release stands beside the whole ones and takes no version of theirs.
func TestPartial(t *testing.T) {
	p := newProject(t)
	whole, _, _ := p.must(t, "a=banana, b=kiwi")
	p.limit = 1
	partly := func(c *releaser.Config) { c.Partial = "only the first" }
	part, fresh, err := p.make(t, "a=banana, b=kiwi", partly)
	if err != nil || !fresh || part.Partial != "only the first" || part.Rows != 1 {
		t.Fatalf("%+v, %v", part, err)
	}
	if again, fresh, err := p.make(t, "a=banana, b=kiwi", partly); err != nil || fresh || again.Version != part.Version {
		t.Errorf("%+v, %v", again, err)
	}
	p.limit = 0
	if again, fresh, _ := p.must(t, "a=banana, b=kiwi"); fresh || again.Version != whole.Version {
		t.Errorf("%+v", again)
	}
}

// A lost object is told as such, so that it can be made again.
func TestLostObject(t *testing.T) {
	p := newProject(t)
	_, _, err := p.make(t, "a=banana", func(c *releaser.Config) {
		for _, n := range c.Graph.Nodes {
			cells, _ := c.Frontier.Cells(n)
			if n.Name == "double" {
				if err := p.store.Damage(cells[0].Entry.Outputs["count"].Object); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
	if err == nil {
		t.Fatal("a damaged object was released")
	}
	if _, _, m := p.must(t, "a=banana"); m.Rows != 1 {
		t.Errorf("%+v", m)
	}
}

func TestUpstream(t *testing.T) {
	a, b, c := &graph.Node{Name: "a", Stage: &pipeline.Stage{}}, &graph.Node{Name: "b"}, &graph.Node{Name: "c"}
	in := []pipeline.Port{{Name: "x"}, {Name: "y"}}
	b.Stage, b.In = &pipeline.Stage{In: in[:1]}, map[string]graph.Edge{"x": {Node: a}}
	c.Stage, c.In = &pipeline.Stage{In: in}, map[string]graph.Edge{"x": {Node: a}, "y": {Node: b}}
	if got := releaser.Upstream([]*graph.Node{c}); len(got) != 3 {
		t.Errorf("%d nodes", len(got))
	}
	if got := releaser.Upstream([]*graph.Node{b, b}); len(got) != 2 {
		t.Errorf("%d nodes", len(got))
	}
}

// What a release is also written as is part of its recipe.
func TestAlso(t *testing.T) {
	p := newProject(t)
	p.must(t, "a=banana")
	var l *release.Listed
	for i, want := range []struct {
		version int
		name    string
		fresh   bool
	}{{1, "1.0.1", true}, {1, "1.0.1", false}, {2, "1.0.2", true}, {0, "1.0.3", true}} {
		got, fresh, err := p.make(t, "a=banana", func(c *releaser.Config) {
			r := c.Graph.Releases[0]
			if want.version == 0 {
				return
			}
			r.Also = []*pipeline.Adapter{{
				Name: "lines", Doc: "Lines.", Version: want.version, Schema: r.Table.Port.Schema,
				Append: func(row any, to func(string, []byte) error) error {
					return to("x.txt", fmt.Appendf(nil, "%d %v\n", want.version, row))
				},
			}}
		})
		if err != nil || fresh != want.fresh || got.Version != want.name {
			t.Fatalf("release %d: %+v, fresh %v, %v; want %+v", i, got, fresh, err, want)
		}
		l = got
	}
	if m, _, err := release.Read(l.Path); err != nil || m.Also != nil {
		t.Errorf("%+v, %v", m, err)
	}
}
