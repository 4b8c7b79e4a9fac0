package effects

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"benchmill/internal/digest"
	"benchmill/pipeline"
	"benchmill/pipeline/ledger"
	"benchmill/sources"
)

// jobRequest is a job as the ledger has it: files by their digests, so that a
// record does not hold the repository it is about. Of a job with steps, which may
// have all files of a repository, there is one digest of them all.
type jobRequest struct {
	Tool   pipeline.Pin    `json:"tool"`
	Args   []string        `json:"args"`
	Files  []jobFile       `json:"files"`
	Limits pipeline.Limits `json:"limits"`
	Tree   *jobTree        `json:"tree,omitempty" hash:"omitempty"` // instead of Files
	Steps  []jobStep       `json:"steps,omitempty" hash:"omitempty"`
	Keep   []string        `json:"keep,omitempty" hash:"omitempty"`
}

type jobFile struct {
	Path       string        `json:"path"`
	Digest     digest.Digest `json:"digest"`
	Executable bool          `json:"executable,omitempty" hash:"omitempty"`
	Link       string        `json:"link,omitempty" hash:"omitempty"`
}

// jobTree is files, in whatever order they are listed.
type jobTree struct {
	Files  int           `json:"files"` // how many
	Digest digest.Digest `json:"digest"`
}

// jobStep is a step. That it is shared decides nothing, and is not in it.
type jobStep struct {
	Name   string   `json:"name"`
	Tree   *jobTree `json:"tree,omitempty" hash:"omitempty"`
	Script string   `json:"script"`
}

func requestOf(job pipeline.Job) (jobRequest, error) {
	out := jobRequest{Tool: job.Tool, Args: job.Args, Limits: job.Limits, Keep: job.Keep}
	if len(job.Steps) == 0 {
		out.Files = filesOf(job.Files)
		return out, nil
	}
	var err error
	if out.Tree, err = treeOf(job.Files); err != nil {
		return out, err
	}
	for _, s := range job.Steps {
		tree, err := treeOf(s.Files)
		if err != nil {
			return out, err
		}
		out.Steps = append(out.Steps, jobStep{s.Name, tree, s.Script})
	}
	return out, nil
}

func filesOf(files []pipeline.JobFile) []jobFile {
	var out []jobFile
	for _, f := range files {
		out = append(out, jobFile{f.Path, digest.Of([]byte(f.Text)), f.Executable, f.Link})
	}
	return out
}

func treeOf(files []pipeline.JobFile) (*jobTree, error) {
	if len(files) == 0 {
		return nil, nil
	}
	list := filesOf(files)
	slices.SortFunc(list, func(a, b jobFile) int { return strings.Compare(a.Path, b.Path) })
	e := digest.New("benchmill/job/files/1")
	if err := e.Value(list); err != nil {
		return nil, err
	}
	return &jobTree{len(list), e.Sum()}, nil
}

// JobKey is the ledger's key of a job.
func JobKey(job pipeline.Job) (digest.Digest, error) {
	r, err := requestOf(job)
	if err != nil {
		return "", err
	}
	return ledger.Key(ledger.KindJob, r)
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
	request, err := requestOf(job)
	if err != nil {
		return err
	}
	text, err := json.Marshal(request)
	if err != nil {
		return err
	}
	_, err = w.Ledger.Put(&ledger.Record{Kind: ledger.KindJob, Key: key, What: what, Request: text, Outcome: &out})
	return err
}
