// Package stagetest runs a stage over rows in memory, without a store, a cache
// or a graph, and holds it to its flows as an executor does.
package stagetest

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"sync"
	"time"

	"benchmill/pipeline"
)

// Job is one task of a stage. Fields that the stage does not use may be left out.
type Job struct {
	Stage     *pipeline.Stage
	Node      string         // "": the name of the stage
	Config    any            // nil: the defaults
	Inputs    map[string]any // slices of the schemas' row types, by port
	Partition string
	Seed      int64
	AsOf      time.Time
	Effects   pipeline.Effects
	Sandbox   pipeline.Sandbox                         // nil: no programs are run
	Pins      func(pipeline.Ref) (pipeline.Pin, error) // nil: nothing is pinned
	Files     map[pipeline.FileName]string
	Models    map[pipeline.ModelName]pipeline.ModelSpec
	Tokenizer pipeline.Tokenizer // answers to every name
}

// Result is what a stage made.
type Result struct {
	outputs map[string]*output
	Dropped []pipeline.DropRow
	Notes   map[string]int64

	mu sync.Mutex
}

// Rows returns the rows of an output in key order.
func Rows[T any](r *Result, port string) []T {
	out := r.outputs[port]
	if out == nil || !out.rows.IsValid() {
		return nil
	}
	return out.rows.Interface().([]T)
}

// Output returns the rows of an output in key order, a slice of the schema's row
// type.
func (r *Result) Output(port string) any {
	out := r.outputs[port]
	if !out.rows.IsValid() {
		return reflect.Zero(reflect.SliceOf(out.schema.Row())).Interface()
	}
	return out.rows.Interface()
}

// Drop implements [pipeline.Dropper].
func (r *Result) Drop(table, key, reason, detail string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Dropped = append(r.Dropped, pipeline.DropRow{Table: table, Key: key, Reason: reason, Detail: detail})
}

// Note implements [pipeline.Dropper].
func (r *Result) Note(name string, n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Notes[name] += n
}

// Reasons counts the drops by reason.
func (r *Result) Reasons() map[string]int {
	out := map[string]int{}
	for _, d := range r.Dropped {
		out[d.Reason]++
	}
	return out
}

// Run runs the job. An error of the stage comes back as it is; rows that vanish
// are an error too.
func Run(ctx context.Context, j Job) (*Result, error) {
	r := &Result{outputs: map[string]*output{}, Notes: map[string]int64{}}
	p := &pipeline.Pass{
		Stage: j.Stage, Node: cmp.Or(j.Node, j.Stage.Name), Partition: j.Partition, Config: j.Config,
		Seed: pipeline.Seed{Pipeline: j.Seed, Stage: j.Stage.Name}, AsOf: j.AsOf, Log: slog.New(slog.DiscardHandler),
		Effects: j.Effects, Sandbox: sandboxOf(j), Files: files(j.Files), Drops: r,
		Inputs: map[string]pipeline.Input{}, Outputs: map[string]pipeline.Output{},
		Pins: j.Pins,
		Model: func(name pipeline.ModelName) (pipeline.ModelSpec, error) {
			spec, ok := j.Models[name]
			if !ok {
				return spec, fmt.Errorf("no model %q", name)
			}
			return spec, nil
		},
		Tokenizer: func(name pipeline.TokenizerName) (pipeline.Tokenizer, error) {
			if j.Tokenizer == nil {
				return nil, fmt.Errorf("no tokenizer %q", name)
			}
			return j.Tokenizer, nil
		},
	}
	if p.Pins == nil {
		p.Pins = func(ref pipeline.Ref) (pipeline.Pin, error) {
			return pipeline.Pin{}, fmt.Errorf("%s is not pinned", ref)
		}
	}
	if p.Config == nil && j.Stage.NewConfig != nil {
		p.Config = j.Stage.NewConfig()
	}
	for _, port := range j.Stage.In {
		if rows, ok := j.Inputs[port.Name]; ok {
			p.Inputs[port.Name] = input{rows}
		}
	}
	for _, port := range j.Stage.Out {
		r.outputs[port.Name] = &output{schema: port.Schema}
		p.Outputs[port.Name] = r.outputs[port.Name]
	}
	if err := j.Stage.Run(ctx, p); err != nil {
		return nil, err
	}
	for _, o := range r.outputs {
		o.sort()
	}
	return r, r.check(j)
}

// sandboxOf is the job's sandbox for a stage that says it uses one, as an executor
// has it.
func sandboxOf(j Job) pipeline.Sandbox {
	if !j.Stage.Uses.Sandbox {
		return nil
	}
	return j.Sandbox
}

func (r *Result) check(j Job) error {
	for _, d := range r.Dropped {
		if _, ok := j.Stage.Input(d.Table); !ok {
			return fmt.Errorf("stage %s dropped rows of %q, which it does not read", j.Stage.Name, d.Table)
		}
	}
	for _, f := range j.Stage.Flows {
		in := reflect.ValueOf(j.Inputs[f.From]).Len()
		out := 0
		for _, to := range f.To {
			out += int(r.outputs[to].len())
		}
		dropped := 0
		for _, d := range r.Dropped {
			if d.Table == f.From {
				dropped++
			}
		}
		if in != out+dropped {
			return fmt.Errorf("stage %s: %d rows of %s came in, %d came out, %d were dropped", j.Stage.Name, in, f.From, out, dropped)
		}
	}
	return nil
}

type files map[pipeline.FileName]string

func (f files) ReadFile(name pipeline.FileName) ([]byte, error) {
	text, ok := f[name]
	if !ok {
		return nil, fmt.Errorf("no file %s", name)
	}
	return []byte(text), nil
}

type input struct{ rows any }

func (i input) Rows() int64 { return int64(reflect.ValueOf(i.rows).Len()) }

func (i input) Batches(_ context.Context, yield func(rows any) error) error {
	if i.Rows() == 0 {
		return nil
	}
	return yield(i.rows)
}

type output struct {
	schema *pipeline.Schema
	mu     sync.Mutex
	rows   reflect.Value
}

func (o *output) Write(rows any) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	v := reflect.ValueOf(rows)
	if v.Type().Elem() != o.schema.Row() {
		return fmt.Errorf("table %s does not take rows of type %s", o.schema, v.Type().Elem())
	}
	if !o.rows.IsValid() {
		o.rows = reflect.Zero(v.Type())
	}
	o.rows = reflect.AppendSlice(o.rows, v)
	return nil
}

func (o *output) len() int {
	if !o.rows.IsValid() {
		return 0
	}
	return o.rows.Len()
}

func (o *output) sort() {
	if o.len() == 0 {
		return
	}
	values := make([]reflect.Value, o.rows.Len())
	for i := range values {
		values[i] = o.rows.Index(i)
	}
	slices.SortStableFunc(values, o.schema.Compare)
	o.rows = reflect.Append(reflect.Zero(o.rows.Type()), values...)
}
