package llm

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/sources/llm/internal/api"
	"benchmill/sources/llm/internal/journal"
)

// run brings a job to its end, or as far as it gets while somebody waits: the end
// of ctx says that nobody does.
func (b *Batch) run(ctx context.Context, j *job) {
	if err := b.pursue(ctx, j); err != nil && ctx.Err() == nil {
		b.fail(j, err)
	}
}

func (b *Batch) pursue(ctx context.Context, j *job) error {
	var refused error // what submitting said, though there may be a batch
	if j.state == gathering {
		if err := b.gather(ctx, j); err != nil {
			return err
		}
		if err := b.submit(ctx, j); err != nil && !api.MayBill(err) {
			b.drop(j)
			return err
		} else if refused = err; err != nil {
			b.log.Warn("nobody knows whether a batch was taken; asking for it", "model", j.entry.Model, "error", err)
			if err := b.clock.Sleep(ctx, b.rules.Poll); err != nil {
				return err
			}
		}
	}
	if j.entry.Batch == "" {
		found, err := b.find(ctx, j)
		if err != nil {
			return b.about(j, err)
		}
		if !found {
			b.drop(j)
			if refused != nil {
				return api.Free(refused)
			}
			b.send(j, outcome{again: true})
			return nil
		}
	}
	if err := b.await(ctx, j); err != nil {
		return b.about(j, err)
	}
	if err := b.collect(ctx, j); err != nil {
		return b.about(j, err)
	}
	return nil
}

// about says of which batch an error is. Whoever waits may have to pay for it,
// and asking at once again would end the same.
func (b *Batch) about(j *job, err error) error {
	kept := ""
	if path := b.journal.Path(j.entry); path != "" {
		kept = ", noted in " + path
	}
	class := pipeline.ClassOf(err)
	if class == pipeline.Transient {
		class = pipeline.Permanent
	}
	return api.Bill(pipeline.Mark(fmt.Errorf("batch %q%s: %w", j.entry.Batch, kept, err), class))
}

// gather waits until no request came for a while, or the batch is full.
func (b *Batch) gather(ctx context.Context, j *job) error {
	first := j.entry.Created
	for {
		b.mu.Lock()
		now := b.clock.Now()
		left := min(j.last.Add(b.rules.Wait).Sub(now), first.Add(mostWaits*b.rules.Wait).Sub(now))
		if ctx.Err() == nil && (left <= 0 || j.gather.Err() != nil) {
			b.freeze(j, now)
			b.mu.Unlock()
			return nil
		}
		b.mu.Unlock()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		b.clock.Sleep(j.gather, left) // its end is told by both contexts
	}
}

// freeze makes a batch of what has gathered, less what nobody waits for any more.
func (b *Batch) freeze(j *job, now time.Time) {
	b.close(j)
	e := j.entry
	keys, bodies := e.Keys, j.bodies
	e.Keys, j.bodies = nil, nil
	for i, key := range keys {
		if len(j.waiters[key]) == 0 {
			delete(b.jobs, key)
			continue
		}
		e.Keys, j.bodies = append(e.Keys, key), append(j.bodies, bodies[i])
	}
	e.Created = now
	e.Marker = marker(e)
	j.state = submitted
}

// marker names a batch: other requests, or another time, are another batch. It is
// short enough to stand in front of the name of every request.
func marker(e *journal.Entry) string {
	d := digest.New("benchmill/batch/1")
	d.String(e.Model)
	d.Int(e.Created.UnixNano())
	d.List(len(e.Keys))
	for _, k := range e.Keys {
		d.Digest(k)
	}
	return d.Sum().Hex()[:20]
}

// item names a request in a batch, in at most 64 letters.
func item(marker string, key digest.Digest) string { return marker + "-" + key.Hex()[:40] }

// batch is a job as the provider knows it.
func (j *job) batch() api.Batch {
	e := j.entry
	out := api.Batch{ID: e.Batch, Marker: e.Marker, Model: e.Model, Created: e.Created, Items: make([]string, len(e.Keys))}
	for i, key := range e.Keys {
		out.Items[i] = item(e.Marker, key)
	}
	return out
}

// submit notes a batch, sends it, and notes its name.
func (b *Batch) submit(ctx context.Context, j *job) error {
	if err := b.journal.Save(j.entry); err != nil {
		return pipeline.Mark(fmt.Errorf("noting a batch before it is submitted: %w", err), pipeline.Fatal)
	}
	id, err := b.service.Submit(ctx, j.batch(), j.bodies)
	if err != nil {
		return err
	}
	j.bodies = nil
	return b.name(j, id)
}

var batchName = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,128}$`)

func (b *Batch) name(j *job, id string) error {
	if !batchName.MatchString(id) {
		return api.Bill(errors.New("the server gave the batch a name that is none"))
	}
	b.mu.Lock()
	j.entry.Batch = id
	b.known[id] = true
	b.mu.Unlock()
	b.log.Info("batch submitted", "model", j.entry.Model, "batch", id, "requests", len(j.entry.Keys))
	if err := b.journal.Save(j.entry); err != nil {
		b.log.Warn("the journal of batches cannot be written", "file", b.journal.Path(j.entry), "error", err)
	}
	return nil
}

// find looks for a batch whose name nobody noted.
func (b *Batch) find(ctx context.Context, j *job) (bool, error) {
	id := ""
	err := b.patiently(ctx, j, func() (done bool, err error) {
		id, err = b.service.Find(ctx, j.batch(), b.isKnown)
		return err == nil, err
	})
	if err != nil || id == "" {
		return false, err
	}
	j.entry.Found = true
	return true, b.name(j, id)
}

func (b *Batch) isKnown(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.known[id]
}

// await returns when the batch has ended.
func (b *Batch) await(ctx context.Context, j *job) error {
	return b.patiently(ctx, j, func() (bool, error) { return b.service.Ended(ctx, j.batch()) })
}

// patiently calls done until it is, through every passing error, as long as the
// batch may take.
func (b *Batch) patiently(ctx context.Context, j *job, done func() (bool, error)) error {
	for {
		ok, err := done()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case ok && err == nil:
			return nil
		case err != nil && pipeline.ClassOf(err) != pipeline.Transient:
			return err
		case b.clock.Now().Sub(j.entry.Created) >= b.rules.Timeout && err != nil:
			return err
		case b.clock.Now().Sub(j.entry.Created) >= b.rules.Timeout:
			return fmt.Errorf("not ended %s after it was submitted; a later run goes on waiting", b.rules.Timeout)
		case err != nil:
			b.log.Warn("asking after a batch failed, trying again", "model", j.entry.Model, "batch", j.entry.Batch, "error", err)
		}
		if err := b.clock.Sleep(ctx, max(b.rules.Poll, pipeline.PauseOf(err))); err != nil {
			return err
		}
	}
}

// collect hands out what became of every request somebody waits for.
func (b *Batch) collect(ctx context.Context, j *job) error {
	batch := j.batch()
	keys := make(map[string]digest.Digest, len(batch.Items))
	for i, key := range j.entry.Keys {
		keys[batch.Items[i]] = key
	}
	pause := b.rules.Poll
	for try := 1; ; try++ {
		wanted := b.waited(j, j.entry.Keys)
		ours, strange := 0, 0
		err := b.service.Results(ctx, batch, func(item string, reply pipeline.Reply, err error) {
			if key, ok := keys[item]; !ok {
				strange++
			} else if ours++; ctx.Err() == nil {
				b.answer(j, key, outcome{reply: reply, err: err})
			}
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if strange > 0 {
			b.log.Warn("a batch has results for requests that are not in it", "batch", batch.ID, "results", strange)
		}
		missing := b.waited(j, wanted)
		switch {
		case err == nil && j.entry.Found && ours == 0 && strange > 0: // not the one that was looked for
			b.drop(j)
			b.send(j, outcome{again: true})
			return nil
		case err == nil && len(missing) == 0:
			return nil
		case err != nil && (pipeline.ClassOf(err) != pipeline.Transient || try == resultTries):
			return fmt.Errorf("reading its results: %w", err)
		case try == resultTries:
			for _, key := range missing {
				b.answer(j, key, outcome{err: unanswered(batch)})
			}
			return nil
		}
		b.log.Warn("a batch's results are not whole, reading them again", "batch", batch.ID, "missing", len(missing), "error", err)
		if err := b.clock.Sleep(ctx, max(pause, pipeline.PauseOf(err))); err != nil {
			return err
		}
		pause *= 2
	}
}

func unanswered(batch api.Batch) error {
	return api.Bill(pipeline.Mark(fmt.Errorf("model %s: the results of batch %s say nothing of this request", batch.Model, batch.ID), pipeline.Transient))
}

// waited is for which of keys somebody waits.
func (b *Batch) waited(j *job, keys []digest.Digest) []digest.Digest {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []digest.Digest
	for _, key := range keys {
		if len(j.waiters[key]) > 0 {
			out = append(out, key)
		}
	}
	return out
}

// answer gives an outcome to those who wait for a request. An error is taken with
// that, so that the request may enter another batch; a reply when they have it.
func (b *Batch) answer(j *job, key digest.Digest, o outcome) {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := j.waiters[key]
	if len(all) > 0 && o.err != nil {
		b.taken(j, key)
	}
	for _, w := range all {
		w.outcome <- o
	}
	j.waiting -= len(all)
	delete(j.waiters, key)
}

// fail gives an error to all who wait for a job. Those who ask again wait again.
func (b *Batch) fail(j *job, err error) { b.send(j, outcome{err: err}) }

func (b *Batch) send(j *job, o outcome) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, all := range j.waiters {
		for _, w := range all {
			w.outcome <- o
		}
	}
	clear(j.waiters)
	j.waiting = 0
}

// drop forgets a job that became no batch.
func (b *Batch) drop(j *job) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forget(j)
	if err := b.journal.Remove(j.entry); err != nil {
		b.log.Warn("the journal of batches cannot be written", "file", b.journal.Path(j.entry), "error", err)
	}
}
