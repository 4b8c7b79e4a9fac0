package effects

import (
	"context"
	"encoding/json"
	"fmt"

	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/pipeline/ledger"
	"benchmill/sources"
)

// jobRequest is a job as the ledger has it: files by their digests, so that a
// record does not hold the repository it is about.
type jobRequest struct {
	Tool   pipeline.Pin    `json:"tool"`
	Args   []string        `json:"args"`
	Files  []jobFile       `json:"files"`
	Limits pipeline.Limits `json:"limits"`
}

type jobFile struct {
	Path   string        `json:"path"`
	Digest digest.Digest `json:"digest"`
}

func requestOf(job pipeline.Job) jobRequest {
	out := jobRequest{Tool: job.Tool, Args: job.Args, Limits: job.Limits}
	for _, f := range job.Files {
		out.Files = append(out.Files, jobFile{f.Path, digest.Of([]byte(f.Text))})
	}
	return out
}

// JobKey is the ledger's key of a job.
func JobKey(job pipeline.Job) (digest.Digest, error) {
	return ledger.Key(ledger.KindJob, requestOf(job))
}

// Execute implements [pipeline.Sandbox]. A frozen run runs nothing.
func (w *World) Execute(ctx context.Context, what string, job pipeline.Job) (pipeline.Outcome, error) {
	key, err := JobKey(job)
	if err != nil {
		return pipeline.Outcome{}, err
	}
	for {
		r, ok, err := w.Ledger.Get(ledger.KindJob, key)
		if err != nil {
			return pipeline.Outcome{}, err
		}
		if ok && r.Outcome != nil {
			return *r.Outcome, nil
		}
		if err := w.once(ctx, key, func() error { return w.execute(ctx, key, what, job) }); err != nil {
			return pipeline.Outcome{}, err
		}
	}
}

func (w *World) execute(ctx context.Context, key digest.Digest, what string, job pipeline.Job) error {
	// Another flight may have landed since the caller looked.
	if r, ok, err := w.Ledger.Get(ledger.KindJob, key); err != nil || ok && r.Outcome != nil {
		return err
	}
	if w.Frozen {
		return pipeline.Mark(&pipeline.MissingEffect{Effect: fmt.Sprintf("%s (%s), job %s", job.Tool, what, key)}, pipeline.Fatal)
	}
	runner, ok := w.Source(job.Tool.Scheme).(sources.Runner)
	if !ok {
		return fmt.Errorf("%s: nothing runs %s", what, job.Tool)
	}
	out, err := runner.Run(ctx, job)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	text, err := json.Marshal(requestOf(job))
	if err != nil {
		return err
	}
	_, err = w.Ledger.Put(&ledger.Record{Kind: ledger.KindJob, Key: key, What: what, Request: text, Outcome: &out})
	return err
}
