package executortest

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"benchmill/artifacts"
	"benchmill/pipeline"
	"benchmill/pipeline/cache"
	"benchmill/pipeline/planner"
	"benchmill/pipeline/stagetest"
)

// Fake computes tasks with package stagetest: an implementation of its own, to
// compare others with. Stages find no effects, files or tokenizers.
type Fake struct{ Env }

// Name implements executor.Executor.
func (f *Fake) Name() string { return "fake" }

// Run implements executor.Executor.
func (f *Fake) Run(ctx context.Context, t *planner.Task) (e *cache.Entry, err error) {
	if err := t.Check(f.Build); err != nil {
		return nil, err
	}
	var stage *pipeline.Stage
	for _, s := range f.Stages {
		if s.Name == t.Stage {
			stage = s
		}
	}
	if stage == nil {
		return nil, fmt.Errorf("no stage %q", t.Stage)
	}
	job := stagetest.Job{Stage: stage, Node: t.Node, Partition: t.Partition, Seed: t.Seed, Inputs: map[string]any{}}
	if stage.NewConfig != nil {
		job.Config = stage.NewConfig()
		if err := json.Unmarshal(t.Config, job.Config); err != nil {
			return nil, err
		}
	}
	e = &cache.Entry{
		Key: t.Key, Stage: t.Stage, Partition: t.Partition, Ingredients: t.Ingredients,
		Outputs: map[string]artifacts.TableInfo{},
		Account: cache.Account{In: map[string]int64{}, Out: map[string]int64{}},
	}
	for _, in := range t.Inputs {
		port, ok := stage.Input(in.Port)
		if !ok || port.Schema.String() != in.Schema {
			return nil, fmt.Errorf("no input %s of %s", in.Port, in.Schema)
		}
		rows, err := f.read(ctx, port.Schema, in.Parts)
		if err != nil {
			return nil, err
		}
		job.Inputs[in.Port] = rows.Interface()
		e.Account.In[in.Port] = int64(rows.Len())
	}
	defer func() {
		if v := recover(); v != nil {
			e, err = nil, fmt.Errorf("stage %s panicked: %v", stage.Name, v)
		}
	}()
	r, err := stagetest.Run(ctx, job)
	if err != nil {
		return nil, err
	}
	return e, f.commit(ctx, e, stage, r)
}

func (f *Fake) read(ctx context.Context, s *pipeline.Schema, parts []planner.Part) (reflect.Value, error) {
	out := reflect.Zero(reflect.SliceOf(s.Row()))
	for _, part := range parts {
		table, err := artifacts.OpenTable(ctx, f.Store, s, part.Object)
		if err != nil {
			return out, err
		}
		err = table.Batches(ctx, func(rows any) error {
			v := reflect.ValueOf(rows)
			for i := range v.Len() {
				if key, ok := v.Index(i).Interface().(pipeline.Partitioned); part.Row == "" || ok && key.PartitionKey() == part.Row {
					out = reflect.Append(out, v.Index(i))
				}
			}
			return nil
		})
		table.Close()
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

func (f *Fake) commit(ctx context.Context, e *cache.Entry, stage *pipeline.Stage, r *stagetest.Result) error {
	write := func(s *pipeline.Schema, rows any) (artifacts.TableInfo, error) {
		w := artifacts.NewTableWriter(s)
		if err := w.Write(rows); err != nil {
			return artifacts.TableInfo{}, err
		}
		return w.Finish(ctx, f.Store)
	}
	for _, port := range stage.Out {
		info, err := write(port.Schema, r.Output(port.Name))
		if err != nil {
			return err
		}
		e.Outputs[port.Name], e.Account.Out[port.Name] = info, info.Rows
	}
	counts := map[cache.Drop]int64{}
	for i := range r.Dropped {
		r.Dropped[i].Seq = int64(i)
		counts[cache.Drop{Table: r.Dropped[i].Table, Reason: r.Dropped[i].Reason}]++
	}
	for d, n := range counts {
		d.Rows = n
		e.Account.Drops = append(e.Account.Drops, d)
	}
	e.Account.Notes = r.Notes
	var err error
	if e.Dropped, err = write(pipeline.DropSchema, r.Dropped); err != nil {
		return err
	}
	return f.Cache.Put(e)
}
