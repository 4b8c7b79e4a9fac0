package local_test

import (
	"encoding/json"
	"log/slog"
	"path/filepath"
	"testing"

	"benchmill/artifacts"
	"benchmill/artifacts/storetest"
	"benchmill/pipeline"
	"benchmill/pipeline/cache"
	"benchmill/pipeline/cache/cachetest"
	"benchmill/pipeline/executor"
	"benchmill/pipeline/executor/executortest"
	"benchmill/pipeline/executor/local"
	"benchmill/pipeline/planner"
)

func newLocal(e executortest.Env) *local.Executor {
	return &local.Executor{
		Build: e.Build, Stages: e.Stages, Store: e.Store, Cache: e.Cache, Log: slog.New(slog.DiscardHandler),
		Effects: func(*planner.Task) pipeline.Effects { return nil },
		ModelSpec: func(settings json.RawMessage) (spec pipeline.ModelSpec, err error) {
			return spec, json.Unmarshal(settings, &spec)
		},
	}
}

func TestLocalInMemory(t *testing.T) {
	executortest.Run(t, executortest.World{
		Store:    func(*testing.T) artifacts.Store { return &storetest.Memory{} },
		Cache:    func(*testing.T) cache.Cache { return &cachetest.Memory{} },
		Executor: func(_ *testing.T, e executortest.Env) executor.Executor { return newLocal(e) },
	})
}

func TestLocalOnDisk(t *testing.T) {
	executortest.Run(t, executortest.World{
		Store: func(t *testing.T) artifacts.Store {
			s, err := artifacts.OpenStore(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
			return s
		},
		Cache: func(t *testing.T) cache.Cache {
			return cache.NewDisk(filepath.Join(t.TempDir(), "cache"), t.TempDir())
		},
		Executor: func(_ *testing.T, e executortest.Env) executor.Executor { return newLocal(e) },
	})
}
