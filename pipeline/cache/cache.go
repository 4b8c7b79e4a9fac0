// Package cache binds keys to what their task made. A binding never changes: a
// task that gives other rows under the same key is not deterministic, and that
// is an error, not an update.
package cache

import (
	"errors"
	"fmt"
	"slices"

	"benchmill/artifacts"
	"benchmill/internal/digest"
	"benchmill/pipeline"
)

// Format is the version of an [Entry] on disk.
const Format = 1

// Entry is what one task made: its output tables and the account of its rows. Nodes of
// a graph that do the same work share it, so that it names none.
type Entry struct {
	Format    int                            `json:"format"`
	Key       digest.Digest                  `json:"key"`
	Stage     string                         `json:"stage"`
	Partition string                         `json:"partition,omitempty"`
	Outputs   map[string]artifacts.TableInfo `json:"outputs"` // by port
	// Dropped is the table of the rows that did not come out, one by one.
	Dropped artifacts.TableInfo `json:"dropped"`
	Account Account             `json:"account"`
	// Ingredients are the lines that went into the key, to say later what changed.
	Ingredients []string `json:"ingredients"`
}

// Account says where the rows of a task went.
type Account struct {
	In    map[string]int64 `json:"in"`  // rows by input port
	Out   map[string]int64 `json:"out"` // rows by output port
	Drops []Drop           `json:"drops,omitempty"`
	Notes map[string]int64 `json:"notes,omitempty"`
	Usage []Usage          `json:"usage,omitempty"`
}

// Drop counts rows of an input table that did not come out, under one reason.
type Drop struct {
	Table  string `json:"table"`
	Reason string `json:"reason"`
	Rows   int64  `json:"rows"`
}

// Usage sums the model replies a task used, from the ledger or fresh: it is the
// cost of making the rows, whenever it was paid.
type Usage struct {
	Provider     string `json:"provider"`
	Model        string `json:"model"`
	Origin       string `json:"origin"`
	Requests     int64  `json:"requests"`
	InputTokens  int64  `json:"input_tokens"`
	OutputTokens int64  `json:"output_tokens"`
	CostMicroUSD int64  `json:"cost_micro_usd"`
}

// Cache keeps entries by key. Implementations are safe for concurrent use.
type Cache interface {
	// Get returns the entry of a key. A damaged entry is reported as absent.
	Get(key digest.Digest) (*Entry, bool, error)
	// Put binds a key. It is durable when Put returns. Another binding than the
	// one already there is a [ConflictError] and changes nothing.
	Put(e *Entry) error
	// Walk calls yield for every entry, in ascending order of key.
	Walk(yield func(*Entry) error) error
	// Remove forgets a key; an unknown one is no error.
	Remove(key digest.Digest) error
}

// ConflictError reports one key with two different outputs.
type ConflictError struct {
	Key              digest.Digest
	Stage, Partition string
	Port             string
	Old, New         digest.Digest
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("stage %s is not deterministic: partition %q made output %q with rows %s, but the same inputs made %s before (key %s)",
		e.Stage, e.Partition, e.Port, e.New.Short(), e.Old.Short(), e.Key.Short())
}

// Drops is the port that a [ConflictError] names where the outputs are the same
// and the rows that did not come out are not.
const Drops = "drops"

// ErrNewer reports an entry of a newer format.
var ErrNewer = errors.New("cache entry was written by a newer version of benchmill")

// Conflict compares two entries of one key by the rows of their outputs and by
// the rows they dropped.
func Conflict(old, new *Entry) error {
	conflict := func(port string, o, n digest.Digest) error {
		return &ConflictError{Key: new.Key, Stage: new.Stage, Partition: new.Partition, Port: port, Old: o, New: n}
	}
	var ports []string
	for port := range new.Outputs {
		ports = append(ports, port)
	}
	slices.Sort(ports)
	for _, port := range ports {
		if o, n := old.Outputs[port].RowsDigest, new.Outputs[port].RowsDigest; o != n {
			return conflict(port, o, n)
		}
	}
	if o, n := old.Dropped.RowsDigest, new.Dropped.RowsDigest; o != n {
		return conflict(Drops, o, n)
	}
	return nil
}

// Add counts one reply.
func (u *Usage) Add(r pipeline.Reply) {
	u.Requests++
	u.InputTokens += r.InputTokens
	u.OutputTokens += r.OutputTokens
	u.CostMicroUSD += r.CostMicroUSD
}
