package pipeline

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"reflect"
	"time"
)

// Pass is everything a stage may touch while it runs one task. A stage reads no
// files, opens no sockets, asks no clock and draws no unseeded randomness.
//
// Fields are set by the executor. A Pass serves one task; its methods are safe
// for concurrent use within it, except reading one input twice at a time.
type Pass struct {
	Stage     *Stage
	Node      string // the name pipeline.yaml gave the stage
	Partition string // "" for a whole-table stage
	Config    any    // what NewConfig returned, filled in; see [ConfigOf]
	Seed      Seed
	AsOf      time.Time // nothing later exists; zero unless the stage declares it in Uses
	Log       *slog.Logger

	Effects   Effects
	Sandbox   Sandbox // nil unless the stage declares it in Uses
	Files     Files
	Pins      func(Ref) (Pin, error)                 // a moving name as the lock has it
	Model     func(ModelName) (ModelSpec, error)     // a model of pipeline.yaml
	Tokenizer func(TokenizerName) (Tokenizer, error) // a tokenizer of pipeline.yaml

	Inputs  map[string]Input
	Outputs map[string]Output
	Drops   Dropper
}

// ModelSpec is the part of a model's settings that decides its answers.
type ModelSpec struct {
	Provider    string   `yaml:"provider" doc:"openai (any compatible endpoint), anthropic, completions or embeddings (endpoints for base models and vectors), or extractive and ngram (no model: from the text itself)"`
	Model       string   `yaml:"model" doc:"exact name, as the provider knows it"`
	Temperature *float64 `yaml:"temperature" doc:"empty: the stage's own default"`
	MaxTokens   int      `yaml:"max_tokens" doc:"longest answer; 0: the stage's own default"`
	Seed        *int64   `yaml:"seed" doc:"for providers that take one"`
}

// Input is the rows a task reads from one port, in partition order and within a
// partition in key order.
type Input interface {
	// Batches calls yield with slices of the schema's row type, each valid only
	// during the call. It stops at the first error.
	Batches(ctx context.Context, yield func(rows any) error) error
	// Rows is how many there are.
	Rows() int64
}

// Output takes the rows of one port, a slice of the schema's row type at a
// time, in any order; they are sorted by key before they are written.
type Output interface {
	Write(rows any) error
}

// Dropper counts rows that do not come out.
type Dropper interface {
	// Drop records that the row key of the input table did not come out.
	// Reason is a stable word ("not_utf8"), detail is for people.
	Drop(table, key, reason, detail string)
	// Note counts something worth telling that is not a loss ("reasked").
	Note(name string, n int64)
}

// ConfigOf returns the configuration of the pass as its real type.
func ConfigOf[C any](p *Pass) *C { return p.Config.(*C) }

// In iterates over the rows of an input, one at a time.
func In[T any](ctx context.Context, p *Pass, port string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		in, ok := p.Inputs[port]
		if !ok {
			if declared, known := p.Stage.Input(port); !known || !declared.Optional {
				var zero T
				yield(zero, fmt.Errorf("stage %s has no input %q", p.Stage.Name, port))
			}
			return // an optional input that was left out has no rows
		}
		stop := errors.New("stop")
		err := in.Batches(ctx, func(rows any) error {
			batch, ok := rows.([]T)
			if !ok {
				return fmt.Errorf("input %q has rows of type %s, not %s", port, reflect.TypeOf(rows).Elem(), reflect.TypeFor[T]())
			}
			for _, row := range batch {
				if !yield(row, nil) {
					return stop
				}
			}
			return nil
		})
		if err != nil && err != stop {
			var zero T
			yield(zero, err)
		}
	}
}

// Collect returns all rows of an input.
func Collect[T any](ctx context.Context, p *Pass, port string) ([]T, error) {
	var out []T
	for row, err := range In[T](ctx, p, port) {
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, nil
}

// One returns the only row of an input, such as the partition's own row of the
// table that lists partitions.
func One[T any](ctx context.Context, p *Pass, port string) (T, error) {
	rows, err := Collect[T](ctx, p, port)
	if err == nil && len(rows) != 1 {
		err = fmt.Errorf("input %q has %d rows, not one", port, len(rows))
	}
	if err != nil {
		var zero T
		return zero, err
	}
	return rows[0], nil
}

// Emit writes rows to an output.
func Emit[T any](p *Pass, port string, rows ...T) error {
	out, ok := p.Outputs[port]
	if !ok {
		return fmt.Errorf("stage %s has no output %q", p.Stage.Name, port)
	}
	return out.Write(rows)
}
