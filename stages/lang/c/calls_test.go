package c

import (
	"testing"

	"benchmill/stages/lang/langtest"
)

func TestCalls(t *testing.T) { langtest.Calls(t, Language()) }

func FuzzCalls(f *testing.F) { langtest.FuzzCalls(f, Language()) }

func BenchmarkCalls(b *testing.B) { langtest.BenchCalls(b, Language()) }
