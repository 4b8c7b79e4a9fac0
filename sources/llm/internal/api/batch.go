package api

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"benchmill/pipeline"
)

// Batches is a provider's way to answer many requests for less, within a day.
// Its errors are those of [Endpoint.Explain]; ctx bounds every call.
type Batches interface {
	// Body is a request as the normal path sends it, or why nobody can answer it.
	Body(req pipeline.Request) (json.RawMessage, error)
	// Submit sends a batch, a body for each of its items, and returns the server's
	// name for it. An error of [MayBill] leaves open whether there is a batch now.
	Submit(ctx context.Context, b Batch, bodies []json.RawMessage) (string, error)
	// Find returns the server's name for a batch that was submitted though nobody
	// noted the name, or "". Where a server tells too little of a batch under way,
	// it may be somebody else's: then its results are for other items. A batch for
	// which known is true is not meant.
	Find(ctx context.Context, b Batch, known func(id string) bool) (string, error)
	// Ended reports whether the batch's results are there.
	Ended(ctx context.Context, b Batch) (bool, error)
	// Results yields what became of each item, in any order; items may be missing,
	// be yielded twice or be of another batch. Its own error says that there may
	// have been more.
	Results(ctx context.Context, b Batch, yield func(item string, reply pipeline.Reply, err error)) error
}

// Batch is what is known of one batch.
type Batch struct {
	ID      string // the server's name for it; "": not submitted yet
	Marker  string // our name for it, which the server keeps
	Model   string
	Created time.Time // when it was about to be submitted, by our clock
	Items   []string  // our names for its requests, in order: letters, digits and "-", at most 64
}

// Skew is how far the clock of a server may be from ours when a batch is looked
// for by the time it was made.
const Skew = time.Hour

// ExplainBatch is [Endpoint.Explain] for a batch that was submitted.
func (e Endpoint) ExplainBatch(ctx context.Context, b Batch, err error) error {
	if s, ok := StatusOf(err); ok && s.Status == 404 && ctx.Err() == nil {
		return pipeline.Mark(fmt.Errorf("model %s: the provider knows no such batch (%w): it was submitted with another key, or deleted there; without its file in the journal its requests are asked anew", b.Model, s), pipeline.Fatal)
	}
	return e.Explain(ctx, b.Model, err)
}

// Expired is the error of a request that a batch had no time for.
func Expired(model string) error {
	return pipeline.Mark(fmt.Errorf("model %s: the batch expired before this request was answered", model), pipeline.Transient)
}

// Withdrawn is the error of a request whose batch somebody canceled.
func Withdrawn(model string) error {
	return fmt.Errorf("model %s: the batch was canceled at the provider before this request was answered", model)
}

// Lines calls yield for every line of JSON Lines, without blank ones. The bytes
// are yield's only until it returns. The error, for [Endpoint.Explain], names
// the line that is none, or is what yield returned.
func Lines(r io.Reader, yield func(line []byte) error) error {
	scan := bufio.NewScanner(r)
	scan.Buffer(nil, maxBody)
	n := 1
	for ; scan.Scan(); n++ {
		if len(scan.Bytes()) == 0 {
			continue
		}
		if !json.Valid(scan.Bytes()) {
			return &brokenError{reason: fmt.Sprintf("line %d of the results is not JSON: %s", n, excerpt(scan.Bytes())), sent: true}
		}
		if err := yield(scan.Bytes()); err != nil {
			return err
		}
	}
	if errors.Is(scan.Err(), bufio.ErrTooLong) {
		return &brokenError{reason: fmt.Sprintf("line %d of the results is longer than %d MiB", n, maxBody>>20), sent: true}
	}
	return scan.Err()
}
