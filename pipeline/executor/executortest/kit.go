package executortest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/pipeline/graph"
	"benchmill/pipeline/planner"
)

// Item is a partition of the kit's pipelines.
type Item struct {
	Name  string `parquet:"name"`
	Value string `parquet:"value"`
}

// PartitionKey implements [pipeline.Partitioned].
func (i Item) PartitionKey() string { return i.Name }

// Letter is one letter of an item's value.
type Letter struct {
	Position int64  `parquet:"position"`
	Letter   string `parquet:"letter"`
}

// Number is a count.
type Number struct {
	Name  string `parquet:"name"`
	Count int64  `parquet:"count"`
}

// Mark is one of several rows of a whole table that belong to an item.
type Mark struct {
	Index int64  `parquet:"index"`
	Item  string `parquet:"item"`
}

// PartitionKey implements [pipeline.Partitioned].
func (m Mark) PartitionKey() string { return m.Item }

// Schemas of the kit.
var (
	Items   = pipeline.NewSchema[Item]("kit_items", 1, "Items.", "name", "value")
	Letters = pipeline.NewSchema[Letter]("kit_letters", 1, "Letters.", "position")
	Counts  = pipeline.NewSchema[Number]("kit_counts", 1, "Counts.", "name")
	Totals  = pipeline.NewSchema[Number]("kit_totals", 1, "Totals.", "name")
	Marks   = pipeline.NewSchema[Mark]("kit_marks", 1, "Marks.", "index", "item")
)

// ListConfig configures kit.list.
type ListConfig struct {
	Items []string `yaml:"items" doc:"name=value"`
}

// Kit makes stages that count how often they ran, and do what a test tells them.
type Kit struct {
	// Before is called first by every stage but kit.list; its error is the
	// stage's. Nil: nothing.
	Before func(ctx context.Context, p *pipeline.Pass) error

	mu     sync.Mutex
	ran    map[string]int
	random atomic.Int64
}

// Ran counts the calls of stages by the label of their task, since the kit was
// made or Reset.
func (k *Kit) Ran() map[string]int {
	k.mu.Lock()
	defer k.mu.Unlock()
	out := map[string]int{}
	for label, n := range k.ran {
		out[label] = n
	}
	return out
}

// Labels lists what ran, sorted, one entry for each label.
func (k *Kit) Labels() []string {
	var out []string
	for label := range k.Ran() {
		out = append(out, label)
	}
	slices.Sort(out)
	return out
}

// Reset forgets what ran.
func (k *Kit) Reset() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ran = nil
}

func (k *Kit) note(p *pipeline.Pass) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ran == nil {
		k.ran = map[string]int{}
	}
	k.ran[planner.Label(p.Node, p.Partition)]++
}

func (k *Kit) stage(s pipeline.Stage) *pipeline.Stage {
	s.Version = 1
	if s.Doc == "" {
		s.Doc = "For tests."
	}
	run := s.Run
	s.Run = func(ctx context.Context, p *pipeline.Pass) error {
		k.note(p)
		if k.Before != nil && s.Name != "kit.list" {
			if err := k.Before(ctx, p); err != nil {
				return err
			}
		}
		return run(ctx, p)
	}
	return &s
}

// Stages are kit.list and what can be built on it:
//
//	kit.list     items of its config, one partition each
//	kit.letters  item -> its letters (uses the network's limit)
//	kit.count    letters -> how many there are
//	kit.vowels   letters -> those that are vowels; the others are dropped
//	kit.double   count -> twice the count (uses the models' limit)
//	kit.total    all counts -> their sum
//	kit.marks    all counts -> as many marks for each item, its own rows
//	kit.sum      letters and the item's own marks -> how many marks
//
// and stages that do wrong: kit.loses, kit.panics, kit.fails, kit.random,
// kit.unknown (drops rows of a table it does not read), kit.repeats (two rows of
// one key) and kit.waits (for the context to end), all from letters to a count.
func (k *Kit) Stages() []*pipeline.Stage {
	letters := []pipeline.Port{{Name: "letters", Schema: Letters}}
	count := []pipeline.Port{{Name: "count", Schema: Counts}}
	wrong := func(name string, run func(ctx context.Context, p *pipeline.Pass) error, flows ...pipeline.Flow) *pipeline.Stage {
		return k.stage(pipeline.Stage{Name: name, In: letters, Out: count, Flows: flows, Run: run})
	}
	emit := func(p *pipeline.Pass, n int64) error {
		return pipeline.Emit(p, "count", Number{Name: p.Partition, Count: n})
	}
	return []*pipeline.Stage{
		k.stage(pipeline.Stage{
			Name: "kit.list", Scope: pipeline.Whole,
			Out:       []pipeline.Port{{Name: "items", Schema: Items, Partitions: true}},
			NewConfig: func() any { return &ListConfig{} },
			Run: func(_ context.Context, p *pipeline.Pass) error {
				for _, item := range pipeline.ConfigOf[ListConfig](p).Items {
					name, value, _ := strings.Cut(item, "=")
					if err := pipeline.Emit(p, "items", Item{name, value}); err != nil {
						return err
					}
				}
				return nil
			},
		}),
		k.stage(pipeline.Stage{
			Name: "kit.letters", Uses: pipeline.Uses{Network: true},
			In: []pipeline.Port{{Name: "item", Schema: Items}}, Out: letters,
			Run: func(ctx context.Context, p *pipeline.Pass) error {
				item, err := pipeline.One[Item](ctx, p, "item")
				if err != nil {
					return err
				}
				for i, r := range item.Value {
					if err := pipeline.Emit(p, "letters", Letter{int64(i), string(r)}); err != nil {
						return err
					}
				}
				return nil
			},
		}),
		k.stage(pipeline.Stage{
			Name: "kit.count", In: letters, Out: count,
			Run: func(ctx context.Context, p *pipeline.Pass) error {
				rows, err := pipeline.Collect[Letter](ctx, p, "letters")
				if err != nil {
					return err
				}
				return emit(p, int64(len(rows)))
			},
		}),
		k.stage(pipeline.Stage{
			Name: "kit.vowels", In: letters, Out: []pipeline.Port{{Name: "vowels", Schema: Letters}},
			Flows: []pipeline.Flow{{From: "letters", To: []string{"vowels"}}},
			Run: func(ctx context.Context, p *pipeline.Pass) error {
				for l, err := range pipeline.In[Letter](ctx, p, "letters") {
					if err != nil {
						return err
					}
					if !strings.Contains("aeiou", l.Letter) {
						p.Drops.Drop("letters", fmt.Sprint(l.Position), "consonant", l.Letter)
						p.Drops.Note("consonants", 1)
					} else if err := pipeline.Emit(p, "vowels", l); err != nil {
						return err
					}
				}
				return nil
			},
		}),
		k.stage(pipeline.Stage{
			Name: "kit.double", In: count, Out: []pipeline.Port{{Name: "double", Schema: Totals}},
			Uses: pipeline.Uses{LLM: true},
			NewConfig: func() any {
				return &struct {
					Model pipeline.ModelName `yaml:"model"`
				}{}
			},
			Run: func(ctx context.Context, p *pipeline.Pass) error {
				n, err := pipeline.One[Number](ctx, p, "count")
				if err != nil {
					return err
				}
				return pipeline.Emit(p, "double", Number{n.Name, 2 * n.Count})
			},
		}),
		k.stage(pipeline.Stage{
			Name: "kit.total", Scope: pipeline.Whole,
			In: []pipeline.Port{{Name: "counts", Schema: Counts}}, Out: []pipeline.Port{{Name: "total", Schema: Totals}},
			Run: func(ctx context.Context, p *pipeline.Pass) error {
				var sum int64
				for n, err := range pipeline.In[Number](ctx, p, "counts") {
					if err != nil {
						return err
					}
					sum += n.Count
				}
				return pipeline.Emit(p, "total", Number{"total", sum})
			},
		}),
		k.stage(pipeline.Stage{
			Name: "kit.marks", Scope: pipeline.Whole,
			In: []pipeline.Port{{Name: "counts", Schema: Counts}}, Out: []pipeline.Port{{Name: "marks", Schema: Marks, ByPartition: true}},
			Run: func(ctx context.Context, p *pipeline.Pass) error {
				for n, err := range pipeline.In[Number](ctx, p, "counts") {
					if err != nil {
						return err
					}
					for i := range n.Count {
						if err := pipeline.Emit(p, "marks", Mark{i, n.Name}); err != nil {
							return err
						}
					}
				}
				return nil
			},
		}),
		k.stage(pipeline.Stage{
			Name: "kit.sum", In: []pipeline.Port{letters[0], {Name: "marks", Schema: Marks}},
			Out: []pipeline.Port{{Name: "sum", Schema: Totals}},
			Run: func(ctx context.Context, p *pipeline.Pass) error {
				rows, err := pipeline.Collect[Mark](ctx, p, "marks")
				if err != nil {
					return err
				}
				for _, m := range rows {
					if m.Item != p.Partition {
						return fmt.Errorf("a mark of %s", m.Item)
					}
				}
				return pipeline.Emit(p, "sum", Number{p.Partition, int64(len(rows))})
			},
		}),
		wrong("kit.loses", func(context.Context, *pipeline.Pass) error { return nil }, pipeline.Flow{From: "letters", To: []string{"count"}}),
		wrong("kit.panics", func(context.Context, *pipeline.Pass) error { panic("at the disco") }),
		wrong("kit.fails", func(context.Context, *pipeline.Pass) error { return errors.New("cannot") }),
		wrong("kit.random", func(_ context.Context, p *pipeline.Pass) error { return emit(p, k.random.Add(1)) }),
		wrong("kit.unknown", func(_ context.Context, p *pipeline.Pass) error {
			p.Drops.Drop("elsewhere", "x", "gone", "")
			return nil
		}),
		wrong("kit.repeats", func(_ context.Context, p *pipeline.Pass) error { return errors.Join(emit(p, 1), emit(p, 2)) }),
		wrong("kit.waits", func(ctx context.Context, _ *pipeline.Pass) error { <-ctx.Done(); return ctx.Err() }),
	}
}

// Graph checks a pipeline made of the stages of a kit. text is what stands below
// "stages:"; a model "m" is defined.
func Graph(t testing.TB, stages []*pipeline.Stage, text string) *graph.Graph {
	t.Helper()
	type settings struct {
		pipeline.ModelSpec `yaml:",inline"`
	}
	head := "version: 1\nname: kit\nseed: 1\nmodels: {m: {provider: p, model: x}}\nstages:\n"
	g, err := graph.Parse("kit.yaml", []byte(head+text), graph.Kinds{
		Stages:    stages,
		Model:     func() any { return &settings{} },
		Tokenizer: func() any { return &settings{} },
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Build is the build of the kit's tasks.
var Build = digest.Of([]byte("kit"))
