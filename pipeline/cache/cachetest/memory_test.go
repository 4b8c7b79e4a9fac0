package cachetest

import (
	"testing"

	"benchmill/pipeline/cache"
)

func TestMemory(t *testing.T) {
	Run(t, func(*testing.T) cache.Cache { return &Memory{} })
}
