// Command samplehub records what the sample asks GitHub: it builds a small GitHub
// in memory from issues.yaml and the sample's repositories, has the sources search
// and collect from it, and writes the conversations that ship with the sample. Run
// it after a change of the sample, of issues.yaml or of what the sources ask.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"benchmill/pipeline"
	"benchmill/pipeline/graph"
	"benchmill/pipeline/lock"
	"benchmill/pipelines/sample"
	"benchmill/sources"
	kinds "benchmill/sources/all"
	"benchmill/sources/github"
	"benchmill/sources/github/githubtest"
	"benchmill/sources/github/replay"
	"benchmill/stages/all"
)

func main() {
	file := flag.String("f", "pipeline.yaml", "the sample's pipeline")
	world := flag.String("world", "pipelines/sample/issues.yaml", "what the sample's GitHub knows")
	out := flag.String("out", "pipelines/sample/api", "folder of the recorded conversations")
	flag.Parse()
	if err := run(context.Background(), *file, *world, *out); err != nil {
		fmt.Fprintln(os.Stderr, "samplehub:", err)
		os.Exit(1)
	}
}

// base is where the sample's GitHub would be. No such host exists.
const base = sample.Host + "api/v3"

func run(ctx context.Context, file, world, out string) error {
	registry, err := all.New()
	if err != nil {
		return err
	}
	g, err := graph.Load(file, kinds.Kinds(registry.Stages, all.Schemas(), all.Adapters()), nil)
	if err != nil {
		return err
	}
	l, err := lock.Read(lock.Path(file))
	if err != nil {
		return err
	}
	w, repos, err := read(world)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "samplehub-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	asOf := l.AsOfTime()
	server := githubtest.New(w, githubtest.Options{Names: base, Prefix: "/api/v3", Now: func() time.Time { return asOf }})
	recorder := &replay.Recorder{Through: server.Transport(), Date: asOf}
	hub := github.New(github.Options{
		Dir: filepath.Join(temp, "github"), Transport: recorder,
		Getenv: func(string) string { return "recording-in-memory" },
	})
	if err := ask(ctx, hub, g, asOf, repos); err != nil {
		return err
	}
	return recorder.Save(out)
}

// ask sends every search of the pipeline, and collects the repositories that have
// issues.
func ask(ctx context.Context, hub *github.World, g *graph.Graph, asOf time.Time, repos []string) error {
	for _, source := range hub.Sources() {
		if lister, ok := source.(sources.Lister); ok {
			for _, n := range g.Nodes {
				if n.Stage.Moving == nil || n.Stage.Name != "repos.search" {
					continue
				}
				refs, err := n.Stage.Moving(n.Config, nil)
				if err != nil {
					return err
				}
				for _, ref := range refs {
					if _, err := lister.List(ctx, ref, asOf); err != nil {
						return err
					}
				}
			}
			continue
		}
		for _, repo := range repos {
			pin := pipeline.Pin{Scheme: source.Scheme(), Locator: base + "/repos/" + repo, Version: asOf.Format(time.RFC3339)}
			if err := source.Fetch(ctx, pin, io.Discard); err != nil {
				return err
			}
		}
	}
	return nil
}
