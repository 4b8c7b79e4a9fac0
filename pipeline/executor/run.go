package executor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"benchmill/artifacts"
	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/pipeline/cache"
	"benchmill/pipeline/planner"
)

// Config is what a run needs.
type Config struct {
	Frontier *planner.Frontier
	Cache    cache.Cache
	Store    artifacts.Store
	Executor Executor
	Limits   Limits
	Retry    Retry
	// FailureBudget is the share of a node's partitions that may be quarantined.
	FailureBudget float64
	Observe       Observer
}

// Result counts cells by what became of them.
type Result struct {
	Ran, Reused, Quarantined, Skipped int
}

// ErrInterrupted is returned when the context ended before the work did.
// Everything finished until then is kept.
var ErrInterrupted = errors.New("interrupted")

type run struct {
	Config
	ctx     context.Context
	stop    context.CancelFunc
	queue   []*planner.Cell
	running map[class]int
	memory  int64
	active  int
	done    chan outcome
	fatal   error
	result  Result
	lost    map[*planner.Cell]int // rebuilds so far
}

type outcome struct {
	cell  *planner.Cell
	entry *cache.Entry
	err   error
	retry bool // only tells of a retry under way
}

// Run works until nothing is left to do. It returns the first fatal error, or
// [ErrInterrupted]; quarantined partitions within the budget are no error.
func Run(ctx context.Context, c Config) (Result, error) {
	inner, stop := context.WithCancel(ctx)
	defer stop()
	if c.Observe == nil {
		c.Observe = func(Event) {}
	}
	r := &run{Config: c, ctx: inner, stop: stop, running: map[class]int{}, done: make(chan outcome), lost: map[*planner.Cell]int{}}
	interrupted := ctx.Done()
	for {
		if r.fatal == nil && ctx.Err() == nil {
			r.advance()
			r.start()
		}
		if r.active == 0 {
			break
		}
		select {
		case o := <-r.done:
			r.settle(o)
		case <-interrupted:
			interrupted = nil // tasks see the context; wait for them to let go
		}
	}
	if r.fatal == nil && ctx.Err() != nil {
		r.fatal = ErrInterrupted
	}
	for _, n := range r.Frontier.Nodes() {
		cells, _ := r.Frontier.Cells(n)
		for _, cell := range cells {
			if cell.State == planner.Skipped {
				r.result.Skipped++
			}
		}
	}
	return r.result, r.fatal
}

// advance answers ready cells from the cache, as far as that goes.
func (r *run) advance() {
	for r.fatal == nil {
		cells := r.Frontier.TakeReady()
		if len(cells) == 0 {
			return
		}
		for _, c := range cells {
			e, ok, err := r.lookup(c)
			switch {
			case err != nil:
				r.abort(err)
				return
			case ok:
				r.result.Reused++
				r.Observe(Event{Kind: Reused, Cell: c})
				r.complete(c, e)
			default:
				r.queue = append(r.queue, c)
			}
		}
	}
}

func (r *run) lookup(c *planner.Cell) (*cache.Entry, bool, error) {
	if c.Redo {
		return nil, false, nil
	}
	e, ok, err := r.Cache.Get(c.Task.Key)
	if err != nil || !ok {
		return nil, false, err
	}
	ok, err = Present(r.ctx, r.Store, e)
	return e, ok, err
}

// Present reports whether every object of an entry is in the store.
func Present(ctx context.Context, s artifacts.Store, e *cache.Entry) (bool, error) {
	objects := []digest.Digest{e.Dropped.Object}
	for _, t := range e.Outputs {
		objects = append(objects, t.Object)
	}
	for _, d := range objects {
		if _, err := s.Stat(ctx, d); errors.Is(err, artifacts.ErrNotFound) {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	return true, nil
}

func (r *run) complete(c *planner.Cell, e *cache.Entry) {
	err := r.Frontier.Complete(c, e)
	switch {
	case err == nil:
	case r.misses(c, err): // the list of partitions that it made
		r.Observe(Event{Kind: Rebuilding, Cell: c, Err: err})
		r.Frontier.Redo(c)
	default:
		r.abort(fmt.Errorf("%s: %w", c.Label(), err))
	}
}

// start runs queued cells as far as the limits allow, the furthest downstream
// first, so that partitions finish one by one.
func (r *run) start() {
	slices.SortStableFunc(r.queue, func(a, b *planner.Cell) int {
		return cmp.Or(cmp.Compare(b.Depth, a.Depth), cmp.Compare(a.Partition, b.Partition))
	})
	var held []*planner.Cell
	for _, c := range r.queue {
		class, memory := classOf(c), memoryOf(c)
		if r.running[class] >= r.slots(class) || r.active > 0 && r.Limits.MemoryBytes > 0 && r.memory+memory > r.Limits.MemoryBytes {
			held = append(held, c)
			continue
		}
		r.running[class]++
		r.memory += memory
		r.active++
		r.Observe(Event{Kind: Started, Cell: c})
		go r.work(c)
	}
	r.queue = held
}

func (r *run) work(c *planner.Cell) {
	pause := r.Retry.First
	for try := 1; ; try++ {
		e, err := r.Executor.Run(r.ctx, c.Task)
		if err == nil || pipeline.ClassOf(err) != pipeline.Transient || try >= r.Retry.Tries || r.ctx.Err() != nil {
			r.done <- outcome{cell: c, entry: e, err: err}
			return
		}
		r.done <- outcome{cell: c, err: err, retry: true}
		if err := r.Retry.wait(r.ctx, min(max(pause, pipeline.PauseOf(err)), r.Retry.Most)); err != nil {
			r.done <- outcome{cell: c, err: err}
			return
		}
		pause *= 2
	}
}

func (r *run) settle(o outcome) {
	if o.retry {
		r.Observe(Event{Kind: Retrying, Cell: o.cell, Err: o.err})
		return
	}
	r.active--
	r.running[classOf(o.cell)]--
	r.memory -= memoryOf(o.cell)
	switch {
	case o.err == nil:
		r.result.Ran++
		r.Observe(Event{Kind: Finished, Cell: o.cell})
		r.complete(o.cell, o.entry)
	case r.ctx.Err() != nil:
		// Stopped on the way; nothing of it was kept, nothing is wrong with it.
	case r.rebuild(o.cell, o.err):
	case pipeline.ClassOf(o.err) == pipeline.Fatal || o.cell.Partition == "":
		r.abort(fmt.Errorf("%s: %w", o.cell.Label(), o.err))
	default:
		r.quarantine(o.cell, o.err)
	}
}

func (r *run) abort(err error) {
	if r.fatal == nil && !(r.ctx.Err() != nil && errors.Is(err, r.ctx.Err())) {
		r.fatal = err
		r.stop()
	}
}

func (r *run) quarantine(c *planner.Cell, err error) {
	r.result.Quarantined++
	r.Frontier.Fail(c, err)
	r.Observe(Event{Kind: Quarantined, Cell: c, Err: err})
	cells, _ := r.Frontier.Cells(c.Node)
	failed := 0
	for _, other := range cells {
		if other.State == planner.Failed {
			failed++
		}
	}
	if share := float64(failed) / float64(len(cells)); share > r.FailureBudget {
		r.abort(fmt.Errorf("%d of %d partitions of %s failed, more than the failure budget of %.0f%% allows; the last: %s: %w",
			failed, len(cells), c.Node.Name, 100*r.FailureBudget, c.Partition, err))
	}
}

// misses reports whether an error comes from a lost or damaged object, and the
// cell it befell may hope that making the object again helps.
func (r *run) misses(c *planner.Cell, err error) bool {
	if !errors.Is(err, artifacts.ErrDamaged) && !errors.Is(err, artifacts.ErrNotFound) {
		return false
	}
	const most = 3
	r.lost[c]++
	return r.lost[c] <= most
}

// rebuild handles an error that comes from a lost or damaged object: whatever
// made the object runs again, and after it the user. Others may have told of the
// same object before, so that there is nothing left to do but to try again.
func (r *run) rebuild(user *planner.Cell, err error) bool {
	if !r.misses(user, err) {
		return false
	}
	for _, in := range user.Task.Inputs {
		edge := user.Node.In[in.Port]
		cells, _ := r.Frontier.Cells(edge.Node)
		for _, c := range cells {
			if c.State != planner.Done || !slices.ContainsFunc(in.Parts, func(p planner.Part) bool {
				return p.Object == c.Entry.Outputs[edge.Port.Name].Object
			}) {
				continue
			}
			if ok, err := Present(r.ctx, r.Store, c.Entry); err == nil && !ok {
				r.Observe(Event{Kind: Rebuilding, Cell: c, Err: err})
				r.Frontier.Redo(c)
			}
		}
	}
	r.Frontier.Retry(user)
	return true
}
