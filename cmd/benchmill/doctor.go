package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"benchmill/sources/llm"
	stages "benchmill/stages/all"
)

type doctorCmd struct {
	pipelineFlags
	JSON bool `help:"Print as JSON."`
}

func (doctorCmd) Example() string { return "  benchmill doctor -f repoqa.yaml" }

type check struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
}

// Run implements the verb.
func (c *doctorCmd) Run(ctx context.Context, s *streams) error {
	var checks []check
	add := func(name string, err error, detail string) {
		if err != nil {
			detail = err.Error()
		}
		checks = append(checks, check{name, err == nil, detail})
	}
	registry, err := stages.New()
	if err != nil {
		return err
	}
	add("program", nil, fmt.Sprintf("%d stages, %d languages, %s on %s/%s, %d processors",
		len(registry.Stages), len(registry.Languages.Languages), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU()))
	if path, err := exec.LookPath("git"); err == nil {
		out, err := exec.CommandContext(ctx, path, "version").Output()
		add("git program", err, strings.TrimSpace(string(out))+" (fetches faster; not required)")
	} else {
		add("git program", nil, "not found; repositories are fetched without it, only slower")
	}
	c.checkStore(add)
	c.checkPipeline(ctx, add)
	failed := false
	for _, ch := range checks {
		failed = failed || !ch.OK
	}
	if c.JSON {
		err = printJSON(s.out, checks)
	} else {
		for _, ch := range checks {
			mark := "ok  "
			if !ch.OK {
				mark = "FAIL"
			}
			fmt.Fprintf(s.out, "%s %s: %s\n", mark, ch.Name, ch.Detail)
		}
	}
	if err == nil && failed {
		return quiet{exitFailed}
	}
	return err
}

func (c *doctorCmd) checkStore(add func(string, error, string)) {
	dir := c.dir(c.File)
	st, err := openStore(dir)
	if err == nil && st.temp == "" {
		err = fmt.Errorf("%s cannot be written to", dir)
	}
	if err != nil {
		add("store", err, "")
		return
	}
	defer st.Close()
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		add("store", err, "")
		return
	}
	free := fs.Bavail * uint64(fs.Bsize)
	if free < 1<<30 {
		add("store", fmt.Errorf("%s has only %d MB free", dir, free>>20), "")
		return
	}
	add("store", nil, fmt.Sprintf("%s, %d GB free", dir, free>>30))
}

func (c *doctorCmd) checkPipeline(ctx context.Context, add func(string, error, string)) {
	if _, err := os.Stat(c.File); errors.Is(err, fs.ErrNotExist) {
		add("pipeline", nil, c.File+" is not there; \"benchmill init\" writes one")
		return
	}
	p, err := openProject(c.pipelineFlags, slog.New(slog.DiscardHandler))
	if err != nil {
		add("pipeline", err, "")
		return
	}
	defer p.Close()
	add("pipeline", nil, fmt.Sprintf("%s: %d stages, %d releases", p.graph.Name, len(p.graph.Nodes), len(p.graph.Releases)))
	_, f, err := p.plan(ctx)
	add("lock", err, "everything the pipeline names is pinned")
	p.checkTools(ctx, add)
	p.checkGitHub(ctx, add)
	if err == nil {
		requests, err := p.requests(f)
		if err != nil {
			add("requests", err, "")
		}
		for _, e := range requests {
			add("a run would ask", nil, e.String())
		}
	}
	for _, name := range sortedKeys(p.graph.Models) {
		settings := p.graph.Models[name].Settings.(*llm.Settings)
		detail := fmt.Sprintf("%s of %s", settings.Model, settings.Provider)
		if err := settings.MissingKey(os.Getenv); err != nil {
			detail += "; only replies in the ledger can be used: " + err.Error()
		}
		add("model "+name, nil, detail)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
