package storetest_test

import (
	"testing"

	"benchmill/artifacts"
	"benchmill/artifacts/storetest"
)

func TestMemory(t *testing.T) {
	storetest.Run(t, func(*testing.T) artifacts.Store { return new(storetest.Memory) })
}
