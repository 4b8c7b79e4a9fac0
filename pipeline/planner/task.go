package planner

import (
	"encoding/json"
	"fmt"

	"benchmill/internal/digest"
	"benchmill/pipeline"
)

// KeyFormat is the version of how keys are made. It is in every key.
const KeyFormat = 1

// Task is one unit of work: a stage, a partition, and everything that decides
// the rows. It is plain data and refers to content by digest, so that it can be
// computed anywhere the store can be reached.
type Task struct {
	Format    int           `json:"format"`
	Build     digest.Digest `json:"build"` // of the program; another build refuses the task
	Key       digest.Digest `json:"key"`
	Node      string        `json:"node"` // the name in pipeline.yaml
	Stage     string        `json:"stage"`
	Partition string        `json:"partition"`

	Config     json.RawMessage                         `json:"config"` // of the stage, defaults filled in
	Files      map[pipeline.FileName]digest.Digest     `json:"files,omitempty"`
	Models     map[pipeline.ModelName]json.RawMessage  `json:"models,omitempty"` // settings, without secrets
	Tokenizers map[pipeline.TokenizerName]TokenizerPin `json:"tokenizers,omitempty"`
	Pins       []PinnedRef                             `json:"pins,omitempty"`
	Seed       int64                                   `json:"seed"`
	AsOf       string                                  `json:"as_of,omitempty"`
	Inputs     []Input                                 `json:"inputs"`
	// Ingredients are the lines the key is the digest of, in order.
	Ingredients []string `json:"ingredients"`
}

// TokenizerPin is a tokenizer as a task uses it.
type TokenizerPin struct {
	Identity string          `json:"identity"`
	Settings json.RawMessage `json:"settings"`
	Object   digest.Digest   `json:"object,omitempty"` // the vocabulary in the store
}

// PinnedRef is a moving name with what the lock holds for it.
type PinnedRef struct {
	Ref pipeline.Ref `json:"ref"`
	Pin pipeline.Pin `json:"pin"`
}

// Input is what a task reads on one port.
type Input struct {
	Port   string `json:"port"`
	Schema string `json:"schema"`
	Parts  []Part `json:"parts"` // in partition order
}

// Part is one object of an input: a partition of a table, a whole table, or those
// rows of it that name one partition.
type Part struct {
	Partition  string        `json:"partition,omitempty"`
	Object     digest.Digest `json:"object"`
	Row        string        `json:"row,omitempty"` // only the rows of this partition key
	Rows       int64         `json:"rows"`
	RowsDigest digest.Digest `json:"rows_digest"` // of those rows alone where Row is set
	Bytes      int64         `json:"bytes"`       // to be read, 0 where Row is set
}

// seal computes the key from the ingredients.
func (t *Task) seal() {
	t.Format, t.Key = KeyFormat, t.sum()
}

// sum is the digest of the ingredients.
func (t *Task) sum() digest.Digest {
	e := digest.New(fmt.Sprintf("benchmill/key/%d", KeyFormat))
	e.List(len(t.Ingredients))
	for _, line := range t.Ingredients {
		e.String(line)
	}
	return e.Sum()
}

// Check refuses a task of another build and one whose key does not fit.
func (t *Task) Check(build digest.Digest) error {
	if t.Format != KeyFormat {
		return fmt.Errorf("task of format %d; this build makes format %d", t.Format, KeyFormat)
	}
	if t.Build != build {
		return fmt.Errorf("task was planned by build %s; this is build %s", t.Build.Short(), build.Short())
	}
	if sum := t.sum(); sum != t.Key {
		return fmt.Errorf("task key %s does not fit its ingredients (%s)", t.Key.Short(), sum.Short())
	}
	return nil
}

// Label names the task for people: "functions [python/psf/black@f03ee113c9f3]".
func (t *Task) Label() string { return Label(t.Node, t.Partition) }

// Label names a node and a partition for people.
func Label(node, partition string) string {
	if partition == "" {
		return node
	}
	return node + " [" + partition + "]"
}
