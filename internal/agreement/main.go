// Command agreement measures how far cross-file uses found without a compiler
// agree with those that the languages' own tools find, and how long both take: in
// one run, on the same files, with the functions of the stages. It reads
// repositories from local mirrors and changes nothing.
//
// Repositories are listed in a file, one a line: owner/name, commit (or a branch),
// language, entry folder. Empty lines and lines that begin with # are passed over.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"benchmill/pipeline"
	"benchmill/pipeline/ledger"
	"benchmill/sources"
	"benchmill/sources/effects"
	"benchmill/sources/git"
	"benchmill/sources/sandbox"
	"benchmill/sources/tool"
	"benchmill/stages/all"
)

func main() {
	var o options
	flag.StringVar(&o.list, "repos", "", "file that lists the repositories")
	flag.StringVar(&o.mirrors, "mirrors", "mirrors", "where repositories are: a folder with <owner>/<name>, or a path with {owner} and {name} in it")
	flag.StringVar(&o.deps, "deps", ".benchmill/deps", "folder that \"make deps\" made")
	flag.StringVar(&o.ledger, "ledger", "", "folder that keeps what tools said, for work on the rules: times are not those of the tools then")
	flag.DurationVar(&o.time, "time", 20*time.Minute, "longest run of a tool")
	flag.Int64Var(&o.memory, "memory", 6<<30, "most memory of a tool, in bytes")
	flag.BoolVar(&o.json, "json", false, "print one JSON object a line")
	flag.BoolVar(&o.kinds, "kinds", false, "also a line for each kind of use, and each way its owner was known")
	flag.BoolVar(&o.verbose, "v", false, "list what only one of them found, with its line of source")
	flag.Parse()
	if err := run(context.Background(), o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "agreement:", err)
		os.Exit(1)
	}
}

type options struct {
	list, mirrors, deps, ledger string
	time                        time.Duration
	memory                      int64
	json, kinds, verbose        bool
}

func run(ctx context.Context, o options, w io.Writer) error {
	data, err := os.ReadFile(o.list)
	if err != nil {
		return err
	}
	repositories, err := parseList(o.list, string(data))
	if err != nil {
		return err
	}
	registry, err := all.New()
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "agreement-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	tools := tool.New(tool.Options{Deps: []string{o.deps}, Box: sandbox.New(temp, sandbox.Engines()...)})
	m := &measure{
		languages: registry.Languages, tools: tools, sandbox: direct{tools}, options: o,
		git: func(mirrors []sources.Mirror) sources.Source {
			return git.NewPartial(git.Options{Offline: true, Mirrors: mirrors})
		},
	}
	if o.ledger != "" {
		m.sandbox = &effects.World{Ledger: ledger.Open(o.ledger, temp), Sources: []sources.Source{tools}}
	}
	return report(ctx, m, repositories, w)
}

// report measures one repository after the other and prints each when it is done.
// One that cannot be measured is told and does not stop the others.
func report(ctx context.Context, m *measure, repositories []repository, w io.Writer) error {
	t := newTotals()
	if !m.options.json {
		fmt.Fprintln(w, header)
	}
	failed := 0
	for _, r := range repositories {
		res, err := m.repository(ctx, r)
		if err != nil {
			failed++
			res = &result{Repo: r.Repo, Commit: r.Commit, Language: r.Language, Error: err.Error()}
		}
		if m.options.json {
			if err := json.NewEncoder(w).Encode(res); err != nil {
				return err
			}
			continue
		}
		res.print(w, m.options)
		t.add(res)
	}
	if !m.options.json {
		t.print(w)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d repositories could not be measured", failed, len(repositories))
	}
	return nil
}

// direct runs jobs without a ledger, so that their time is the tool's.
type direct struct{ runner sources.Runner }

// Execute implements [pipeline.Sandbox].
func (d direct) Execute(ctx context.Context, what string, job pipeline.Job) (pipeline.Outcome, error) {
	out, err := d.runner.Run(ctx, job)
	if err != nil {
		err = fmt.Errorf("%s: %w", what, err)
	}
	return out, err
}
