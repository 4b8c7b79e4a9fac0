package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"benchmill/artifacts"
	"benchmill/artifacts/storetest"
	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/pipeline/cache"
	"benchmill/pipeline/cache/cachetest"
	"benchmill/pipeline/executor"
	"benchmill/pipeline/executor/executortest"
	"benchmill/pipeline/executor/local"
	"benchmill/pipeline/planner"
)

// project is a pipeline of the kit with stores that outlive its runs.
type project struct {
	kit    *executortest.Kit
	stages []*pipeline.Stage
	store  *storetest.Memory
	cache  *cachetest.Memory
	text   string
	limit  int

	// compute computes a task; nil: the local executor.
	compute func(ctx context.Context, t *planner.Task) (*cache.Entry, error)
	config  executor.Config // limits, retry, budget
	events  []string        // "kind label" of the last run
	paused  []time.Duration // between tries, in the last run
}

func newProject(text string) *project {
	k := &executortest.Kit{}
	p := &project{kit: k, stages: k.Stages(), store: &storetest.Memory{}, cache: &cachetest.Memory{}, text: text}
	p.config = executor.Config{
		Limits:        executor.Limits{CPU: 2, Network: 2, LLM: 2},
		Retry:         executor.Retry{Tries: 4, First: time.Second, Most: time.Minute},
		FailureBudget: 0.5,
	}
	return p
}

func (p *project) local() *local.Executor {
	return &local.Executor{
		Build: executortest.Build, Stages: p.stages, Store: p.store, Cache: p.cache, Log: slog.New(slog.DiscardHandler),
		Effects: func(*planner.Task) pipeline.Effects { return nil },
	}
}

type computed func(ctx context.Context, t *planner.Task) (*cache.Entry, error)

func (computed) Name() string { return "test" }

func (c computed) Run(ctx context.Context, t *planner.Task) (*cache.Entry, error) { return c(ctx, t) }

func (p *project) frontier(t *testing.T) *planner.Frontier {
	t.Helper()
	g := executortest.Graph(t, p.stages, p.text)
	facts := planner.Facts{Build: executortest.Build, Model: func(pipeline.ModelName) (pipeline.ModelSpec, json.RawMessage, error) {
		return pipeline.ModelSpec{Provider: "p", Model: "x"}, json.RawMessage("{}"), nil
	}}
	f, err := planner.NewFrontier(g, g.Nodes, facts, planner.StoredRows(t.Context(), p.store), p.limit)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (p *project) try(ctx context.Context, t *testing.T) (*planner.Frontier, executor.Result, error) {
	t.Helper()
	p.kit.Reset()
	p.events, p.paused = nil, nil
	c := p.config
	c.Frontier, c.Cache, c.Store, c.Executor = p.frontier(t), p.cache, p.store, p.local()
	if p.compute != nil {
		c.Executor = computed(p.compute)
	}
	var mu sync.Mutex
	if c.Retry.Wait == nil {
		c.Retry.Wait = func(ctx context.Context, d time.Duration) error {
			mu.Lock()
			defer mu.Unlock()
			p.paused = append(p.paused, d)
			return ctx.Err()
		}
	}
	c.Observe = func(e executor.Event) { p.events = append(p.events, string(e.Kind)+" "+e.Cell.Label()) }
	r, err := executor.Run(ctx, c)
	return c.Frontier, r, err
}

func (p *project) run(t *testing.T) (*planner.Frontier, executor.Result) {
	t.Helper()
	f, r, err := p.try(t.Context(), t)
	if err != nil {
		t.Fatal(err)
	}
	return f, r
}

// outputs are the digests of all tables of a frontier, and the errors of cells
// without any.
func outputs(f *planner.Frontier) map[string]string {
	out := map[string]string{}
	for _, n := range f.Nodes() {
		cells, known := f.Cells(n)
		out[n.Name] = fmt.Sprint(known)
		for _, c := range cells {
			if c.State != planner.Done {
				out[c.Label()] = fmt.Sprint(c.State, c.Err)
				continue
			}
			for port, info := range c.Entry.Outputs {
				out[c.Label()+"."+port] = string(info.Object + info.RowsDigest)
			}
		}
	}
	return out
}

func cell(t *testing.T, f *planner.Frontier, label string) *planner.Cell {
	t.Helper()
	for _, n := range f.Nodes() {
		cells, _ := f.Cells(n)
		for _, c := range cells {
			if c.Label() == label {
				return c
			}
		}
	}
	t.Fatalf("no cell %s", label)
	return nil
}

func wantRan(t *testing.T, p *project, want ...string) {
	t.Helper()
	slices.Sort(want)
	if got := p.kit.Labels(); !slices.Equal(got, want) {
		t.Errorf("ran %q, want %q", got, want)
	}
}

// chain is a pipeline over items: per partition letters, count and double, and
// the total of all counts.
func chain(items string) string {
	return "  items: {uses: kit.list, with: {items: [" + items + "]}}\n" +
		"  letters: {uses: kit.letters, from: items}\n" +
		"  count: {uses: kit.count, from: letters}\n" +
		"  double: {uses: kit.double, from: count, with: {model: m}}\n" +
		"  all: {uses: kit.total, from: count}\n"
}

func TestReuse(t *testing.T) {
	p := newProject(chain("a=banana, b=kiwi"))
	f, r := p.run(t)
	if want := (executor.Result{Ran: 8}); r != want {
		t.Errorf("%+v, want %+v", r, want)
	}
	wantRan(t, p, "items", "all", "letters [a]", "letters [b]", "count [a]", "count [b]", "double [a]", "double [b]")
	for label, n := range p.kit.Ran() {
		if n != 1 {
			t.Errorf("%s ran %d times", label, n)
		}
	}
	first := outputs(f)
	f, r = p.run(t)
	if want := (executor.Result{Reused: 8}); r != want {
		t.Errorf("again: %+v, want %+v", r, want)
	}
	wantRan(t, p)
	if again := outputs(f); !reflect.DeepEqual(again, first) {
		t.Errorf("%v\nwas\n%v", again, first)
	}
}

// TestPromise2OnePartition: one new repository runs its own partitions, and what
// reads all of them.
func TestPromise2OnePartition(t *testing.T) {
	p := newProject(chain("a=banana, b=kiwi"))
	p.run(t)
	p.text = chain("b=kiwi, c=fig, a=banana")
	_, r := p.run(t)
	wantRan(t, p, "items", "letters [c]", "count [c]", "double [c]", "all")
	if r.Reused != 6 {
		t.Errorf("%+v", r)
	}
	p.text = chain("b=kiwi, c=fig")
	p.run(t)
	wantRan(t, p, "items", "all") // one less
}

// TestPromise2EarlyCutOff: a changed input whose output did not change stops
// there.
func TestPromise2EarlyCutOff(t *testing.T) {
	p := newProject(chain("a=banana, b=kiwi"))
	p.run(t)
	p.text = chain("a=orange, b=kiwi") // as many letters
	p.run(t)
	wantRan(t, p, "items", "letters [a]", "count [a]")
	p.text = chain("b=kiwi, a=orange") // another order of the same
	p.run(t)
	wantRan(t, p, "items")
}

// A partition reads its own rows of a whole table, and only they are in its key.
func TestPromise2OwnRows(t *testing.T) {
	text := func(items string) string {
		return "  items: {uses: kit.list, with: {items: [" + items + "]}}\n" +
			"  letters: {uses: kit.letters, from: items}\n" +
			"  count: {uses: kit.count, from: letters}\n" +
			"  marks: {uses: kit.marks, from: count}\n" +
			"  sum: {uses: kit.sum, from: [letters, marks]}\n"
	}
	p := newProject(text("a=banana, b=kiwi, none="))
	f, _ := p.run(t)
	for label, want := range map[string]int64{"sum [a]": 6, "sum [b]": 4, "sum [none]": 0} {
		if got := cell(t, f, label).Entry.Account.In["marks"]; got != want {
			t.Errorf("%s read %d marks, want %d", label, got, want)
		}
	}
	p.text = text("a=bananas, b=kiwi, none=")
	p.run(t)
	wantRan(t, p, "items", "letters [a]", "count [a]", "marks", "sum [a]")
}

func TestTransientIsTriedAgain(t *testing.T) {
	p := newProject(chain("a=banana"))
	busy := errors.New("busy")
	var failed atomic.Int64
	p.kit.Before = func(_ context.Context, pass *pipeline.Pass) error {
		if pass.Node == "letters" && failed.Add(1) <= 3 {
			return pipeline.Mark(busy, pipeline.Transient)
		}
		return nil
	}
	p.run(t)
	if n := p.kit.Ran()["letters [a]"]; n != 4 {
		t.Errorf("%d tries", n)
	}
	if want := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}; !slices.Equal(p.paused, want) {
		t.Errorf("paused %v, want %v", p.paused, want)
	}
	if n := len(slices.DeleteFunc(slices.Clone(p.events), func(e string) bool { return e != "retrying letters [a]" })); n != 3 {
		t.Errorf("%q", p.events)
	}

	// As often as said and no more; then it is a failure like another.
	p = newProject(chain("a=banana, b=kiwi"))
	p.kit.Before = func(_ context.Context, pass *pipeline.Pass) error {
		if pass.Node == "letters" && pass.Partition == "a" {
			return pipeline.RetryAfter(busy, time.Hour)
		}
		return nil
	}
	f, r := p.run(t)
	if n := p.kit.Ran()["letters [a]"]; n != 4 || r.Quarantined != 1 || !errors.Is(cell(t, f, "letters [a]").Err, busy) {
		t.Errorf("%d tries, %+v", n, r)
	}
	if want := []time.Duration{time.Minute, time.Minute, time.Minute}; !slices.Equal(p.paused, want) { // at most Most
		t.Errorf("paused %v, want %v", p.paused, want)
	}
}

func fails(node, partition string, err error) func(context.Context, *pipeline.Pass) error {
	return func(_ context.Context, p *pipeline.Pass) error {
		if p.Node == node && p.Partition == partition {
			return err
		}
		return nil
	}
}

// TestPromise4Quarantine: a partition that fails takes what needs it along, with
// the root cause, and nothing else.
func TestPromise4Quarantine(t *testing.T) {
	p := newProject(chain("a=banana, b=kiwi, c=fig"))
	broken := errors.New("broken")
	p.kit.Before = fails("letters", "a", broken)
	f, r := p.run(t)
	if want := (executor.Result{Ran: 8, Quarantined: 1, Skipped: 2}); r != want {
		t.Errorf("%+v, want %+v", r, want)
	}
	for label, state := range map[string]planner.State{
		"letters [a]": planner.Failed, "count [a]": planner.Skipped, "double [a]": planner.Skipped,
		"double [b]": planner.Done, "all": planner.Done,
	} {
		c := cell(t, f, label)
		if c.State != state || (state != planner.Done) != errors.Is(c.Err, broken) {
			t.Errorf("%s is %d with %v", label, c.State, c.Err)
		}
	}
	if n := cell(t, f, "all").Entry.Account.In["counts"]; n != 2 {
		t.Errorf("the total reads %d counts", n)
	}
	if n := p.kit.Ran()["letters [a]"]; n != 1 {
		t.Errorf("a permanent error was tried %d times", n)
	}

	// Once it is mended, only it and what it takes part in runs.
	p.kit.Before = nil
	p.run(t)
	wantRan(t, p, "letters [a]", "count [a]", "double [a]", "all")
}

func TestFailureBudget(t *testing.T) {
	for _, test := range []struct {
		budget float64
		fails  string
		ok     bool
	}{{0, "a", false}, {0.25, "a", true}, {0.25, "ab", false}, {0.5, "ab", true}, {0.5, "abc", false}, {1, "abcd", true}} {
		p := newProject(chain("a=x, b=x, c=x, d=x"))
		p.config.FailureBudget = test.budget
		p.kit.Before = func(_ context.Context, pass *pipeline.Pass) error {
			if pass.Node == "count" && strings.Contains(test.fails, pass.Partition) {
				return errors.New("broken")
			}
			return nil
		}
		_, _, err := p.try(t.Context(), t)
		if (err == nil) != test.ok {
			t.Errorf("%+v: %v", test, err)
		}
		if err != nil && !strings.Contains(err.Error(), "of 4 partitions of count failed") {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

func TestFatalStops(t *testing.T) {
	p := newProject(chain("a=banana, b=kiwi, c=fig"))
	p.config.Limits.Network = 1
	full := pipeline.Mark(errors.New("disk full"), pipeline.Fatal)
	p.kit.Before = fails("letters", "a", full)
	_, r, err := p.try(t.Context(), t)
	if !errors.Is(err, full) || !strings.Contains(err.Error(), "letters [a]") || r.Quarantined != 0 {
		t.Errorf("%v, %+v", err, r)
	}
	wantRan(t, p, "items", "letters [a]")
}

// A whole-table stage that fails has nothing beside it to go on with.
func TestWholeTableFailureStops(t *testing.T) {
	p := newProject(chain("a=banana"))
	broken := errors.New("broken")
	p.kit.Before = fails("all", "", broken)
	if _, _, err := p.try(t.Context(), t); !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "all: ") {
		t.Errorf("%v", err)
	}
}

func TestInterrupt(t *testing.T) {
	p := newProject(chain("a=banana, b=kiwi, c=fig"))
	p.config.Limits = executor.Limits{CPU: 1, Network: 1, LLM: 1}
	ctx, cancel := context.WithCancel(t.Context())
	p.kit.Before = func(ctx context.Context, pass *pipeline.Pass) error {
		if pass.Node == "count" && pass.Partition == "b" {
			cancel()
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	}
	f, r, err := p.try(ctx, t)
	if !errors.Is(err, executor.ErrInterrupted) || r.Quarantined != 0 {
		t.Fatalf("%v, %+v", err, r)
	}
	if c := cell(t, f, "count [b]"); c.State == planner.Failed {
		t.Errorf("what was stopped counts as failed: %v", c.Err)
	}
	kept := r.Ran
	p.kit.Before = nil
	_, r = p.run(t)
	if r.Reused != kept || r.Ran+r.Reused != 11 {
		t.Errorf("%d were done before, then %+v", kept, r)
	}
}

// An interrupt at any moment is an interrupt, and the next run goes on.
func TestInterruptAnywhere(t *testing.T) {
	clean := newProject(chain("a=banana, b=kiwi, c=fig"))
	f, _ := clean.run(t)
	want := outputs(f)
	for n := range 11 {
		p := newProject(clean.text)
		ctx, cancel := context.WithCancel(t.Context())
		var done atomic.Int64
		p.compute = func(ctx context.Context, task *planner.Task) (*cache.Entry, error) {
			e, err := p.local().Run(context.WithoutCancel(ctx), task)
			if done.Add(1) == int64(n+1) {
				cancel() // while the outcome is on its way
			}
			return e, err
		}
		_, r, err := p.try(ctx, t)
		if !errors.Is(err, executor.ErrInterrupted) {
			t.Errorf("interrupted after task %d: %v", n+1, err)
		}
		p.compute = nil
		f, again := p.run(t)
		if again.Reused < r.Ran {
			t.Errorf("%d were done before, %d reused", r.Ran, again.Reused)
		}
		if got := outputs(f); !reflect.DeepEqual(got, want) {
			t.Errorf("interrupted after task %d: %v", n+1, got)
		}
	}
	p := newProject(clean.text)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, r, err := p.try(ctx, t); !errors.Is(err, executor.ErrInterrupted) || r != (executor.Result{}) {
		t.Errorf("interrupted before it began: %v, %+v", err, r)
	}
}

// Whatever object is lost or damaged, what made it runs again and the run
// completes.
func TestRebuild(t *testing.T) {
	clean := newProject(chain("a=banana, b=kiwi, c=fig"))
	f, _ := clean.run(t)
	want := outputs(f)
	for _, label := range []string{"items", "letters [a]", "count [b]", "double [c]", "all"} {
		for _, how := range []string{"lost", "damaged"} {
			for _, downstream := range []bool{false, true} {
				p := newProject(clean.text)
				p.config.Limits = executor.Limits{CPU: 3, Network: 3, LLM: 3}
				f, _ := p.run(t)
				c := cell(t, f, label)
				for _, info := range c.Entry.Outputs {
					spoil(t, p, how, info.Object)
				}
				if downstream { // everything that reads it has to run
					for _, n := range f.Nodes()[1:] {
						cells, _ := f.Cells(n)
						for _, other := range cells {
							if other.Depth > c.Depth {
								if err := p.cache.Remove(other.Task.Key); err != nil {
									t.Fatal(err)
								}
							}
						}
					}
				}
				f, _, err := p.try(t.Context(), t)
				if err != nil {
					t.Errorf("%s %s: %v", label, how, err)
					continue
				}
				if got := outputs(f); !reflect.DeepEqual(got, want) {
					t.Errorf("%s %s: %v", label, how, got)
				}
				wasRead := how == "lost" || label == "items" || downstream && (label == "letters [a]" || label == "count [b]")
				if n := p.kit.Ran()[label]; wasRead && n != 1 || n > 1 {
					t.Errorf("%s %s (downstream too: %v): it ran %d times", label, how, downstream, n)
				}
			}
		}
	}
}

func spoil(t *testing.T, p *project, how string, d digest.Digest) {
	t.Helper()
	act := func(d digest.Digest) error { return p.store.Remove(t.Context(), d) }
	if how == "damaged" {
		act = p.store.Damage
	}
	if err := act(d); err != nil {
		t.Fatalf("%s: %v", how, err)
	}
}

// An object can be lost while tasks that read it are under way, and may be back
// by the time they tell of it.
func TestRebuildWhileRunning(t *testing.T) {
	p := newProject(chain("a=banana, b=kiwi, c=fig, d=lime"))
	f, _ := p.run(t)
	want := outputs(f)
	items := cell(t, f, "items").Entry.Outputs["items"].Object
	for _, n := range f.Nodes()[1:] {
		cells, _ := f.Cells(n)
		for _, c := range cells {
			if err := p.cache.Remove(c.Task.Key); err != nil {
				t.Fatal(err)
			}
		}
	}
	var once sync.Once
	var told sync.WaitGroup
	told.Add(4) // all four find it missing before any of them tells
	p.config.Limits.Network = 4
	p.compute = func(ctx context.Context, task *planner.Task) (*cache.Entry, error) {
		once.Do(func() { spoil(t, p, "lost", items) })
		e, err := p.local().Run(ctx, task)
		if task.Node == "letters" && err != nil {
			told.Done()
			told.Wait()
		}
		return e, err
	}
	f, r := p.run(t)
	if got := outputs(f); !reflect.DeepEqual(got, want) || r.Quarantined > 0 {
		t.Errorf("%+v: %v", r, got)
	}
	if n := p.kit.Ran()["items"]; n != 1 {
		t.Errorf("the list was made %d times", n)
	}
}

// What is lost again and again is given up.
func TestRebuildGivesUp(t *testing.T) {
	p := newProject(chain("a=banana, b=kiwi"))
	p.compute = func(ctx context.Context, task *planner.Task) (*cache.Entry, error) {
		e, err := p.local().Run(ctx, task)
		if err == nil && task.Label() == "letters [a]" {
			spoil(t, p, "lost", e.Outputs["letters"].Object)
		}
		return e, err
	}
	f, r := p.run(t)
	c := cell(t, f, "count [a]")
	if r.Quarantined != 1 || c.State != planner.Failed || !errors.Is(c.Err, artifacts.ErrNotFound) {
		t.Errorf("%+v, %v", r, c.Err)
	}
	if n := p.kit.Ran()["letters [a]"]; n != 4 { // once, and three times over
		t.Errorf("the letters were made %d times", n)
	}
}

// gauge measures how many tasks run at a time.
type gauge struct {
	mu        sync.Mutex
	now, most map[string]int
	memory    int64
	mostBytes int64
}

func (g *gauge) add(kind string, n int, bytes int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now[kind] += n
	g.most[kind] = max(g.most[kind], g.now[kind])
	g.memory += int64(n) * bytes
	if g.now["all"] > 1 { // one task may always run
		g.mostBytes = max(g.mostBytes, g.memory)
	}
}

func TestLimits(t *testing.T) {
	var items []string
	for i := range 24 {
		items = append(items, fmt.Sprintf("p%02d=%s", i, strings.Repeat("x", i)))
	}
	kinds := map[string]string{"letters": "network", "double": "llm", "count": "cpu", "items": "cpu", "all": "cpu"}
	const base = 32 << 20
	for _, limits := range []executor.Limits{
		{CPU: 1, Network: 1, LLM: 1},
		{CPU: 3, Network: 2, LLM: 4},
		{CPU: 8, Network: 8, LLM: 8, MemoryBytes: 2*base + base/2},
		{CPU: 8, Network: 8, LLM: 8, MemoryBytes: 1}, // one at a time, but that one
		{}, // at least one of each
	} {
		p := newProject(chain(strings.Join(items, ", ")))
		p.config.Limits = limits
		g := &gauge{now: map[string]int{}, most: map[string]int{}}
		p.compute = func(ctx context.Context, task *planner.Task) (*cache.Entry, error) {
			var bytes int64 = base
			for _, in := range task.Inputs {
				for _, part := range in.Parts {
					bytes += 16 * part.Bytes
				}
			}
			g.add("all", 1, bytes)
			g.add(kinds[task.Node], 1, 0)
			defer g.add("all", -1, bytes)
			defer g.add(kinds[task.Node], -1, 0)
			return p.local().Run(ctx, task)
		}
		p.run(t)
		for kind, most := range map[string]int{"cpu": limits.CPU, "network": limits.Network, "llm": limits.LLM} {
			if g.most[kind] > max(1, most) || g.most[kind] == 0 {
				t.Errorf("%+v: %d tasks of %s at a time", limits, g.most[kind], kind)
			}
		}
		if limits.MemoryBytes > 0 && g.mostBytes > limits.MemoryBytes {
			t.Errorf("%+v: tasks that need %d bytes at a time", limits, g.mostBytes)
		}
	}
}

// The limits are used: tasks that wait for each other get to run together.
func TestLimitsAreReached(t *testing.T) {
	p := newProject(chain("a=x, b=y, c=z"))
	p.config.Limits.Network = 3
	var together sync.WaitGroup
	together.Add(3)
	p.kit.Before = func(_ context.Context, pass *pipeline.Pass) error {
		if pass.Node == "letters" {
			together.Done()
			together.Wait()
		}
		return nil
	}
	p.run(t)
}

// TestPromise1LostTasks: tasks that are lost at random, before they began or
// after they were done, change nothing.
func TestPromise1LostTasks(t *testing.T) {
	text := chain("a=banana, b=kiwi, c=fig, d=lime, e=plum, f=pear")
	clean := newProject(text)
	f, _ := clean.run(t)
	want := outputs(f)
	for seed := range uint64(20) {
		p := newProject(text)
		p.config.Retry.Tries = 1000
		p.config.Limits = executor.Limits{CPU: 4, Network: 4, LLM: 4}
		var mu sync.Mutex
		random := rand.New(rand.NewPCG(seed, 0))
		lose := func() error {
			mu.Lock()
			defer mu.Unlock()
			if random.IntN(3) == 0 {
				return pipeline.Mark(errors.New("worker lost"), pipeline.Transient)
			}
			return nil
		}
		p.compute = func(ctx context.Context, task *planner.Task) (*cache.Entry, error) {
			if err := lose(); err != nil {
				return nil, err
			}
			e, err := p.local().Run(ctx, task)
			if lost := lose(); lost != nil {
				return nil, lost
			}
			return e, err
		}
		f, r := p.run(t)
		if got := outputs(f); !reflect.DeepEqual(got, want) || r.Ran != 20 {
			t.Errorf("seed %d: %+v, %v", seed, r, got)
		}
	}
}

// TestPromise1AnyParallelism: the limits decide nothing about the outputs.
func TestPromise1AnyParallelism(t *testing.T) {
	text := chain("a=banana, b=kiwi, c=fig, d=lime, e=plum, f=pear")
	var want map[string]string
	for _, n := range []int{1, 2, 3, 8, 100} {
		p := newProject(text)
		p.config.Limits = executor.Limits{CPU: n, Network: n, LLM: n}
		f, _ := p.run(t)
		if want == nil {
			want = outputs(f)
		}
		if got := outputs(f); !reflect.DeepEqual(got, want) {
			t.Errorf("%d at a time: %v", n, got)
		}
	}
}

// TestPromise5Run: a stage that gives other rows the second time fails its
// partition by name.
func TestPromise5Run(t *testing.T) {
	p := newProject("  items: {uses: kit.list, with: {items: [a=x, b=y]}}\n" +
		"  letters: {uses: kit.letters, from: items}\n  odd: {uses: kit.random, from: letters}\n")
	f, _ := p.run(t)
	spoil(t, p, "lost", cell(t, f, "odd [a]").Entry.Outputs["count"].Object)
	f, r := p.run(t)
	var conflict *cache.ConflictError
	if c := cell(t, f, "odd [a]"); r.Quarantined != 1 || !errors.As(c.Err, &conflict) || conflict.Partition != "a" {
		t.Errorf("%+v, %v", r, c.Err)
	}
}

func TestZeroPartitions(t *testing.T) {
	p := newProject(chain(""))
	f, r := p.run(t)
	if r.Ran != 2 { // the list and the total
		t.Errorf("%+v, %v", r, p.kit.Labels())
	}
	if c := cell(t, f, "all"); c.State != planner.Done || c.Entry.Account.In["counts"] != 0 {
		t.Errorf("%+v", c)
	}
}

func TestLimitPartitions(t *testing.T) {
	p := newProject(chain("d=x, b=y, c=z, a=w"))
	p.limit = 2
	p.run(t)
	wantRan(t, p, "items", "all", "letters [a]", "letters [b]", "count [a]", "count [b]", "double [a]", "double [b]")
	p.limit = 0
	_, r := p.run(t)
	if r.Reused != 7 || r.Ran != 7 {
		t.Errorf("%+v", r)
	}
}

// Two rows that name one partition are a mistake of the list.
func TestRepeatedPartition(t *testing.T) {
	p := newProject(chain("a=x, a=y"))
	_, _, err := p.try(t.Context(), t)
	if err == nil || !strings.Contains(err.Error(), `items.items names partition "a" twice`) {
		t.Errorf("%v", err)
	}
}
