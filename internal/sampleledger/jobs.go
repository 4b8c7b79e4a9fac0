package main

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/pipeline/ledger"
	"benchmill/sources/effects"
)

// noting keeps what programs said, whether they ran or the ledger knew.
type noting struct {
	pipeline.Sandbox
	mu      sync.Mutex
	records map[digest.Digest]ledger.Record
}

// Execute implements pipeline.Sandbox.
func (n *noting) Execute(ctx context.Context, what string, job pipeline.Job) (pipeline.Outcome, error) {
	out, err := n.Sandbox.Execute(ctx, what, job)
	if err != nil {
		return out, err
	}
	key, err := effects.JobKey(job)
	if err != nil {
		return out, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.records[key] = ledger.Record{Format: ledger.Format, Kind: ledger.KindJob, Key: key, What: what, Outcome: &out}
	return out, nil
}

// sorted are the records by who asked.
func (n *noting) sorted() []ledger.Record {
	return slices.SortedFunc(maps.Values(n.records), func(a, b ledger.Record) int {
		return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Key, b.Key))
	})
}
