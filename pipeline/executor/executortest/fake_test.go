package executortest_test

import (
	"testing"

	"benchmill/artifacts"
	"benchmill/artifacts/storetest"
	"benchmill/pipeline/cache"
	"benchmill/pipeline/cache/cachetest"
	"benchmill/pipeline/executor"
	"benchmill/pipeline/executor/executortest"
)

func TestFake(t *testing.T) {
	executortest.Run(t, executortest.World{
		Store:    func(*testing.T) artifacts.Store { return &storetest.Memory{} },
		Cache:    func(*testing.T) cache.Cache { return &cachetest.Memory{} },
		Executor: func(_ *testing.T, e executortest.Env) executor.Executor { return &executortest.Fake{Env: e} },
	})
}
