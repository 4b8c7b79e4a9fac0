package planner

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/pipeline/graph"
)

// Facts are what a planner needs to know beside the graph.
type Facts struct {
	Build digest.Digest
	AsOf  string
	// Pin looks up a moving name in the lock.
	Pin func(pipeline.Ref) (pipeline.Pin, error)
	// File returns the digest of a configured file's content, which is in the
	// store when it returns.
	File func(pipeline.FileName) (digest.Digest, error)
	// Files reads configured files, for stages that list moving names.
	Files pipeline.Files
	// Model returns the part of a model's settings that decides answers, and all
	// settings for the task.
	Model func(pipeline.ModelName) (pipeline.ModelSpec, json.RawMessage, error)
	// Tokenizer resolves a tokenizer; its vocabulary is in the store.
	Tokenizer func(pipeline.TokenizerName) (TokenizerPin, error)
}

// A Template is what all tasks of a node have in common.
type Template struct {
	node *graph.Node
	task Task
}

// NewTemplate gathers it. It fails when the lock misses a name, a file cannot be
// read, or a model or tokenizer cannot be resolved.
func NewTemplate(g *graph.Graph, n *graph.Node, f Facts) (*Template, error) {
	t := &Template{node: n}
	k := &t.task
	k.Build, k.Node, k.Stage = f.Build, n.Name, n.Stage.Name
	add := func(format string, args ...any) { k.Ingredients = append(k.Ingredients, fmt.Sprintf(format, args...)) }
	add("stage=%s/%d", n.Stage.Name, n.Stage.Version)
	for _, p := range n.Stage.Out {
		add("output %s=%s", p.Name, p.Schema)
	}
	if n.Stage.Uses.Seed {
		k.Seed = g.Seed
		add("seed=%d", g.Seed)
	}
	if n.Stage.Uses.AsOf {
		k.AsOf = f.AsOf
		add("as_of=%s", f.AsOf)
	}
	if n.Config != nil {
		_, fields, err := graph.CanonicalConfig(n.Config)
		if err != nil {
			return nil, err
		}
		for _, c := range fields {
			add("config %s=%s", c.Path, c.Value)
		}
		if k.Config, err = json.Marshal(n.Config); err != nil {
			return nil, err
		}
	}
	if err := t.resolve(f, add); err != nil {
		return nil, fmt.Errorf("%s: %w", n.Name, err)
	}
	return t, nil
}

func (t *Template) resolve(f Facts, add func(string, ...any)) error {
	k := &t.task
	models, tokenizers, files := t.node.Refs()
	k.Files = map[pipeline.FileName]digest.Digest{}
	for _, name := range files {
		d, err := f.File(name)
		if err != nil {
			return err
		}
		k.Files[name] = d
		add("file=%s", d)
	}
	k.Models = map[pipeline.ModelName]json.RawMessage{}
	for _, name := range models {
		spec, settings, err := f.Model(pipeline.ModelName(name))
		if err != nil {
			return err
		}
		e := digest.New("benchmill/model/1")
		if err := e.Value(spec); err != nil {
			return err
		}
		k.Models[pipeline.ModelName(name)] = settings
		add("model %s/%s=%s", spec.Provider, spec.Model, e.Sum())
	}
	k.Tokenizers = map[pipeline.TokenizerName]TokenizerPin{}
	for _, name := range tokenizers {
		pin, err := f.Tokenizer(pipeline.TokenizerName(name))
		if err != nil {
			return err
		}
		k.Tokenizers[pipeline.TokenizerName(name)] = pin
		add("tokenizer=%s", pin.Identity)
	}
	if t.node.Stage.Moving == nil {
		return nil
	}
	refs, err := t.node.Stage.Moving(t.node.Config, f.Files)
	if err != nil {
		return err
	}
	for _, ref := range refs {
		pin, err := f.Pin(ref)
		if err != nil {
			return err
		}
		k.Pins = append(k.Pins, PinnedRef{ref, pin})
		add("pin %s=%s", ref, pin.Version)
	}
	return nil
}

// Task makes the task of one partition. row is the partition's own row of the
// table that lists partitions, or nil.
func (t *Template) Task(partition string, row any, inputs []Input) *Task {
	k := t.task
	k.Partition, k.Inputs = partition, inputs
	k.Ingredients = slices.Clone(k.Ingredients)
	add := func(format string, args ...any) { k.Ingredients = append(k.Ingredients, fmt.Sprintf(format, args...)) }
	if partition != "" {
		add("partition=%s", partition)
	}
	if t.node.Stage.Identify != nil {
		for _, id := range t.node.Stage.Identify(row) {
			add("uses=%s", id)
		}
	}
	for _, in := range inputs {
		add("input %s=%s", in.Port, in.Schema)
		for _, p := range in.Parts {
			add("rows %s[%s]=%s", in.Port, p.Partition, p.RowsDigest)
		}
	}
	k.seal()
	return &k
}

// Difference names the first ingredient in which two tasks differ, for people.
// Several ingredients of one name are told apart by their order.
func Difference(old, new []string) string {
	before, after := byName(old), byName(new)
	seen := map[string]int{}
	for _, line := range new {
		name, value := splitIngredient(line)
		i := seen[name]
		seen[name]++
		if was := before[name]; i >= len(was) {
			return fmt.Sprintf("%s is new (%s)", name, short(value))
		} else if was[i] != value {
			return fmt.Sprintf("%s changed: %s -> %s", name, short(was[i]), short(value))
		}
	}
	for _, line := range old {
		if name, _ := splitIngredient(line); len(after[name]) < len(before[name]) {
			return name + " is gone"
		}
	}
	return ""
}

func byName(lines []string) map[string][]string {
	out := map[string][]string{}
	for _, line := range lines {
		name, value := splitIngredient(line)
		out[name] = append(out[name], value)
	}
	return out
}

// splitIngredient parts a line at its first "=", which no name holds but that of a
// pin: a search is full of them, and its version has none.
func splitIngredient(line string) (name, value string) {
	cut := strings.IndexByte
	if strings.HasPrefix(line, "pin ") {
		cut = strings.LastIndexByte
	}
	if i := cut(line, '='); i >= 0 {
		return line[:i], line[i+1:]
	}
	return line, ""
}

func short(value string) string {
	if d, err := digest.Parse(value); err == nil {
		return d.Short()
	}
	if len(value) > 60 {
		return value[:60] + "..."
	}
	return value
}
