// Package local computes tasks in this process.
package local

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"

	"benchmill/artifacts"
	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/pipeline/cache"
	"benchmill/pipeline/planner"
)

// Executor computes tasks from a store alone: inputs, files and vocabularies are
// found there by digest.
type Executor struct {
	Build  digest.Digest
	Stages []*pipeline.Stage
	Store  artifacts.Store
	Cache  cache.Cache
	// Effects is the outside world for a task.
	Effects func(t *planner.Task) pipeline.Effects
	// Sandbox runs programs for stages that say so in their Uses.
	Sandbox pipeline.Sandbox
	// ModelSpec reads the deciding part of a model's settings.
	ModelSpec func(settings json.RawMessage) (pipeline.ModelSpec, error)
	// Tokenizer opens a tokenizer; vocabulary is nil where the pin names none.
	Tokenizer func(pin planner.TokenizerPin, vocabulary []byte) (pipeline.Tokenizer, error)
	Log       *slog.Logger
}

// Name implements executor.Executor.
func (x *Executor) Name() string { return "local" }

// Run implements executor.Executor.
func (x *Executor) Run(ctx context.Context, t *planner.Task) (*cache.Entry, error) {
	if err := t.Check(x.Build); err != nil {
		return nil, err
	}
	stage := x.stage(t.Stage)
	if stage == nil {
		return nil, fmt.Errorf("no stage %q in this build", t.Stage)
	}
	j := &job{x: x, task: t, stage: stage, drops: &drops{counts: map[dropKey]int64{}, notes: map[string]int64{}}}
	p, err := j.pass(ctx)
	if err != nil {
		return nil, err
	}
	if err := j.call(ctx, p); err != nil {
		return nil, err
	}
	return j.commit(ctx)
}

func (x *Executor) stage(name string) *pipeline.Stage {
	for _, s := range x.Stages {
		if s.Name == name {
			return s
		}
	}
	return nil
}

type job struct {
	x       *Executor
	task    *planner.Task
	stage   *pipeline.Stage
	inputs  map[string]*input
	writers map[string]*artifacts.TableWriter
	drops   *drops
	usage   usage
}

func (j *job) pass(ctx context.Context) (*pipeline.Pass, error) {
	t := j.task
	p := &pipeline.Pass{
		Stage: j.stage, Node: t.Node, Partition: t.Partition,
		Seed:    pipeline.Seed{Pipeline: t.Seed, Stage: t.Stage},
		Log:     j.x.Log.With("stage", t.Node, "partition", t.Partition),
		Inputs:  map[string]pipeline.Input{},
		Outputs: map[string]pipeline.Output{},
		Drops:   j.drops,
		Files:   &files{ctx: ctx, store: j.x.Store, digests: t.Files},
		Pins:    j.pin, Model: j.model,
	}
	if t.AsOf != "" {
		var err error
		if p.AsOf, err = pipeline.ParseTime(t.AsOf); err != nil {
			return nil, fmt.Errorf("as-of time of the task: %w", err)
		}
	}
	if j.stage.Uses.Sandbox {
		p.Sandbox = j.x.Sandbox
	}
	p.Effects = &j.usage
	j.usage.inner = j.x.Effects(t)
	p.Tokenizer = func(name pipeline.TokenizerName) (pipeline.Tokenizer, error) { return j.tokenizer(ctx, name) }
	if j.stage.NewConfig != nil {
		p.Config = j.stage.NewConfig()
		d := json.NewDecoder(bytes.NewReader(t.Config))
		d.DisallowUnknownFields()
		if err := d.Decode(p.Config); err != nil {
			return nil, fmt.Errorf("config of the task: %w", err)
		}
	}
	j.inputs = map[string]*input{}
	for _, in := range t.Inputs {
		port, ok := j.stage.Input(in.Port)
		if !ok || port.Schema.String() != in.Schema {
			return nil, fmt.Errorf("task has input %s of schema %s, which stage %s does not take", in.Port, in.Schema, t.Stage)
		}
		j.inputs[in.Port] = &input{store: j.x.Store, schema: port.Schema, parts: in.Parts}
		p.Inputs[in.Port] = j.inputs[in.Port]
	}
	j.writers = map[string]*artifacts.TableWriter{}
	for _, port := range j.stage.Out {
		j.writers[port.Name] = artifacts.NewTableWriter(port.Schema)
		p.Outputs[port.Name] = j.writers[port.Name]
	}
	return p, nil
}

// call runs the stage. A panic is an error of its partition, not of the run.
func (j *job) call(ctx context.Context, p *pipeline.Pass) (err error) {
	defer func() {
		if v := recover(); v != nil {
			j.x.Log.Error("stage panicked", "stage", j.task.Node, "partition", j.task.Partition, "panic", v, "stack", string(debug.Stack()))
			err = fmt.Errorf("stage %s panicked: %v", j.stage.Name, v)
		}
	}()
	return j.stage.Run(ctx, p)
}

func (j *job) commit(ctx context.Context) (*cache.Entry, error) {
	e := &cache.Entry{
		Key: j.task.Key, Stage: j.task.Stage, Partition: j.task.Partition,
		Outputs: map[string]artifacts.TableInfo{}, Ingredients: j.task.Ingredients,
		Account: cache.Account{In: map[string]int64{}, Out: map[string]int64{}, Notes: j.drops.notes, Usage: j.usage.sums()},
	}
	for name, in := range j.inputs {
		e.Account.In[name] = in.Rows()
	}
	for _, port := range j.stage.Out {
		info, err := j.writers[port.Name].Finish(ctx, j.x.Store)
		if err != nil {
			return nil, fmt.Errorf("output %s: %w", port.Name, err)
		}
		e.Outputs[port.Name] = info
		e.Account.Out[port.Name] = info.Rows
	}
	var err error
	if e.Dropped, e.Account.Drops, err = j.drops.finish(ctx, j.x.Store); err != nil {
		return nil, err
	}
	if err := checkFlows(j.stage, e.Account); err != nil {
		return nil, err
	}
	return e, j.x.Cache.Put(e)
}

// checkFlows holds a stage to its word: every row it took in came out or was
// counted under a reason.
func checkFlows(s *pipeline.Stage, a cache.Account) error {
	dropped := map[string]int64{}
	for _, d := range a.Drops {
		if _, ok := s.Input(d.Table); !ok {
			return fmt.Errorf("stage %s dropped rows of %q, which it does not read", s.Name, d.Table)
		}
		dropped[d.Table] += d.Rows
	}
	var errs []error
	for _, f := range s.Flows {
		var out int64
		for _, to := range f.To {
			out += a.Out[to]
		}
		if in := a.In[f.From]; in != out+dropped[f.From] {
			errs = append(errs, fmt.Errorf("stage %s lost rows: %d of %s came in, %d of %s came out and %d were dropped with a reason",
				s.Name, in, f.From, out, strings.Join(f.To, ", "), dropped[f.From]))
		}
	}
	return errors.Join(errs...)
}
