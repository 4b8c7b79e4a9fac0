package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"benchmill/pipeline"
	"benchmill/pipeline/stagetest"
	"benchmill/schemas"
	"benchmill/sources"
	"benchmill/sources/tool"
	"benchmill/stages/code"
	"benchmill/stages/crossfile"
	"benchmill/stages/lang"
	"benchmill/stages/repos"
)

// measure is what measuring needs.
type measure struct {
	languages *lang.Set
	tools     sources.Source // resolves tools
	sandbox   pipeline.Sandbox
	git       func(mirrors []sources.Mirror) sources.Source
	options   options
}

// result is what came of one repository. The first of its counts is of all uses.
type result struct {
	Repo      string         `json:"repo"`
	Commit    string         `json:"commit"`
	Language  string         `json:"language"`
	Reference string         `json:"reference,omitempty"` // the tool, with its version
	Sources   int            `json:"sources"`             // files there are
	Native    float64        `json:"native_seconds"`
	Tool      float64        `json:"tool_seconds"`
	Counts    []count        `json:"agreement,omitempty"`
	Skipped   map[string]int `json:"skipped,omitempty"` // files the tool could not read, by reason
	Error     string         `json:"error,omitempty"`

	comparison *crossfile.Comparison
	texts      map[string]string
}

// count is a row of the stage's table, of one repository.
type count struct {
	Kind      string  `json:"kind"`
	Files     int64   `json:"files"`
	Both      int64   `json:"both"`
	Native    int64   `json:"only_native"`
	Tool      int64   `json:"only_tool"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
}

func countsOf(c *crossfile.Comparison) []count {
	var out []count
	for _, r := range c.Rows() {
		out = append(out, count{r.Kind, r.Files, r.Both, r.OnlyOurs, r.OnlyTool, r.Precision, r.Recall, r.F1})
	}
	return out
}

func (m *measure) repository(ctx context.Context, r repository) (*result, error) {
	place, err := mirror(m.options.mirrors, r.Repo)
	if err != nil {
		return nil, err
	}
	source := m.git([]sources.Mirror{{Prefix: r.url(), Replacement: place}})
	if len(r.Commit) < 40 {
		pin, err := source.Resolve(ctx, pipeline.Ref{Scheme: source.Scheme(), Locator: r.url(), Name: r.Commit})
		if err != nil {
			return nil, err
		}
		r.Commit = pin.Version
	}
	row := []schemas.Repository{{Repo: r.Repo, URL: r.url(), Commit: r.Commit, Entrypoint: r.Entry, Language: r.Language}}
	inputs, err := m.files(ctx, source, row)
	if err != nil {
		return nil, err
	}
	inputs["repository"] = row
	start := time.Now()
	ours, err := stagetest.Run(ctx, stagetest.Job{Stage: crossfile.Uses(m.languages), Inputs: inputs})
	if err != nil {
		return nil, err
	}
	native := time.Since(start)
	pin, err := m.pin(ctx, r)
	if err != nil {
		return nil, err
	}
	start = time.Now()
	theirs, err := m.check(ctx, r, pin, inputs)
	if err != nil {
		return nil, err
	}
	out := &result{
		Repo: r.Repo, Commit: r.Commit, Language: r.Language, Reference: pin.Locator + " " + pin.Version,
		Native: native.Seconds(), Tool: time.Since(start).Seconds(), Skipped: map[string]int{}, texts: map[string]string{},
	}
	for _, f := range inputs["files"].([]schemas.File) {
		out.texts[f.Path] = f.Text
	}
	out.Sources = len(out.texts)
	checked := stagetest.Rows[schemas.CheckedFile](theirs, "checked")
	for _, f := range checked {
		if f.Reason != "" {
			out.Skipped[f.Reason]++
		}
	}
	out.comparison = crossfile.Compare(
		stagetest.Rows[schemas.CrossFileUse](ours, "uses"), stagetest.Rows[schemas.CheckedFile](ours, "checked"),
		stagetest.Rows[schemas.CrossFileUse](theirs, "uses"), checked)
	out.Counts = countsOf(out.comparison)
	return out, nil
}

// files are the inputs of both detectors: the files a pipeline would give them.
func (m *measure) files(ctx context.Context, source sources.Source, row []schemas.Repository) (map[string]any, error) {
	snapshot, err := stagetest.Run(ctx, stagetest.Job{
		Stage: repos.Snapshot(), Config: &repos.SnapshotConfig{MaxFileBytes: 5 << 20, Partial: true},
		Effects: fetcher{source}, Inputs: map[string]any{"repository": row},
	})
	if err != nil {
		return nil, err
	}
	picked, err := stagetest.Run(ctx, stagetest.Job{
		Stage:  code.Files(m.languages),
		Inputs: map[string]any{"repository": row, "snapshot": stagetest.Rows[schemas.Entry](snapshot, "snapshot")},
	})
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"files":   stagetest.Rows[schemas.File](picked, "files"),
		"configs": stagetest.Rows[schemas.File](picked, "configs"),
	}, nil
}

// pin is the tool of a repository's language, as it is here.
func (m *measure) pin(ctx context.Context, r repository) (pipeline.Pin, error) {
	l := m.languages.Get(r.Language)
	if l == nil || l.Checker == nil {
		return pipeline.Pin{}, fmt.Errorf("no compiler or checker is known for %q", r.Language)
	}
	return m.tools.Resolve(ctx, pipeline.Ref{Scheme: tool.Scheme, Locator: l.Checker.Tool})
}

func (m *measure) check(ctx context.Context, r repository, pin pipeline.Pin, inputs map[string]any) (*stagetest.Result, error) {
	stage := crossfile.Check(m.languages)
	config := stage.NewConfig().(*crossfile.CheckConfig)
	config.Tools, config.Time, config.Memory = []string{pin.Locator}, m.options.time, m.options.memory
	return stagetest.Run(ctx, stagetest.Job{
		Stage: stage, Config: config, Inputs: inputs, Sandbox: m.sandbox, Partition: r.Repo,
		Pins: func(pipeline.Ref) (pipeline.Pin, error) { return pin, nil },
	})
}

// fetcher serves fetches straight from a source.
type fetcher struct{ source sources.Source }

func (f fetcher) Fetch(ctx context.Context, pin pipeline.Pin) (io.ReadCloser, error) {
	var b bytes.Buffer
	err := f.source.Fetch(ctx, pin, &b)
	return io.NopCloser(&b), err
}

func (f fetcher) Complete(context.Context, pipeline.ModelName, string, pipeline.Request) (pipeline.Reply, error) {
	return pipeline.Reply{}, fmt.Errorf("no models here")
}
