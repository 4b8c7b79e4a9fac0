package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"

	"benchmill/artifacts"
	"benchmill/internal/digest"
	"benchmill/internal/tokenizer"
	"benchmill/pipeline"
	"benchmill/pipeline/cache"
	"benchmill/pipeline/executor"
	"benchmill/pipeline/executor/local"
	"benchmill/pipeline/graph"
	"benchmill/pipeline/ledger"
	"benchmill/pipeline/lock"
	"benchmill/pipeline/planner"
	"benchmill/pipelines/sample"
	"benchmill/sources"
	kinds "benchmill/sources/all"
	"benchmill/sources/effects"
	"benchmill/sources/git"
	"benchmill/sources/github"
	"benchmill/sources/llm"
	"benchmill/sources/runtime"
	"benchmill/sources/sandbox"
	"benchmill/sources/tool"
	"benchmill/sources/vocabulary"
	"benchmill/stages/all"
)

// build runs the whole pipeline in a folder of its own, with w as the models.
// Programs run where jobs, a ledger of what they said, has no outcome; it returns
// what they said this time.
func build(ctx context.Context, file string, jobs []byte, w *writer) ([]ledger.Record, error) {
	registry, err := all.New()
	if err != nil {
		return nil, err
	}
	g, err := graph.Load(file, kinds.Kinds(registry.Stages, all.Schemas(), all.Adapters()), nil)
	if err != nil {
		return nil, err
	}
	l, err := lock.Read(lock.Path(file))
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "sampleledger-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	repositories := filepath.Join(temp, "repositories") + string(filepath.Separator)
	if _, err := sample.Prepare(ctx, repositories); err != nil {
		return nil, err
	}
	store, err := artifacts.OpenStore(filepath.Join(temp, "store"))
	if err != nil {
		return nil, err
	}
	defer store.Close()
	records := ledger.Open(filepath.Join(temp, "ledger"), temp)
	for _, list := range l.Lists() {
		if err := records.ShipFetch(list.Pin(), list.Body()); err != nil {
			return nil, err
		}
	}
	mirrors := []sources.Mirror{{Prefix: sample.Host, Replacement: repositories}}
	for _, m := range g.Mirrors {
		if m.Prefix != sample.Host {
			mirrors = append(mirrors, sources.Mirror(m))
		}
	}
	hub := github.New(github.Options{Mirrors: mirrors, Root: g.Dir, Dir: filepath.Join(temp, "github")})
	box := sandbox.New(temp, sandbox.Engines()...)
	defer box.Close()
	tools := tool.New(tool.Options{Root: g.Dir, Deps: []string{filepath.Join(g.Dir, ".benchmill", "deps")}, Box: box})
	self, err := filepath.Abs(filepath.Join(g.Dir, "bin", "benchmill")) // which "make build" makes
	if err != nil {
		return nil, err
	}
	machine := runtime.New(runtime.Options{Programs: tools, Box: box, Self: self})
	repos := git.Options{Offline: true, Mirrors: mirrors, Dir: g.Dir, TempDir: temp}
	// It is not frozen, for programs. Of the others none reaches a network.
	world := &effects.World{Store: store, Ledger: records, Getenv: func(string) string { return "" },
		Sources: append(append(hub.Sources(), git.NewDates(repos)...), git.New(repos), tools, machine)}
	models := map[pipeline.ModelName]json.RawMessage{}
	for name, m := range g.Models {
		if models[pipeline.ModelName(name)], err = json.Marshal(m.Settings); err != nil {
			return nil, err
		}
	}
	w.Effects = world.For(models)
	if err := records.Ship("jobs", jobs); err != nil {
		return nil, err
	}
	said := &noting{Sandbox: world, records: map[digest.Digest]ledger.Record{}}

	tokenizers := map[string]pipeline.Tokenizer{}
	build := planner.Build(registry.Stages, registry.Identities()...)
	frontier, err := planner.NewFrontier(g, g.Nodes, facts(ctx, g, l, build, store, tokenizers), planner.StoredRows(ctx, store), 0)
	if err != nil {
		return nil, err
	}
	cached := cache.NewDisk(filepath.Join(temp, "cache"), temp)
	_, err = executor.Run(ctx, executor.Config{
		Frontier: frontier, Cache: cached, Store: store, Limits: executor.Limits{CPU: 2, Network: 2, LLM: 2, MemoryBytes: 1 << 30},
		Executor: &local.Executor{
			Build: build, Stages: registry.Stages, Store: store, Cache: cached, Log: slog.New(slog.DiscardHandler),
			Effects: func(*planner.Task) pipeline.Effects { return w },
			Sandbox: said,
			ModelSpec: func(settings json.RawMessage) (pipeline.ModelSpec, error) {
				var s llm.Settings
				err := json.Unmarshal(settings, &s)
				return s.ModelSpec, err
			},
			Tokenizer: func(pin planner.TokenizerPin, _ []byte) (pipeline.Tokenizer, error) {
				return tokenizers[pin.Identity], nil
			},
		},
	})
	for _, n := range frontier.Nodes() {
		cells, _ := frontier.Cells(n)
		for _, c := range cells {
			if err == nil && c.State == planner.Failed {
				err = c.Err
			}
		}
	}
	return said.sorted(), err
}

// facts are what the sample's pipeline names: files, models by their settings,
// and tokenizers that need no file.
func facts(ctx context.Context, g *graph.Graph, l *lock.Lock, build digest.Digest, store artifacts.Store, tokenizers map[string]pipeline.Tokenizer) planner.Facts {
	files := folder(g.Dir)
	return planner.Facts{
		Build: build, AsOf: l.AsOf, Files: files,
		Pin: func(ref pipeline.Ref) (pipeline.Pin, error) { return l.Pin(ref, l.AsOf) },
		File: func(name pipeline.FileName) (digest.Digest, error) {
			data, err := files.ReadFile(name)
			if err != nil {
				return "", err
			}
			w, err := store.Create(ctx)
			if err != nil {
				return "", err
			}
			defer w.Discard()
			if _, err := w.Write(data); err != nil {
				return "", err
			}
			return w.Commit()
		},
		Model: func(name pipeline.ModelName) (pipeline.ModelSpec, json.RawMessage, error) {
			m := g.Models[string(name)]
			settings, err := json.Marshal(m.Settings)
			return m.Spec, settings, err
		},
		Tokenizer: func(name pipeline.TokenizerName) (planner.TokenizerPin, error) {
			s := g.Tokenizers[string(name)].Settings.(*vocabulary.Settings)
			t, err := tokenizer.Load(tokenizer.Kind(s.Kind), s.Encoding, nil)
			if err != nil {
				return planner.TokenizerPin{}, err
			}
			tokenizers[t.Identity()] = t
			return planner.TokenizerPin{Identity: t.Identity(), Settings: json.RawMessage("{}")}, nil
		},
	}
}

// folder is the files beside a pipeline.
type folder string

// ReadFile implements pipeline.Files.
func (f folder) ReadFile(name pipeline.FileName) ([]byte, error) {
	return os.ReadFile(filepath.Join(string(f), string(name)))
}
