package executortest

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"

	"benchmill/artifacts"
	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/pipeline/cache"
	"benchmill/pipeline/executor"
	"benchmill/pipeline/planner"
)

// Env is what an executor under test works with.
type Env struct {
	Build  digest.Digest
	Stages []*pipeline.Stage
	Store  artifacts.Store
	Cache  cache.Cache
}

// World makes empty stores and executors over them.
type World struct {
	Store    func(t *testing.T) artifacts.Store
	Cache    func(t *testing.T) cache.Cache
	Executor func(t *testing.T, e Env) executor.Executor
}

// Run tests that the executors of a world keep the contract.
func Run(t *testing.T, w World) {
	for _, test := range []struct {
		name string
		run  func(t *testing.T, b *bench)
	}{
		{"entry", makesEntry},
		{"own row", ownRow},
		{"whole table", wholeTable},
		{"drops", drops},
		{"empty output", emptyOutput},
		{"same task again", again},
		{"same task at once", atOnce},
		{"another build", anotherBuild},
		{"changed task", changedTask},
		{"unknown stage", unknownStage},
		{"lost rows", says("kit.loses", "lost|came in")},
		{"panic", says("kit.panics", "at the disco")},
		{"error", says("kit.fails", "cannot")},
		{"drops of an unknown table", says("kit.unknown", "elsewhere")},
		{"repeated key", says("kit.repeats", "kit_counts")},
		{"not deterministic", notDeterministic},
		{"lost input", lostInput},
		{"canceled", canceled},
	} {
		t.Run(test.name, func(t *testing.T) {
			k := &Kit{}
			e := Env{Build: Build, Stages: k.Stages(), Store: w.Store(t), Cache: w.Cache(t)}
			test.run(t, &bench{Env: e, kit: k, x: w.Executor(t, e)})
		})
	}
}

type bench struct {
	Env
	kit *Kit
	x   executor.Executor
}

const three = `
  items: {uses: kit.list, with: {items: [a=banana, b=kiwi, none=]}}
  letters: {uses: kit.letters, from: items}
`

// tasks runs a pipeline task by task and returns those of one node by partition,
// without running them.
func (b *bench) tasks(t *testing.T, text, node string) map[string]*planner.Task {
	t.Helper()
	g := Graph(t, b.Stages, text)
	facts := planner.Facts{Build: Build, Model: func(pipeline.ModelName) (pipeline.ModelSpec, json.RawMessage, error) {
		return pipeline.ModelSpec{}, nil, nil
	}}
	f, err := planner.NewFrontier(g, g.Nodes, facts, planner.StoredRows(t.Context(), b.Store), 0)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*planner.Task{}
	for cells := f.TakeReady(); len(cells) > 0; cells = f.TakeReady() {
		for _, c := range cells {
			if c.Node.Name == node {
				out[c.Partition] = c.Task
				continue
			}
			e, err := b.x.Run(t.Context(), c.Task)
			if err != nil {
				t.Fatalf("%s: %v", c.Label(), err)
			}
			if err := f.Complete(c, e); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("no task of %s", node)
	}
	return out
}

// rows reads an output.
func rows[T any](t *testing.T, b *bench, e *cache.Entry, port string) []T {
	t.Helper()
	for _, s := range b.Stages {
		if s.Name != e.Stage {
			continue
		}
		p, _ := s.Output(port)
		table, err := artifacts.OpenTable(t.Context(), b.Store, p.Schema, e.Outputs[port].Object)
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		var out []T
		if err := table.Batches(t.Context(), func(rows any) error { out = append(out, rows.([]T)...); return nil }); err != nil {
			t.Fatal(err)
		}
		return out
	}
	t.Fatalf("no stage %s", e.Stage)
	return nil
}

func (b *bench) run(t *testing.T, task *planner.Task) *cache.Entry {
	t.Helper()
	e, err := b.x.Run(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func makesEntry(t *testing.T, b *bench) {
	if b.x.Name() == "" {
		t.Error("the executor has no name")
	}
	task := b.tasks(t, three+"  n: {uses: kit.count, from: letters}\n", "n")["a"]
	e := b.run(t, task)
	if e.Key != task.Key || e.Stage != "kit.count" || e.Partition != "a" || !reflect.DeepEqual(e.Ingredients, task.Ingredients) {
		t.Errorf("%+v", e)
	}
	if got := rows[Number](t, b, e, "count"); !reflect.DeepEqual(got, []Number{{"a", 6}}) {
		t.Errorf("%v", got)
	}
	if e.Outputs["count"].Rows != 1 || e.Account.In["letters"] != 6 || e.Account.Out["count"] != 1 {
		t.Errorf("account %+v of %+v", e.Account, e.Outputs)
	}
	kept, ok, err := b.Cache.Get(task.Key)
	if err != nil || !ok || !reflect.DeepEqual(kept.Outputs, e.Outputs) {
		t.Errorf("the entry was not committed: %+v, %v", kept, err)
	}
	if ok, err := executor.Present(t.Context(), b.Store, e); !ok || err != nil {
		t.Errorf("an object of the entry is not in the store: %v", err)
	}
}

func ownRow(t *testing.T, b *bench) {
	for name, value := range map[string]string{"a": "banana", "b": "kiwi", "none": ""} {
		e := b.run(t, b.tasks(t, three, "letters")[name])
		var got string
		for _, l := range rows[Letter](t, b, e, "letters") {
			got += l.Letter
		}
		if got != value || e.Account.In["item"] != 1 {
			t.Errorf("%s: %q from %d rows", name, got, e.Account.In["item"])
		}
	}
}

func wholeTable(t *testing.T, b *bench) {
	e := b.run(t, b.tasks(t, three+"  n: {uses: kit.count, from: letters}\n  all: {uses: kit.total, from: n}\n", "all")[""])
	if got := rows[Number](t, b, e, "total"); len(got) != 1 || got[0].Count != 10 || e.Account.In["counts"] != 3 {
		t.Errorf("%v from %+v", got, e.Account)
	}
}

func drops(t *testing.T, b *bench) {
	e := b.run(t, b.tasks(t, three+"  v: {uses: kit.vowels, from: letters}\n", "v")["a"])
	want := cache.Account{
		In: map[string]int64{"letters": 6}, Out: map[string]int64{"vowels": 3},
		Drops: []cache.Drop{{Table: "letters", Reason: "consonant", Rows: 3}}, Notes: map[string]int64{"consonants": 3},
	}
	if !reflect.DeepEqual(e.Account, want) {
		t.Errorf("%+v, want %+v", e.Account, want)
	}
	table, err := artifacts.OpenTable(t.Context(), b.Store, pipeline.DropSchema, e.Dropped.Object)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	var got []pipeline.DropRow
	if err := table.Batches(t.Context(), func(rows any) error { got = append(got, rows.([]pipeline.DropRow)...); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[0].Key != "0" || got[0].Detail != "b" || got[2].Key != "4" {
		t.Errorf("%+v", got)
	}
}

func emptyOutput(t *testing.T, b *bench) {
	e := b.run(t, b.tasks(t, three, "letters")["none"])
	if got := rows[Letter](t, b, e, "letters"); len(got) != 0 || e.Outputs["letters"].RowsDigest == "" {
		t.Errorf("%v, %+v", got, e.Outputs)
	}
}

func again(t *testing.T, b *bench) {
	task := b.tasks(t, three+"  n: {uses: kit.count, from: letters}\n", "n")["a"]
	first, second := b.run(t, task), b.run(t, task)
	if !reflect.DeepEqual(first.Outputs, second.Outputs) || first.Dropped != second.Dropped {
		t.Errorf("%+v, then %+v", first, second)
	}
}

func atOnce(t *testing.T, b *bench) {
	task := b.tasks(t, three+"  v: {uses: kit.vowels, from: letters}\n", "v")["a"]
	const n = 8
	var all sync.WaitGroup
	var entries [n]*cache.Entry
	for i := range n {
		all.Go(func() {
			e, err := b.x.Run(t.Context(), task)
			if err != nil {
				t.Error(err)
			}
			entries[i] = e
		})
	}
	all.Wait()
	for _, e := range entries {
		if e == nil || !reflect.DeepEqual(e.Outputs, entries[0].Outputs) {
			t.Errorf("%+v, %+v", e, entries[0])
		}
	}
}

func anotherBuild(t *testing.T, b *bench) {
	task := *b.tasks(t, three, "letters")["a"]
	task.Build = digest.Of([]byte("another"))
	b.refused(t, &task)
}

func changedTask(t *testing.T, b *bench) {
	task := *b.tasks(t, three, "letters")["a"]
	task.Ingredients = append([]string{"stage=kit.letters/2"}, task.Ingredients[1:]...)
	b.refused(t, &task)
}

func unknownStage(t *testing.T, b *bench) {
	task := *b.tasks(t, three, "letters")["a"]
	task.Stage = "kit.nothing"
	b.refused(t, &task)
}

func (b *bench) refused(t *testing.T, task *planner.Task) {
	t.Helper()
	b.kit.Reset()
	if e, err := b.x.Run(t.Context(), task); err == nil {
		t.Errorf("the task was computed: %+v", e)
	}
	if ran := b.kit.Labels(); len(ran) > 0 {
		t.Errorf("%v ran", ran)
	}
}

// says tests that a stage that does wrong is an error which says one of some
// words, and keeps nothing.
func says(stage, words string) func(t *testing.T, b *bench) {
	return func(t *testing.T, b *bench) {
		task := b.tasks(t, three+"  x: {uses: "+stage+", from: letters}\n", "x")["a"]
		e, err := b.x.Run(t.Context(), task)
		if err == nil {
			t.Fatalf("no error, but %+v", e)
		}
		ok := false
		for _, w := range strings.Split(words, "|") {
			ok = ok || strings.Contains(err.Error(), w)
		}
		if !ok {
			t.Errorf("%q says none of %s", err, words)
		}
		if c := pipeline.ClassOf(err); c != pipeline.Permanent {
			t.Errorf("%q is %s", err, c)
		}
		if e, ok, _ := b.Cache.Get(task.Key); ok {
			t.Errorf("the cache has %+v", e)
		}
	}
}

func notDeterministic(t *testing.T, b *bench) {
	task := b.tasks(t, three+"  x: {uses: kit.random, from: letters}\n", "x")["a"]
	first := b.run(t, task)
	_, err := b.x.Run(t.Context(), task)
	var conflict *cache.ConflictError
	if !errors.As(err, &conflict) || conflict.Port != "count" {
		t.Fatalf("%v", err)
	}
	if kept, _, _ := b.Cache.Get(task.Key); kept == nil || kept.Outputs["count"] != first.Outputs["count"] {
		t.Errorf("the first binding did not hold: %+v", kept)
	}
}

func lostInput(t *testing.T, b *bench) {
	task := b.tasks(t, three+"  n: {uses: kit.count, from: letters}\n", "n")["a"]
	if err := b.Store.Remove(t.Context(), task.Inputs[0].Parts[0].Object); err != nil {
		t.Fatal(err)
	}
	if _, err := b.x.Run(t.Context(), task); !errors.Is(err, artifacts.ErrNotFound) {
		t.Errorf("%v does not tell that an object is lost", err)
	}
}

func canceled(t *testing.T, b *bench) {
	task := b.tasks(t, three+"  x: {uses: kit.waits, from: letters}\n", "x")["a"]
	ctx, cancel := context.WithCancel(t.Context())
	b.kit.Before = func(context.Context, *pipeline.Pass) error { cancel(); return nil }
	if _, err := b.x.Run(ctx, task); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, ok, _ := b.Cache.Get(task.Key); ok {
		t.Error("a canceled task was kept")
	}
}
