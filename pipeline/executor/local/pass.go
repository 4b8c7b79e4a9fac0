package local

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"
	"sync"

	"benchmill/artifacts"
	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/pipeline/cache"
	"benchmill/pipeline/planner"
)

// input reads the parts of one port one after another.
type input struct {
	store  artifacts.Store
	schema *pipeline.Schema
	parts  []planner.Part
}

// Rows implements pipeline.Input.
func (in *input) Rows() int64 {
	var n int64
	for _, p := range in.parts {
		n += p.Rows
	}
	return n
}

// Batches implements pipeline.Input.
func (in *input) Batches(ctx context.Context, yield func(rows any) error) error {
	for _, p := range in.parts {
		if err := in.part(ctx, p, yield); err != nil {
			return err
		}
	}
	return nil
}

func (in *input) part(ctx context.Context, p planner.Part, yield func(rows any) error) error {
	t, err := artifacts.OpenTable(ctx, in.store, in.schema, p.Object)
	if err != nil {
		return fmt.Errorf("reading table %s: %w", in.schema, err)
	}
	defer t.Close()
	if p.Row == "" {
		return t.Batches(ctx, yield)
	}
	return t.Batches(ctx, func(rows any) error {
		v := reflect.ValueOf(rows)
		for i := range v.Len() {
			if v.Index(i).Interface().(pipeline.Partitioned).PartitionKey() != p.Row {
				continue
			}
			if err := yield(v.Slice(i, i+1).Interface()); err != nil {
				return err
			}
		}
		return nil
	})
}

// files serves configured files from the store.
type files struct {
	ctx     context.Context
	store   artifacts.Store
	digests map[pipeline.FileName]digest.Digest
}

// ReadFile implements pipeline.Files.
func (f *files) ReadFile(name pipeline.FileName) ([]byte, error) {
	d, ok := f.digests[name]
	if !ok {
		return nil, fmt.Errorf("file %s is not part of the task", name)
	}
	return read(f.ctx, f.store, d)
}

func read(ctx context.Context, s artifacts.Store, d digest.Digest) ([]byte, error) {
	o, err := s.Open(ctx, d)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	return io.ReadAll(io.NewSectionReader(o, 0, o.Size()))
}

func (j *job) pin(ref pipeline.Ref) (pipeline.Pin, error) {
	for _, p := range j.task.Pins {
		if p.Ref == ref {
			return p.Pin, nil
		}
	}
	return pipeline.Pin{}, fmt.Errorf("%s is not pinned", ref)
}

func (j *job) model(name pipeline.ModelName) (pipeline.ModelSpec, error) {
	settings, ok := j.task.Models[name]
	if !ok {
		return pipeline.ModelSpec{}, fmt.Errorf("model %q is not part of the task", name)
	}
	return j.x.ModelSpec(settings)
}

func (j *job) tokenizer(ctx context.Context, name pipeline.TokenizerName) (pipeline.Tokenizer, error) {
	pin, ok := j.task.Tokenizers[name]
	if !ok {
		return nil, fmt.Errorf("tokenizer %q is not part of the task", name)
	}
	var vocabulary []byte
	if pin.Object != "" {
		var err error
		if vocabulary, err = read(ctx, j.x.Store, pin.Object); err != nil {
			return nil, fmt.Errorf("vocabulary of tokenizer %s: %w", name, err)
		}
	}
	t, err := j.x.Tokenizer(pin, vocabulary)
	if err == nil && t.Identity() != pin.Identity {
		err = fmt.Errorf("tokenizer %s is %s, the plan wanted %s", name, t.Identity(), pin.Identity)
	}
	return t, err
}

type dropKey struct{ table, reason string }

// drops implements pipeline.Dropper.
type drops struct {
	mu     sync.Mutex
	rows   []pipeline.DropRow
	counts map[dropKey]int64
	notes  map[string]int64
}

func (d *drops) Drop(table, key, reason, detail string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rows = append(d.rows, pipeline.DropRow{Table: table, Key: key, Reason: reason, Detail: detail})
	d.counts[dropKey{table, reason}]++
}

func (d *drops) Note(name string, n int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.notes[name] += n
}

func (d *drops) finish(ctx context.Context, s artifacts.Store) (artifacts.TableInfo, []cache.Drop, error) {
	slices.SortStableFunc(d.rows, func(a, b pipeline.DropRow) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Detail, b.Detail))
	})
	for i := range d.rows {
		d.rows[i].Seq = int64(i)
	}
	w := artifacts.NewTableWriter(pipeline.DropSchema)
	if err := w.Write(d.rows); err != nil {
		return artifacts.TableInfo{}, nil, err
	}
	info, err := w.Finish(ctx, s)
	var counts []cache.Drop
	for k, n := range d.counts {
		counts = append(counts, cache.Drop{Table: k.table, Reason: k.reason, Rows: n})
	}
	slices.SortFunc(counts, func(a, b cache.Drop) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Reason, b.Reason))
	})
	return info, counts, err
}

// usage sums what models answered.
type usage struct {
	inner pipeline.Effects
	mu    sync.Mutex
	used  []cache.Usage
}

// Fetch implements pipeline.Effects.
func (u *usage) Fetch(ctx context.Context, pin pipeline.Pin) (io.ReadCloser, error) {
	return u.inner.Fetch(ctx, pin)
}

// Complete implements pipeline.Effects.
func (u *usage) Complete(ctx context.Context, model pipeline.ModelName, what string, req pipeline.Request) (pipeline.Reply, error) {
	r, err := u.inner.Complete(ctx, model, what, req)
	if err != nil {
		return r, err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	for i := range u.used {
		if s := &u.used[i]; s.Provider == r.Provider && s.Model == r.Model && s.Origin == r.Origin {
			s.Add(r)
			return r, nil
		}
	}
	u.used = append(u.used, cache.Usage{Provider: r.Provider, Model: r.Model, Origin: r.Origin})
	u.used[len(u.used)-1].Add(r)
	return r, nil
}

func (u *usage) sums() []cache.Usage {
	slices.SortFunc(u.used, func(a, b cache.Usage) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Origin, b.Origin))
	})
	return u.used
}
