package llm

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"benchmill/internal/clock"
	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/pipeline/ledger"
	"benchmill/sources/llm/internal/api"
	"benchmill/sources/llm/internal/journal"
)

// Batch answers requests through a provider's batches. Complete gathers the
// requests that come together, submits them as one batch and returns when the
// answer is there, up to a day later; the end of a ctx ends one asker's wait and
// nothing else. What became of one request is the matter of its asker alone:
//
//	errored    the error the provider would have given outside a batch
//	expired    transient, so that [Retry] has it in a later batch
//	canceled   permanent: somebody canceled the batch at the provider
//	missing    transient: the batch ended without a word on the request
//
// Every batch is in the journal before it is submitted, and stays until each of
// its answers was taken (see [Receipt]) or the provider has deleted them. A
// request whose key is in the journal waits for that batch and is not submitted
// again, also in another run; errors that tell nothing of the request, such as
// a batch that does not end in time, leave it there.
//
//	killed before the entry        nothing was submitted
//	killed before the submission   the provider is asked for the batch, has none,
//	                               and the requests join a new one
//	killed before the name came    the provider is asked for the batch and has it
//
// Where a provider loses sight of a batch it has just taken, that one is paid for
// twice. Equal requests share one answer, which each asker is charged for. It is
// safe for concurrent use.
type Batch struct {
	service        api.Batches
	provider, host string
	rules          batchRules
	journal        journal.Journal
	clock          clock.Clock
	log            *slog.Logger

	mu     sync.Mutex
	loaded bool                   // the journal was read
	open   map[string]*job        // gathering, by model
	jobs   map[digest.Digest]*job // by request, until its answer is taken
	known  map[string]bool        // names of batches
}

// batchRules say when a batch is submitted, and how it is waited for.
type batchRules struct {
	Wait     time.Duration // after the last request that came
	Requests int           // most in one batch
	Bytes    int           // most in one batch
	Poll     time.Duration
	Timeout  time.Duration // from the submission to the end
}

const (
	// mostWaits bounds how long requests that trickle in can put a batch off, in
	// waits after the first of them.
	mostWaits = 20
	// batchKept is how long both providers keep the answers of a batch.
	batchKept = 29 * 24 * time.Hour
	// resultTries is how often answers are read that broke off or left requests out.
	resultTries = 5
)

// job is one batch and those who wait for it. Its fields belong to the mutex of
// its Batch, except that entry.Batch is written by the job's own goroutine.
type job struct {
	entry   *journal.Entry
	state   jobState
	bodies  []json.RawMessage // of entry.Keys, until they are submitted
	size    int
	last    time.Time // when the last request came
	waiters map[digest.Digest][]*waiter
	waiting int // waiters of all keys
	running bool
	full    context.CancelFunc // ends the gathering
	stop    context.CancelFunc // ends the goroutine; the batch goes on
	gather  context.Context    // done when full or stopped
}

type jobState int

const (
	gathering jobState = iota
	submitted          // or nobody knows whether it was
)

// waiter is one call of Complete.
type waiter struct {
	job     *job
	key     digest.Digest
	outcome chan outcome // of one
}

// outcome is what a waiter gets: a reply, an error, or the advice to join again
// because the batch it waited for never was.
type outcome struct {
	reply pipeline.Reply
	err   error
	again bool
}

func newBatch(service api.Batches, provider, host string, rules batchRules, dir string, c clock.Clock, log *slog.Logger) *Batch {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Batch{
		service: service, provider: provider, host: host, rules: rules, journal: journal.Journal{Dir: dir}, clock: c, log: log,
		open: map[string]*job{}, jobs: map[digest.Digest]*job{}, known: map[string]bool{},
	}
}

// Complete implements [Provider].
func (b *Batch) Complete(ctx context.Context, req pipeline.Request) (pipeline.Reply, error) {
	if ctx.Err() != nil {
		return pipeline.Reply{}, context.Cause(ctx)
	}
	body, err := b.service.Body(req)
	if err != nil {
		return pipeline.Reply{}, err
	}
	key, err := ledger.Key(ledger.KindLLM, req)
	if err != nil {
		return pipeline.Reply{}, err
	}
	for {
		w, err := b.join(key, req.Model, body)
		if err != nil {
			return pipeline.Reply{}, err
		}
		select {
		case o := <-w.outcome:
			if o.again {
				continue
			}
			if o.err == nil {
				onReceipt(ctx, func() { b.take(w.job, key) })
			}
			return o.reply, o.err
		case <-ctx.Done():
			return pipeline.Reply{}, b.leave(w, context.Cause(ctx))
		}
	}
}

// join makes a waiter for a request: of the batch that has it, or of the one that
// is gathering.
func (b *Batch) join(key digest.Digest, model string, body json.RawMessage) (*waiter, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.load(); err != nil {
		return nil, err
	}
	j := b.jobs[key]
	if j == nil {
		j = b.add(key, model, body)
	}
	w := &waiter{job: j, key: key, outcome: make(chan outcome, 1)}
	j.waiters[key] = append(j.waiters[key], w)
	j.waiting++
	b.start(j)
	return w, nil
}

// add puts a request into the batch that is gathering for its model.
func (b *Batch) add(key digest.Digest, model string, body json.RawMessage) *job {
	j := b.open[model]
	if j != nil && j.size+len(body) > b.rules.Bytes {
		b.close(j)
		j = nil
	}
	if j == nil {
		j = newJob(&journal.Entry{Provider: b.provider, Host: b.host, Model: model, Created: b.clock.Now()}, gathering)
		j.gather, j.full = context.WithCancel(context.Background())
		b.open[model] = j
	}
	j.entry.Keys = append(j.entry.Keys, key)
	j.bodies = append(j.bodies, body)
	j.size += len(body)
	j.last = b.clock.Now()
	b.jobs[key] = j
	if len(j.entry.Keys) >= b.rules.Requests {
		b.close(j)
	}
	return j
}

func newJob(e *journal.Entry, state jobState) *job {
	return &job{entry: e, state: state, waiters: map[digest.Digest][]*waiter{}, full: func() {}}
}

// close lets nothing more into a batch that is gathering.
func (b *Batch) close(j *job) {
	if b.open[j.entry.Model] == j {
		delete(b.open, j.entry.Model)
	}
	j.full()
}

// start has a goroutine work for a job that somebody waits for.
func (b *Batch) start(j *job) {
	if j.running || j.waiting == 0 {
		return
	}
	var ctx context.Context
	ctx, j.stop = context.WithCancel(context.Background())
	j.running = true
	go func() {
		b.run(ctx, j)
		b.mu.Lock()
		defer b.mu.Unlock()
		j.stop()
		j.running = false
		b.start(j) // for whoever came since
	}()
}

// leave ends a wait. With the last one nobody asks after the batch any more; one
// that is still gathering goes nowhere.
func (b *Batch) leave(w *waiter, cause error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	j := w.job
	all := j.waiters[w.key]
	for i := range all {
		if all[i] == w {
			j.waiters[w.key] = append(all[:i:i], all[i+1:]...)
			j.waiting--
		}
	}
	if j.waiting == 0 && j.running {
		j.stop()
		if j.state == gathering {
			b.close(j)
			b.forget(j)
		}
	}
	if j.state == gathering {
		return cause
	}
	return api.Bill(cause)
}

// forget makes the requests of a job ready for another one.
func (b *Batch) forget(j *job) {
	for _, key := range j.entry.Keys {
		if b.jobs[key] == j {
			delete(b.jobs, key)
		}
	}
}

// take notes that an answer is with its asker: the request may be asked anew.
func (b *Batch) take(j *job, key digest.Digest) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.taken(j, key)
}

func (b *Batch) taken(j *job, key digest.Digest) {
	if b.jobs[key] == j {
		delete(b.jobs, key)
	}
	if err := b.journal.Take(j.entry, key); err != nil {
		b.log.Warn("the journal of batches cannot be written", "file", b.journal.Path(j.entry), "error", err)
	}
}

// load reads the journal once. Entries whose answers the provider has deleted go.
func (b *Batch) load() error {
	if b.loaded {
		return nil
	}
	entries, err := b.journal.Load()
	if err != nil {
		return pipeline.Mark(err, pipeline.Fatal)
	}
	for _, e := range entries {
		if e.Done() || b.clock.Now().Sub(e.Created) > batchKept {
			if err := b.journal.Remove(e); err != nil {
				return pipeline.Mark(err, pipeline.Fatal)
			}
			continue
		}
		if e.Provider != b.provider || e.Host != b.host {
			continue
		}
		j := newJob(e, submitted)
		b.known[e.Batch] = true
		for _, key := range e.Keys {
			if !e.Taken(key) {
				b.jobs[key] = j
			}
		}
	}
	b.loaded = true
	return nil
}
